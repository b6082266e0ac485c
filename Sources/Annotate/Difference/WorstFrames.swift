/// A frame in which two files differ much, and in what.
public struct WorstFrame: Sendable {
    /// The frame, by its number and time.
    public var moment: Moment
    /// Id of the stage.
    public var stage: String
    /// Number of the thing's track in the old file; nil for none.
    public var old: Int?
    /// Number of the thing's track in the new file; nil for none.
    public var new: Int?
    /// Name of the thing; nil for none.
    public var thing: String?
    /// The difference, in words.
    public var what: String
    /// How bad it is: over 1 for what came, went or has another label; up to 1 for what moved.
    var badness: Double

    /// Whether it is told before another: the worst first, then the earliest.
    func isBefore(_ other: WorstFrame) -> Bool {
        if badness != other.badness { return badness > other.badness }
        return (moment.frame, stage, old ?? .max, new ?? .max, what)
            < (other.moment.frame, other.stage, other.old ?? .max, other.new ?? .max, other.what)
    }
}

/// The frames in which two files differ the most, the worst first; each once.
public struct WorstFrames: Sendable {
    static let most = 10

    /// The frames, the worst first.
    public private(set) var all: [WorstFrame] = []

    mutating func add(_ frame: WorstFrame) {
        if let index = all.firstIndex(where: { $0.moment.frame == frame.moment.frame }) {
            guard frame.isBefore(all[index]) else { return }
            all.remove(at: index)
        } else if all.count == Self.most, let last = all.last, !frame.isBefore(last) {
            return
        }
        let place = all.firstIndex { frame.isBefore($0) } ?? all.count
        all.insert(frame, at: place)
        if all.count > Self.most { all.removeLast() }
    }
}
