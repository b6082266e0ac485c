/// A comparison of two track files, or of all those of two folders.
public struct Comparison: Sendable {
    /// One file's name in the two folders.
    public struct File: Sendable {
        /// The outcome of comparing a file.
        public enum Outcome: Sendable {
            /// Both folders have the file.
            case compared(TrackFileComparison)
            /// The file is in the old folder alone.
            case onlyOld
            /// The file is in the new folder alone.
            case onlyNew
            /// A sentence that says why it can't be compared.
            case unreadable(String)
        }

        /// The file's name.
        public var name: String
        /// The outcome of comparing it.
        public var outcome: Outcome

        var compared: TrackFileComparison? { if case .compared(let comparison) = outcome { comparison } else { nil } }

        /// Whether it differs, is missing, or can't be compared.
        var differs: Bool { compared.map { $0.verdict == .differs } ?? true }

        /// How bad it is: by its worst frame; what is missing or can't be read comes first.
        var badness: Double {
            guard let comparison = compared else { return .infinity }
            return comparison.worst.all.first?.badness ?? 0
        }

        /// How much of it there is: frames in which a thing is gone, has come, or is called otherwise.
        var extent: Int {
            compared?.things.reduce(0) { $0 + $1.went.frames + $1.came.frames + $1.labels.frames } ?? .max
        }

        /// What differs, in a few words.
        var sentence: String {
            switch outcome {
            case .onlyOld: "missing: only in the old folder"
            case .onlyNew: "only in the new folder"
            case .unreadable(let reason): reason.inOneLine
            case .compared(let comparison):
                comparison.verdict == .differs ? comparison.sentence : comparison.title
            }
        }
    }

    /// Path of the old file or folder.
    public let old: String
    /// Path of the new file or folder.
    public let new: String
    /// Pixels that corners and edges may be apart.
    public let tolerance: Double
    /// The files, sorted by their names; one where files were compared, not folders.
    public let files: [File]
    /// Whether folders were compared.
    public let isOfFolders: Bool

    /// What is forgiven, by stage and kind.
    let tolerances: Tolerances

    /// Sentences on what is forgiven of stages that no file has: a misspelt one would go unseen.
    public var warnings: [String] {
        let compared = files.compactMap(\.compared)
        guard !compared.isEmpty else { return [] }
        let stages = compared.reduce(into: Set()) { $0.formUnion($1.stages) }
        return tolerances.strangers(among: stages).map {
            "nothing is forgiven of stage “\($0.inOneLine)”, which no track file has; expected one of \(list(stages.sorted()))"
        }
    }

    /// Compares two track files by their paths; one that can't be read is an outcome, too.
    public init(file old: String, _ new: String, _ tolerances: Tolerances, kinds: FindingCatalog) {
        (self.old, self.new, self.tolerances, isOfFolders) = (old, new, tolerances, false)
        tolerance = tolerances.pixels
        files = [File(name: Files.name(of: new), outcome: Self.outcome(old, new, tolerances, kinds: kinds))]
    }

    /// Compares the track files of two folders by their names.
    /// - Throws: `FileError` for a folder that can't be listed, or has none.
    public init(folder old: String, _ new: String, _ tolerances: Tolerances, kinds: FindingCatalog) throws {
        (self.old, self.new, self.tolerances, isOfFolders) = (old, new, tolerances, true)
        tolerance = tolerances.pixels
        let (olds, news) = (try Self.paths(old), try Self.paths(new))
        let names = Set(olds.keys).union(news.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        files = try parallelMap(names.count, threads: Machine.cores) { index in
            let name = names[index]
            guard let old = olds[name] else { return File(name: name, outcome: .onlyNew) }
            guard let new = news[name] else { return File(name: name, outcome: .onlyOld) }
            let outcome = Self.outcome(old, new, tolerances, kinds: kinds)
            return File(name: name, outcome: outcome)
        }
    }

    private static func outcome(
        _ old: String, _ new: String, _ tolerances: Tolerances, kinds: FindingCatalog
    ) -> File.Outcome {
        do {
            return .compared(try TrackFileComparison(old, new, tolerances, kinds: kinds))
        } catch {
            return .unreadable("\(error)")
        }
    }

    /// A folder's track files by their names.
    private static func paths(_ folder: String) throws -> [String: String] {
        let paths = try TrackFiles.list(in: folder)
        guard !paths.isEmpty else {
            throw FileError(
                "compare", path: folder,
                reason: "it has no *\(TracksSink.format.suffix); expected the output folder of a run")
        }
        return Dictionary(paths.map { (Files.name(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sentences that say why files could not be compared.
    public var failures: [String] {
        files.compactMap { if case .unreadable(let reason) = $0.outcome { reason } else { nil } }
    }

    /// The verdict on all files: the worst of theirs; a file that is missing or can't be compared differs.
    public var verdict: TrackFileComparison.Verdict {
        let verdicts = files.map { $0.compared?.verdict ?? .differs }
        if verdicts.contains(.differs) { return .differs }
        return verdicts.contains(.within) ? .within : .equal
    }

    /// The frames in which files differ the most: of each file its worst before the second of one.
    var worst: [(file: String, frame: WorstFrame)] {
        let all = files.enumerated().flatMap { index, file in
            (file.compared?.worst.all ?? []).map { (index: index, file: file.name, frame: $0) }
        }
        return all.sorted { a, b in
            a.frame.badness != b.frame.badness
                ? a.frame.badness > b.frame.badness
                : a.index != b.index ? a.index < b.index : a.frame.isBefore(b.frame)
        }.spread(over: \.index, most: WorstFrames.most).map { ($0.file, $0.frame) }
    }

    /// Files that differ or can't be compared, the worst first.
    var differing: [File] {
        files.enumerated().filter { $0.element.differs }.sorted { a, b in
            let (one, other) = (a.element, b.element)
            if one.badness != other.badness { return one.badness > other.badness }
            return one.extent != other.extent ? one.extent > other.extent : a.offset < b.offset
        }.map(\.element)
    }
}
