/// What a thing looks like at one look.
struct Appearance: Sendable {
    /// What the values are.
    enum Kind: Sendable {
        /// Histograms of colour in three stripes one after another, top to bottom; each adds up to the share of its stripe that
        /// is in sight.
        case stripes
        /// A network's features.
        case features

        /// Vectors that are compared each by itself.
        var parts: Int { self == .stripes ? 3 : 1 }
    }

    let kind: Kind
    let values: [Float]
    /// How much of a look it is: 1 where all of the thing is in sight.
    let share: Double
    let look: Look

    /// - Parameter share: nil for what the stripes say themselves.
    init?(_ kind: Kind, _ values: [Float], share: Double? = nil) {
        self.kind = kind
        self.values = values
        self.share = share ?? Double(values.reduce(0, +)) / Double(kind.parts)
        guard self.share > 0 else { return nil }
        look = Look(kind, values, looks: self.share)
    }
}

/// The mean of how a thing looked.
struct AppearanceMean: Sendable {
    private var kind = Appearance.Kind.stripes
    private var sum: [Float] = []
    private var looks = 0.0

    mutating func add(_ appearance: Appearance?) {
        guard let appearance else { return }
        let weight: Float = appearance.kind == .stripes ? 1 : Float(appearance.share)
        if sum.isEmpty {
            kind = appearance.kind
            sum = [Float](repeating: 0, count: appearance.values.count)
        }
        guard sum.count == appearance.values.count else { return }
        for index in sum.indices { sum[index] += appearance.values[index] * weight }
        looks += appearance.share
    }

    mutating func add(_ other: AppearanceMean) {
        guard !sum.isEmpty, sum.count == other.sum.count else {
            if sum.isEmpty { self = other }
            return
        }
        for index in sum.indices { sum[index] += other.sum[index] }
        looks += other.looks
    }

    /// nil where nothing was seen.
    var look: Look? { looks > 0 ? Look(kind, sum, looks: looks) : nil }
}

/// Looks at a thing, ready to be compared.
struct Look: Sendable {
    /// How many there are; what is half in sight counts half.
    let looks: Double
    /// Each part has length 1; of a histogram these are the roots of the shares.
    private let values: [Float]
    /// How much of each part was in sight.
    private let shares: [Float]

    fileprivate init(_ kind: Appearance.Kind, _ sum: [Float], looks: Double) {
        self.looks = looks
        let length = sum.count / kind.parts
        var (values, shares) = (sum, [Float](repeating: 1, count: kind.parts))
        for part in shares.indices {
            let range = part * length..<(part + 1) * length
            var whole: Float = 0
            for index in range { whole += kind == .stripes ? sum[index] : sum[index] * sum[index] }
            if kind == .stripes { shares[part] = whole }
            guard whole > 0 else { continue }
            let scale = kind == .stripes ? 1 / whole : 1 / whole.squareRoot()
            for index in range {
                values[index] = kind == .stripes ? (sum[index] * scale).squareRoot() : sum[index] * scale
            }
        }
        (self.values, self.shares) = (values, shares)
    }

    /// One minus the cosine, which for histograms is the squared Hellinger distance: 0…1 there, 0…2 for features. Parts count
    /// by what is in sight of them in both; nil where that is none.
    func distance(to other: Look) -> Double? {
        guard values.count == other.values.count, shares.count == other.shares.count else { return nil }
        let length = values.count / shares.count
        var (sum, weight): (Float, Float) = (0, 0)
        for part in shares.indices {
            let share = min(shares[part], other.shares[part])
            guard share > 0 else { continue }
            var likeness: Float = 0
            for index in part * length..<(part + 1) * length { likeness += values[index] * other.values[index] }
            sum += share * max(0, 1 - likeness)
            weight += share
        }
        return weight > 0 ? Double(sum / weight) : nil
    }
}
