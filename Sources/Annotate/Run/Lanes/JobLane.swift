/// A lane in which jobs run, one at a time: in this process, or in a worker of its own.
protocol JobLane: AnyObject, Sendable {
    /// Runs a job; its files wait for their names afterwards, until the next job or `close`.
    func run(_ order: JobOrder, _ task: JobTask, threads: Int, progress: JobProgress) -> JobEnd

    /// No more jobs will come.
    func close()
}

/// The task of a job: what is to be done of it.
struct JobTask: Record, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        /// The video is read, and all results are written.
        case annotate
        /// Nothing is decoded: other forms of the results, and what is thought of them, follow from the track file.
        case reread
        /// Nothing but the video's packets is looked at: where it can be divided.
        case divide
        /// A part of the video is read, and what stages detect in its frames is written.
        case part
    }

    var kind = Kind.annotate
    /// Ids of stages whose results are taken from the track file that is there, instead of running them.
    var reused: [String] = []
    /// Notes for users that these stages gave when they ran.
    var notes: [String] = []
    /// Hash of the track file's contents: with others it isn't believed. nil where they aren't known.
    var contents: String?
    /// Path of that track file; nil for where the job writes its own.
    var trackFile: String?
    /// Whether all tracks have the numbers that they have in the file.
    var keepsNumbers = false
    /// Names of the files to be written; nil for all of the order's `results`.
    var results: [String]?
    /// Into how many parts the video is to be divided.
    var ranges: Int?
    /// The part that is worked on.
    var part: JobPart?
    /// Files with what is detected in parts of the video, in order. What they lack is found anew.
    var parts: [PartFile] = []

    static let fields: [Field<JobTask>] = [
        Field("kind", \.kind, Format<Kind>.choice(), doc: "What is done."),
        Field("reused", \.reused, .list(.text()), doc: "Stages whose results are known."),
        Field("notes", \.notes, .list(.text()), doc: "What they said of themselves."),
        Field("contents", \.contents, .text(), doc: "Of the track file."),
        Field("trackFile", \.trackFile, .text(), doc: "Where it lies."),
        Field("keepsNumbers", \.keepsNumbers, .flag, doc: "Whether tracks have the file's numbers."),
        Field("results", \.results, .list(.text()), doc: "Files to be written."),
        Field("ranges", \.ranges, .integer(), doc: "Into how many parts the video is divided."),
        Field("part", \.part, .record(doc: "A part."), doc: "The part that is worked on."),
        Field("parts", \.parts, .list(.record(doc: "A file.")), doc: "Files with what is detected in parts."),
    ]

    /// Whether parts of its video are still to be looked at, for which it may have to wait.
    var awaitsParts: Bool { parts.contains(where: \.isAwaited) }

    /// Names of the files that come of it.
    func results(of order: JobOrder) -> [String] { results ?? order.results }
}

/// How a job ended, before its files have their names.
enum JobEnd: Sendable {
    /// - Parameter files: In the order of the order's `results`.
    case whole(JobResult, files: [PendingFile])
    case failed(JobFailure)
    /// The batch was interrupted.
    case interrupted
}
