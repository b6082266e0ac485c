internal import Glibc

/// The rules by which one kind of thing is tracked. Times are seconds.
public struct TrackPolicy: Sendable {
    /// How the velocity since the last sighting is blended with the one known.
    public enum Smoothing: Sendable {
        /// The new one counts alone, or the mean of both.
        case none, halved
        /// A low-pass filter of first order with this time constant, for places that tremble.
        case exponential(Double)
    }

    /// How long a thing that isn't seen keeps its track.
    public var memory: Double
    /// Whether it keeps its track over one frame without it at least: frames may be farther apart than `memory`.
    public var outlastsOneMiss = false
    /// How often a thing must have been seen to get its number; nil where `TrackBook.confirm` alone gives it.
    public var confirmation: Int?
    /// Whether a thing without a number that isn't seen is remembered when it isn't predicted any more.
    public var remembersUnconfirmed = false
    /// How long the motion of a thing that isn't seen is trusted to go on; 0 where motion says nothing.
    public var trustedMotion = 0.3
    /// The least time for which motion is trusted, in steps from frame to frame, which may be long.
    public var trustedSteps = 0.0
    /// How the velocity is smoothed.
    public var smoothing = Smoothing.none

    /// The rules with everything else at its default.
    /// - Parameters:
    ///   - memory: How long a thing that isn't seen keeps its track, seconds.
    ///   - confirmation: How often a thing must have been seen to get its number; nil where `TrackBook.confirm` alone
    ///     gives it.
    public init(memory: Double, confirmation: Int?) {
        self.memory = memory
        self.confirmation = confirmation
    }
}

/// The tracks of one kind of thing over time: which detection is which thing, where each is supposed to be, and how each
/// track stands. Times are seconds, places pixels.
///
/// Each frame takes four steps, in the frames' order:
/// ```swift
/// book.advance(to: seconds)
/// let trackOf = book.pair(found) { track, expected, item in … }   // a cost, or nil
/// for (item, track) in zip(found, trackOf) { book.see(item, as: track) }
/// book.settle()
/// ```
/// `tracks` is then what the frame says, with those that ended in it. Unsure detections may be paired in a second round
/// with the tracks that the first left over, and none of them be new, as ByteTrack has it (Zhang et al. 2022).
///
/// A track's state:
/// ```
/// tracked ⇄ predicted → lost → ended
///    ↑                   ↓
///    └──── recovered ←───┘
/// ```
/// A thing that isn't seen is `predicted` where its motion leads it, then `lost` until it is seen again (`recovered` in
/// that frame) or until nobody remembers it (`ended`, once). What was lost stays lost until it is seen.
public struct TrackBook<Thing: Trackable> {
    /// One track.
    public struct Track {
        /// The thing as it was seen last.
        public fileprivate(set) var thing: Thing
        /// The track's number, from 1 in order of confirmation, without gaps; nil until then.
        public fileprivate(set) var number: Int?
        /// State: of this frame when it was seen or `settle` was called, before that of the last one.
        public fileprivate(set) var state = TrackState.tracked
        /// Velocity of the centre, pixels a second; 0 after a gap for which motion isn't trusted.
        public fileprivate(set) var velocity = Point(0, 0)
        /// Time at which it was seen last, seconds.
        public fileprivate(set) var lastSeen: Double
        /// How many frames have shown it.
        public fileprivate(set) var sightings = 0
        /// Whether this frame shows it.
        public fileprivate(set) var isSeen = false

        /// Whether the last frame that was settled didn't show it, and it hasn't ended.
        public var isMissed: Bool { state == .predicted || state == .lost }
        /// Whether it is supposed to be somewhere: it is neither lost nor has it ended.
        public var isPlaced: Bool { state.isInSight }
    }

    /// The tracks in the order in which they began. An index means the same track until the next `advance`.
    public private(set) var tracks: [Track] = []
    /// The rules of tracking.
    public let policy: TrackPolicy
    private var count = 0
    private var now = 0.0
    /// How long motion is trusted in this frame.
    private var trusted = 0.0

    /// A book without tracks, at 0 seconds.
    public init(_ policy: TrackPolicy) { self.policy = policy }

    /// The thing of a track, as it was seen last.
    public subscript(index: Int) -> Thing {
        get { tracks[index].thing }
        set { tracks[index].thing = newValue }
    }

    /// Begins a frame: tracks that have ended go, and none has been seen yet.
    public mutating func advance(to seconds: Double) {
        trusted = max(policy.trustedMotion, policy.trustedSteps * (seconds - now))
        now = seconds
        tracks.removeAll { $0.state == .ended }
        for index in tracks.indices { tracks[index].isSeen = false }
    }

