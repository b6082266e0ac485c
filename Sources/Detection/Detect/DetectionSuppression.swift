internal import Glibc

/// What a look had so many of that the surest alone were taken.
enum DetectionCut: String, CaseIterable, Sendable {
    /// Things.
    case things
    /// Boxes, before those of one thing were made one.
    case candidates
}

/// Non-maximum suppression: of boxes that are one thing the surest stays.
struct DetectionSuppression: Sendable {
    /// Boxes that overlap by more are one thing: intersection over union, of turned boxes ProbIoU (Llerena et al. 2021, which
    /// YOLO's turned boxes are suppressed by).
    var overlap: Double
    /// Across classes.
    var isAgnostic: Bool
    var areTurned: Bool

    /// The surest first.
    static func ordered(_ candidates: [DetectionCandidate]) -> [DetectionCandidate] {
        // Ties by order, so that the result is the same every time.
        let order = candidates.indices.sorted { (candidates[$0].score, $1) > (candidates[$1].score, $0) }
        return order.map { candidates[$0] }
    }

    /// The surest of things none of which is another's: the network made one of several itself.
    static func surest(ofSingle candidates: [DetectionCandidate]) -> (
        things: [DetectionCandidate], cut: DetectionCut?
    ) {
        (Array(ordered(candidates).prefix(mostThings)), candidates.count > mostThings ? .things : nil)
    }

    /// The most things of a look that are told, the surest.
    static let mostThings = 1000
    /// The most candidates of a look that are held against each other, the surest.
    static let mostCandidates = 30_000

    /// - Returns: the surest first, of equal ones the first; and what they were cut to, where there were more.
    func surest(_ candidates: [DetectionCandidate]) -> (things: [DetectionCandidate], cut: DetectionCut?) {
        let shapes = areTurned ? candidates.map(Spread.init) : []
        // One more says whether there are more.
        let suppression = Suppression(
            overlap: overlap, mostLookedAt: Self.mostCandidates, mostKept: Self.mostThings + 1)
        let kept = suppression.kept(
            of: Array(candidates.indices), confidence: { Double(candidates[$0].score) },
            areRivals: { isAgnostic || candidates[$0].label == candidates[$1].label },
            common: {
                Double(areTurned ? shapes[$0].overlap(shapes[$1]) : candidates[$0].overlap(candidates[$1]))
            })
        let cut: DetectionCut? =
            kept.count > Self.mostThings ? .things : candidates.count > Self.mostCandidates ? .candidates : nil
        return (kept.prefix(Self.mostThings).map { candidates[$0] }, cut)
    }

    /// A turned box as a normal distribution.
    private struct Spread {
        var x, y, a, b, c: Float

        init(_ box: DetectionCandidate) {
            (x, y) = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
            let (w, h) = (box.right - box.left, box.bottom - box.top)
            let (s, t) = (w * w / 12, h * h / 12)
            let (cosine, sine) = (cosf(box.angle), sinf(box.angle))
            a = s * cosine * cosine + t * sine * sine
            b = s * sine * sine + t * cosine * cosine
            c = (s - t) * cosine * sine
        }

        /// One minus the Hellinger distance.
        func overlap(_ other: Spread) -> Float {
            let tiny: Float = 1e-7
            let (p, q, r) = (a + other.a, b + other.b, c + other.c)
            let (dx, dy) = (x - other.x, y - other.y)
            let determinant = p * q - r * r
            let near = (p * dy * dy + q * dx * dx) / (determinant + tiny) * 0.25
            let skew = r * (other.x - x) * (y - other.y) / (determinant + tiny) * 0.5
            let own = max(0, a * b - c * c) * max(0, other.a * other.b - other.c * other.c)
            let form = logf(determinant / (4 * own.squareRoot() + tiny) + tiny) * 0.5
            let distance = min(max(near + skew + form, tiny), 100)
            return 1 - (1 - expf(-distance) + tiny).squareRoot()
        }
    }
}
