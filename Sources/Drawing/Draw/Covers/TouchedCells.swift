/// The cells of a grid that a polygon or a mask touches, also those that it only just does: what is to be covered is covered
/// whole.
struct TouchedCells {
    /// Columns of cells, counted from the picture's corner.
    let x: Range<Int>
    let y: Range<Int>
    private var isTouched: [Bool]

    /// - Parameters:
    ///   - corners: Pixels, where 0 is the picture's edge; inside by the even-odd rule.
    ///   - side: Pixels of a cell.
    ///   - x: Cells to look at.
    init(of corners: [Point], side: (x: Int, y: Int), x: Range<Int>, y: Range<Int>) {
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

    /// - Parameters:
    ///   - margin: Pixels by which the mask is grown across and down.
    ///   - side: Pixels of a cell.
    ///   - x: Cells to look at.
    init(of mask: RunMask, margin: Int, side: (x: Int, y: Int), x: Range<Int>, y: Range<Int>) {
        (self.x, self.y) = (x, y)
        isTouched = Array(repeating: false, count: x.count * y.count)
        guard !isTouched.isEmpty else { return }
        // What is farther off touches none of the cells.
        let (columns, rows) = (
            x.lowerBound * side.x - margin..<x.upperBound * side.x + margin,
            y.lowerBound * side.y - margin..<y.upperBound * side.y + margin
        )
        for span in mask.spans where columns.contains(span.x) && span.rows.overlaps(rows) {
            // Grown to whole pixels, then to whole cells; a cell begins at a multiple of its side.
            let left = max((span.x - margin).cell(side.x), x.lowerBound)
            let right = min((span.x + margin).cell(side.x), x.upperBound - 1)
            let top = max((span.rows.lowerBound - margin).cell(side.y), y.lowerBound)
            let bottom = min((span.rows.upperBound - 1 + margin).cell(side.y), y.upperBound - 1)
            guard left <= right, top <= bottom else { continue }
            for row in top...bottom {
                for column in left...right {
                    isTouched[(row - y.lowerBound) * x.count + column - x.lowerBound] = true
                }
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

extension Int {
    /// The cell that a pixel lies in.
    fileprivate func cell(_ side: Int) -> Int { self >= 0 ? self / side : (self - side + 1) / side }
}
