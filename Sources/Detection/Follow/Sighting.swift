/// A detection as following needs it.
struct Sighting: Sendable {
    /// In a picture that the camera's motion has been taken out of.
    var box: Box
    /// 0…1; 1 for what says nothing of it.
    var score: Double
    var label: String?
    /// Its place among the frame's detections.
    var index: Int
    var appearance: Appearance?
    /// The stage that saw it.
    var source = ""
}

/// Which detections of a frame are followed.
struct SightingChoice: Sendable {
    /// The least confidence of what begins a track, and of what hides other things.
    let minimumScore: Double
    /// The least confidence of what is taken at all.
    let weakest: Double

    init(minimumScore: Double) {
        (self.minimumScore, weakest) = (minimumScore, FrameFollower.weakest(minimumScore))
    }

    /// Those detections of the inputs that show something, without their appearance.
    func sightings(in input: StageInput) -> [Sighting] {
        let picture = Box(x: 0, y: 0, width: Double(input.frame.width), height: Double(input.frame.height))
        return input.observations.enumerated().compactMap { index, observation in
            let score = observation.confidence ?? 1
            // What is held or predicted wasn't seen now.
            guard observation.isMeasured, score >= weakest, let box = observation.bounds, box.width > 0, box.height > 0,
                box.intersection(picture) != nil
            else { return nil }
            return Sighting(box: box, score: score, label: observation.label, index: index, source: observation.stage)
        }
    }
}

/// One look at a followed thing.
struct TrackStep: Sendable {
    /// The frame's place among those that were looked at.
    var frame: Int
    var seconds: Double
    var box: Box
    var score: Double
    /// The detection's place among the frame's; nil where it is between others.
    var index: Int?
}

/// A row of looks that are surely at one thing.
struct Tracklet: Sendable {
    /// Not empty; in order of time.
    private(set) var steps: [TrackStep]
    private(set) var appearance = AppearanceMean()
    /// The same second by second, as far as anything is learned from it.
    private(set) var pieces: [(second: Int, appearance: AppearanceMean)] = []
    var label: String?
    /// Numbers of the tracks, while frames streamed, that it begins and ends in; 0 for none.
    private(set) var sources: (first: Int, last: Int)

    /// - Parameter source: Number of the track that it is of while frames stream; 0 for none.
    init(_ step: TrackStep, label: String?, source: Int = 0) {
        steps = [step]
        (self.label, sources) = (label, (source, source))
    }

    var first: TrackStep { steps[0] }
    var last: TrackStep { steps[steps.count - 1] }

    mutating func append(_ step: TrackStep) { steps.append(step) }

    /// - Parameter second: nil where nothing is learned any more.
    mutating func add(_ appearance: Appearance?, second: Int?) {
        guard let appearance else { return }
        self.appearance.add(appearance)
        guard let second else { return }
        if pieces.last?.second != second { pieces.append((second, AppearanceMean())) }
        pieces[pieces.count - 1].appearance.add(appearance)
    }

    /// Goes on as a later one.
    mutating func append(_ later: Tracklet) {
        steps += later.steps
        sources.last = later.sources.last
        appearance.add(later.appearance)
    }

    /// Takes in looks between its own.
    mutating func insert(_ more: [TrackStep]) {
        guard !more.isEmpty else { return }
        steps = (steps + more).sorted { $0.frame < $1.frame }
    }

    /// Where the thing is on the straight way between the looks around a time.
    func box(at seconds: Double) -> Box {
        var (low, high) = (0, steps.count - 1)
        while low + 1 < high {
            let middle = (low + high) / 2
            if steps[middle].seconds <= seconds { low = middle } else { high = middle }
        }
        return steps[low].box(towards: steps[high], at: seconds)
    }
}

extension TrackStep {
    /// The box on the straight way to another look.
    func box(towards other: TrackStep, at seconds: Double) -> Box {
        let way = other.seconds - self.seconds
        guard way > 0 else { return box }
        let part = min(max((seconds - self.seconds) / way, 0), 1)
        func between(_ a: Double, _ b: Double) -> Double { a + (b - a) * part }
        return Box(
            x: between(box.x, other.box.x), y: between(box.y, other.box.y),
            width: between(box.width, other.box.width), height: between(box.height, other.box.height))
    }
}
