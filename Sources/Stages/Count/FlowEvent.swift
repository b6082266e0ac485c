internal import Graph

/// What a counter has found out of one thing and one line or zone.
struct FlowEvent: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        /// - Parameter isForward: From the left of the line's arrow to its right.
        case crossed(isForward: Bool)
        case entered
        /// - Parameter dwell: Since it entered or began there, seconds.
        case left(dwell: Double, isLost: Bool)
        /// It is in a zone, and was so when its path began.
        case began
    }

    var kind: Kind
    var thing: TrackReference
    /// What the thing is called.
    var name: String
    /// Index among the lines, and behind them the zones.
    var gate: Int
    /// Seconds.
    var time: Double
    /// The first frame with the thing beyond; the last one with the thing where it was lost.
    var frame: Int
    /// Where its anchor was, pixels.
    var point: Point
}
