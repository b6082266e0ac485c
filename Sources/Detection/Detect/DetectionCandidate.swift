/// What a decoder saw: in the input's pixels from its top left corner.
struct DetectionCandidate {
    var left: Float
    var top: Float
    var right: Float
    var bottom: Float
    var score: Float
    var label: Int32
    /// The item of the output that it was read from, where its mask and its points are.
    var item: Int32
    /// Of the box about its centre, clockwise, radians.
    var angle: Float = 0

    var area: Float { (right - left) * (bottom - top) }

    var isFinite: Bool {
        score.isFinite && left.isFinite && top.isFinite && right.isFinite && bottom.isFinite && angle.isFinite
    }

    /// The error of a thing that can't be told.
    static func infinite(_ layout: DetectorLayout, _ what: String) -> InferenceError {
        InferenceError(
            "its outputs, read as “\(layout.rawValue)”, have \(what) beyond all numbers, of a thing that is to be told; expected "
                + "numbers: half precision may overflow, or another “decoder” fits")
    }

    /// Intersection over union of the upright boxes.
    func overlap(_ other: DetectionCandidate) -> Float {
        let width = min(right, other.right) - max(left, other.left)
        let height = min(bottom, other.bottom) - max(top, other.top)
        guard width > 0, height > 0 else { return 0 }
        let common = width * height
        return common / (area + other.area - common)
    }
}

/// The least scores that are wanted.
struct ScoreLimits: Sendable {
    /// By class; infinite for one that isn't wanted.
    var byClass: [Float]
    /// Of a class beyond those.
    var others: Float

    /// What is looked at: no more than it takes to tell whether anything is seen at all.
    let floor: Float
    /// A score that a network gives to something now and then, if its input is what it was trained with.
    static let telling: Float = 0.05

    init(byClass: [Float], others: Float) {
        (self.byClass, self.others) = (byClass, others)
        floor = min(byClass.min() ?? .infinity, others, Self.telling)
    }

    func allows(_ label: Int, _ score: Float) -> Bool {
        score >= (byClass.indices.contains(label) ? byClass[label] : others)
    }
}

/// What was read from one run's outputs.
struct DetectionCandidates {
    var all: [DetectionCandidate] = []
    /// The best score of any class, exact from `ScoreLimits.telling` on.
    var best: Float = 0

    /// Whether something that is told has an infinite score, place or angle.
    private var hasInfinite = false

    /// More than a score can be, roundings included.
    private static let tooMuch: Float = 1.01

    /// Holds what was read against what scores and places are: a wrong reading is told, rather than its numbers cut or left out.
    /// - Throws: `InferenceError`.
    func check(_ layout: DetectorLayout) throws {
        guard !hasInfinite else { throw DetectionCandidate.infinite(layout, "a score, a place or an angle") }
        guard best > Self.tooMuch else { return }
        throw InferenceError(
            "its outputs, read as “\(layout.rawValue)”, have a score of \(best); expected 0 to 1: another “decoder”, or an export "
                + "with its last sigmoid")
    }

    mutating func add(_ candidate: DetectionCandidate, _ limits: ScoreLimits) {
        guard candidate.isFinite else {
            hasInfinite = hasInfinite || limits.allows(Int(candidate.label), candidate.score)
            return
        }
        guard candidate.right > candidate.left, candidate.bottom > candidate.top else { return }
        best = max(best, candidate.score)
        if limits.allows(Int(candidate.label), candidate.score) { all.append(candidate) }
    }
}
