/// The frames in which one thing is in sight.
struct Sightings: Sendable {
    /// How many frames have it in sight.
    private(set) var frames = 0
    /// First and last frame of each run of frames with it.
    private(set) var spans: [ClosedRange<Int>] = []
    /// How many frames without it lie between two with it.
    private(set) var missed = 0
    /// Where the first gap began; nil for none.
    private(set) var firstGapStart: Moment?
    /// The longest time without it between two frames with it, seconds: from the first frame without it to the next one
    /// with it.
    private(set) var longestGap = 0.0
    /// Where the longest gap began; nil for none.
    private(set) var longestGapStart: Moment?
    private(set) var firstMoment: Moment?
    private(set) var last: Moment?
    /// Since when it is out of sight; nil while it is in sight.
    private var missing: Moment?

    var first: Int? { spans.first?.lowerBound }

    mutating func see(at moment: Moment) {
        frames += 1
        firstMoment = firstMoment ?? moment
        last = moment
        if let begun = spans.last?.lowerBound, missing == nil {
            // A file's lines may come in any order.
            spans[spans.count - 1] = begun...max(begun, moment.frame)
            return
        }
        spans.append(moment.frame...moment.frame)
        guard let start = missing else { return }
        missed = missed.addingInRange(max(0, moment.frame.subtractingInRange(start.frame)))
        firstGapStart = firstGapStart ?? start
        let gap = moment.seconds - start.seconds
        if gap > longestGap { (longestGap, longestGapStart) = (gap, start) }
        missing = nil
    }

    /// Notes the first frame without it after one with it.
    mutating func miss(at moment: Moment) { missing = moment }
}

/// The sightings of many things, frame by frame.
struct SightingBook<Key: Hashable & Sendable>: Sendable {
    private(set) var all: [Key: Sightings] = [:]
    private var present: Set<Key> = []

    /// Takes the next frame with what is in sight in it.
    mutating func add(_ keys: Set<Key>, at moment: Moment) {
        for key in present where !keys.contains(key) { all[key]?.miss(at: moment) }
        for key in keys { all[key, default: Sightings()].see(at: moment) }
        present = keys
    }

    subscript(key: Key) -> Sightings { all[key] ?? Sightings() }
}
