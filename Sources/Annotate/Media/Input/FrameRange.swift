/// The part of a video to work on, in seconds of its own time stamps.
public struct FrameRange: Record, Hashable {
    public var start = 0.0
    /// Exclusive; nil for the end of the video.
    public var end: Double?

    public init() {}

    public init(start: Double, end: Double?) {
        self.start = start
        self.end = end
    }

    static let doc = "A part of a video, in its own time stamps."
    public static let fields: [Field<FrameRange>] = [
        Field(
            "start", .number(Bounds(0)), .optional, default: .number(0), unit: "s", doc: "First frame at or after it.",
            get: \.start, set: { $1.start = $0 }),
        Field("end", \.end, .number(Bounds(0)), unit: "s", doc: "Frames before it; to the end when left out."),
    ]
}

/// A range in ticks of a stream's time base: the first tick inside, and the first one behind it.
struct TickRange {
    var start = Int64.min
    var end = Int64.max

    init(_ range: FrameRange?, timeBase: Rational) {
        guard let range else { return }
        start = MediaTime.ticks(atOrAfter: range.start, timeBase: timeBase)
        end = range.end.map { MediaTime.ticks(atOrAfter: $0, timeBase: timeBase) } ?? .max
    }
}
