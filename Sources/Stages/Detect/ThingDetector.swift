internal import Graph

/// Finds things in a frame, in its tiles, or in regions of it.
struct ThingDetector: Detector {
    /// A thing with the track that it was found on.
    struct Found: Sendable {
        var thing: DetectedThing
        var about: TrackReference?
    }

    struct Detection: Sendable {
        var found: [Found] = []
        /// The best score of anything, exact from `ScoreLimits.telling` on; nil where nothing was looked at.
        var best: Float?
    }

    let network: ObjectDetector
    let limits: ScoreLimits
    let tiles: DetectTiles
    /// Around a region, of its size; nil where the frame is looked at.
    let margin: Double?

    func detect(_ input: StageInput) throws -> Detection {
        var detection = Detection()
        func look(_ part: ObjectDetector.Part) throws -> [DetectedThing] {
            let (things, best) = try network.things(in: input.frame, part, limits)
            detection.best = max(detection.best ?? 0, best)
            return things
        }
        guard let margin else {
            let seen = try tiles.parts.map(look)
            detection.found = tiles.merged(seen, network.suppression).map { Found(thing: $0) }
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
}
