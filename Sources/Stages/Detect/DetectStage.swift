internal import Annotate
internal import Synchronization

/// Finds things frame by frame.
final class DetectStage: Stage, Sendable {
    private let id: String
    private let detector: ObjectDetector
    private let classes: DetectedClasses
    private let tiles: DetectTiles
    /// Around a region, of its size; nil where the frame is looked at.
    private let margin: Double?
    /// The best score in the job's first seconds, and when these began.
    private let early = Mutex<(start: Double?, best: Float)>((nil, 0))

    /// Seconds after which a network would have seen something.
    private static let patience = 3.0

    /// A thing with the track that it was found on.
    struct Found: Sendable {
        var thing: DetectedThing
        var about: TrackReference?
    }

    struct Detection: Sendable {
        var found: [Found] = []
        /// nil where nothing was looked at.
        var best: Float?
    }

    init(id: String, detector: ObjectDetector, classes: DetectedClasses, tiles: DetectTiles, margin: Double?) {
        (self.id, self.detector, self.classes) = (id, detector, classes)
        (self.tiles, self.margin) = (tiles, margin)
    }

    func detect(_ input: StageInput) throws -> Detection {
        var detection = Detection()
        func look(_ part: ObjectDetector.Part) throws -> [DetectedThing] {
            let (things, best) = try detector.things(in: input.frame, part, classes.limits)
            detection.best = max(detection.best ?? 0, best)
            return things
        }
        guard let margin else {
            let seen = try tiles.parts.map(look)
            detection.found = tiles.merged(seen, detector.suppression).map { Found(thing: $0) }
            return detection
        }
        for observation in input.observations {
            guard let part = Self.part(of: observation, margin, in: input.frame) else { continue }
            detection.found += try look(part).map { Found(thing: $0, about: observation.track) }
        }
        return detection
    }

    /// The whole pixels around a region; nil for what has no place in the picture.
    private static func part(
        of observation: Observation, _ margin: Double, in frame: VideoFrame
    ) -> ObjectDetector.Part? {
        guard observation.isInSight else { return nil }
        // From the picture's corner, as boxes are.
        let outline = observation.polygon.flatMap { Box(around: $0.map { $0 + Point(0.5, 0.5) }) }
        guard let box = outline ?? observation.box else { return nil }
        let (x, y) = (box.width * margin, box.height * margin)
        let wide = Box(x: box.x - x, y: box.y - y, width: box.width + 2 * x, height: box.height + 2 * y)
        let picture = Box(x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))
        guard let inside = wide.intersection(picture) else { return nil }
        let (left, top) = (Int(inside.x.rounded(.down)), Int(inside.y.rounded(.down)))
        let (right, bottom) = (Int(inside.right.rounded(.up)), Int(inside.bottom.rounded(.up)))
        guard right - left >= 2, bottom - top >= 2 else { return nil }
        return ObjectDetector.Part(x: left, y: top, width: right - left, height: bottom - top)
    }

    func update(_ detection: Detection, _ input: StageInput) throws -> [Observation] {
        if let best = detection.best {
            early.withLock { early in
                let start = early.start ?? input.frame.seconds
                early.start = start
                if input.frame.seconds - start <= Self.patience { early.best = max(early.best, best) }
            }
        }
        return detection.found.map { found in
            let thing = found.thing
            var finding = DetectionFinding()
            (finding.mask, finding.joints, finding.angle) = (thing.mask, thing.joints, thing.angle)
            return Observation(
                finding, stage: id, about: found.about, label: classes.name(of: thing.label),
                confidence: thing.score, box: thing.corners == nil ? thing.box : nil, polygon: thing.corners)
        }
    }

    /// A wrong scale detects nothing, and nothing else says it.
    var notes: [String] {
        let (start, best) = early.withLock { $0 }
        guard start != nil, best < ScoreLimits.telling else { return [] }
        return [
            "“\(id)” saw nothing with a score of 0.05 or more in its first \(Int(Self.patience)) seconds; see whether “channelOrder”, “scale”, "
                + "“mean”, “std” and “size” are what the network was trained with"
        ]
    }
}
