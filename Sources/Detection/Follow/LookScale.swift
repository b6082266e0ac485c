/// How different looks at one thing and at different things are, and so what a difference says.
///
/// Distances are those that would be left of endless looks: that of few is more by what each look differs from the thing's
/// mean. Two normal distributions of one width, so that evidence is linear in the distance (Fisher's discriminant).
struct LookScale: Sendable {
    /// What one look adds to a distance. Looks one after another are alike, so that it shrinks with the root of their number.
    let blur: Double
    private(set) var same: Spread
    private(set) var other: Spread
    /// The steepest slope that is believed, nats for a unit of distance.
    private let steepest: Double

    /// Colours in stripes: of ten people in a street.
    static let stripes = LookScale(blur: 0.078, same: 0.05, other: 0.31, deviation: 0.1)
    /// Features of a re-identification network.
    static let features = LookScale(blur: 0.05, same: 0.1, other: 0.5, deviation: 0.14)

    private init(blur: Double, same: Double, other: Double, deviation: Double) {
        self.blur = blur
        self.same = Spread(mean: same, variance: deviation * deviation, weight: Self.prior)
        self.other = Spread(mean: other, variance: deviation * deviation, weight: Self.prior)
        steepest = 2 * (other - same) / (deviation * deviation)
    }

    /// Pairs that what is known beforehand counts for.
    private static let prior = 10.0
    /// People dress alike, and boxes hold others too: no look says more than that, nats.
    private static let most = 4.0

    /// What speaks for two looks being at one thing, nats.
    func evidence(_ a: Look, _ b: Look) -> Double {
        guard let distance = distance(a, b) else { return 0 }
        let gap = max(0, other.mean - same.mean)
        let variance = (same.variance * same.weight + other.variance * other.weight) / (same.weight + other.weight)
        let slope = min(steepest, gap / variance)
        let evidence = slope * (same.mean + gap / 2 - distance)
        return min(1, a.looks, b.looks) * min(max(evidence, -Self.most), Self.most)
    }

    private func distance(_ a: Look, _ b: Look) -> Double? {
        a.distance(to: b).map { $0 - blur / a.looks.squareRoot() - blur / b.looks.squareRoot() }
    }

    /// Learns from the video itself, in which clothes may be bright or all alike: what is in sight at the same time are different
    /// things, and a tracklet is one thing.
    func learned(from tracklets: [Tracklet]) -> LookScale {
        var learned = self
        var bySecond: [Int: [Look]] = [:]
        for tracklet in tracklets {
            let pieces = tracklet.pieces.compactMap { piece in
                piece.appearance.look.flatMap { $0.looks >= Self.fewest ? (second: piece.second, look: $0) : nil }
            }
            for (place, piece) in pieces.enumerated() {
                for later in pieces[(place + 1)...].prefix(Self.reach) where later.second >= piece.second + 2 {
                    if let distance = distance(piece.look, later.look) { learned.same.add(distance) }
                }
                for another in bySecond[piece.second, default: []] {
                    if let distance = distance(piece.look, another) { learned.other.add(distance) }
                }
            }
            for piece in pieces { bySecond[piece.second, default: []].append(piece.look) }
        }
        return learned
    }

    /// Looks in a second that are enough to learn from.
    private static let fewest = 3.0
    /// Seconds over which one thing's looks are compared.
    private static let reach = 5
}

/// Mean and variance of what came so far.
struct Spread: Sendable {
    private(set) var mean: Double
    private(set) var variance: Double
    private(set) var weight: Double

    init(mean: Double, variance: Double, weight: Double) {
        (self.mean, self.variance, self.weight) = (mean, variance, weight)
    }

    mutating func add(_ value: Double) {
        weight += 1
        let difference = value - mean
        mean += difference / weight
        variance += (difference * (value - mean) - variance) / weight
    }
}
