internal import Graph

/// `pictures.csv` of a data set that this program wrote: the clip and the frame that each of its pictures is of.
package struct SetPictures: Sendable {
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
    /// Pictures by their names without extensions; none of a set of sequences, whose pictures are numbered.
    private var pictures: [String: Picture] = [:]
    /// Sequences by their folders in the set.
    private var sequences: [String: (clip: String, frames: [Int: Int])] = [:]
    /// What the pictures of clips are called after, where that isn't the clip's id.
    private var names: [String: String] = [:]

    /// Reads the list of the data set that a path leads into.
    /// - Returns: nil where it leads into none.
    /// - Throws: A sentence with file and line.
    package init?(near path: String) throws {
        files = DataSetRecord.files(near: path)
        guard !files.isEmpty else { return nil }
        folder = Files.parent(of: files[0])
        let list = files[1]
        let records = try CSVRecords(path: list)
        let head = try records.next() ?? []
        guard let picture = head.firstIndex(of: "picture"), let clip = head.firstIndex(of: "clip"),
            let frame = head.firstIndex(of: "frame")
        else { throw ImportError(list, line: 1, "expected the columns picture, clip and frame") }
        // Each clip's id once: pictures are many.
        var ids: Set<String> = []
        while let cells = try records.next() {
            guard max(picture, clip, frame) < cells.count, let number = Int(cells[frame]), number >= 0 else {
                throw ImportError(list, line: records.line, "expected a picture, its clip and its frame")
            }
            add(cells[picture], Picture(clip: ids.insert(cells[clip]).memberAfterInsert, frame: number))
        }
    }

    private mutating func add(_ path: String, _ picture: Picture) {
        let name = Files.stem(of: path)
        let parent = Files.parent(of: path)
        var own = FrameFile.clip(in: name)
        if Files.name(of: parent) == "img1" {
            let sequence = Files.parent(of: parent)
            own = Files.name(of: sequence)
            guard let number = Int(name) else { return }
            sequences[sequence, default: (picture.clip, [:])].frames[number] = picture.frame
        } else {
            pictures[name] = picture
        }
        if own != picture.clip { names[picture.clip] = own }
    }

    /// The picture of a name, whatever its extension; nil for none of the set's.
    subscript(name: String) -> Picture? { pictures[Files.stem(of: name)] }

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
        // Of “a” and “a b” the longer one is meant.
        for (id, name) in names.sorted(by: { $0.key.count > $1.key.count }) {
            guard let place = parts.firstIndex(where: { $0 == id || $0.hasPrefix(id + "_") }) else { continue }
            parts[place] = name + parts[place].dropFirst(id.count)
            return folder + "/" + parts.joined(separator: "/")
        }
        return nil
    }
}
