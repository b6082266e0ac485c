/// One line of what `run --progress json` says while it runs.
public protocol ProgressEvent: Record {
    /// The word under `event`.
    static var event: String { get }
    /// What the event says, in one sentence.
    static var doc: String { get }
}

extension ProgressEvent {
    /// The event as one line of JSON.
    public var line: String {
        var json = JSONWriter()
        json.object { json in
            json.key(ProgressEvents.tag)
            json.value(Self.event)
            writeMembers(into: &json)
        }
        return json.text
    }

    fileprivate static var variant: TaggedShape.Variant {
        TaggedShape.Variant(name: event, doc: doc, properties: fields.map(\.property))
    }
}

/// All events that there are.
public enum ProgressEvents {
    static let tag = "event"

    private static let all: [any ProgressEvent.Type] = [
        JobStartEvent.self, JobProgressEvent.self, JobEndEvent.self, WarningEvent.self, LogLineEvent.self,
        ProblemEvent.self, BatchEndEvent.self,
    ]

    /// The shape of any line.
    public static let shape = Shape.tagged(
        TaggedShape(
            tag: tag, noun: "event",
            common: ObjectShape(
                doc: "One line of what run --progress json writes to standard error.",
                properties: [
                    Property(tag, .choice(all.map { $0.event }), required: true, doc: "What the line tells of.")
                ]), variants: all.map { $0.variant }))
}

/// A job begins; one that is up to date, or is not run, never does.
public struct JobStartEvent: ProgressEvent {
    public static let event = "start"
    public static let doc = "A job begins. One that is up to date or isn't run has an end only."

    /// The job's id.
    public var job = ""
    /// The job's place among this run's jobs, from 1.
    public var number = 0
    /// How many jobs this run has.
    public var jobs = 0

    public init() {}

    public static let fields: [Field<JobStartEvent>] = [
        Field("job", \.job, .text(), doc: "The job's id."),
        Field("number", \.number, .integer(1...Int.mostCounted), doc: "Its place among this run's jobs, from 1."),
        Field("jobs", \.jobs, .integer(1...Int.mostCounted), doc: "This run's jobs."),
    ]
}

/// The progress of a running job.
public struct JobProgressEvent: ProgressEvent {
    public static let event = "progress"
    public static let doc = "How far a running job is; two a second at the most for each job."

    /// The job's id.
    public var job = ""
    /// How many frames have been written.
    public var frames = 0
    /// How many frames there are, an estimate; nil where the file says nothing.
    public var of: Int?
    /// Frames a second since the job began.
    public var framesPerSecond = 0.0
    /// Seconds that this job will still take, about; nil where it isn't known.
    public var secondsLeft: Double?
    /// Seconds that all jobs of this run will still take, about; nil where it isn't known.
    public var batchSecondsLeft: Double?

    public init() {}

    public static let fields: [Field<JobProgressEvent>] = [
        Field("job", \.job, .text(), doc: "The job's id."),
        Field("frames", \.frames, .integer(0...Int.mostCounted), doc: "Frames written."),
        Field("of", \.of, .integer(1...Int.mostCounted), doc: "Frames in all, where the file says so: an estimate."),
        Field(
            "framesPerSecond", \.framesPerSecond, .number(Bounds(0), decimals: 1), unit: "1/s", doc: "Since it began."),
        Field("secondsLeft", \.secondsLeft, .number(Bounds(0), decimals: 1), unit: "s", doc: "For this job, about."),
        Field(
            "batchSecondsLeft", \.batchSecondsLeft, .number(Bounds(0), decimals: 1), unit: "s",
            doc: "For all jobs of this run, about; those of unknown length count as the mean of the others."),
    ]
}

/// The end of a job.
public struct JobEndEvent: ProgressEvent {
    public static let event = "end"
    public static let doc = "A job ended."

    /// The job's id.
    public var job = ""
    /// How it ended, as in the report.
    public var status = JobOutcome.Status.done
    /// How many frames were written.
    public var frames = 0
    /// How many tracks were found.
    public var tracks = 0
    /// Wall time, seconds.
    public var seconds = 0.0
    /// Why it failed, in one sentence; nil where it didn't.
    public var error: String?
    /// A sentence on what was seen; nil for nothing.
    public var found: String?
    /// Sentences on expectations that don't hold.
    public var complaints: [String] = []
    /// Notes for the user.
    public var notes: [String] = []
    /// Ids of the stages that didn't run: their results were taken from the track file of the run before.
    public var reused: [String] = []

    public init() {}

