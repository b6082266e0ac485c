internal import Glibc

/// The first message to a worker: its settings.
public struct WorkerSettings: Record {
    /// The program and its version.
    public var generator = ""
    /// The manifest's path.
    public var manifest = ""
    /// The folder that no path may leave.
    public var root: String?
    /// The output folder; nil where only the manifest says it.
    public var directory: String?
    /// The folder of track files; nil where it is the output folder.
    var tracks: String?
    /// The most memory that it may take, bytes; nil for no limit.
    public var memory: Int?
    /// Limits beyond which inputs are refused.
    public var limits = MediaLimits()
    /// Forms of results that are written beside track files: words of `output.formats`.
    var formats: [String] = []
    /// Whether an input that isn't there fails as a job.
    public var allowsMissing = false
    /// Whether the reader of manifests opens each input, and tells of those that it can't.
    public var looksAtInputs = false
    /// Whether it reads the manifest, and writes nothing.
    var isPlanning = false
    /// Whether it compiles networks.
    var isCompiling = false
    /// Folders in which it has what it hasn't finished, one for each folder of results. Their descriptors come next.
    var workFolders: [String] = []
    /// Whether the process that started it opens the files of its jobs for it.
    var hasListener = false
    /// The version of Landlock to keep to, as an older kernel has it, 0 for none; nil for the kernel's own.
    var landlock: Int?
    /// Whether to go on as with a kernel that filters no calls.
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
        Field("allowsMissing", \.allowsMissing, .flag, doc: "Whether a missing input fails as a job."),
        Field("looksAtInputs", \.looksAtInputs, .flag, doc: "Whether inputs are opened."),
        Field("isPlanning", \.isPlanning, .flag, doc: "Reads the manifest."),
        Field("isCompiling", \.isCompiling, .flag, doc: "Compiles networks."),
        Field("workFolders", \.workFolders, .list(.text()), doc: "Where it writes."),
        Field("hasListener", \.hasListener, .flag, doc: "Whether its files are opened for it."),
        Field("landlock", \.landlock, .integer(), doc: "The version to keep to."),
        Field("lacksFilter", \.lacksFilter, .flag, doc: "Whether calls aren't filtered."),
        Field("pixels", \.limits.pixels, .integer(), doc: "Of one picture."),
        Field("streams", \.limits.streams, .integer(), doc: "Of one file."),
        Field("frames", \.limits.frames, .integer(), doc: "Of one job."),
        Field("duration", \.limits.duration, .number(), unit: "s", doc: "Of one job."),
    ]
}

/// A request to a worker.
enum WorkerRequest {
    /// One job. It is answered by a `JobReply`.
    case run(JobOrder, JobTask, threads: Int)
    /// A data set. It is answered by a `DataSetReply`.
    case dataSet(DataSetOrder)
    /// The job under way is to end, for a reason that is told of.
    case cancel(String)
    /// The manifest, whose bytes are the next message, without looking at some inputs. It is answered by a `PlanReply` for
    /// each job and one more.
    case plan(skipped: [String], mayLackJobs: Bool)
    /// A network to be compiled. It is answered by a `CompileReply`.
    case compile(ModelOrder)

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
            case .dataSet(let order):
                json.key("dataSet")
                order.write(into: &json)
            case .cancel(let reason):
                json.key("cancel")
                json.value(reason)
            case .plan(let skipped, let mayLackJobs):
                json.key("plan")
                json.array { for path in skipped { $0.value(path) } }
                json.key("mayLackJobs")
                json.value(mayLackJobs)
            case .compile(let order):
                json.key("compile")
                order.write(into: &json)
            }
        }
    }

    init?(_ node: JSONNode) {
        if let order = node["run"], let threads = node["threads"]?.integer,
            let task = node["task"]
        {
            self = .run(JobOrder(order), JobTask(task), threads: threads)
        } else if let order = node["dataSet"] {
            self = .dataSet(DataSetOrder(order))
        } else if let order = node["compile"] {
            self = .compile(ModelOrder(order))
        } else if let reason = node["cancel"]?.string {
            self = .cancel(reason)
        } else if let skipped = node["plan"]?.elements {
            self = .plan(skipped: skipped.compactMap(\.string), mayLackJobs: node["mayLackJobs"]?.bool ?? false)
        } else {
            return nil
        }
    }
}

/// The answer of a worker about a job.
struct JobReply: Record {
    var result: JobResult?
    /// Names of the temporary files, in the order of the order's `results`.
    var files: [String] = []
    var failure: JobFailure?

    static let fields: [Field<JobReply>] = [
        Field("result", \.result, .record(doc: "What it found out."), doc: "Of a job that is whole."),
        Field("files", \.files, .list(.text()), doc: "Temporary names."),
        Field("failure", \.failure, .record(doc: "Why."), doc: "Of one that isn't."),
    ]

