internal import Glibc

/// What a worker is told before all else.
public struct WorkerSettings: Record {
    /// The program and its version.
    public var generator = ""
    /// The manifest's path.
    public var manifest = ""
    /// The folder that no path may leave.
    public var root: String?
    /// Where results go; left out where only the manifest says it.
    public var directory: String?
    /// The folder of track files, where that is another.
    var tracks: String?
    /// Bytes of memory that it may take.
    public var memory: Int?
    public var limits = MediaLimits()
    /// Words of `output.formats`.
    var formats: [String] = []
    /// True for one that reads the manifest, and writes nothing.
    var isPlanning = false
    /// Where it has what it hasn't finished for each folder of results. Their descriptors come next.
    var workFolders: [String] = []
    /// True where this process opens the files of its jobs for it.
    var isHeard = false
    /// The version of Landlock to keep to, as an older kernel has it, 0 for none; nil for the kernel's own.
    var landlock: Int?
    /// True for a kernel that filters no calls.
    var lacksFilter = false

    public init() {}

    public static let fields: [Field<WorkerSettings>] = [
        Field("generator", \.generator, .text(), doc: "The program."),
        Field("manifest", \.manifest, .text(), doc: "Its path."),
        Field("root", \.root, .text(), doc: "The folder that no path may leave."),
        Field("directory", \.directory, .text(), doc: "Where results go."),
        Field("tracks", \.tracks, .text(), doc: "Where track files go."),
        Field("memory", \.memory, .integer(), unit: "bytes", doc: "What it may take."),
        Field("formats", \.formats, .list(.text()), doc: "What is written beside track files."),
        Field("isPlanning", \.isPlanning, .flag, doc: "Reads the manifest."),
        Field("workFolders", \.workFolders, .list(.text()), doc: "Where it writes."),
        Field("isHeard", \.isHeard, .flag, doc: "Whether its files are opened for it."),
        Field("landlock", \.landlock, .integer(), doc: "The version to keep to."),
        Field("lacksFilter", \.lacksFilter, .flag, doc: "Whether calls aren't filtered."),
        Field("pixels", \.limits.pixels, .integer(), doc: "Of one picture."),
        Field("streams", \.limits.streams, .integer(), doc: "Of one file."),
        Field("frames", \.limits.frames, .integer(), doc: "Of one job."),
        Field("duration", \.limits.duration, .number(), unit: "s", doc: "Of one job."),
    ]
}

/// What a worker is asked for.
enum WorkerRequest {
    /// One job. It is answered by a `JobReply`.
    case run(JobOrder, JobTask, threads: Int)
    /// The job under way is to end, for a reason that is told of.
    case cancel(String)
    /// The manifest, whose bytes are the next message, without looking at some inputs. It is answered by a `PlanReply` for
    /// each job and one more.
    case plan(skipped: [String])

    func write(into json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .run(let order, let task, let threads):
                json.key("run")
                order.write(into: &json)
                json.key("task")
                task.write(into: &json)
                json.key("threads")
                json.value(threads)
            case .cancel(let reason):
                json.key("cancel")
                json.value(reason)
            case .plan(let skipped):
                json.key("plan")
                json.array { for path in skipped { $0.value(path) } }
            }
        }
    }

    init?(_ node: JSONNode) {
        if let order = node["run"], let threads = node["threads"]?.integer,
            let task = node["task"]
        {
            self = .run(JobOrder(order), JobTask(task), threads: threads)
        } else if let reason = node["cancel"]?.string {
            self = .cancel(reason)
        } else if let skipped = node["plan"]?.elements {
            self = .plan(skipped: skipped.compactMap(\.string))
        } else {
            return nil
        }
    }
}

/// How a job went in a worker.
struct JobReply: Record {
    var frames = 0
    var tracks = 0
    var concealed = 0
    var skipped = 0
    var notes: [String] = []
    var found: String?
    var summary: String?
    var judgements: [Judgement] = []
    var contents: String?
    var trackFile: String?
    var reused: [String] = []
    var duration = 0.0
    /// Names of the temporary files, in the order of the order's `results`.
    var files: [String] = []
    /// Why it failed.
    var error: String?
    var mayPass = false

    static let fields: [Field<JobReply>] = [
        Field("frames", \.frames, .integer(), doc: "Frames."), Field("tracks", \.tracks, .integer(), doc: "Tracks."),
        Field("concealed", \.concealed, .integer(), doc: "Damaged pictures."),
        Field("skipped", \.skipped, .integer(), doc: "Damaged packets."),
        Field("notes", \.notes, .list(.text()), doc: "For users."),
        Field("found", \.found, .text(), doc: "What was seen."),
        Field("summary", \.summary, .text(), doc: "Stages and tracks, as JSON."),
        Field("judgements", \.judgements, .list(.record(doc: "One.")), doc: "Of the expectations."),
        Field("contents", \.contents, .text(), doc: "A hash of the input."),
        Field("trackFile", \.trackFile, .text(), doc: "A hash of the track file."),
        Field("reused", \.reused, .list(.text()), doc: "Stages that didn't run."),
        Field("duration", \.duration, .number(), unit: "s", doc: "Of video."),
        Field("files", \.files, .list(.text()), doc: "Temporary names."),
        Field("error", \.error, .text(), doc: "Why it failed."),
        Field("mayPass", \.mayPass, .flag, doc: "Whether it may pass."),
    ]

