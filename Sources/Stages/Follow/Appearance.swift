/// What a thing looks like: colours in stripes, or what a network makes of it.
enum Appearance: Sendable, Hashable {
    /// Three histograms of hue and saturation one after another, top to bottom; each adds up to 1.
    case stripes([Float])
    /// A network's features, of length 1.
    case features([Float])
}

/// The mean of how a thing looked.
struct AppearanceMean: Sendable {
    private var sum: [Float] = []
    private var isStripes = true
    private var weight: Float = 0

    mutating func add(_ appearance: Appearance?, weight: Double) {
        switch appearance {
        case .stripes(let values): add(values, isStripes: true, Float(weight))
        case .features(let values): add(values, isStripes: false, Float(weight))
        case nil: break
        }
    }

    private mutating func add(_ values: [Float], isStripes: Bool, _ weight: Float) {
        if sum.isEmpty { sum = [Float](repeating: 0, count: values.count) }
        guard sum.count == values.count else { return }
        for index in values.indices { sum[index] += values[index] * weight }
        self.isStripes = isStripes
        self.weight += weight
    }

    mutating func add(_ other: AppearanceMean) {
        guard !sum.isEmpty, sum.count == other.sum.count else {
            if sum.isEmpty { self = other }
            return
        }
        for index in sum.indices { sum[index] += other.sum[index] }
        weight += other.weight
    }

    /// nil where nothing was seen.
    var mean: Appearance? {
        guard weight > 0 else { return nil }
        if isStripes { return .stripes(sum.map { $0 / weight }) }
        var length: Float = 0
        for value in sum { length += value * value }
        return length > 0 ? .features(sum.map { $0 / length.squareRoot() }) : nil
    }
}

extension Appearance {
    /// How much speaks for two looks being at one thing, nats. Linear in the distance, as it is for two normal distributions of
    /// one width, and bounded: people dress alike, and boxes hold others too.
    ///
    /// Middle and slope are those of people a second apart and of different people: stripes .44 and .66, features' cosine .8
    /// and .4.
    func evidence(for other: Appearance) -> Double {
        switch (self, other) {
        case (.stripes(let a), .stripes(let b)) where a.count == b.count:
            return Self.bounded(17 * (0.555 - Self.distance(a, b)))
        case (.features(let a), .features(let b)) where a.count == b.count:
            return Self.bounded(20 * (Self.cosine(a, b) - 0.6))
        default: return 0
        }
    }

    private static func bounded(_ evidence: Double) -> Double { min(max(evidence, -4), 4) }

    /// The mean Bhattacharyya (Hellinger) distance of the stripes, 0…1.
    private static func distance(_ a: [Float], _ b: [Float]) -> Double {
        let length = a.count / 3
        var sum = 0.0
        for stripe in 0..<3 {
            var likeness: Float = 0
            for index in stripe * length..<(stripe + 1) * length { likeness += (a[index] * b[index]).squareRoot() }
            sum += Double(max(0, 1 - likeness)).squareRoot()
        }
        return sum / 3
    }

    private static func cosine(_ a: [Float], _ b: [Float]) -> Double {
        var sum: Float = 0
        for index in a.indices { sum += a[index] * b[index] }
        return Double(sum)
    }
}
