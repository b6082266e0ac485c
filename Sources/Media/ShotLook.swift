/// What a picture looks like as a whole, which tells a cut: mean luma values of its parts.
package struct ShotLook: Sendable {
    private static let columns = 16, rows = 9
    /// Samples along each side of a part.
    private static let samples = 6
    /// The standard deviation of the parts under which a picture looks like any other: nothing is told of a black one.
    private static let plain = 6.0
    /// The correlation under which two pictures aren't of one shot. Flashes and fades change brightness and contrast alone.
    private static let other = 0.3

    private let means: [Double]
    private let mean: Double
    private let spread: Double

    /// A picture's look.
    package init(_ frame: VideoFrame) {
        let means = frame.withLuma { luma in
            (0..<Self.rows * Self.columns).map { part in
                let (row, column) = (part / Self.columns, part % Self.columns)
                var sum = 0
                for v in 0..<Self.samples {
                    let y = min(
                        (2 * (row * Self.samples + v) + 1) * luma.height / (2 * Self.rows * Self.samples),
                        luma.height - 1)
                    for u in 0..<Self.samples {
                        let x = min(
                            (2 * (column * Self.samples + u) + 1) * luma.width / (2 * Self.columns * Self.samples),
                            luma.width - 1)
                        sum += Int(luma.base[y * luma.stride + x])
                    }
                }
                return Double(sum) / Double(Self.samples * Self.samples)
            }
        }
        self.means = means
        let mean = means.reduce(0, +) / Double(means.count)
        self.mean = mean
        spread = (means.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(means.count)).squareRoot()
    }

    /// Whether it shows nothing by which a shot is known.
    package var isPlain: Bool { spread < Self.plain }

    /// True where a picture is the first of another shot than the one before it.
    package func isOther(than before: ShotLook?) -> Bool {
        guard let before, !isPlain, !before.isPlain else { return false }
        let product = zip(means, before.means).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - before.mean) }
        return product / Double(means.count) < Self.other * spread * before.spread
    }
}
