/// How much a picture differs from another: the mean difference of brightness in fields, per cent of its range.
struct PictureLikeness {
    private static let fields = 64

    private let means: [Double]

    init(_ frame: VideoFrame) {
        // From black to white.
        let range = frame.picture.isFullRange ? 255.0 : 219
        means = frame.withLuma { luma in
            var means: [Double] = []
            means.reserveCapacity(Self.fields * Self.fields)
            func edges(_ index: Int, _ size: Int) -> Range<Int> {
                let from = index * size / Self.fields
                return from..<max(from + 1, (index + 1) * size / Self.fields)
            }
            for row in 0..<Self.fields {
                let rows = edges(row, luma.height)
                for column in 0..<Self.fields {
                    let columns = edges(column, luma.width)
                    var sum = 0
                    for y in rows {
                        let line = luma.base + y * luma.stride
                        for x in columns { sum += Int(line[x]) }
                    }
                    means.append(Double(sum) / Double(rows.count * columns.count) / range)
                }
            }
            return means
        }
    }

    /// The difference, per cent.
    func difference(from other: PictureLikeness) -> Double {
        zip(means, other.means).reduce(0) { $0 + abs($1.0 - $1.1) } / Double(means.count) * 100
    }
}
