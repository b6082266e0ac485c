/// Mean luma values of a neighbourhood, of cells that begin every half cell across and down.
///
/// A patch's cells lie side by side in it only every other half cell: so there are four planes, of even and odd half cells
/// across and down, in each of which they are neighbours, with sums from the corner on.
struct CoverGrid {
    /// Cells of a plane across.
    private let width: Int
    /// Cells of a plane.
    private let size: Int
    /// The planes one after the other, sixteenths of a level.
    private let means: [UInt32]
    /// Of all cells above and left of one, and of their squares, a column and a row more than a plane has.
    private let integrals: [(sum: Int64, squares: Int64)]
    /// Whether half cells lie in the picture.
    let across: [Bool]
    let down: [Bool]

    /// - Parameter halves: Half cells that the neighbourhood reaches beyond the box on either side.
    init?(_ luma: PlaneView, _ box: Box, columns: Int, rows: Int, halves: (x: Int, y: Int)) {
        let pitch = (x: box.width / Double(columns) / 2, y: box.height / Double(rows) / 2)
        func edges(_ start: Double, _ pitch: Double, _ count: Int) -> [Int] {
            // Wherever it is said to be: pixels of a picture end long before.
            (0...count).map { Int(min(max((start + Double($0) * pitch).rounded(), -1e6), 1e6)) }
        }
        let columnEdges = edges(box.x - Double(halves.x) * pitch.x, pitch.x, 2 * (columns + halves.x))
        let rowEdges = edges(box.y - Double(halves.y) * pitch.y, pitch.y, 2 * (rows + halves.y))
        guard luma.width > 0, luma.height > 0 else { return nil }
        // Sums of half cells by half cells; one of less than a pixel takes the pixel that it is in. Large ones are sampled.
        let count = (x: columnEdges.count - 1, y: rowEdges.count - 1)
        across = (0..<count.x).map { columnEdges[$0] >= 0 && columnEdges[$0 + 1] <= luma.width }
        down = (0..<count.y).map { rowEdges[$0] >= 0 && rowEdges[$0 + 1] <= luma.height }
        var sums = [Int32](repeating: 0, count: count.x * count.y)
        let most = 4
        let samples = (0..<count.x).map { Self.samples(columnEdges[$0], columnEdges[$0 + 1], luma.width, most) }
        for y in 0..<count.y {
            let lines = Self.samples(rowEdges[y], rowEdges[y + 1], luma.height, most)
            for line in lines {
                let row = luma.base + line * luma.stride
                for x in 0..<count.x {
                    var sum: Int32 = 0
                    for sample in samples[x] { sum += Int32(row[sample]) }
                    sums[y * count.x + x] += 16 * sum / Int32(samples[x].count)
                }
            }
            let divisor = Int32(lines.count)
            for x in 0..<count.x { sums[y * count.x + x] /= divisor }
        }
        width = count.x / 2
        let height = count.y / 2
        size = width * height
        var means = [UInt32](repeating: 0, count: 4 * size)
        for y in 0..<max(count.y - 1, 0) {
            for x in 0..<max(count.x - 1, 0) {
                let first = y * count.x + x
                let sum = sums[first] + sums[first + 1] + sums[first + count.x] + sums[first + count.x + 1]
                means[(2 * (y & 1) + (x & 1)) * size + (y >> 1) * width + x >> 1] = UInt32(sum / 4)
            }
        }
        self.means = means
        integrals = Self.integrals(of: means, width, height)
    }

    private static func integrals(of means: [UInt32], _ width: Int, _ height: Int) -> [(sum: Int64, squares: Int64)] {
        let pitch = width + 1
        var integrals = [(sum: Int64, squares: Int64)](repeating: (0, 0), count: 4 * pitch * (height + 1))
        for plane in 0..<4 {
            let (from, to) = (plane * width * height, plane * pitch * (height + 1))
            for y in 0..<height {
                var (sum, squares) = (Int64(0), Int64(0))
                for x in 0..<width {
                    let mean = Int64(means[from + y * width + x])
                    sum += mean
                    squares += mean * mean
                    let above = integrals[to + y * pitch + x + 1]
                    integrals[to + (y + 1) * pitch + x + 1] = (above.sum + sum, above.squares + squares)
                }
            }
        }
        return integrals
    }

    /// Pixels of a side's part, at most so many, evenly; those outside are the last inside.
    private static func samples(_ from: Int, _ to: Int, _ count: Int, _ most: Int) -> [Int] {
        let length = max(to - from, 1)
        let number = min(length, most)
        return (0..<number).map { min(max(from + (2 * $0 + 1) * length / (2 * number), 0), count - 1) }
    }

    /// The cells of a patch that has the neighbourhood to itself.
    func window(_ columns: Int, _ rows: Int) -> [UInt32] {
        (0..<rows).flatMap { row in means[row * width..<row * width + columns] }
    }

    /// Which of a window's cells, counted along one side from a half cell on, lie in the picture.
    func inside(_ halves: [Bool], _ start: Int, _ count: Int) -> Range<Int> {
        let isInside = { (cell: Int) in halves[start + 2 * cell] && halves[start + 2 * cell + 1] }
        guard let first = (0..<count).first(where: isInside), let last = (0..<count).last(where: isInside) else {
            return 0..<0
        }
        return first..<last + 1
    }

    /// Sums over cells of the window at a place, and over their squares.
    /// - Parameters:
    ///   - across: Which of them count.
    func sums(at x: Int, _ y: Int, _ across: Range<Int>, _ down: Range<Int>) -> (sum: Int64, squares: Int64) {
        let pitch = width + 1
        let plane = (2 * (y & 1) + (x & 1)) * pitch * (size / max(width, 1) + 1)
        let (left, right) = (x >> 1 + across.lowerBound, x >> 1 + across.upperBound)
        let top = plane + (y >> 1 + down.lowerBound) * pitch
        let bottom = plane + (y >> 1 + down.upperBound) * pitch
        return integrals.withUnsafeBufferPointer { all in
            (
                all[bottom + right].sum - all[bottom + left].sum - all[top + right].sum + all[top + left].sum,
                all[bottom + right].squares - all[bottom + left].squares - all[top + right].squares
                    + all[top + left].squares
            )
        }
    }

    /// The sum of products of a patch's cells, in rows of `columns`, with those of the window at a place.
    func products(
        _ cells: [UInt32], _ columns: Int, at x: Int, _ y: Int, _ across: Range<Int>, _ down: Range<Int>
    ) -> UInt32 {
        let first = (2 * (y & 1) + (x & 1)) * size + (y >> 1) * width + x >> 1
        // A patch has 144 cells at the most, each under 4096: no sum reaches 2³².
        var sum: UInt32 = 0
        means.withUnsafeBufferPointer { means in
            cells.withUnsafeBufferPointer { cells in
                for row in down {
                    for column in across {
                        sum &+= cells[row * columns + column] &* means[first + row * width + column]
                    }
                }
            }
        }
        return sum
    }
}
