/// The part of a video to work on, in seconds of its own time stamps.
public struct FrameRange: Record, Hashable {
    /// The time from which frames are worked on, inclusive.
    public var start = 0.0
    /// The time up to which frames are worked on, exclusive; nil for the end of the video.
    public var end: Double?

    public init() {}

    /// The frames at or after `start` and before `end`, seconds; nil for the end of the video. Nothing is checked.
    public init(start: Double, end: Double?) {
        self.start = start
        self.end = end
    }

    package static let doc = "A part of a video, in its own time stamps."
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

extension SourceInfo {
    /// The sentence on a range in which no frame lies, with where the video ends.
    package func sentence(onEmpty range: FrameRange) -> String {
        func seconds(_ value: Double) -> String { plain(value.rounded(toDecimals: 6)) + " s" }
        let end = range.end.map { "to \(seconds($0))" } ?? "to the end"
        let said = "no frame lies in the range from \(seconds(range.start)) \(end)"
        guard let duration else { return said }
        let start = startTime.map { MediaTime(ticks: $0, timeBase: timeBase).seconds } ?? 0
        return "\(said); it has frames from \(seconds(start)) to \(seconds(start + duration))"
    }

    /// About how many frames lie in a range, for showing progress; nil where the file says too little.
    package func expectedFrames(in range: FrameRange?) -> Int? {
        guard let range else { return expectedFrames }
        guard let rate = frameRate?.value, rate > 0 else { return nil }
        let start = startTime.map { MediaTime(ticks: $0, timeBase: timeBase).seconds } ?? 0
        // The number of the first frame at or after a time, within the video. A hair less: the time of a frame that is asked
        // for by a rounded number is meant.
        func ordinal(_ seconds: Double) -> Int {
            let count = ((seconds - start) * rate - 1e-6).rounded(.up)
            return Int(max(0, min(count, Double(expectedFrames ?? Int(Int32.max)))))
        }
        guard let last = range.end.map(ordinal) ?? expectedFrames else { return nil }
        return max(0, last - ordinal(range.start))
    }
}
