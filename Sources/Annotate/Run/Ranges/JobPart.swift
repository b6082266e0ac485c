/// A part of a job's video that is looked at by itself: from a picture with which decoding can begin up to another one.
struct JobPart: Record, Hashable {
    /// How far a stage's limited rate has gone when the part begins.
    struct Limiter: Record, Hashable {
        var stage = ""
        /// Time of its next run, seconds; nil before its first.
        var nextDue: Double?
        /// Times of its last runs, oldest first, seconds.
        var recent: [Double] = []

        static let fields: [Field<Limiter>] = [
            Field("stage", \.stage, .text(), doc: "Its id."),
            Field("nextDue", \.nextDue, .number(), unit: "s", doc: "Time of its next run."),
            Field("recent", \.recent, .list(.number()), unit: "s", doc: "Times of its last runs."),
        ]
    }

    /// Ordinal of its first frame.
    var first = 0
    /// Ordinal of the first frame behind it.
    var end = 0
    /// Time of the picture that decoding begins with, ticks; nil where the job itself begins.
    var tick: Int?
    /// Size of the job's first frame, pixels: by it stages are made.
    var width = 0
    var height = 0
    var limiters: [Limiter] = []

    static let fields: [Field<JobPart>] = [
        Field("first", \.first, .integer(), doc: "Its first frame."),
        Field("end", \.end, .integer(), doc: "The first frame behind it."),
        Field("tick", \.tick, .integer(), doc: "Where decoding begins."),
        Field("width", \.width, .integer(), unit: "px", doc: "Of the job's first frame."),
        Field("height", \.height, .integer(), unit: "px", doc: "Of the job's first frame."),
        Field("limiters", \.limiters, .list(.record(doc: "Of a stage.")), doc: "How far limited rates have gone."),
    ]
}

/// The file with what is detected in a part.
struct PartFile: Record, Hashable {
    var path = ""
    /// Ordinal of the part's first frame.
    var first = 0

    static let fields: [Field<PartFile>] = [
        Field("path", \.path, .text(), doc: "Where it lies."),
        Field("first", \.first, .integer(), doc: "Its first frame."),
    ]

    /// A file that lies there for as long as the part is still to be looked at: it goes when the other one is whole, and also
    /// where nothing comes of the part, which takes no room on the disk.
    var mark: String { path + ".awaited" }

    /// Whether the part is still to be looked at.
    var isAwaited: Bool { (try? LineReader(path: mark)) != nil }
}

/// How a job's video is divided.
struct JobDivision: Record, Hashable {
    /// In order; none where it isn't divided.
    var parts: [JobPart] = []
    /// Why it isn't divided; nil where it is.
    var reason: String?

    static let fields: [Field<JobDivision>] = [
        Field("parts", \.parts, .list(.record(doc: "A part.")), doc: "In order."),
        Field("reason", \.reason, .text(), doc: "Why there are none."),
    ]

    /// As far as it is one of a job that was to be divided, whoever said it. nil where it is none.
    func believed(ranges: Int?) -> JobDivision? {
        guard let ranges, parts.count <= ranges,
            zip(parts, parts.dropFirst()).allSatisfy({ $0.end == $1.first }),
            parts.allSatisfy({ $0.first >= 0 && $0.first < $0.end && $0.end <= 1 << 40 })
        else { return nil }
        return JobDivision(parts: parts, reason: reason?.inOneLine)
    }
}
