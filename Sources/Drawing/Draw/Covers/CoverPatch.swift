/// What a small part of a picture looks like: mean luma values on a grid of some ninety-six cells, whatever its size, and
/// where in another picture the same is seen.
///
/// Brightness and contrast don't count: what is compared is the normalised cross-correlation. All sums are of whole
/// numbers, so the answer is the same on every machine.
struct CoverPatch {
    /// Cells along the longer side, and at least along the shorter one.
    private static let longest = 12, shortest = 6
    /// The standard deviation of its cells under which a patch looks like any other, luma levels.
    private static let plain = 4.0

    private let columns: Int
    private let rows: Int
    private let cells: [Int32]
    /// Of a patch of which less is in the picture, more than its place may be like it.
    private static let leastInside = 1.0 / 3

    /// - Parameter box: Pixels; may leave the picture, whose last pixels go on there.
    init?(_ luma: PlaneView, _ box: Box) {
        guard box.isDrawable, box.width >= 4, box.height >= 4 else { return nil }
        let share = box.width / box.height
        columns = Self.count(share)
        rows = Self.count(1 / share)
        guard let grid = CoverGrid(luma, box, columns: columns, rows: rows, halves: (0, 0)) else { return nil }
        cells = grid.window(0, 0, columns, rows)
        let sum = cells.reduce(Int64(0)) { $0 + Int64($1) }
        let squares = cells.reduce(Int64(0)) { $0 + Int64($1) * Int64($1) }
        let variance = Double(squares) - Double(sum) * Double(sum) / Double(cells.count)
        guard variance >= Self.least * Double(cells.count) else { return nil }
    }

    /// The variance of a cell that tells something; cells count sixteenths of a level.
    private static var least: Double { 256 * plain * plain }

    private static func count(_ share: Double) -> Int {
        min(max(Int(inRange: (Double(longest) * share).rounded()), shortest), longest)
    }

    /// The place of the box's size that looks most like the patch, and how much, up to 1.
    /// - Parameters:
    ///   - box: Where it is looked for first, pixels.
    ///   - reach: How far from there, pixels across and down.
    func find(in luma: PlaneView, around box: Box, reach: (x: Double, y: Double)) -> (box: Box, likeness: Double)? {
        let pitch = (x: box.width / Double(columns) / 2, y: box.height / Double(rows) / 2)
        let steps = (
            x: min(Int(inRange: (reach.x / pitch.x).rounded(.up)), 6 * columns),
            y: min(Int(inRange: (reach.y / pitch.y).rounded(.up)), 6 * rows)
        )
        guard let grid = CoverGrid(luma, box, columns: columns, rows: rows, halves: steps) else { return nil }
        var best = -Double.infinity
        var place = (x: 0, y: 0)
        for y in 0...2 * steps.y {
            let down = grid.inside(grid.down, y, rows)
            for x in 0...2 * steps.x {
                // What lies outside of the picture is like nothing.
                let across = grid.inside(grid.across, x, columns)
                let count = Double(across.count * down.count)
                guard count >= Self.leastInside * Double(cells.count) else { continue }
                let sums = grid.compare(cells, columns, at: x, y, across, down)
                let own = Double(sums.ownSquares) - Double(sums.own) * Double(sums.own) / count
                let other = Double(sums.otherSquares) - Double(sums.other) * Double(sums.other) / count
                guard own >= Self.least * count / 4, other > 0 else { continue }
                let likeness =
                    (Double(sums.products) - Double(sums.own) * Double(sums.other) / count) / (own * other).squareRoot()
                let isNearer = abs(x - steps.x) + abs(y - steps.y) < abs(place.x - steps.x) + abs(place.y - steps.y)
                if likeness > best || likeness == best && isNearer { (best, place) = (likeness, (x, y)) }
            }
        }
        guard best > -.infinity else { return nil }
        var found = box
        found.x += Double(place.x - steps.x) * pitch.x
        found.y += Double(place.y - steps.y) * pitch.y
        return (found, best)
    }
}

/// Mean luma values of a neighbourhood, of cells that begin every half cell across and down.
private struct CoverGrid {
    private let width: Int
    /// Sixteenths of a level.
    private let means: [Int32]
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
        width = count.x - 1
        var means: [Int32] = []
        means.reserveCapacity(max(width, 0) * max(count.y - 1, 0))
        for y in 0..<count.y - 1 {
            for x in 0..<count.x - 1 {
                let first = y * count.x + x
                means.append((sums[first] + sums[first + 1] + sums[first + count.x] + sums[first + count.x + 1]) / 4)
            }
        }
        self.means = means
    }

    /// Pixels of a side's part, at most so many, evenly; those outside are the last inside.
    private static func samples(_ from: Int, _ to: Int, _ count: Int, _ most: Int) -> [Int] {
        let length = max(to - from, 1)
        let number = min(length, most)
        return (0..<number).map { min(max(from + (2 * $0 + 1) * length / (2 * number), 0), count - 1) }
    }

    func window(_ x: Int, _ y: Int, _ columns: Int, _ rows: Int) -> [Int32] {
        (0..<rows).flatMap { row in (0..<columns).map { means[(y + 2 * row) * width + x + 2 * $0] } }
    }

    /// Which of a window's cells, counted along one side from a half cell on, lie in the picture.
    func inside(_ halves: [Bool], _ start: Int, _ count: Int) -> Range<Int> {
        let isInside = { (cell: Int) in halves[start + 2 * cell] && halves[start + 2 * cell + 1] }
        guard let first = (0..<count).first(where: isInside), let last = (0..<count).last(where: isInside) else {
            return 0..<0
        }
        return first..<last + 1
    }

    /// Sums over cells of a patch and those of the window at a place.
    struct Sums {
        var products: Int64 = 0
        var own: Int64 = 0
        var ownSquares: Int64 = 0
        var other: Int64 = 0
        var otherSquares: Int64 = 0
    }

    /// - Parameters:
    ///   - cells: The patch's, in rows of `columns`.
    ///   - across: Which of them count.
    func compare(
        _ cells: [Int32], _ columns: Int, at x: Int, _ y: Int, _ across: Range<Int>, _ down: Range<Int>
    ) -> Sums {
        var sums = Sums()
        means.withUnsafeBufferPointer { means in
            cells.withUnsafeBufferPointer { cells in
                for row in down {
                    let first = (y + 2 * row) * width + x
                    for column in across {
                        let other = Int64(means[first + 2 * column])
                        let own = Int64(cells[row * columns + column])
                        sums.products += own * other
                        sums.own += own
                        sums.ownSquares += own * own
                        sums.other += other
                        sums.otherSquares += other * other
                    }
                }
            }
        }
        return sums
    }
}
