/// What people decided of each clip of a batch: whether it is handed out. It lies beside the track files, as `release.json`
/// and `release.csv`.
public struct ReleaseDecisions: Record {
    /// A decision on one clip.
    public struct Decision: Record, Hashable {
        /// The decision itself.
        public enum Word: String, Sendable, CaseIterable {
            /// It is handed out.
            case release
            /// It is covered anew first.
            case again
            /// It isn't handed out.
            case withhold
        }

        /// Id of the job.
        public var job = ""
        /// Whether it is handed out.
        public var decision = Word.withhold
        /// The reason, as whoever decided wrote it; nil for none.
        public var text: String?
        /// Hash of the annotated video that was looked at; nil where there was none.
        public var video: String?

        public init() {}

        /// A decision on a job's video as it was looked at, which its hash tells.
        public init(job: String, decision: Word, text: String?, video: String?) {
            (self.job, self.decision, self.text, self.video) = (job, decision, text, video)
        }

        public static let fields: [Field<Decision>] = [
            Field("job", \.job, .text(), doc: "The job's id."),
            Field(
                "decision", \.decision, Format<Word>.choice(), .always,
                doc: "“release”, “again” (to be covered anew first) or “withhold”."),
            Field("text", \.text, .text(), doc: "Why."),
            Field("video", \.video, .text(), doc: "A hash of the annotated video that was looked at."),
        ]
    }

    /// The decisions, in order of the jobs' ids.
    public var decisions: [Decision] = []

    public init() {}

    /// The decisions, which are put in order of the jobs' ids.
    public init(_ decisions: [Decision]) { self.decisions = decisions.sorted { $0.job < $1.job } }

    public static let fields: [Field<ReleaseDecisions>] = [
        .constant("format", .string("annotate-release"), doc: "What kind of file this is."),
        .constant("version", .integer(1), doc: "The format's version."),
        Field("decisions", \.decisions, .list(.record(doc: "One clip.")), doc: "One a clip that somebody decided on."),
    ]
}

extension ReleaseDecisions {
    private static let name = "release"

    /// The folder in which the decisions on a batch lie: that of its track files.
    /// - Parameter directory: The output folder.
    /// - Returns: nil where no whole job has a track file.
    public static func folder(of directory: String) -> String? {
        let suffix = TracksSink.format.suffix
        let outcomes = Report.read(directory: directory).sorted { $0.key < $1.key }.map(\.value)
        let places = outcomes.filter(\.status.isWhole).flatMap { $0.outputs.map(\.file) }
        guard let place = places.first(where: { $0.hasSuffix(suffix) }) else { return nil }
        return Files.isPlainName(place) ? directory : Files.parent(of: directory + "/" + place)
    }

    /// What was decided; nothing where there is no such file, or none that can be read.
    public static func read(in folder: String) -> ReleaseDecisions { (try? kept(in: folder)) ?? ReleaseDecisions() }

    /// What was decided; nothing where there is no such file.
    /// - Throws: `FileError` for a file that can't be read, or is something else.
    public static func kept(in folder: String) throws -> ReleaseDecisions {
        let path = "\(folder)/\(name).json"
        guard Files.exists(path) else { return ReleaseDecisions() }
        func refuse(_ reason: String) -> FileError {
            FileError(
                "read the decisions in", path: path, reason: reason + "; mend it, or put it elsewhere and decide anew")
        }
        let root: JSONNode
        do {
            root = try JSONParser.parse(Files.read(path))
        } catch let error as JSONSyntaxError {
            throw refuse("line \(error.position.line): \(error.message)")
        }
        guard root["format"]?.string == "annotate-release", root["version"]?.integer == 1 else {
            throw refuse("it is no file of decisions of this version")
        }
        var validator = ShapeValidator(file: path)
        validator.validate(root, against: .object(Self.shape(doc: "")))
        if let problem = validator.log.problems.first {
            throw refuse("line \(problem.position.line): \(problem.message)")
        }
        return ReleaseDecisions(root)
    }

    /// Paths of both files.
    public static func paths(in folder: String) -> [String] { ["json", "csv"].map { "\(folder)/\(name).\($0)" } }

    /// Writes both files.
    /// - Returns: Their paths.
    /// - Throws: `FileError`.
    public func write(in folder: String) throws -> [String] {
        let paths = Self.paths(in: folder)
        let (json, table) = (paths[0], paths[1])
        var writer = JSONWriter()
        write(into: &writer)
        try Files.write(writer.text + "\n", to: json)
        try Files.write(self.table, to: table)
        return [json, table]
    }

