/// Follows what other stages find, besides the job's regions: a thing from the sighting that begins its track, by its picture
/// alone.
struct SightingTracker: Tracker {
    private struct Followed {
        let track: Int
        let thing: SightingSeeds.Thing
        let tracker: any ObjectTracker
        /// Where it is; nil while it is lost.
        var box: Box?
        /// When it was in sight last, seconds.
        var seen: Double
    }

    private let id: String
    private let endsOnLoss: Bool
    private let timeout: Double
    private let most: Int
    private let threads: Int
    private let makeTracker: @Sendable () throws -> any ObjectTracker
    private var regions: RegionTracker
    private var seeds: SightingSeeds
    private var followed: [Followed] = []
    private var tracks: Int

    /// - Parameters:
    ///   - timeout: how long a lost thing is looked for, seconds.
    ///   - most: how many things are followed at once; 0 for no limit.
    init(
        context: StageContext, endsOnLoss: Bool, timeout: Double, most: Int, seeds: SightingSeeds,
        makeTracker: @escaping @Sendable () throws -> any ObjectTracker
    ) {
        (id, threads) = (context.id, context.threads)
        (self.endsOnLoss, self.timeout, self.most, self.seeds) = (endsOnLoss, timeout, most, seeds)
        self.makeTracker = makeTracker
        regions = RegionTracker(context: context, endsOnLoss: endsOnLoss, makeTracker: makeTracker)
        // A region has one number at the most.
        tracks = context[Region.self].count
    }

    mutating func prepare(_ footage: Footage) throws { try regions.prepare(footage) }

    var notes: [String] { regions.notes }

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        let seconds = input.frame.seconds
        var told = try regions.update((), input)
        // Things know nothing of each other: they are looked for at once.
        let trackers = followed.map(\.tracker)
        let objects = try parallelMap(trackers.count, threads: threads) { try trackers[$0].update(input.frame) }
        var left: [Followed] = []
        for (var known, object) in zip(followed, objects) {
            known.box = object.state == .lost ? nil : object.box
            if known.box != nil { known.seen = seconds }
            if known.box == nil, endsOnLoss || seconds - known.seen > timeout {
                told.append(observation(of: known, .ended))
                seeds.release(known.thing.track)
            } else {
                told.append(observation(of: known, object.state, confidence: object.confidence))
                left.append(known)
            }
        }
        followed = left
        let room = most == 0 ? .max : max(0, most - followed.count)
        for thing in seeds.next(input, followed: told.filter(\.isInSight).compactMap(\.box), most: room) {
            let tracker = try makeTracker()
            try tracker.seed(input.frame, box: thing.box)
            tracks += 1
            let known = Followed(track: tracks, thing: thing, tracker: tracker, box: thing.box, seen: seconds)
            followed.append(known)
            told.append(observation(of: known, .seeded, confidence: thing.confidence))
        }
        return told
    }

    mutating func carry(_ last: [Observation], _ input: StageInput) throws -> [Observation] {
        let held = last.filter { $0.region == nil && $0.state != .ended }.map(\.held)
        return try regions.carry(last.filter { $0.region != nil }, input) + held
    }

    private func observation(of known: Followed, _ state: TrackState, confidence: Double = 0) -> Observation {
        Observation(
            ObjectFinding(), stage: id, track: TrackReference(stage: id, number: known.track), about: known.thing.track,
            label: known.thing.label, confidence: confidence, state: state, box: state == .ended ? nil : known.box)
    }
}
