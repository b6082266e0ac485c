/// Which of the things that other stages find begin a track: each one at a time, when it is confirmed and nothing is followed there
/// yet.
///
/// A thing with a track of its own is confirmed by that; one without when it was found in so many runs that follow one another,
/// on places that overlap.
struct SightingSeeds {
    /// What begins a track.
    struct Thing {
        var box: Box
        var label: String?
        var confidence: Double
        /// The track that its own stage has it on.
        var track: TrackReference?
    }

    private struct Waiting {
        var box: Box
        var label: String?
        var runs: Int
    }

    /// Intersection over union from which two boxes are one thing.
    static let overlap = 0.3

    /// Labels of those that are wanted; all where it is empty.
    private let classes: Set<String>
    private let leastConfidence: Double
    private let confirmation: Int
    /// Tracks of other stages that have begun one here.
    private var begun: Set<TrackReference> = []
    private var waiting: [Waiting] = []

    init(classes: [String], leastConfidence: Double, confirmation: Int) {
        (self.classes, self.leastConfidence) = (Set(classes), leastConfidence)
        self.confirmation = confirmation
    }

    /// Those of a frame's things that begin a track, the surest first. Call for each frame in order.
    /// - Parameters:
    ///   - followed: where things are that are followed already.
    ///   - most: how many may begin; the others may later.
    mutating func next(_ input: StageInput, followed: [Box], most: Int) -> [Thing] {
        let things = input.observations.filter(isWanted).compactMap { thing($0, in: input.frame) }
        // Tracks that have ended are nobody's any more.
        begun.subtract(input.observations.filter { $0.state == .ended }.compactMap(\.track))
        // What a stage carries over on frames on which it doesn't run confirms nothing, and takes nothing back.
        if !input.observations.contains(where: \.isHeld) { wait(for: things.filter { $0.track == nil }) }
        var taken = followed
        var seeds: [Thing] = []
        let order = things.indices.sorted { (things[$0].confidence, $1) > (things[$1].confidence, $0) }
        for thing in order.map({ things[$0] })
        where seeds.count < most && isConfirmed(thing) && !taken.contains(where: { Self.areOne($0, thing.box) }) {
            if let track = thing.track { begun.insert(track) }
            taken.append(thing.box)
            seeds.append(thing)
        }
        return seeds
    }

    /// Lets a track begin another one: what it began has ended.
    mutating func release(_ track: TrackReference?) {
        if let track { begun.remove(track) }
    }

    private static func areOne(_ a: Box, _ b: Box) -> Bool { a.intersectionOverUnion(b) >= overlap }

    private func isWanted(_ observation: Observation) -> Bool {
        observation.isMeasured && (observation.confidence ?? 1) >= leastConfidence
            && (classes.isEmpty || observation.label.map(classes.contains) ?? false)
    }

    /// nil for what has no place in the picture, or hardly one.
    private func thing(_ observation: Observation, in frame: VideoFrame) -> Thing? {
        let outline = observation.polygon.flatMap { Box(around: $0.map { $0 + Point(0.5, 0.5) }) }
        let picture = Box(x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))
        guard let box = (observation.box ?? outline)?.intersection(picture), box.width >= 2, box.height >= 2 else {
            return nil
        }
        return Thing(
            box: box, label: observation.label, confidence: observation.confidence ?? 1, track: observation.track)
    }

    private mutating func wait(for things: [Thing]) {
        waiting = things.map { thing in
            let before = waiting.filter { $0.label == thing.label && Self.areOne($0.box, thing.box) }.map(\.runs).max()
            return Waiting(box: thing.box, label: thing.label, runs: min((before ?? 0) + 1, confirmation))
        }
    }

    private func isConfirmed(_ thing: Thing) -> Bool {
        if let track = thing.track { return !begun.contains(track) }
        return waiting.contains { $0.box == thing.box && $0.label == thing.label && $0.runs >= confirmation }
    }
}
