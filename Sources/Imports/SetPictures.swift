/// `pictures.csv` of a data set that this program wrote: the clip and the frame that each of its pictures is of.
package final class SetPictures: Sendable {
    /// A picture.
    struct Picture {
        /// The job's id.
        var clip: String
        /// The frame's number, from 0.
        var frame: Int
    }

    /// The set's folder, without links.
    private let folder: String
    /// The set's record and its list of pictures.
    let files: [String]
    /// Pictures by what their names say before their numbers, and by these; none of a set of sequences, whose pictures are
    /// numbered. A large set has far fewer names than pictures.
    private let pictures: [String: [Int: Picture]]
    /// Sequences by their folders in the set.
    private let sequences: [String: (clip: String, frames: [Int: Int])]
    /// What the pictures of clips are called after, where that isn't the clip's id.
    private let names: [String: String]

    private static let known = ReadFiles<SetPictures>()

    /// The data set that a path leads into; its list is read once, until it changes.
    /// - Returns: nil where it leads into none.
    /// - Throws: A sentence with file and line.
    package static func near(_ path: String) throws -> SetPictures? {
        let files = DataSetRecord.files(near: path)
        guard let list = files.last else { return nil }
        return try known.value(of: list, and: files) { try SetPictures(files) }
    }

    /// - Parameter files: The set's record and its list of pictures.
    private init(_ files: [String]) throws {
        self.files = files
        folder = Files.parent(of: files[0])
        let list = files[1]
        let records = try CSVRecords(path: list)
        let head = try records.next() ?? []
        guard let picture = head.firstIndex(of: "picture"), let clip = head.firstIndex(of: "clip"),
            let frame = head.firstIndex(of: "frame")
        else { throw ImportError(list, line: 1, "expected the columns picture, clip and frame") }
        // Each clip's id once: pictures are many.
        var ids: Set<String> = []
        var index = Index()
        while let cells = try records.next() {
            guard max(picture, clip, frame) < cells.count, let number = Int(cells[frame]),
                (0..<ImportRequest.mostFrames).contains(number)
            else {
                throw ImportError(list, line: records.line, "expected a picture, its clip and its frame")
            }
            index.add(cells[picture], Picture(clip: ids.insert(cells[clip]).memberAfterInsert, frame: number))
        }
        (pictures, sequences, names) = (index.pictures, index.sequences, index.names)
    }

    /// What the list says, while it is read.
    private struct Index {
        var pictures: [String: [Int: Picture]] = [:]
        var sequences: [String: (clip: String, frames: [Int: Int])] = [:]
        var names: [String: String] = [:]

        mutating func add(_ path: String, _ picture: Picture) {
            // A table's set may have no pictures.
            guard !path.isEmpty else { return }
            let name = Files.stem(of: path)
            let parent = Files.parent(of: path)
            var own = FrameFile.clip(in: name)
            if Files.name(of: parent) == "img1" {
                let sequence = Files.parent(of: parent)
                own = Files.name(of: sequence)
                guard let number = Int(name) else { return }
                sequences[sequence, default: (picture.clip, [:])].frames[number] = picture.frame
            } else {
                let (start, number) = SetPictures.parts(of: name)
                pictures[start, default: [:]][number] = picture
            }
            if own != picture.clip { names[picture.clip] = own }
        }
    }

    /// What a name says before the number at its end, and that number behind a 1, which keeps its zeros; 0 for none.
    private static func parts(of name: String) -> (start: String, number: Int) {
        let digits = name.utf8.reversed().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
        guard digits > 0, let number = Int("1" + name.suffix(digits)) else { return (name, 0) }
        return (String(name.dropLast(digits)), number)
    }

    /// The picture of a name, whatever its extension; nil for none of the set's.
    subscript(name: String) -> Picture? {
        let (start, number) = Self.parts(of: Files.stem(of: name))
        return pictures[start]?[number]
    }

    /// Frames of a sequence's pictures, by the pictures' numbers.
    /// - Parameter path: A file of the sequence, its `gt/gt.txt` say.
    /// - Returns: nil where it is in none of the set's sequences.
    func frames(of path: String) -> [Int: Int]? {
        var place = Files.canonicalOfPossible(path)
        while place.count > folder.count {
            if let sequence = sequences[String(place.dropFirst(folder.count + 1))] { return sequence.frames }
            place = Files.parent(of: place)
        }
        return nil
    }

    /// What a clip's pictures are called after, where that isn't its id.
    package func name(of clip: String) -> String? { names[clip] }

    /// Folders of the sequences in another folder, by their clips' ids.
    package func sequences(in other: String) -> [String: String] {
        let other = Files.canonicalOfPossible(other)
        var found: [String: String] = [:]
        for (place, sequence) in sequences {
            let path = folder + "/" + place
            if path.hasPrefix(other + "/") { found[sequence.clip] = path }
        }
        return found
    }

    /// A path in which a clip's id stands where the set has the clip's name; nil where there is none.
    func renamed(_ path: String) -> String? {
        let whole = Files.canonicalOfPossible(Files.parent(of: path)) + "/" + Files.name(of: path)
        guard whole.hasPrefix(folder + "/") else { return nil }
        var parts = whole.dropFirst(folder.count + 1).split(separator: "/").map(String.init)
        // Of “a” and “a b” the longer one is meant; of two as long always the same.
        let found = parts.indices.flatMap { place in
            Self.starts(of: parts[place]).compactMap { id in names[id].map { (place: place, id: id, name: $0) } }
        }
        let one = found.min { one, other in
            let (a, b) = (one.id.utf8, other.id.utf8)
            return a.count != b.count ? a.count > b.count : a.lexicographicallyPrecedes(b)
        }
        guard let one else { return nil }
        parts[one.place] = one.name + parts[one.place].dropFirst(one.id.count)
        return folder + "/" + parts.joined(separator: "/")
    }

    /// A part of a path, and all that it says before one of its “_”.
    private static func starts(of part: String) -> [String] {
        [part] + part.indices.filter { part[$0] == "_" }.map { String(part[..<$0]) }
    }
}
