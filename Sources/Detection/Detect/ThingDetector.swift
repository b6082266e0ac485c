/// Finds things in a frame, in its tiles, or in regions of it.
struct ThingDetector: StorableDetector {
    /// A thing with the track that it was found on.
    struct Found: Sendable, Hashable {
        var thing: DetectedThing
        var about: TrackReference?
    }

    struct Detection: Sendable {
        var found: [Found] = []
        /// The best score of anything, exact from `ScoreLimits.telling` on; nil where nothing was looked at.
        var best: Float?
        /// What one of the looks had too many of; nil where none had.
        var cut: DetectionCut?
    }

    let network: ObjectDetector
    let limits: ScoreLimits
    let tiles: DetectTiles
    /// Around a region, of its size; nil where the frame is looked at.
    let margin: Double?

    func detect(_ input: StageInput) throws -> Detection {
        var detection = Detection()
        func look(_ part: FramePart) throws -> [DetectedThing] {
            let (things, best, cut) = try network.things(in: input.frame, part, limits)
            detection.best = max(detection.best ?? 0, best)
            if detection.cut != .things, let cut { detection.cut = cut }
            return things
        }
        guard let margin else {
            let seen = try tiles.parts.map(look)
            detection.found = tiles.merged(seen, network.suppression).map { Found(thing: $0) }
            return detection
        }
        for observation in input.observations {
            guard let part = FramePart(around: observation, margin: margin, in: input.frame) else { continue }
            detection.found += try look(part).map { Found(thing: $0, about: observation.track) }
        }
        return detection
    }
}

extension ThingDetector.Detection: Record, Storable {
    static let fields: [Field<Self>] = [
        Field("found", \.found, .list(.record(doc: "A thing.")), doc: "Things."),
        Field(
            "best", .number(), .optional, doc: "The best score of anything.", get: { $0.best.map(Double.init) },
            set: { $1.best = Float($0) }),
        Field("cut", \.cut, Format<DetectionCut>.choice(), doc: "What was cut to the surest."),
    ]
}

extension ThingDetector.Found: Record {
    init() { self.init(thing: DetectedThing()) }

    static let fields: [Field<Self>] = [
        Field("thing", \.thing, .record(doc: "The thing."), doc: "The thing."),
        Field("of", \.about, .trackReference, doc: "The track that it was found on."),
    ]
}
