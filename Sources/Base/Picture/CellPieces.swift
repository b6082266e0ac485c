/// Cells of a grid in pieces: those that lie near one another are one.
package struct CellPieces: Sendable {
    private let columns: Range<Int>
    private let rows: Range<Int>
    private let cells: [Bool]

    /// - Parameters:
    ///   - columns: Of the grid that are looked at.
    ///   - rows: The same of its rows.
    ///   - isIn: Whether a cell belongs to a piece.
    package init(columns: Range<Int>, rows: Range<Int>, _ isIn: (_ column: Int, _ row: Int) -> Bool) {
        (self.columns, self.rows) = (columns, rows)
        cells = rows.flatMap { row in columns.map { isIn($0, row) } }
    }

    /// The bounds of some cells, both ends included.
    private struct Bounds {
        var left: Int
        var right: Int
        var top: Int
        var bottom: Int

        mutating func join(_ other: Bounds) {
            (left, right) = (min(left, other.left), max(right, other.right))
            (top, bottom) = (min(top, other.top), max(bottom, other.bottom))
        }
    }

    /// The boxes around pieces, in cells.
    /// - Parameters:
    ///   - near: Cells within which two belong together, along rows and columns; up to twice as many may.
    ///   - margin: Cells more on every side.
    package func boxes(near: Int, margin: Int) -> [Box] {
        // By blocks of that side, the next ones included, so that it takes no longer for many cells that are far apart.
        let across = (columns.count + near - 1) / near
        var blocks = [Bounds?](repeating: nil, count: across * ((rows.count + near - 1) / near))
        for index in cells.indices where cells[index] {
            let (x, y) = (index % columns.count, index / columns.count)
            let cell = Bounds(left: x, right: x, top: y, bottom: y)
            let block = y / near * across + x / near
            if blocks[block]?.join(cell) == nil { blocks[block] = cell }
        }
        var boxes: [Box] = []
        for start in blocks.indices {
            guard var piece = blocks[start] else { continue }
            blocks[start] = nil
            var open = [start]
            while let block = open.popLast() {
                let (x, y) = (block % across, block / across)
                for row in max(0, y - 1)...min(blocks.count / across - 1, y + 1) {
                    for next in row * across + max(0, x - 1)...row * across + min(across - 1, x + 1) {
                        guard let other = blocks[next] else { continue }
                        piece.join(other)
                        blocks[next] = nil
                        open.append(next)
                    }
                }
            }
            boxes.append(
                Box(
                    x: Double(columns.lowerBound + piece.left - margin),
                    y: Double(rows.lowerBound + piece.top - margin),
                    width: Double(piece.right - piece.left + 1 + 2 * margin),
                    height: Double(piece.bottom - piece.top + 1 + 2 * margin)))
        }
        return boxes
    }
}