    /// The end of a job by its id, with what of its outcome is told; figures below 0 are told as 0.
    public init(_ job: String, _ outcome: JobOutcome) {
        (self.job, status, frames, tracks) = (job, outcome.status, max(0, outcome.frames), max(0, outcome.tracks))
        (seconds, error, notes) = (max(0, outcome.seconds), outcome.error, outcome.notes)
        (found, complaints, reused) = (outcome.found, outcome.complaints, outcome.reused)
    }

    public static let fields: [Field<JobEndEvent>] = [
        Field("job", \.job, .text(), doc: "The job's id."),
        Field("status", \.status, .choice(), doc: "How, as in report.json."),
        Field("frames", \.frames, .integer(0...Int.mostCounted), doc: "Frames written."),
        Field("tracks", \.tracks, .integer(0...Int.mostCounted), doc: "Tracks found."),
        Field("seconds", \.seconds, .number(Bounds(0), decimals: 2), unit: "s", doc: "Wall time that it took."),
        Field("error", \.error, .text(), doc: "Why it failed."),
        Field("found", \.found, .text(), doc: "What was seen, in a sentence."),
        Field("complaints", \.complaints, .list(.text()), .optional, doc: "What isn't as the manifest expects."),
        Field("notes", \.notes, .list(.text()), .optional, doc: "What a user should know of it."),
        Field(
            "reused", \.reused, .list(.text()), .optional,
            doc: "Stages that didn't run: their results were taken from the track file of the run before."),
    ]
}

/// A warning: it keeps nothing from running.
public struct WarningEvent: ProgressEvent {
    public static let event = "warning"
    public static let doc = "Something that a user should know; the run goes on."

    /// The warning, one sentence.
    public var message = ""

    public init() {}
    /// A warning of one sentence.
    public init(_ message: String) { self.message = message }

    public static let fields: [Field<WarningEvent>] = [Field("message", \.message, .text(), doc: "One sentence.")]
}

/// A line of the log.
public struct LogLineEvent: ProgressEvent {
    public static let event = "log"
    public static let doc = "A line of the log, as --log-level asks for them."

    /// Level of the line: trace, debug, info, notice, error or critical.
    public var level = ""
    /// The line's text.
    public var message = ""

    public init() {}
    /// A line by its level, one of swift-log's names, and its text.
    public init(_ level: String, _ message: String) { (self.level, self.message) = (level, message) }

    public static let fields: [Field<LogLineEvent>] = [
        Field("level", \.level, .text(), doc: "trace, debug, info, notice, error or critical."),
        Field("message", \.message, .text(), doc: "What it says."),
    ]
}

/// A problem for which the run can't begin or go on: wrong usage, a manifest's problem, a folder that can't be written.
public struct ProblemEvent: ProgressEvent {
    public static let event = "problem"
    public static let doc =
        "Why the run can't begin or go on: one of the manifest's problems, wrong usage, a full disk."

    /// The problem, one sentence; a manifest's with file, line, column and pointer.
    public var message = ""

    public init() {}
    /// A problem in one sentence.
    public init(_ message: String) { self.message = message }

    public static let fields: [Field<ProblemEvent>] = [
        Field("message", \.message, .text(), doc: "One sentence; a manifest's with file, line, column and pointer.")
    ]
}

/// The last line: how it all ended.
public struct BatchEndEvent: ProgressEvent {
    public static let event = "batch"
    public static let doc = "The last line: how it all ended."

    /// How many jobs this run had; 0 where it didn't come to any.
    public var jobs = 0
    /// How many jobs ended in each way.
    public var counts: [JobOutcome.Status: Int] = [:]
    /// Wall time of the whole run, seconds.
    public var seconds = 0.0
    /// The program's exit status.
    public var exitStatus = 0

    public init() {}

    private static let counts = Format<[JobOutcome.Status: Int]>(
        .object(
            ObjectShape(
                doc: "Jobs by how they ended.",
                properties: JobOutcome.Status.allCases.map {
                    Property($0.rawValue, .integer(0...Int.mostCounted), required: true, doc: "Jobs with this status.")
                })),
        write: { counts, json in
            json.object { json in
                for status in JobOutcome.Status.allCases {
                    json.key(status.rawValue)
                    json.value(counts[status] ?? 0)
                }
            }
        }, read: { _ in nil })

    public static let fields: [Field<BatchEndEvent>] = [
        Field("jobs", \.jobs, .integer(0...Int.mostCounted), doc: "This run's jobs; 0 where it didn't come to any."),
        Field("counts", \.counts, counts, doc: "Jobs by how they ended."),
        Field("seconds", \.seconds, .number(Bounds(0), decimals: 2), unit: "s", doc: "Wall time of the whole run."),
        Field("exitStatus", \.exitStatus, .integer(0...255), doc: "The program's exit status."),
    ]
}
