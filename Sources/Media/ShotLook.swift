/// What a picture looks like as a whole, which tells a cut: mean luma values of its parts.
package struct ShotLook: Sendable {
    private static let columns = 16, rows = 9
    /// Samples along each side of a part, and of a quarter of it.
    private static let samples = 6, fewer = 3
    /// The standard deviation of the parts under which a picture looks like any other: nothing is told of a black one.
    private static let plain = 6.0
    /// The correlation under which two pictures aren't of one shot. Flashes and fades change brightness and contrast alone.
    private static let other = 0.3

    /// The most of a dark picture's parts, of 8 bits: a little over the black of video.
    private static let darkest = 20.0

    private let quarters: ShotGrid
    private let means: [Double]
    private let mean: Double
    private let spread: Double

    /// A picture's look.
    package init(_ frame: VideoFrame) {
        let quarters = frame.withLuma { luma in
            ShotGrid(columns: 2 * Self.columns, rows: 2 * Self.rows, samples: Self.fewer, of: luma)
        }
        let means = (0..<Self.rows * Self.columns).map { part in
            let (row, column) = (2 * (part / Self.columns), 2 * (part % Self.columns))
            let sum = (0..<4).reduce(0) { $0 + Int(quarters[column + $1 % 2, row + $1 / 2]) }
            return Double(sum) / Double(Self.samples * Self.samples)
        }
        self.quarters = quarters
        self.means = means
        let mean = means.reduce(0, +) / Double(means.count)
        self.mean = mean
        spread = (means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(means.count)).squareRoot()
    }

    /// Whether it shows nothing by which a shot is known.
    package var isPlain: Bool { spread < Self.plain }

    /// Whether it is black all over, as before a fade; a line of text on black isn't.
    package var isDark: Bool { quarters.brightest <= Self.darkest }

    /// True where a picture is the first of another shot than the one before it.
    package func isOther(than before: ShotLook?) -> Bool {
        guard let before, !isPlain, !before.isPlain else { return false }
        let product = zip(means, before.means).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - before.mean) }
        return product / Double(means.count) < Self.other * spread * before.spread
    }

    /// What became of the picture before.
    package func change(since before: ShotLook) -> ShotChange {
        guard !isPlain, !before.isPlain else { return .unlike }
        return quarters.change(since: before.quarters)
    }
}
