/// The part of a video to work on, in seconds of its own time stamps.
public struct FrameRange: Sendable, Hashable {
    public var start: Double
    /// Exclusive; nil for the end of the video.
    public var end: Double?

    public init(start: Double, end: Double?) {
        self.start = start
        self.end = end
    }
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
