/// A data set of many clips' results: pictures and labels, as training programs read them.
///
/// Clips come one after another: their track files are surveyed for the classes, then each is surveyed and written, and its video
/// decoded once. What is held doesn't grow with their number.
public struct DataSet: Sendable {
    /// One clip's results.
    public struct Clip: Sendable {
        /// The job's id.
        public var id: String
        /// The track file's path.
        public var tracks: String
        /// The video's path. Asked for where pictures are looked at.
        public var video: @Sendable () throws -> String
        /// Marks of the video, its path or a hash of it: clips that have one in common are of one video.
        public var source: [String]
        /// A text that changes with what the track file holds; nil where none is known.
        public var stamp: String?

        /// A clip by its job's id.
        public init(
            id: String, tracks: String, source: [String] = [], stamp: String? = nil,
            video: @escaping @Sendable () throws -> String
        ) {
            (self.id, self.tracks, self.source, self.stamp, self.video) = (id, tracks, source, stamp, video)
        }
    }

    let options: DataSetOptions
    /// The clips, by their ids.
    public let clips: [Clip]
    let kinds: FindingCatalog
    let generator: String
    let layout: DataSetFormat
    /// Ids of clips of whose jobs the remarks know another video: what they say of these is left out.
    public var strangers: Set<String> = []
    /// Whether texts in tables stay as they are, also those that a spreadsheet takes for formulas.
    public var keepsFormulas = false

    /// A data set of some clips, of which nothing is read or written yet.
    /// - Parameters:
    ///   - options: Which of the results go into it, and in which layout.
    ///   - clips: In any order: the data set has them by their ids.
    ///   - kinds: Kinds of results that the program knows.
    ///   - generator: The program and its version.
    /// - Returns: nil where there is no such layout.
    public init?(_ options: DataSetOptions, clips: [Clip], kinds: FindingCatalog, generator: String) {
        guard let layout = DataSetFormat(rawValue: options.format) else { return nil }
        (self.options, self.kinds, self.generator, self.layout) = (options, kinds, generator, layout)
        self.clips = clips.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
    }

    /// Format of the pictures; nil where none are written.
    var pictures: PictureFormat? {
        options.frames.map(\.format) ?? (layout.needsPictures ? .jpg : nil)
    }

    /// Whether a folder has this very data set already.
    public func isUpToDate(_ path: String) throws -> Bool {
        guard let fingerprint = try fingerprint(), let record = DataSetRecord.read(path) else { return false }
        return record["fingerprint"]?.string == fingerprint && DataSetFolders.areThere(record["folders"], in: path)
    }

    /// Makes a data set look as if it had been written just now: its record, which stands for it.
    public static func touch(_ path: String) {
        // One that can't be opened isn't there.
        (try? HeldFolder(path))?.touch(DataSetRecord.name)
    }

    /// A hash of all that the data set depends on; nil where that isn't known.
    func fingerprint() throws -> String? {
        // Not where it lies, but what it is.
        var choice = options
        (choice.directory, choice.classes, choice.remarks) = ("", nil, nil)
        var json = JSONWriter()
        json.array { json in
            json.value(generator)
            choice.write(into: &json)
        }
        var text = json.text
        for file in [options.classes, options.remarks].compactMap(\.self) { text += try SHA256.hash(file: file) }
        for clip in clips {
            guard let stamp = clip.stamp else { return nil }
            text += "\n\(clip.id)\n\(stamp)"
        }
        // On it depends which clip is for what.
        text += "\n\(try ClipSources.groups(of: clips, kinds))"
        return SHA256.hash(Array(text.utf8))
    }

    /// Why a folder can't become a data set; nil where it can.
    public static func whyUnusable(_ path: String) -> String? {
        // One that isn't there has nothing in it.
        guard Files.isDirectory(path), let names = try? Files.list(path), !names.isEmpty else { return nil }
        if let record = DataSetRecord.read(path) {
            return DataSetFolders.stranger(record["folders"], in: path).map {
                "“\($0.inOneLine)” in it was put there or changed since this program wrote the data set; move that away, or name "
                    + "another folder"
            }
        }
        return
            "it holds “\(names[0].inOneLine)” and is no data set of this program's; expected a folder that isn't there, an empty one, or such a data set"
    }

    /// Writes the data set; nothing has its name before it is whole, and an earlier data set stays until then.
    /// - Throws: `TrackFileError`, `FileError` and `DataSetError`, each a sentence.
    @discardableResult
    public func write(to path: String, cancellation: Cancellation = Cancellation()) throws -> DataSetSummary {
        if let reason = Self.whyUnusable(path) { throw FileError("write", path: path, reason: reason) }
        let file = OutputFile(target: path, isFolder: true)
        if let reason = file.whyUnusable { throw FileError("write", path: path, reason: reason) }
        do {
            let run = try DataSetRun(self, in: file.temporary, cancellation)
            let summary = try run.write(fingerprint: try fingerprint())
            try file.commit()
            return summary
        } catch {
            file.discard()
            throw error
        }
    }
}

/// The error of results that make no data set.
public struct DataSetError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The outcome of writing a data set.
public struct DataSetSummary: Sendable {
    /// Clips, pictures and things of each part, by its name, in the parts' order.
    public internal(set) var parts: [(name: String, clips: Int, pictures: Int, things: Int)] = []
    /// How many pictures there are in which there is nothing.
    public internal(set) var backgrounds = 0
    /// How many pictures were left out, for each reason.
    public internal(set) var leftOut: [(reason: String, words: String, count: Int)] = []
    /// How many things are of classes that aren't listed.
    public internal(set) var dropped = 0
    /// How many pictures of things were cut out.
    public internal(set) var crops = 0
    /// Notes on what the layout can't say, a sentence each.
    public internal(set) var notes: [String] = []

    /// What people are told, a sentence a line.
    public var sentences: [String] {
        func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
        var sentences = parts.map { part in
            "\(part.name): \(plural(part.pictures, "picture")) of \(plural(part.clips, "clip")), "
                + plural(part.things, "thing")
        }
        if backgrounds > 0 { sentences.append("\(plural(backgrounds, "picture")) known to have nothing in them") }
        if crops > 0 { sentences.append("\(plural(crops, "picture")) of things cut out") }
        if dropped > 0 { sentences.append("\(plural(dropped, "thing")) of other classes left out") }
        sentences += leftOut.map { "left out: \(plural($0.count, "picture")) \($0.words)" }
        return sentences + notes
    }
}