    /// As `release.csv` has them.
    private var table: String {
        let rows = decisions.map { [$0.job, $0.decision.rawValue, $0.video ?? "", $0.text ?? ""] }
        return ([["job", "decision", "video", "text"]] + rows).map {
            $0.map(Self.cell).joined(separator: ",") + "\n"
        }.joined()
    }

    /// Whether the table beside the file says something else: somebody wrote in it, and nobody reads it.
    private func isContradicted(in folder: String) -> Bool {
        let path = Self.paths(in: folder)[1]
        guard let text = try? Files.read(path) else { return false }
        return text != Array(table.utf8)
    }

    /// As a spreadsheet takes it: quoted where it needs to be, and no formula.
    private static func cell(_ text: String) -> String {
        let safe = CSVCell.guarded(text)
        guard safe.contains(where: { ",\"\n\r".contains($0) }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }

    /// Sentences on how a batch stands: what was decided of the videos that are there now.
    /// - Parameter directory: The output folder.
    /// - Returns: Nothing where nobody decided anything.
    public static func sentences(on directory: String) -> [String] {
        guard let folder = folder(of: directory) else { return [] }
        let kept: ReleaseDecisions
        do {
            kept = try self.kept(in: folder)
        } catch {
            return ["\(error)"]
        }
        let known = kept.decisions
        guard !known.isEmpty else { return [] }
        let outcomes = Report.read(directory: directory).filter(\.value.status.isWhole).sorted { $0.key < $1.key }
        var groups: [(what: String, jobs: [String])] = ["release", "again", "withhold", "changed since", "not decided"]
            .map {
                ($0, [])
            }
        func put(_ id: String, _ what: String) {
            if let index = groups.firstIndex(where: { $0.what == what }) { groups[index].jobs.append(id.inOneLine) }
        }
        for (id, outcome) in outcomes {
            guard let decision = known.first(where: { $0.job == id }) else {
                put(id, "not decided")
                continue
            }
            put(id, decision.video == video(of: outcome, directory) ? decision.decision.rawValue : "changed since")
        }
        let told = groups.filter { !$0.jobs.isEmpty }.map { "\($0.what): \($0.jobs.joined(separator: ", "))" }
        guard kept.isContradicted(in: folder) else { return ["release.csv says \(told.joined(separator: "; "))"] }
        return [
            "release.json says \(told.joined(separator: "; "))",
            "release.csv was changed by somebody, and isn't read: decide in the page of review --release",
        ]
    }

    /// Videos that lie where a batch is handed out, though somebody decided that they aren't, or not yet, or decided it of another
    /// video of the name.
    /// - Parameter directory: The output folder; handed out where track files lie elsewhere.
    /// - Returns: Each file with the reason, words behind “and”.
    /// - Throws: `FileError` for decisions that can't be read: nobody knows then what is withheld.
    public static func kept(fromRelease directory: String) throws -> [(file: String, reason: String)] {
        guard let folder = folder(of: directory), folder != directory else { return [] }
        let report = Report.read(directory: directory)
        return try kept(in: folder).decisions.flatMap { decision -> [(file: String, reason: String)] in
            guard let outcome = report[decision.job] else { return [] }
            let isTheSame = decision.video == video(of: outcome, directory)
            let reason: String
            switch decision.decision {
            case .withhold: reason = "is decided “withhold”"
            case .again where isTheSame: reason = "is decided “again”"
            // What was covered anew since is another video, of which nothing is decided.
            case .again: return []
            case .release where isTheSame: return []
            case .release:
                reason = "isn't the video that was decided “release”: look at it in the page of review --release"
            }
            return outcome.outputs.map(\.file)
                .filter { Files.isPlainName($0) && MediaEndings.isMedia($0) && Files.exists(directory + "/" + $0) }
                .map { ($0, reason) }
        }
    }

    /// Hash of a job's annotated video as it is now; nil for none.
    public static func video(of outcome: JobOutcome, _ directory: String) -> String? {
        let forms = ["mp4", "mkv", "jpg", "png"]
        guard
            let name = outcome.outputs.map(\.file).first(where: { file in forms.contains { file.hasSuffix("." + $0) } }
            ),
            Files.isPlainName(name), Files.isRegular(directory + "/" + name)
        else { return nil }
        // One that can't be read is another.
        return try? ContentHash.of([directory + "/" + name])
    }
}
