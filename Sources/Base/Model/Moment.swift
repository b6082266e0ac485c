/// A frame, by its ordinal and its time in seconds.
public struct Moment: Sendable, Hashable {
    /// The frame's number, from 0 at the source's first frame.
    public var frame: Int
    /// Presentation time from the source's start, seconds.
    public var seconds: Double

    package init(frame: Int, seconds: Double) { (self.frame, self.seconds) = (frame, seconds) }
}
