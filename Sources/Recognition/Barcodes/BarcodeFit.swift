internal import Glibc

/// Where the modules of a row of bars are in a profile of grey values, and how blurred they are.
struct BarcodeFit {
    /// Samples a module of the profile, about.
    static let perModule = 6
    /// Blurs that are tried, standard deviation in modules.
    private static let blurs = [0.3, 0.55, 0.8, 1.1]
    private static let usualBlur = 1
    /// For each of them how much of an edge is behind a place, `perStep` places a module from `-reach` to `reach`.
    private static let steps = blurs.map { blur in
        (0...2 * reach * perStep).map { index in
            0.5 * (1 + erf((Double(index) / Double(perStep) - Double(reach)) / (blur * 2.0.squareRoot())))
        }
    }
    private static let (reach, perStep) = (4, 32)
    /// Least likeness of the bars and the profile: under it they say nothing of one another.
    private static let leastLikeness = 0.5

    private let values: [Double]
    /// The first bar's beginning and a module's length, samples.
    private var start, module: Double
    /// Index of the blur.
    private var blur = 0
    /// Grey values from how dark the bars are.
    private var line = StraightLine([], [])

    /// nil where the profile looks like another code altogether.
    /// - Parameter margin: How many modules of the ground stand before the first bar and after the last.
    init?(_ values: [Double], _ bars: BarcodeBars, margin: Int) {
        self.values = values
        let (count, side) = (Double(bars.dark.count), Double(Self.perModule))
        let (first, last) = (Double(margin) * side, Double(values.count) - Double(margin) * side)
        (start, module) = (first, side)
        var best = (likeness: -1.0, start: first, end: last, blur: 0)
        // Every second sample says enough.
        let samples = stride(from: 0, to: values.count, by: 2)
        let some = samples.map { values[$0] }
        func look(_ from: Double, _ to: Double, _ blur: Int) {
            (start, module, self.blur) = (from, (to - from) / count, blur)
            let likeness = -StraightLine(shades(of: bars, at: samples, in: 0..<bars.edges.count), some).correlation
            if likeness > best.likeness { best = (likeness, from, to, blur) }
        }
        // Where the bars are hardly depends on how blurred they are.
        for a in -2...2 {
            for b in -2...2 { look(first + Double(a) * 0.6 * side, last + Double(b) * 0.6 * side, Self.usualBlur) }
        }
        var coarse = best
        for blur in Self.blurs.indices where blur != Self.usualBlur { look(coarse.start, coarse.end, blur) }
        coarse = best
        for a in -2...2 {
            for b in -2...2 {
                look(coarse.start + Double(a) * 0.2 * side, coarse.end + Double(b) * 0.2 * side, coarse.blur)
            }
        }
        guard best.likeness >= Self.leastLikeness else { return nil }
        (start, module, blur) = (best.start, (best.end - best.start) / count, best.blur)
    }

    /// The fit to the bars of a digit and its neighbours: on a curved pack they lie a little beside where flat ones would.
    func moved(onto digit: BarcodeBars.Digit, _ bars: BarcodeBars) -> BarcodeFit {
        let window = max(digit.first - digit.count, 0)..<min(digit.first + 2 * digit.count, bars.dark.count)
        let candidates = [0, -0.2, 0.2, -0.4, 0.4, -0.6, 0.6].map { way in
            var fit = self
            fit.start += way * module
            let samples = fit.samples(of: Double(window.lowerBound), to: Double(window.upperBound))
            let near = fit.edges(of: bars, around: window)
            fit.line = StraightLine(fit.shades(of: bars, at: samples, in: near), Array(values[samples]))
            return fit
        }
        return candidates.min { $0.line.correlation < $1.line.correlation } ?? self
    }

    /// What the bars leave of the profile at a digit, squares of grey levels.
    /// - Parameters:
    ///   - known: What others leave already.
    ///   - limit: Where both are as much, no more is added up.
    func residual(
        of bars: BarcodeBars, at digit: BarcodeBars.Digit, besides known: Double = 0, upTo limit: Double = .infinity
    ) -> Double {
        let near = edges(of: bars, around: digit.first..<digit.first + digit.count)
        let samples = samples(of: Double(digit.first) - 0.5, to: Double(digit.first + digit.count) + 0.5)
        var (sum, place) = (0.0, samples.lowerBound)
        eachShade(of: bars, at: samples, in: near) { shade in
            let off = values[place] - line.level - line.slope * shade
            sum += off * off
            place += 1
            return known + sum < limit
        }
        return sum
    }

    /// How dark the blurred bars are at samples, 0…1.
    /// - Parameters:
    ///   - samples: In ascending order.
    ///   - near: The edges that count there.
    private func shades(of bars: BarcodeBars, at samples: some Sequence<Int>, in near: Range<Int>) -> [Double] {
        var shades: [Double] = []
        shades.reserveCapacity(samples.underestimatedCount)
        eachShade(of: bars, at: samples, in: near) {
            shades.append($0)
            return true
        }
        return shades
    }

    /// The same one by one, for as long as more are asked for.
    @inline(__always)
    private func eachShade(
        of bars: BarcodeBars, at samples: some Sequence<Int>, in near: Range<Int>, _ take: (Double) -> Bool
    ) {
        Self.steps[blur].withUnsafeBufferPointer { step in
            bars.edges.withUnsafeBufferPointer { edges in
                let whole = Double(step.count - 1)
                // Edges that lie wholly behind a sample do so for the next ones.
                var (first, behind) = (near.lowerBound, 0.0)
                for sample in samples {
                    let place = (Double(sample) + 0.5 - start) / module
                    func distance(_ edge: Int) -> Double {
                        (place - Double(edges[edge].place) + Double(Self.reach)) * Double(Self.perStep)
                    }
                    while first < near.upperBound, distance(first) >= whole {
                        behind += edges[first].sign
                        first += 1
                    }
                    var sum = behind
                    for edge in first..<near.upperBound {
                        let distance = distance(edge)
                        if distance <= 0 { break }
                        sum += edges[edge].sign * step[Int(distance + 0.5)]
                    }
                    guard take(sum) else { return }
                }
            }
        }
    }

    /// All edges that matter within some modules: from where it is light on, so that sums are right.
    private func edges(of bars: BarcodeBars, around modules: Range<Int>) -> Range<Int> {
        let end = bars.edges.firstIndex { $0.place > modules.upperBound + Self.reach + 1 } ?? bars.edges.count
        let first = bars.edges.firstIndex { $0.place >= modules.lowerBound - Self.reach - 1 } ?? end
        // Dark begins at even ones.
        return min(first - first % 2, end)..<end
    }

    private func samples(of first: Double, to last: Double) -> Range<Int> {
        let from = min(max(Int(start + first * module), 0), values.count)
        return from..<min(max(Int(start + last * module), from), values.count)
    }
}

/// A straight line through pairs of values (least squares).
struct StraightLine {
    private(set) var slope = 0.0, level = 0.0, correlation = 0.0

    init(_ x: [Double], _ y: [Double]) {
        let n = Double(max(x.count, 1))
        let (mx, my) = (x.reduce(0, +) / n, y.reduce(0, +) / n)
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for (a, b) in zip(x, y) {
            xx += (a - mx) * (a - mx)
            yy += (b - my) * (b - my)
            xy += (a - mx) * (b - my)
        }
        guard xx > 1e-9, yy > 1e-9 else { return }
        slope = xy / xx
        level = my - slope * mx
        correlation = xy / (xx * yy).squareRoot()
    }
}
