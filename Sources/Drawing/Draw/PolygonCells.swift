/// The cells of a grid that a polygon touches, also those that it only just does: what is to be covered is covered whole.
struct PolygonCells {
    /// In cells from the picture's corner.
    let x: Range<Int>
    let y: Range<Int>
    private var isTouched: [Bool]

    /// - Parameters:
    ///   - corners: Pixels, where 0 is the picture's edge; inside by the even-odd rule.
    ///   - side: Pixels of a cell.
    ///   - x: Cells to look at.
    init(_ corners: [Point], side: (x: Int, y: Int), x: Range<Int>, y: Range<Int>) {
        (self.x, self.y) = (x, y)
        isTouched = Array(repeating: false, count: x.count * y.count)
        guard let last = corners.last else { return }
        let scaled = ([last] + corners).map { Point($0.x / Double(side.x), $0.y / Double(side.y)) }
        for row in y {
            let (top, bottom, middle) = (Double(row), Double(row + 1), Double(row) + 0.5)
            var crossings: [Double] = []
            for (a, b) in zip(scaled, scaled.dropFirst()) {
                let (low, high) = a.y <= b.y ? (a, b) : (b, a)
                guard high.y >= top, low.y <= bottom else { continue }
                func across(_ y: Double) -> Double {
                    high.y > low.y ? low.x + (high.x - low.x) * (y - low.y) / (high.y - low.y) : low.x
                }
                // The edge itself, as far as it runs through the row; a level one all along.
                let ends = high.y > low.y ? [across(max(low.y, top)), across(min(high.y, bottom))] : [low.x, high.x]
                touch(row, from: min(ends[0], ends[1]), to: max(ends[0], ends[1]))
                if low.y <= middle, high.y > middle { crossings.append(across(middle)) }
            }
            crossings.sort()
            for index in stride(from: 0, to: crossings.count - 1, by: 2) {
                touch(row, from: crossings[index], to: crossings[index + 1])
            }
        }
    }

    private mutating func touch(_ row: Int, from left: Double, to right: Double) {
        let (low, high) = (Double(x.lowerBound), Double(x.upperBound))
        // Written so that NaN touches nothing.
        guard left <= high, right >= low else { return }
        let first = Int(max(left, low).rounded(.down)), last = Int(min(right, high).rounded(.up))
        for column in max(first, x.lowerBound)..<max(min(max(last, first + 1), x.upperBound), first, x.lowerBound) {
            isTouched[(row - y.lowerBound) * x.count + column - x.lowerBound] = true
        }
    }

    func contains(_ column: Int, _ row: Int) -> Bool {
        x.contains(column) && y.contains(row) && isTouched[(row - y.lowerBound) * x.count + column - x.lowerBound]
    }
}