    init() {}

    init(_ finished: JobRunner.Finished) {
        result = finished.result
        files = finished.files.map { Files.name(of: $0.pending.temporary) }
    }

    init(_ failure: JobFailure) { self.failure = failure }

    /// The end of the job that it tells. A worker is believed about its job, not about anybody's files.
    func end(of order: JobOrder, _ task: JobTask = JobTask(), in output: OutputPlaces) -> JobEnd {
        if var failure {
            (failure.reason, failure.stage) = (failure.reason.inOneLine, failure.stage?.inOneLine)
            failure.file = failure.file?.inOneLine
            return .failed(failure)
        }
        let results = task.results(of: order)
        let fits = zip(files, results).allSatisfy {
            $0.hasPrefix(".\(Files.name(of: $1)).partial-") && Files.isPlainName($0)
        }
        guard files.count == results.count, fits, let result = result?.believed(of: task) else {
            return .failed(JobFailure(.crash, "its worker gave an answer that is none"))
        }
        return .whole(
            result,
            files: zip(files, results).map {
                let target = output.path($1)
                return PendingFile(temporary: Files.parent(of: target) + "/" + $0, target: target)
            })
    }
}

/// An answer of a worker about a manifest: a job, or, at the end, all the rest. Where results go whoever asked knows as well.
struct PlanReply: Record {
    var order: JobOrder?
    /// The first problems, a sentence each.
    var problems: [String] = []
    /// The same without the file and the place in it, but for the JSON Pointer.
    var complaints: [String] = []
    var problemCount = 0
    var formats: [String] = []
    var remarks: [String] = []
    /// Networks that stages looked at.
    var models: [ModelOrder] = []

    static let fields: [Field<PlanReply>] = [
        Field("order", \.order, .record(doc: "A job."), doc: "A job."),
        Field("problems", \.problems, .list(.text()), doc: "What is wrong."),
        Field("complaints", \.complaints, .list(.text()), doc: "The same without places."),
        Field("problemCount", \.problemCount, .integer(), doc: "How many."),
        Field("formats", \.formats, .list(.text()), doc: "What is written beside track files."),
        Field("remarks", \.remarks, .list(.text()), doc: "What a user should know."),
        Field("models", \.models, .list(.record(doc: "One.")), doc: "Networks that stages looked at."),
    ]
}

/// The answer of a worker about a network, which then lies in its folder under `CompileReply.file`.
struct CompileReply: Record {
    /// Name of the file that it writes.
    static let file = "network"

    /// What stages want to know of it, as JSON; empty where it can't be compiled.
    var description = ""
    /// Why it can't be.
    var failure: String?

    static let fields: [Field<CompileReply>] = [
        Field("description", \.description, .text(), doc: "Its inputs and outputs, as JSON."),
        Field("failure", \.failure, .text(), doc: "Why it can't be compiled."),
    ]
}

/// The first message of a worker: it has given up what it doesn't need.
struct WorkerGreeting: Record {
    /// Sentences on which of the kernel's means are in force, and which aren't and why.
    var measures: [String] = []
    /// Whether a descriptor comes next, on which its openings of files are heard.
    var hasListener = false

    static let fields: [Field<WorkerGreeting>] = [
        Field("measures", \.measures, .list(.text()), doc: "What is in force."),
        Field("hasListener", \.hasListener, .flag, doc: "Whether a listener comes next."),
    ]

    init() {}

    init(_ confinement: Confinement) {
        measures = confinement.measures
        hasListener = confinement.listener != nil
    }

    /// Sentences on what the system lacks; not on what the environment forgoes.
    var lacks: [String] {
        measures.filter { Self.isLack($0) && !$0.hasSuffix("(not used)") }
    }

    /// Whether a sentence is on what isn't in force.
    static func isLack(_ measure: String) -> Bool {
        measure.hasPrefix("not in force") || measure.hasPrefix("no Landlock")
    }
}

extension WorkerSettings {
    var means: Confinement.Means {
        Confinement.Means(landlock: landlock.map { Int32(clamping: $0) } ?? .max, hasFilter: !lacksFilter)
    }

    /// What the environment says of another kernel that is to be tried: `ANNOTATE_LANDLOCK`, `ANNOTATE_SECCOMP=0`.
    mutating func takeKernelFromEnvironment() {
        (landlock, lacksFilter) = (Confinement.Means.landlockOfEnvironment, Confinement.Means.lacksFilterInEnvironment)
    }

    /// Where it has what goes to each folder of results.
    var places: [String: String] {
        let results = [directory, tracks].compactMap(\.self)
        return Dictionary(zip(results, workFolders), uniquingKeysWith: { first, _ in first })
    }
}
