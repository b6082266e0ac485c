internal import Glibc

/// How the places of a thing that stands still scatter.
struct Tremble: Sendable {
    /// Standard deviation, pixels.
    var deviation: Double
    /// So many places in a row say as much as one that is by chance: 1 where every one is.
    var breath: Double

    /// The larger of both.
    func joined(with other: Tremble) -> Tremble {
        Tremble(deviation: max(deviation, other.deviation), breath: max(breath, other.breath))
    }
}

/// What is known of it.
struct TrembleBounds: Sendable {
    /// Upper bounds: the fewer places there are, the higher.
    var most: Tremble
    /// What it is at least, as far as the places tell.
    var least: Tremble

    /// The larger of both.
    func joined(with other: TrembleBounds) -> TrembleBounds {
        TrembleBounds(most: most.joined(with: other.most), least: least.joined(with: other.least))
    }
}

/// The trembling of a path: by how much its points lie beside the straight way between others, next ones and ones some time
/// away.
///
/// A detector's boxes lean to one side for some frames, so neighbours see little of their trembling. What neighbours and
/// distant points see is put together as that of a first-order autoregressive process: its deviation and its breath.
struct PathTremble: Sendable {
    /// The last points, and some before them.
    private var points: [(point: Point, time: Double)] = []

    /// The most points that are looked back at; those of them whose neighbours are.
    private static let memory = 256
    private static let neighbours = 64
    /// The fewest points that say anything.
    private static let least = 7
    /// Seconds between distant points: longer than most trembling's breath, shorter than a turn.
    private static let distance = 0.7
    /// The share of a short path's time that they are apart.
    private static let share = 0.25
    /// The most that points a distance apart are taken to have in common: more can't be told from a path that winds.
    private static let common = 0.7
    /// Share of the points that lie less far off than `offAtQuantile` deviations: most of a path's points aren't where it
    /// turns.
    private static let quantile = 0.7
    private static let offAtQuantile = 1.036
    /// Seconds by which times may be off: they come from ticks as coarse as a microsecond.
    private static let tick = 1e-6

    /// Adds a point of the path.
    /// - Parameter time: Seconds.
    mutating func add(_ point: Point, at time: Double) {
        points.append((point, time))
        if points.count > 2 * Self.memory { points.removeFirst(Self.memory) }
    }

    /// The trembling along a direction of length 1; nil for a path of which nothing can be said yet.
    func bounds(along direction: Point) -> TrembleBounds? {
        guard points.count >= Self.least, let end = points.last else { return nil }
        let recent = points.suffix(Self.memory).map { (place: $0.point.dot(direction), time: $0.time) }
        let near = Scatter(Array(recent.suffix(Self.neighbours + 2)), apart: 0)
        let far = Scatter(recent, apart: min(Self.distance, Self.share * (end.time - recent[0].time)))
        let doubt = 1 + 2 / Double(max(1, near.count)).squareRoot()
        guard far.count > 0, far.steps > 1.2 else {
            let plain = Tremble(deviation: near.deviation * doubt, breath: 1)
            return TrembleBounds(most: plain, least: plain)
        }
        // What trembles strays no faster than by chance steps: a path that does so turns.
        let strays = min(far.deviation, near.deviation * far.steps.squareRoot())
        let middle = Self.tremble(near.deviation, strays, far.steps)
        let told = max(Double(far.count) / far.steps, Double(far.count + near.count) / middle.breath).squareRoot()
        var least = Self.tremble(near.deviation, max(near.deviation, strays / (1 + 1 / told)), far.steps)
        least.deviation *= doubt
        let most = max(middle.deviation * (1 + 2 / told), near.deviation * doubt)
        return TrembleBounds(most: Tremble(deviation: most, breath: middle.breath), least: least)
    }

    /// The trembling of which neighbours and points so many steps apart see that much.
    ///
    /// With a part r in common of points that are a step apart, the deviation from the mean of both neighbours has
    /// (1 − r)(3 − r) / 3 of the variance that it has without.
    private static func tremble(_ near: Double, _ far: Double, _ steps: Double) -> Tremble {
        let ratio = far > 0 ? min(1, near * near / (far * far)) : 1
        var (step, seen) = (0.0, 1.0)
        for _ in 0..<8 {
            step = max(0, 2 - (1 + 3 * ratio * seen).squareRoot())
            let whole = min(Self.common, power(step, steps))
            seen = (1 - whole) * (3 - whole) / 3
        }
        return Tremble(deviation: max(near, far / seen.squareRoot()), breath: (1 + step) / max(0.01, 1 - step))
    }

    private static func power(_ base: Double, _ exponent: Double) -> Double { base > 0 ? pow(base, exponent) : 0 }

    /// By how much places lie beside the straight way between others, divided by what that is for a deviation of 1.
    private struct Scatter {
        var deviation = 0.0
        var count = 0
        /// How many places lie between, in the mean.
        var steps = 1.0

        /// - Parameter apart: Seconds from each place to the others; 0 for neighbours.
        init(_ places: [(place: Double, time: Double)], apart: Double) {
            var (sizes, sum) = ([Double](), 0)
            var (first, middle) = (0, 0)
            for last in places.indices {
                while middle + 1 < last, places[middle + 1].time <= places[last].time - apart + PathTremble.tick {
                    middle += 1
                }
                while first + 1 < middle, places[first + 1].time <= places[middle].time - apart + PathTremble.tick {
                    first += 1
                }
                let (a, b, c) = (places[first], places[middle], places[last])
                guard first < middle, middle < last, min(b.time - a.time, c.time - b.time) >= apart - PathTremble.tick,
                    c.time > a.time
                else { continue }
                let share = (b.time - a.time) / (c.time - a.time)
                let aside = abs(b.place - a.place * (1 - share) - c.place * share)
                sizes.append(aside / (1 + share * share + (1 - share) * (1 - share)).squareRoot())
                sum += last - first
            }
            guard !sizes.isEmpty else { return }
            sizes.sort()
            count = sizes.count
            deviation = sizes[Int(PathTremble.quantile * Double(count))] / PathTremble.offAtQuantile
            steps = Double(sum) / Double(2 * count)
        }
    }
}
