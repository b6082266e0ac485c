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

    static let fields: [Field<JobTask>] = [
        Field("kind", \.kind, Format<Kind>.choice(), doc: "What is done."),
        Field("reused", \.reused, .list(.text()), doc: "Stages whose results are known."),
        Field("notes", \.notes, .list(.text()), doc: "What they said of themselves."),
        Field("contents", \.contents, .text(), doc: "Of the track file."),
        Field("trackFile", \.trackFile, .text(), doc: "Where it lies."),
        Field("keepsNumbers", \.keepsNumbers, .flag, doc: "Whether tracks have the file's numbers."),
        Field("results", \.results, .list(.text()), doc: "Files to be written."),
    ]

    /// Names of the files that come of it.
    func results(of order: JobOrder) -> [String] { results ?? order.results }
}

/// How a job ended, before its files have their names.
enum JobEnd: Sendable {
    case whole(JobResult)
    case failed(JobFailure)
    /// The batch was interrupted.
    case interrupted
}

/// The results of a job.
struct JobResult: Sendable {
    var frames = 0
    var tracks = 0
    /// How many damaged pictures the decoder patched up.
    var concealed = 0
    /// How many pictures are missing because of damage.
    var skipped = 0
    /// Notes for the user on a job that went well.
    var notes: [String] = []
    /// A sentence on what was seen; nil for nothing.
    var found: String?
    /// The track file's summary of stages and tracks, as JSON, cut where it is very long.
    var summary: String?
    var judgements: [Judgement] = []
    /// Hash of the input's contents; nil for a stream.
    var contents: String?
    /// Hash of the track file's contents.
    var trackFile: String?
    /// Ids of the stages that didn't run, since their results were known.
    var reused: [String] = []
    /// Seconds of video that were worked on.
    var duration = 0.0
    /// The most memory that the job took, bytes; 0 where it isn't known.
    var memory = 0
    /// The files, in the order of the order's `results`.
    var files: [PendingFile] = []
}

/// The failure of a job.
struct JobFailure: Sendable {
    /// Why, in one sentence.
    var reason: String
    /// Whether it took its worker with it by a fault of its own: it would again.
    var isCrash = false
    /// Whether the reason may pass by itself: no space, no memory, a worker that somebody killed.
    var mayPass = false

    init(_ reason: String, isCrash: Bool = false, mayPass: Bool = false) {
        (self.reason, self.isCrash, self.mayPass) = (reason, isCrash, mayPass)
    }

    init(_ error: any Error) {
        reason = "\(error)"
        mayPass = (error as? FileError)?.mayPass ?? false
        // A library that can't open its files says anything of it, that there is no font say.
        if !mayPass, !Files.mayOpenMore {
            reason += " (there are hardly any descriptors left: too many open files)"
            mayPass = true
        }
    }
}

extension JobResult {
    /// The most bytes of a summary that go into the report; the track file has all of it.
    static let longestSummary = 1 << 15
}

extension TrackFileSummary {
    /// Stages and tracks as the report has them: as many tracks as fit, from the first one on.
    var reported: String {
        var json = JSONWriter()
        json.object { json in
            json.key("stages")
            json.array { json in for stage in stages ?? [] { stage.write(into: &json) } }
            if !gates.isEmpty {
                json.key("counts")
                json.array { json in for gate in gates { gate.write(into: &json) } }
            }
            var left = tracks.count
            json.key("tracks")
            json.array { json in
                for track in tracks {
                    var one = JSONWriter()
                    track.write(into: &one)
                    guard json.bytes.count + one.bytes.count < JobResult.longestSummary - 100 else { break }
                    track.write(into: &json)
                    left -= 1
                }
            }
            if left > 0 {
                json.key("tracksLeftOut")
                json.value(left)
            }
        }
        return json.text
    }
}
