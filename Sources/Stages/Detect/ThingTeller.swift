internal import Graph

/// Tells what was found, and whether anything is at all.
struct ThingTeller: Tracker {
    let id: String
    let classes: DetectedClasses
    /// When the network looked first, and its best score in the seconds from there on.
    private var early: (start: Double, best: Float)?

    init(id: String, classes: DetectedClasses) { (self.id, self.classes) = (id, classes) }

    /// Seconds after which a network would have seen something.
    private static let patience = 3.0

    mutating func update(_ detection: ThingDetector.Detection, _ input: StageInput) -> [Observation] {
        if let best = detection.best {
            let start = early?.start ?? input.frame.seconds
            let isEarly = input.frame.seconds - start <= Self.patience
            early = (start, isEarly ? max(early?.best ?? 0, best) : early?.best ?? 0)
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
        guard let early, early.best < ScoreLimits.telling else { return [] }
        return [
            "“\(id)” gave nothing a score of 0.05 or more in the first seconds; see whether “channelOrder”, “scale”, “mean”, "
                + "“std” and “size” are what the network was trained with"
        ]
    }
}
