/// A frame in which two files differ much, and in what.
public struct WorstFrame: Sendable {
    public var moment: Moment
    public var stage: String
    /// The thing's tracks.
    public var old: Int?
    public var new: Int?
    public var thing: String?
    public var what: String
    /// Over 1 for what came, went or has another label; up to 1 for what moved.
    var badness: Double

    /// In the order in which they are told: the worst first, then the earliest.
    func isBefore(_ other: WorstFrame) -> Bool {
        if badness != other.badness { return badness > other.badness }
        return (moment.frame, stage, old ?? .max, new ?? .max, what)
            < (other.moment.frame, other.stage, other.old ?? .max, other.new ?? .max, other.what)
    }
}

/// The frames in which two files differ the most, the worst first; each once.
public struct WorstFrames: Sendable {
    static let most = 10

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
