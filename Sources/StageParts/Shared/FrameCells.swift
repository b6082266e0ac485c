internal import CVision

/// A frame's mean grey values in a grid: enough to tell a cut, or that something came or went.
package struct FrameCells: Sendable {
    private var values: [Int]
    /// How many cells are in a row, and a cell's side, pixels.
    private let (across, side): (Int, Int)

    /// The picture's cells across, and a cell's side at the least, pixels.
    private static let (columns, leastSide) = (64, 8)
    /// The same of the fine ones: a line of small type changes some of them by much, where it hardly changes a large one.
    private static let (fineColumns, leastFineSide) = (320, 4)
    /// Change of a cell's mean, in grey values, that is something else.
    package static let change = 10

    /// The cells of a frame, by every other pixel of every other row.
    package init(_ frame: VideoFrame) { self.init(frame, columns: Self.columns, leastSide: Self.leastSide) }

    /// Cells of a fifth of the side.
    package static func fine(_ frame: VideoFrame) -> FrameCells {
        FrameCells(frame, columns: fineColumns, leastSide: leastFineSide)
    }

    private init(_ frame: VideoFrame, columns: Int, leastSide: Int) {
        let side = max(leastSide, (frame.width + columns - 1) / columns)
        let (across, down) = ((frame.width + side - 1) / side, (frame.height + side - 1) / side)
        (self.across, self.side) = (across, side)
        var sums = [Int64](repeating: 0, count: across * down)
        let status = frame.withLuma { ocv_cell_sums(ocv_plane($0), Int32(side), &sums) }
        // Nothing but a frame without pixels, which none is, has no sums.
        guard status.code == 0 else {
            values = []
            return
        }
        let (width, height) = (frame.width, frame.height)
        values = sums.enumerated().map { index, sum in
            let (left, top) = (index % across * side, index / across * side)
            let (right, bottom) = (min(left + side, width), min(top + side, height))
            let count = ((right - left + 1) / 2) * ((bottom + 1) / 2 - (top + 1) / 2)
            return Int(sum) / max(count, 1)
        }
    }

    /// The share of the cells that differ by more; all of them where there is nothing to compare with.
    package func changed(from other: FrameCells?, by change: Int) -> Double {
        guard let other, values.count == other.values.count, !values.isEmpty else { return 1 }
        return Double(zip(values, other.values).count { abs($0 - $1) > change }) / Double(values.count)
    }

    /// The box around the cells that differ by more, pixels; nil where none does, or there is nothing to compare with.
    package func changedBox(from other: FrameCells, by change: Int) -> Box? {
        guard values.count == other.values.count else { return nil }
        let places = values.indices.filter { abs(values[$0] - other.values[$0]) > change }
        let (columns, rows) = (places.map { $0 % across }, places.map { $0 / across })
        guard let left = columns.min(), let right = columns.max(), let top = rows.first, let bottom = rows.last else {
            return nil
        }
        return Box(
            x: Double(left * side), y: Double(top * side), width: Double((right - left + 1) * side),
            height: Double((bottom - top + 1) * side))
    }

    /// Where a picture has changed, in larger cells; nil where there is nothing to compare with.
    /// - Parameters:
    ///   - change: By which the mean of one of these differs at the least that has changed.
    ///   - times: As large, along a side.
    ///   - least: How many of these change in a larger one that has.
    /// - Returns: Those, and their side, pixels.
    package func changes(
        from other: FrameCells?, by change: Int, times: Int, least: Int
    ) -> (cells: CellPieces, side: Int)? {
        guard let other, values.count == other.values.count, !values.isEmpty else { return nil }
        let (columns, rows) = ((across + times - 1) / times, (values.count / across + times - 1) / times)
        var counts = [Int](repeating: 0, count: columns * rows)
        for index in values.indices where abs(values[index] - other.values[index]) > change {
            counts[index / across / times * columns + index % across / times] += 1
        }
        let cells = CellPieces(columns: 0..<columns, rows: 0..<rows) { counts[$1 * columns + $0] >= least }
        return (cells, side * times)
    }

    /// Takes over those cells of another frame that lie in a part of it.
    package mutating func take(_ other: FrameCells, in part: FramePart) {
        guard values.count == other.values.count else { return }
        for index in values.indices {
            let (x, y) = (index % across * side, index / across * side)
            if x >= part.x, y >= part.y, x + side <= part.x + part.width, y + side <= part.y + part.height {
                values[index] = other.values[index]
            }
        }
    }

    /// Whether the picture is another one than the last; true for a video's first frame too.
    package func isCut(from last: FrameCells?) -> Bool { changed(from: last, by: Self.change) > 0.5 }
}
