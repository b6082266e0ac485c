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

    /// The boxes around pieces, in cells, in order of their first cell.
    /// - Parameters:
    ///   - near: Cells within which two belong together, along rows and columns.
    ///   - margin: Cells more on every side.
    package func boxes(near: Int, margin: Int) -> [Box] {
        var isLeft = cells
        var boxes: [Box] = []
        for start in isLeft.indices where isLeft[start] {
            var (left, right, top, bottom) = (Int.max, Int.min, Int.max, Int.min)
            var open = [start]
            isLeft[start] = false
            while let cell = open.popLast() {
                let (x, y) = (cell % columns.count, cell / columns.count)
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
                for row in max(0, y - near)...min(rows.count - 1, y + near) {
                    for column in max(0, x - near)...min(columns.count - 1, x + near)
                    where isLeft[row * columns.count + column] {
                        isLeft[row * columns.count + column] = false
                        open.append(row * columns.count + column)
                    }
                }
            }
            boxes.append(
                Box(
                    x: Double(columns.lowerBound + left - margin), y: Double(rows.lowerBound + top - margin),
                    width: Double(right - left + 1 + 2 * margin), height: Double(bottom - top + 1 + 2 * margin)))
        }
        return boxes
    }
}
