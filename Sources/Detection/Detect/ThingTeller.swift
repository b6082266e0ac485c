/// Tells what was found, and whether anything is at all.
struct ThingTeller: Tracker {
    let id: String
    let classes: DetectedClasses
    /// When the network looked first, and its best score in the seconds from there on.
    private var early: (start: Double, best: Float)?
    /// What was cut in which frame first, and in how many.
    private var cut: (what: DetectionCut, frame: Int, frames: Int)?
    /// The first score over 1, its frame, and how many frames had one.
    private var over: (score: Float, frame: Int, frames: Int)?
    /// The first class without a name, its frame, and how many frames had one.
    private var nameless: (label: Int, frame: Int, frames: Int)?

    init(id: String, classes: DetectedClasses) { (self.id, self.classes) = (id, classes) }

    /// Seconds after which a network would have seen something.
    private static let patience = 3.0

    mutating func update(_ detection: ThingDetector.Detection, _ input: StageInput) -> [Observation] {
        if let best = detection.best {
            let start = early?.start ?? input.frame.seconds
            let isEarly = input.frame.seconds - start <= Self.patience
            early = (start, isEarly ? max(early?.best ?? 0, best) : early?.best ?? 0)
        }
        let frame = input.frame.ordinal
        if let best = detection.best, best > Self.highest {
            let first = over ?? (best, frame, 0)
            over = (first.score, first.frame, first.frames + 1)
        }
        if let what = detection.cut {
            let first = cut ?? (what, frame, 0)
            cut = (first.what, first.frame, first.frames + 1)
        }
        if let found = detection.found.first(where: { !classes.isNamed($0.thing.label) }) {
            let first = nameless ?? (found.thing.label, frame, 0)
            nameless = (first.label, first.frame, first.frames + 1)
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

    var notes: [String] { [silence, surplus, excess, lack].compactMap(\.self) }

    /// What rounding makes of a score of 1 is less.
    private static let highest: Float = 1.01

    /// A score that is none: nothing told how a model's numbers are to be read, say, that saw nothing in the picture that it was
    /// shown.
    private var excess: String? {
        guard let over else { return nil }
        return
            "“\(id)” was given scores over 1, \(over.score) first: \(places(over.frame, over.frames)); expected 0 to 1: its model's "
            + "numbers are read in another order than they stand in, or their last sigmoid is missing (“decoder” says how they are read)"
    }

    /// The surest alone were taken.
    private var surplus: String? {
        guard let cut else { return nil }
        let what =
            switch cut.what {
            case .things:
                "more than \(DetectionSuppression.mostThings) things in a picture, of which the \(DetectionSuppression.mostThings) "
                    + "surest were taken"
            case .candidates:
                "more than \(DetectionSuppression.mostCandidates) boxes in a picture before those of one thing were made one, of "
                    + "which the \(DetectionSuppression.mostCandidates) surest were looked at"
            }
        return "“\(id)” saw \(what): \(places(cut.frame, cut.frames)); where these aren't all that is wanted, raise "
            + "“minimumConfidence”, or name the “classes” that are"
    }

    /// A class that the list of names doesn't have.
    private var lack: String? {
        guard let nameless, let count = classes.count else { return nil }
        return
            "“\(id)” saw things of a class that none of the \(count) name\(count == 1 ? "" : "s") is of, \(nameless.label) first: "
            + "\(places(nameless.frame, nameless.frames)); expected a name for each class, with “background” before them where the "
            + "model counts from 1"
    }

    private func places(_ first: Int, _ frames: Int) -> String {
        frames == 1 ? "in frame \(first)" : "in \(frames) frames, first in \(first)"
    }

    /// A wrong scale detects nothing, and nothing else says it.
    private var silence: String? {
        guard let early, early.best < ScoreLimits.telling else { return nil }
        return
            "“\(id)” gave nothing a score of 0.05 or more in the first seconds; see whether “channelOrder”, “scale”, “mean”, "
            + "“std” and “size” are what the network was trained with"
    }
}