    init() {}

    init(_ result: JobResult) {
        (frames, tracks, concealed, skipped) = (result.frames, result.tracks, result.concealed, result.skipped)
        (notes, found, summary, judgements) = (result.notes, result.found, result.summary, result.judgements)
        (contents, trackFile, duration) = (result.contents, result.trackFile, result.duration)
        reused = result.reused
        files = result.files.map { Files.name(of: $0.temporary) }
    }

    init(_ failure: JobFailure) { (error, mayPass) = (failure.reason, failure.mayPass) }

    /// What it means for an order. A worker is believed about its job, not about anybody's files.
    func end(of order: JobOrder, _ task: JobTask = JobTask(), in output: OutputPlaces) -> JobEnd {
        // What it says is shown to people: nothing of it commands a terminal.
        let notes = notes.map(\.inOneLine), found = found.map(\.inOneLine)
        var judgements = judgements
        for index in judgements.indices {
            judgements[index].title = judgements[index].title.inOneLine
            judgements[index].complaints = judgements[index].complaints.map(\.inOneLine)
        }
        if let error { return .failed(JobFailure(error.inOneLine, mayPass: mayPass)) }
        let results = task.results(of: order)
        let counts = [frames, tracks, concealed, skipped]
        let fits =
            counts.allSatisfy((0...1 << 40).contains)
            && zip(files, results).allSatisfy {
                $0.hasPrefix(".\(Files.name(of: $1)).partial-") && Files.isPlainName($0)
            }
        guard files.count == results.count, fits else {
            return .failed(JobFailure("its worker gave an answer that is none", isCrash: true))
        }
        return .whole(
            JobResult(
                frames: frames, tracks: tracks, concealed: concealed, skipped: skipped, notes: notes, found: found,
                summary: summary.flatMap(Self.summary), judgements: judgements, contents: contents,
                trackFile: trackFile,
                reused: reused.filter(task.reused.contains), duration: duration,
                files: zip(files, results).map {
                    let target = output.path($1)
                    return PendingFile(temporary: Files.parent(of: target) + "/" + $0, target: target)
                }))
    }

    /// What goes into a report as it is must be JSON.
    private static func summary(_ text: String) -> String? {
        guard text.utf8.count <= JobResult.longestSummary, let node = try? JSONParser.parse(Array(text.utf8)),
            node.members != nil
        else { return nil }
        var json = JSONWriter()
        json.value(node.value)
        return json.text
    }
}

/// What a worker found in a manifest: a job, or, at the end, all the rest. Where results go whoever asked knows as well.
struct PlanReply: Record {
    var order: JobOrder?
    /// Sentences: the first of them all.
    var problems: [String] = []
    var problemCount = 0
    var formats: [String] = []
    var remarks: [String] = []

    static let fields: [Field<PlanReply>] = [
        Field("order", \.order, .record(doc: "A job."), doc: "A job."),
        Field("problems", \.problems, .list(.text()), doc: "What is wrong."),
        Field("problemCount", \.problemCount, .integer(), doc: "How many."),
        Field("formats", \.formats, .list(.text()), doc: "What is written beside track files."),
        Field("remarks", \.remarks, .list(.text()), doc: "What a user should know."),
    ]
}

/// What a worker says first: it has given up what it doesn't need.
struct WorkerGreeting: Record {
    /// What is in force, and what isn't and why.
    var measures: [String] = []
    /// True where a descriptor comes next, on which its openings are heard.
    var isHeard = false

    static let fields: [Field<WorkerGreeting>] = [
        Field("measures", \.measures, .list(.text()), doc: "What is in force."),
        Field("isHeard", \.isHeard, .flag, doc: "Whether a listener comes next."),
    ]

    init() {}

    init(_ confinement: Confinement) {
        measures = confinement.measures
        isHeard = confinement.listener != nil
    }
}

extension WorkerSettings {
    var means: Confinement.Means {
        Confinement.Means(landlock: landlock.map { Int32(clamping: $0) } ?? .max, hasFilter: !lacksFilter)
    }

    /// What the environment says of another kernel that is to be tried: `ANNOTATE_LANDLOCK`, `ANNOTATE_SECCOMP=0`.
    mutating func takeKernelFromEnvironment() {
        func value(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
        landlock = value("ANNOTATE_LANDLOCK")
        lacksFilter = value("ANNOTATE_SECCOMP") == 0
    }

    /// Where it has what goes to each folder of results.
    var places: [String: String] {
        let results = [directory, tracks].compactMap(\.self)
        return Dictionary(zip(results, workFolders), uniquingKeysWith: { first, _ in first })
    }
}