    /// A track's thing where it is supposed to be in this frame: it goes on as it did while motion is trusted, then
    /// stays.
    public func expected(_ index: Int) -> Thing {
        let track = tracks[index]
        return track.thing.moved(by: track.velocity * min(max(gap(track), 0), trusted))
    }

    /// Pairs what was found with the tracks that this frame hasn't shown yet, so that as much as possible is saved in all:
    /// of each pair, what it is cheaper than the dearest that could be made (optimal assignment). Ties go to what was found
    /// first, then to the older track.
    ///
    /// - Parameters:
    ///   - found: What this frame shows, in any order.
    ///   - cost: How unlikely a track, whose thing is expected at a place, is the one found; nil where it can't be.
    /// - Returns: For each that was found, the index of its track; nil where it has none.
    public func pair<Found>(
        _ found: [Found], cost: (_ track: Track, _ expected: Thing, _ found: Found) -> Double?
    ) -> [Int?] {
        var pairs = [[(track: Int, cost: Double)]](repeating: [], count: found.count)
        for index in tracks.indices where !tracks[index].isSeen {
            let expected = expected(index)
            for (place, item) in found.enumerated() {
                if let cost = cost(tracks[index], expected, item) { pairs[place].append((index, cost)) }
            }
        }
        let costs = pairs.joined().map(\.cost)
        guard let dearest = costs.max(), let cheapest = costs.min() else {
            return [Int?](repeating: nil, count: found.count)
        }
        // The dearest pair is made too, where it is in nobody's way.
        let least = max(dearest - cheapest, 1) * 1e-9
        return SparseAssignment.solve(pairs.map { $0.map { ($0.track, dearest - $0.cost + least) } })
    }

    /// This frame shows a track's thing, or a new one where no track is given.
    /// - Returns: The index of its track.
    @discardableResult public mutating func see(_ thing: Thing, as track: Int? = nil) -> Int {
        if track == nil { tracks.append(Track(thing: thing, lastSeen: now)) }
        let index = track ?? tracks.count - 1
        tracks[index].velocity = velocity(of: tracks[index], to: thing)
        tracks[index].thing = thing
        tracks[index].lastSeen = now
        tracks[index].sightings += 1
        tracks[index].isSeen = true
        tracks[index].state = tracks[index].state == .lost ? .recovered : .tracked
        if let least = policy.confirmation, tracks[index].sightings >= least { confirm(index) }
        return index
    }

    /// Gives a track the next number, if it has none yet.
    public mutating func confirm(_ index: Int) {
        guard tracks[index].number == nil else { return }
        count += 1
        tracks[index].number = count
    }

    /// A track without a number turns out to be the thing of an older one, which this frame doesn't show: it goes on
    /// under the older one's number, and the older one goes without having ended.
    public mutating func replace(_ older: Int, by index: Int) {
        if tracks[older].state == .lost { tracks[index].state = .recovered }
        tracks[index].number = tracks[older].number
        tracks[older].number = nil
        tracks[older].state = .ended
    }

    /// This frame shows something else where a track's thing was: it is lost at once.
    public mutating func lose(_ index: Int) {
        tracks[index].isSeen = false
        tracks[index].state = .lost
    }

    /// Ends a frame: says how the tracks stand that it hasn't shown.
    ///
    /// - Parameter isPredicted: Whether a missed thing is still supposed to be where it is expected. When left out, it is
    ///   while its motion is trusted and it is remembered.
    public mutating func settle(isPredicted: ((_ track: Track, _ expected: Thing) -> Bool)? = nil) {
        for index in tracks.indices where !tracks[index].isSeen && tracks[index].state != .ended {
            let (track, gap) = (tracks[index], gap(tracks[index]))
            if track.state != .lost, isPredicted?(track, expected(index)) ?? (gap <= min(trusted, policy.memory)) {
                tracks[index].state = .predicted
            } else {
                let isOver = gap > policy.memory && (track.isMissed || !policy.outlastsOneMiss)
                let isUnknown = track.number == nil && !policy.remembersUnconfirmed
                tracks[index].state = isOver || isUnknown ? .ended : .lost
            }
        }
    }

    /// Seconds since a track's thing was seen.
    private func gap(_ track: Track) -> Double { now - track.lastSeen }

    private func velocity(of track: Track, to thing: Thing) -> Point {
        let gap = gap(track)
        guard gap > 0, gap <= trusted, track.state != .lost else { return Point(0, 0) }
        let new = (thing.center - track.thing.center) * (1 / gap)
        return switch policy.smoothing {
        case .none: new
        case .halved: (track.velocity + new) * 0.5
        case .exponential(let constant): track.velocity + (new - track.velocity) * (1 - exp(-gap / constant))
        }
    }
}
