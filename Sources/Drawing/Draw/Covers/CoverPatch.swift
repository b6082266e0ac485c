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
    private let cells: [UInt32]
    /// Sums of cells and of their squares, of all.
    private let whole: (sum: Int64, squares: Int64)
    /// Of a patch of which less is in the picture, more than its place may be like it.
    private static let leastInside = 1.0 / 3

    /// - Parameter box: Pixels; may leave the picture, whose last pixels go on there.
    init?(_ luma: PlaneView, _ box: Box) {
        guard box.isDrawable, box.width >= 4, box.height >= 4 else { return nil }
        let share = box.width / box.height
        columns = Self.count(share)
        rows = Self.count(1 / share)
        guard let grid = CoverGrid(luma, box, columns: columns, rows: rows, halves: (0, 0)) else { return nil }
        cells = grid.window(columns, rows)
        whole = Self.sums(cells, columns, 0..<columns, 0..<rows)
        let sum = Double(whole.sum)
        let variance = Double(whole.squares) - sum * sum / Double(cells.count)
        guard variance >= Self.least * Double(cells.count) else { return nil }
    }

    /// The variance of a cell that tells something; cells count sixteenths of a level.
    private static var least: Double { 256 * plain * plain }

    /// Sums over some of a patch's cells, and over their squares.
    private static func sums(
        _ cells: [UInt32], _ columns: Int, _ across: Range<Int>, _ down: Range<Int>
    ) -> (sum: Int64, squares: Int64) {
        var (sum, squares) = (Int64(0), Int64(0))
        for row in down {
            for column in across {
                let cell = Int64(cells[row * columns + column])
                sum += cell
                squares += cell * cell
            }
        }
        return (sum, squares)
    }

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
                let isWhole = across.count == columns && down.count == rows
                let mine = isWhole ? whole : Self.sums(cells, columns, across, down)
                let theirs = grid.sums(at: x, y, across, down)
                let own = Double(mine.squares) - Double(mine.sum) * Double(mine.sum) / count
                let other = Double(theirs.squares) - Double(theirs.sum) * Double(theirs.sum) / count
                guard own >= Self.least * count / 4, other > 0 else { continue }
                let products = grid.products(cells, columns, at: x, y, across, down)
                let likeness =
                    (Double(products) - Double(mine.sum) * Double(theirs.sum) / count) / (own * other).squareRoot()
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
