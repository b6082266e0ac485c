/// `report.json`: how each job of a batch ended.
public enum Report {
    public static let shape = Shape.object(
        ObjectShape(
            doc: "How each job of a batch ended.",
            properties: [
                Property(
                    "format", .constant(.string("annotate-report")), required: true, doc: "What kind of file this is."),
                Property("version", .constant(.integer(1)), required: true, doc: "The format's version."),
                Property("generator", .string(), required: true, doc: "The program and its version."),
                Property("manifest", .string(), required: true, doc: "The manifest's name."),
                Property("jobs", .array(of: .object(job)), required: true, doc: "In the manifest's order."),
            ]))

    static let job = ObjectShape(
        doc: "One job.",
        properties: [
            Property("id", .string(), required: true, doc: "The job's id."),
            Property("input", .string(), required: true, doc: "The input's name."),
            Property(
                "source", .string(), doc: "The input's path from the output folder; left out for standard input."),
            Property(
                "status",
                .choice(JobOutcome.Status.allCases.map(\.rawValue)), required: true,
                doc: "done, up-to-date (nothing changed since it was done), failed, interrupted or not-run."),
            Property("error", .string(), doc: "Why it failed."),
            Property("frames", .integer(0...Int.max), doc: "Frames written."),
            Property("tracks", .integer(0...Int.max), doc: "Tracks found."),
            Property("concealed", .integer(0...Int.max), doc: "Damaged pictures that the decoder patched up."),
            Property("skipped", .integer(0...Int.max), doc: "Damaged packets that the decoder left out."),
            Property("seconds", .number(Bounds(0)), unit: "s", doc: "Wall time that it took."),
            Property(
                "outputs",
                .array(
                    of: .object(
                        ObjectShape(
                            doc: "A file.",
                            properties: [
                                Property("file", .string(), required: true, doc: "Its name in the output folder."),
                                Property("bytes", .integer(0...Int.max), required: true, doc: "Its size."),
                            ]))), doc: "What it wrote."),
            Property(
                "replaces", .array(of: .string()),
                doc: "Files that may be there of an earlier run, or of one that was killed; they are out of date."),
            Property(
                "crashed", .boolean,
                doc: "True where it took its worker with it: it isn't tried again before something changes, or "
                    + "--retry-crashed is given."),
            Property("notes", .array(of: .string()), doc: "What a user should know of a job that went well."),
            Property("fingerprint", .string(.sha256), doc: "Of everything that the result depends on."),
        ])

    /// The file's beginning, up to the first of its jobs.
    static func head(_ manifest: String, generator: String) -> String {
        let head = prettyJSON(
            .members([
                "format": .string("annotate-report"), "version": .integer(1), "generator": .string(generator),
                "manifest": .string(Files.name(of: manifest)), "jobs": .array([]),
            ]))
        // Behind it comes "]\n}".
        return String(head.dropLast(3))
    }

    static func entry(_ job: JobOrder, _ outcome: JobOutcome, directory: String) -> JSONValue {
        var members = [
            JSONMember(key: "id", value: JSONNode(.string(job.id))),
            JSONMember(key: "input", value: JSONNode(.string(Files.name(of: job.input)))),
        ]
        func add(_ key: String, _ value: JSONValue) { members.append(JSONMember(key: key, value: JSONNode(value))) }
        if MediaInput(path: job.input) != .standardInput {
            add("source", .string(Files.relative(job.input, to: directory)))
        }
        add("status", .string(outcome.status.rawValue))
        if let error = outcome.error { add("error", .string(error)) }
        if !outcome.outputs.isEmpty {
            add("frames", .integer(outcome.frames))
            add("tracks", .integer(outcome.tracks))
            add("concealed", .integer(outcome.concealed))
            add("skipped", .integer(outcome.skipped))
            add("seconds", .number((outcome.seconds * 100).rounded() / 100))
            add(
                "outputs",
                .array(
                    outcome.outputs.map {
                        JSONNode(.members(["file": .string($0.file), "bytes": .integer(Int($0.bytes))]))
                    }))
        }
        if !outcome.replaces.isEmpty {
            add("replaces", .array(outcome.replaces.map { JSONNode(.string($0)) }))
        }
        if outcome.isCrash { add("crashed", .bool(true)) }
        if !outcome.notes.isEmpty { add("notes", .array(outcome.notes.map { JSONNode(.string($0)) })) }
        if let fingerprint = outcome.fingerprint { add("fingerprint", .string(fingerprint)) }
        return .object(members)
    }

    /// Bytes of a report that is read: a hundred thousand jobs have some sixty megabytes.
    private static let largest = 1 << 28

    /// How the jobs of an output folder ended last time; empty where there is no report that can be read.
    public static func read(directory: String) -> [String: JobOutcome] {
        let path = directory + "/" + Manifest.reportName
        // A report that can't be read tells nothing, so jobs run again: nothing is lost by it.
        guard let size = Files.status(path)?.size, size <= largest, let bytes = try? Files.read(path),
            let root = try? JSONParser.parse(bytes)
        else {
            return [:]
        }
        var outcomes: [String: JobOutcome] = [:]
        for job in root["jobs"]?.elements ?? [] {
            guard let id = job["id"]?.string,
                let status = job["status"]?.string.flatMap(JobOutcome.Status.init(rawValue:))
            else { continue }
            var outcome = JobOutcome(status, error: job["error"]?.string)
            outcome.frames = job["frames"]?.integer ?? 0
            outcome.tracks = job["tracks"]?.integer ?? 0
            outcome.concealed = job["concealed"]?.integer ?? 0
            outcome.skipped = job["skipped"]?.integer ?? 0
            outcome.seconds = job["seconds"]?.number ?? 0
            outcome.fingerprint = job["fingerprint"]?.string
            outcome.source = job["source"]?.string
            outcome.isCrash = job["crashed"]?.bool ?? false
            outcome.replaces = job["replaces"]?.elements?.compactMap(\.string).filter(Files.isPlainName) ?? []
            outcome.notes = job["notes"]?.elements?.compactMap(\.string) ?? []
            outcome.outputs = (job["outputs"]?.elements ?? []).compactMap { output in
                // A report may be anybody's: a name is a name and never a path.
                guard let file = output["file"]?.string, Files.isPlainName(file), let bytes = output["bytes"]?.integer
                else { return nil }
                return JobOutcome.Output(file: file, bytes: Int64(bytes))
            }
            outcomes[id] = outcome
        }
        return outcomes
    }
}
