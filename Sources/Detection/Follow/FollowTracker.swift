/// Tells tracks as frames stream; in the first of two passes gathers what the second one needs.
struct FollowTracker: Tracker {
    let id: String
    let model: FollowModel
    let memory: Double
    /// True in the first of two passes: what it says is heard by nobody.
    let looksAhead: Bool
    private let remarks: [String]
    private var census: FollowCensus
    private let choice: SightingChoice
    private let followsCamera: Bool
    private let tellsAll: Bool
    private var follower: FrameFollower
    private var path = CameraPath()
    /// Of the first of two passes.
    private var frames: [WholeFollower.Frame] = []
    private var views: [Similarity] = []
    private var ordinals: [Int] = []

    /// - Parameter tellsAll: Whether what it is told of and doesn't follow is told as well, without a track: what hides goes by it.
    init(
        id: String, _ model: FollowModel, _ choice: SightingChoice, memory: Double, followsCamera: Bool,
        looksAhead: Bool, tellsAll: Bool = false, notes: [String] = []
    ) {
        self.tellsAll = tellsAll
        (self.id, self.model, self.choice, self.memory) = (id, model, choice, memory)
        (self.followsCamera, self.looksAhead, remarks) = (followsCamera, looksAhead, notes)
        census = FollowCensus(minimumScore: choice.minimumScore)
        follower = FrameFollower(model, minimumScore: choice.minimumScore, memory: memory, keepsTracklets: looksAhead)
    }

    mutating func update(_ frame: FollowedFrame, _ input: StageInput) throws -> [Observation] {
        let seen = choice.sightings(in: input)
        guard seen.count == frame.appearances.count else { throw OtherDetections() }
        let view = try frame.view ?? (followsCamera ? CameraView(input.frame) : nil)
        try path.follow(view, besides: seen.map(\.box))
        let sightings = zip(seen, frame.appearances).map { sighting, appearance in
            var steady = sighting
            (steady.box, steady.appearance) = (path.steady(sighting.box), appearance)
            return steady
        }
        // An input that only carries on what it saw says nothing of this frame.
        let observations = input.observations
        let looked = observations.isEmpty || observations.contains { !$0.isHeld }
        let told = follower.update(sightings, at: input.frame.seconds, looked: looked)
        census.add(looked ? sightings : [], told)
        if looksAhead {
            ordinals.append(input.frame.ordinal)
            views.append(path.current)
            // A second detection of a thing is no loose one: it lies on nobody else's path.
            let single = sightings.filter { !follower.twins.contains($0.index) }
            frames.append(
                WholeFollower.Frame(
                    seconds: input.frame.seconds, isLooked: looked,
                    sightings: single.map { .init(box: $0.box, score: $0.score, index: $0.index) }))
        }
        return Self.observations(told, of: observations, stage: id, view: path.current, by: tellsAll ? choice : nil)
    }

    var notes: [String] { remarks + [census.note(of: id)].compactMap(\.self) }

    /// What was read of the frame was read of other detections than it has.
    private struct OtherDetections: Error, CustomStringConvertible {
        var description: String { "it was read for other detections; this is a fault of the program, please report it" }
    }

    /// Goes on between two looks of its own, where the rate leaves frames out.
    mutating func carry(_ last: [Observation], _ input: StageInput) throws -> [Observation] {
        last.filter { $0.state != .ended }.map(\.held)
    }

    /// What all frames say together.
    mutating func settle() throws -> Stage? {
        guard looksAhead else { return nil }
        let told = WholeFollower(model: model, memory: memory).follow(follower.finish(), frames)
        return Stage(
            tracker: FollowReplay(
                id: id, told: Dictionary(zip(ordinals, told), uniquingKeysWith: { first, _ in first }),
                views: Dictionary(zip(ordinals, views), uniquingKeysWith: { first, _ in first }),
                choice: tellsAll ? choice : nil,
                notes: remarks + [census.note(of: id, told: told)].compactMap(\.self)))
    }

    /// What is told of a frame.
    /// - Parameter choice: Of what is told without a track as well; nil for none.
    static func observations(
        _ told: [FrameFollower.Told], of observations: [Observation], stage id: String, view: Similarity,
        by choice: SightingChoice?
    ) -> [Observation] {
        let followed = told.map { observation($0, of: observations, stage: id, view: view) }
        guard let choice else { return followed }
        let taken = Set(told.compactMap(\.index))
        let places = followed.filter { $0.state != .ended && $0.state != .lost }.compactMap(\.bounds)
        let others = observations.enumerated().filter { index, seen in
            guard !taken.contains(index), seen.confidence ?? 1 >= choice.weakest, let box = seen.bounds else {
                return false
            }
            return !places.contains { $0.intersectionOverUnion(box) >= Self.same }
        }
        return followed
            + others.map { _, seen in
                Observation(
                    ObjectFinding(partsOf: seen.finding.base), stage: id, region: seen.region, label: seen.label,
                    confidence: seen.confidence, box: seen.bounds, polygon: seen.polygon, isHeld: seen.isHeld)
            }
    }

    /// The overlap from which two boxes are of one thing.
    private static let same = 0.7

    /// What was seen keeps all that its detection carries: the box that is told is the detection's own.
    static func observation(
        _ told: FrameFollower.Told, of observations: [Observation], stage id: String, view: Similarity
    ) -> Observation {
        let track = TrackReference(stage: id, number: told.number)
        if let index = told.index, observations.indices.contains(index) {
            let seen = observations[index]
            return Observation(
                ObjectFinding(partsOf: seen.finding.base), stage: id, track: track, region: seen.region,
                label: seen.label,
                confidence: told.confidence, state: told.state, box: seen.bounds, polygon: seen.polygon)
        }
        return Observation(
            ObjectFinding(), stage: id, track: track, label: told.label, confidence: told.confidence, state: told.state,
            box: told.box.map { view($0) }, isHeld: !told.isLooked)
    }
}

/// Says in the second pass what the first one came to.
struct FollowReplay: Tracker {
    let id: String
    /// By the frames' ordinals, as the view that the boxes are in.
    let told: [Int: [FrameFollower.Told]]
    let views: [Int: Similarity]
    /// Of what is told without a track as well; nil for none.
    let choice: SightingChoice?
    let notes: [String]

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        let ordinal = input.frame.ordinal
        guard let told = told[ordinal] else { throw OtherFrames() }
        let observations = input.observations
        return FollowTracker.observations(
            told, of: observations, stage: id, view: views[ordinal] ?? Similarity(), by: choice)
    }

    /// The video that runs isn't the one that was looked at before.
    private struct OtherFrames: Error, CustomStringConvertible {
        var description: String { "the video changed while it was read; run the job again" }
    }
}
