internal import CWorker
internal import Glibc

/// Accepted results: a folder of track files that later ones are held against.
public struct Baseline {
    /// The outcome of taking results: what was taken and what wasn't.
    public struct Taken: Sendable {
        /// Names of the track files that are new or other than before.
        public var changed: [String] = []
        /// How many are the same as before.
        public var same = 0
        /// Names of those that were there before and that no result takes the place of.
        public var kept: [String] = []
        /// Names of those that were there before and that were left out, as there is no job of them any more.
        public var dropped: [String] = []
        /// Sentences about jobs whose results aren't right.
        public var refused: [String] = []
    }

    /// Path of the folder.
    public let folder: String

    /// A baseline in a folder; nothing is read or made yet.
    /// - Parameter folder: Where accepted results lie; made where it isn't there.
    public init(_ folder: String) { self.folder = folder }

    /// Takes the track files of a run as what later ones are held against: those that are whole and of jobs that went well.
    /// All of them, or none: the folder is another at once.
    /// - Parameters:
    ///   - results: The output folder of the run.
    ///   - prunes: Whether what the results have no job of is left out.
    ///   - kinds: Kinds of results that the program knows.
    /// - Throws: `FileError`, also for a folder with other things than track files in it; `TrackFileError`.
    public func take(_ results: String, prunes: Bool = false, kinds: FindingCatalog) throws -> Taken {
        var taken = Taken()
        let files = try TrackFiles.list(in: results)
        let report = Report.read(directory: results)
        guard !files.isEmpty || !report.isEmpty else {
            throw FileError(
                "accept", path: results,
                reason: "it has no *\(TracksSink.format.suffix); expected the output folder of a run")
        }
        let before = try accepted()
        let folder = OutputFile(target: folder, isFolder: true)
        defer { folder.discard() }
        var new: Set<String> = []
        for (id, outcome) in report.sorted(by: { $0.key < $1.key }) where !Self.isRight(outcome) {
            let reason = outcome.error ?? Self.complaint(outcome) ?? outcome.status.rawValue
            taken.refused.append("\(id): \(reason)".inOneLine)
        }
        for path in files.sorted() {
            let name = Files.name(of: path)
            let id = String(name.dropLast(TracksSink.format.suffix.count))
            if let outcome = report[id], !Self.isRight(outcome) { continue }
            // One that isn't whole is nothing to hold others against.
            let reader = try TrackFileReader(path: path, kinds: kinds)
            while try reader.next() != nil {}
            let bytes = try Files.read(path)
            new.insert(name)
            try write(bytes, name, in: folder)
            if let old = before[name], try Files.read(old) == bytes {
                taken.same += 1
            } else {
                taken.changed.append(name)
            }
        }
        for (name, path) in before.sorted(by: { $0.key < $1.key }) where !new.contains(name) {
            let isGone = report[String(name.dropLast(TracksSink.format.suffix.count))] == nil
            guard !(prunes && isGone) else {
                taken.dropped.append(name)
                continue
            }
            try write(try Files.read(path), name, in: folder)
            taken.kept.append(name)
        }
        try folder.sync()
        try put(folder)
        return taken
    }

    /// Gives the new folder its name. Where there is an earlier one they change places, and that one goes: nobody sees a moment
    /// without the one or the other.
    private func put(_ new: OutputFile) throws {
        guard Files.exists(folder) else { return try new.commit() }
        if let broker = Files.broker { return try broker.replace(new.pending) }
        let parent = open(Files.parent(of: folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw systemError("write", folder) }
        defer { close(parent) }
        let code = cwk_exchange(parent, Files.name(of: new.temporary), Files.name(of: folder))
        guard code == 0 else {
            throw FileError("rename to", path: folder, code: code, reason: String(cString: strerror(-code)))
        }
    }

    private func write(_ bytes: [UInt8], _ name: String, in folder: OutputFile) throws {
        let writer = try ByteWriter(path: "\(folder.temporary)/\(name)")
        try writer.write(bytes)
        try writer.finish()
    }

    /// Paths of what is accepted so far, by their names.
    private func accepted() throws -> [String: String] {
        guard Files.exists(folder) else { return [:] }
        guard Files.isDirectory(folder) else {
            throw FileError("accept", path: folder, reason: "it is a file; expected a folder, or nothing there")
        }
        let names = try Files.list(folder).filter { !$0.hasPrefix(".") }
        if let other = names.first(where: { !$0.hasSuffix(TracksSink.format.suffix) }) {
            throw FileError(
                "accept", path: folder,
                reason:
                    "it holds “\(other.inOneLine)”, which is no track file; expected a folder of accepted results alone"
            )
        }
        return Dictionary(names.map { ($0, "\(folder)/\($0)") }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether a job went well, by all that was expected of it but to be as accepted: that is to be changed.
    private static func isRight(_ outcome: JobOutcome) -> Bool {
        outcome.status.isWhole && complaint(outcome) == nil
    }

    /// The first complaint that is no matter of what was accepted.
    private static func complaint(_ outcome: JobOutcome) -> String? {
        outcome.judgements.first { !$0.holds && $0.against == nil }?.complaints.first
    }
}
