internal import Glibc

/// `report.json`: how each job of a batch ended.
public enum Report {
    /// The file's shape.
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
                "manifest", .string(),
                doc: "The manifest that it is a job of, from the output folder; left out for standard input."),
            Property(
                "source", .string(), doc: "The input's path from the output folder; left out for standard input."),
            Property(
                "address", .string(),
                doc: "Where the input lies, if that is elsewhere, without what may be secret of it."),
            Property(
                "status",
                .choice(JobOutcome.Status.allCases.map(\.rawValue)), required: true,
                doc:
                    "done, up-to-date (nothing changed since it was done), unexpected (whole, but not what the manifest "
                    + "expects), failed, interrupted or not-run."),
            Property("error", .string(), doc: "Why it failed."),
            Property("frames", .integer(0...Int.mostCounted), doc: "Frames written."),
            Property("tracks", .integer(0...Int.mostCounted), doc: "Tracks found."),
            Property("concealed", .integer(0...Int.mostCounted), doc: "Damaged pictures that the decoder patched up."),
            Property("skipped", .integer(0...Int.mostCounted), doc: "Damaged packets that the decoder left out."),
            Property("seconds", .number(Bounds(0)), unit: "s", doc: "Wall time that it took."),
            Property(
                "outputs",
                .array(
                    of: .object(
                        ObjectShape(
                            doc: "A file.",
                            properties: [
                                Property(
                                    "file", .string(), required: true,
                                    doc: "Its name, or its path from the output folder."),
                                Property("bytes", .integer(0...Int.mostCounted), required: true, doc: "Its size."),
                            ]))), doc: "What it wrote."),
            Property(
                "replaces", .array(of: .string()),
                doc: "Files that may be there of an earlier run, or of one that was killed; they are out of date."),
            Property("mayPass", .boolean, doc: "True where it failed for a reason that may pass by itself."),
            Property(
                "directory", .string(),
                doc: "The folder of its files, from the report's own; left out where that is it."),
            Property(
                "crashed", .boolean,
                doc: "True where it took its worker with it: it isn't tried again before something changes, or "
                    + "--retry-crashed is given."),
            Property(
                "found", .string(), doc: "What was seen, in a sentence; left out where nothing was."),
            Property(
                "expectations", .array(of: .object(Judgement.shape(doc: "One of them."))),
                doc: "What became of each of the job's expectations."),
            Property(
                "summary", .object(summary),
                doc: "The track file's summary of stages and tracks; of very many tracks the first ones."),
            Property("notes", .array(of: .string()), doc: "What a user should know of a job that went well."),
            Property(
                "fingerprint", .string(.sha256), doc: "Of everything that the result depends on besides the input."),
            Property(
                "recipe", .map(of: .string(), keys: .any, doc: "Short texts by name."),
                doc: "The same by name: values, or hashes of what is longer (#) or stands in a file (@)."),
            Property("contents", .string(), doc: "Of the input: bytes and MurmurHash3."),
            Property(
                "stages", .map(of: .string(), keys: .any, doc: "Hashes by stage."),
                doc: "Of everything that each stage's results depend on besides the input."),
            Property("trackFile", .string(), doc: "Of the track file: bytes and MurmurHash3."),
            Property(
                "reused", .array(of: .string()),
                doc: "The stages that didn't run: their results were taken from the track file of the run before."),
            Property("stamp", .string(.sha256), doc: "Of the input's place, size and age, or its entity tag."),
            Property("etag", .string(), doc: "The entity tag of an input that lies elsewhere."),
            Property("stored", .string(), doc: "Where its files were stored besides."),
            Property("unstored", .boolean, doc: "True where it failed for that alone: its files are whole."),
            Property(
                "unfetched", .boolean,
                doc: "True where its input couldn't be fetched: its files are whole, and those of the run before."),
            Property(
                "storedFiles", .array(of: .string()), doc: "Of an unstored job, the addresses that have their files."),
            Property("expect", .string(), doc: "The expectations that were judged, as JSON."),
            Property(
                "accepted", .string(.sha256),
                doc: "Of the place, size and age of accepted results that it was held against."),
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

    private static let summary = ObjectShape(
        doc: "Stages and tracks.",
        properties: [
            Property(
                "stages", .array(of: .object(StageSummary.shape(doc: "One stage."))), required: true,
                doc: "Every stage."),
            Property(
                "tracks", .array(of: .object(TrackSummary.shape(doc: "One track."))), required: true, doc: "The tracks."
            ),
            Property(
                "ids", .array(of: .object(IdentitySummary.shape(doc: "One number."))),
                doc: "What carries a number and had several tracks; the first fifty."),
            Property(
                "counts", .array(of: .object(GateSummary.shape(doc: "One line or zone."))),
                doc: "Every line and zone at which something was counted."),
            Property(
                "cover", .object(CoverSummary.shape(doc: "What the annotated video hides.", name: "coverSummary")),
                doc: "What the annotated video hides."),
            Property("tracksLeftOut", .integer(1...Int.mostCounted), doc: "How many more there are in the track file."),
        ])

    /// A job's entry as it stands in the file.
    /// - Parameter manifest: The manifest's path.
    static func entry(_ job: JobOrder, _ outcome: JobOutcome, manifest: String, directory: String) -> String {
        var lines = Lines()
        lines.add("id", .string(job.id))
        lines.add("input", .string(job.address?.name ?? Files.name(of: job.input)))
        if MediaInput(path: manifest) != .standardInput {
            lines.add("manifest", .string(Files.relative(manifest, to: directory)))
        }
        if let address = job.address {
            lines.add("address", .string(address.shown))
        } else if MediaInput(path: job.input) != .standardInput {
            lines.add("source", .string(Files.relative(named: job.input, to: directory)))
        }
        lines.add("status", .string(outcome.status.rawValue))
        if let error = outcome.error { lines.add("error", .string(error)) }
        if let found = outcome.found { lines.add("found", .string(found)) }
        if !outcome.outputs.isEmpty {
            lines.add("frames", .integer(outcome.frames))
            lines.add("tracks", .integer(outcome.tracks))
            lines.add("concealed", .integer(outcome.concealed))
            lines.add("skipped", .integer(outcome.skipped))
            lines.add("seconds", .number((outcome.seconds * 100).rounded() / 100))
            lines.add(
                "outputs",
                .array(
                    outcome.outputs.map {
                        JSONNode(.members(["file": .string($0.file), "bytes": .integer(Int($0.bytes))]))
                    }))
        }
        if !outcome.replaces.isEmpty {
            lines.add("replaces", .array(outcome.replaces.map { JSONNode(.string($0)) }))
        }
        if let failure = outcome.failure {
            if failure.isCrash { lines.add("crashed", .bool(true)) }
            if failure.mayPass { lines.add("mayPass", .bool(true)) }
        }
        if !outcome.notes.isEmpty { lines.add("notes", .array(outcome.notes.map { JSONNode(.string($0)) })) }
        if !outcome.judgements.isEmpty { lines.add("expectations", outcome.judgements) }
        if let summary = outcome.summary { lines.add("summary", json: summary) }
        if let fingerprint = outcome.fingerprint { lines.add("fingerprint", .string(fingerprint)) }
        if let recipe = outcome.recipe { lines.add("recipe", json: recipe) }
        if let contents = outcome.contents { lines.add("contents", .string(contents)) }
        if !outcome.stages.isEmpty {
            let hashes = outcome.stages.sorted { $0.key < $1.key }
            lines.add(
                "stages", json: Lines.compact(.object(hashes.map { JSONMember(key: $0, value: JSONNode(.string($1))) }))
            )
        }
        if let trackFile = outcome.trackFile { lines.add("trackFile", .string(trackFile)) }
        if !outcome.reused.isEmpty { lines.add("reused", .array(outcome.reused.map { JSONNode(.string($0)) })) }
        if let stamp = outcome.stamp { lines.add("stamp", .string(stamp)) }
        if let etag = outcome.etag { lines.add("etag", .string(etag)) }
        if let stored = outcome.stored { lines.add("stored", .string(stored)) }
        if outcome.isUnstored {
            lines.add("unstored", .bool(true))
            let files = outcome.storedFiles
            if !files.isEmpty { lines.add("storedFiles", .array(files.map { JSONNode(.string($0)) })) }
        }
        if outcome.isUnfetched, outcome.status == .failed { lines.add("unfetched", .bool(true)) }
        if let expect = outcome.expect { lines.add("expect", .string(expect)) }
        if let accepted = outcome.acceptedStamp { lines.add("accepted", .string(accepted)) }
        return lines.text
    }

    /// A job's entry in one line, with the number of the line that asked for it, from 1.
    static func line(
        _ number: Int, _ job: JobOrder, _ outcome: JobOutcome, manifest: String, directory: String
    ) -> String {
        let entry = entry(job, outcome, manifest: manifest, directory: directory)
        // This program has just written it.
        let members = (try? JSONParser.parse(Array(entry.utf8)))?.members ?? []
        return Lines.compact(
            .object([JSONMember(key: "line", value: JSONNode(.integer(number)))] + members))
    }

    /// An entry that another run wrote.
    static func entry(_ node: JSONNode) -> String {
        var lines = Lines()
        let id = node["id"]?.string ?? ""
        func isPlace(_ text: String) -> Bool { OutputPlaces.isPlace(text, of: id) }
        for member in node.members ?? [] {
            // Laid out as this program does it, so that it is the same whoever writes it.
            switch member.key {
            case "summary", "recipe", "expectations", "stages":
                lines.add(member.key, json: Lines.compact(member.value.value))
            // What is no file of the job's isn't handed on.
            case "outputs":
                let own = (member.value.elements ?? []).filter { $0["file"]?.string.map { isPlace($0) } ?? false }
                if !own.isEmpty { lines.add(member.key, .array(own)) }
            case "replaces":
                let own = (member.value.elements ?? []).filter { $0.string.map { isPlace($0) } ?? false }
                if !own.isEmpty { lines.add(member.key, .array(own)) }
            default: lines.add(member.key, member.value.value)
            }
        }
        return lines.text
    }

    /// An entry's members, each on a line of its own or more.
    private struct Lines {
        private var lines: [String] = []

        mutating func add(_ key: String, _ value: JSONValue) {
            lines.append("      \(Self.compact(.string(key))): \(prettyJSON(value, indent: 3))")
        }

        /// Adds a member that only machines read, on one line.
        mutating func add(_ key: String, json: String) { lines.append("      \(Self.compact(.string(key))): \(json)") }

        mutating func add(_ key: String, _ records: [some Record]) {
            var json = JSONWriter()
            json.array { json in for record in records { record.write(into: &json) } }
            add(key, json: json.text)
        }

        var text: String { "{\n" + lines.joined(separator: ",\n") + "\n    }" }

        static func compact(_ value: JSONValue) -> String {
            var json = JSONWriter()
            json.value(value)
            return json.text
        }
    }

    /// The largest report that is read, bytes: a hundred thousand jobs have some sixty megabytes.
    static let largest: Int64 = 1 << 28

    /// How the jobs of an output folder ended last time, whichever runs they were of; empty where there is no report that
    /// can be read. Of their files only those are told of that a job of theirs has in the batch's folders.
    public static func read(_ places: OutputPlaces) -> [String: JobOutcome] {
        outcomes(entries(directory: places.directory), has: places.has)
    }

    /// How the jobs of an output folder ended last time, where the manifest isn't known, and where it has its track
    /// files.
    public static func read(directory: String) -> [String: JobOutcome] {
        outcomes(entries(directory: directory), has: OutputPlaces.isPlace)
    }

    /// The manifests that the reports of an output folder say are a job's, by its id.
    static func manifests(_ places: OutputPlaces) -> [String: Set<String>] {
        entries(directory: places.directory).reduce(into: [:]) { known, entry in
            known[entry.id, default: []].insert(entry.entry["manifest"]?.string ?? "")
        }
    }

    /// Entries of the reports of a folder; of a job that several tell of the youngest comes last.
    private static func entries(directory: String) -> [(id: String, entry: JSONNode)] {
        guard let folder = try? HeldFolder(directory) else { return [] }
        let names = names(in: directory)
        let ages = names.map { folder.entry($0)?.modified ?? 0 }
        return zip(names, ages).sorted { $0.1 < $1.1 || $0.1 == $1.1 && $0.0 < $1.0 }.flatMap {
            entries($0.0, in: folder)
        }
    }

    /// Names of the reports in a folder.
    static func names(in directory: String) -> [String] {
        // A folder that isn't there, or can't be listed, has no report that could be read.
        guard let folder = try? HeldFolder(directory), let all = try? folder.names() else { return [] }
        return all.filter { $0 == Manifest.reportName || Shard.isReport($0) }
    }

    /// - Parameter has: Whether a place is that of a file of a job's.
    static func outcomes(
        _ entries: [(id: String, entry: JSONNode)], has: (_ place: String, _ id: String) -> Bool
    ) -> [String: JobOutcome] {
        // Many jobs have one recipe: each text is kept once.
        var texts: Set<String> = []
        var outcomes: [String: JobOutcome] = [:]
        for (id, job) in entries {
            guard let status = job["status"]?.string.flatMap(JobOutcome.Status.init(rawValue:)) else { continue }
            if status.saysNothing, outcomes[id]?.status.isWhole == true { continue }
            func text(_ key: String) -> String? {
                guard let node = job[key] else { return nil }
                let text = node.string ?? Lines.compact(node.value)
                return texts.insert(text).memberAfterInsert
            }
            var outcome = JobOutcome(status)
            outcome.frames = job["frames"]?.integer ?? 0
            outcome.tracks = job["tracks"]?.integer ?? 0
            outcome.concealed = job["concealed"]?.integer ?? 0
            outcome.skipped = job["skipped"]?.integer ?? 0
            outcome.seconds = job["seconds"]?.number ?? 0
            outcome.fingerprint = text("fingerprint")
            // Written again as it is: whatever isn't an object, as it has to be, would be no JSON, or somebody's members.
            outcome.recipe = job["recipe"]?.members == nil ? nil : text("recipe")
            outcome.expect = text("expect")
            outcome.acceptedStamp = job["accepted"]?.string
            (outcome.contents, outcome.stamp) = (job["contents"]?.string, job["stamp"]?.string)
            (outcome.etag, outcome.stored) = (job["etag"]?.string, job["stored"]?.string)
            outcome.isUnstored = job["unstored"]?.bool ?? false
            outcome.isUnfetched = job["unfetched"]?.bool ?? false
            outcome.storedFiles = job["storedFiles"]?.elements?.compactMap(\.string) ?? []
            outcome.found = job["found"]?.string
            for member in job["stages"]?.members ?? [] { outcome.stages[member.key] = member.value.string }
            outcome.trackFile = job["trackFile"]?.string
            outcome.reused = job["reused"]?.elements?.compactMap(\.string) ?? []
            outcome.summary = job["summary"].map { Lines.compact($0.value) }
            outcome.judgements = (job["expectations"]?.elements ?? []).map { Judgement($0) }
            outcome.manifest = job["manifest"]?.string
            (outcome.source, outcome.address) = (job["source"]?.string, job["address"]?.string)
            if let error = job["error"]?.string {
                outcome.failure = JobFailure(
                    job["crashed"]?.bool == true ? .crash : .other, error, mayPass: job["mayPass"]?.bool ?? false)
            }
            outcome.replaces =
                job["replaces"]?.elements?.compactMap(\.string).filter { has($0, id) } ?? []
            outcome.notes = job["notes"]?.elements?.compactMap(\.string) ?? []
            let written = (job["outputs"]?.elements ?? []).compactMap { $0["file"]?.string }
            outcome.elsewhere = written.filter { !has($0, id) && OutputPlaces.isPlace($0, of: id) }
            outcome.outputs = (job["outputs"]?.elements ?? []).compactMap { output in
                // A report may be anybody's: what it names is a job's file.
                guard let file = output["file"]?.string, has(file, id),
                    let bytes = output["bytes"]?.integer
                else { return nil }
                return JobOutcome.Output(file: file, bytes: Int64(bytes))
            }
            outcomes[id] = outcome
        }
        return outcomes
    }

    /// Names of reports in a folder that can't be read.
    static func broken(in directory: String) -> [String] {
        // Who can't list the folder says so himself.
        guard let folder = try? HeldFolder(directory), let names = try? folder.names() else { return [] }
        return names.filter { name in
            guard name == Manifest.reportName || Shard.isReport(name) else { return false }
            guard let root = root(name, in: folder) else { return true }
            return root["format"]?.string != "annotate-report" || root["version"]?.integer != 1
                || root["jobs"]?.elements == nil
        }
    }

    /// The jobs of a report, as they stand in it; none where there is no report that can be read.
    static func entries(_ name: String, in folder: HeldFolder) -> [(id: String, entry: JSONNode)] {
        // A report that can't be read tells nothing, so jobs run again: nothing is lost by it.
        (root(name, in: folder)?["jobs"]?.elements ?? []).compactMap { job in job["id"]?.string.map { ($0, job) } }
    }

    /// A plain file in the folder: a link, a pipe or what is too large is no report.
    private static func root(_ name: String, in folder: HeldFolder) -> JSONNode? {
        guard let size = folder.entry(name)?.size, size <= largest, let file = try? folder.open(name) else {
            return nil
        }
        defer { close(file) }
        guard let bytes = try? Files.read(file, folder.path + "/" + name) else { return nil }
        return try? JSONParser.parse(bytes)
    }

    static func oldestFirst(_ paths: [String]) -> [String] {
        let ages = paths.map { Files.status($0)?.modified ?? 0 }
        return zip(paths, ages).sorted { $0.1 < $1.1 || $0.1 == $1.1 && $0.0 < $1.0 }.map(\.0)
    }
}
