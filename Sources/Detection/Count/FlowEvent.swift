/// An event of one thing at one line or zone.
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
    /// Name of the thing.
    var name: String
    /// Index among the lines, and behind them the zones.
    var gate: Int
    /// Time, seconds.
    var time: Double
    /// Number of the first frame with the thing beyond; of the last one with the thing where it was lost.
    var frame: Int
    /// Place of its anchor, pixels.
    var point: Point
}
