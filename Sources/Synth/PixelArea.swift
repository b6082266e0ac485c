import Graph

/// The pixels that some convex polygons touch, in blocks of 2 × 2 pixels, row by row.
struct PixelArea {
    /// The number of each row of blocks and its columns of blocks.
    let blockRows: [(row: Int, columns: Range<Int>)]

    /// - Parameters:
    ///   - polygons: convex, in pixels.
    ///   - width: of the picture in pixels, even; as is the height.
    /// - Returns: nil where they touch no pixel.
    init?(_ polygons: [[Point]], width: Int, height: Int) {
        guard let box = Box(around: polygons.joined().map { $0 }), box.bottom > -2, box.y < Double(height) + 1
        else { return nil }
        // Two pixels about each polygon cover its smoothed edge and all rounding.
        let rows = Int(max(box.y - 2, 0)) / 2...Int(min(box.bottom + 2, Double(height - 1))) / 2
        blockRows = rows.compactMap { row in
            let (top, bottom) = (Double(2 * row) - 2, Double(2 * row) + 3)
            var (left, right) = (Double.infinity, -Double.infinity)
            for polygon in polygons {
                for k in polygon.indices {
                    let (a, b) = (polygon[k], polygon[(k + 1) % polygon.count])
                    guard max(a.y, b.y) >= top, min(a.y, b.y) <= bottom else { continue }
                    // The part of the side that lies between the two heights.
                    let ends =
                        [top, bottom].map { y in
                            a.y == b.y ? a.x : a.x + (b.x - a.x) * min(max((y - a.y) / (b.y - a.y), 0), 1)
                        } + (a.y == b.y ? [b.x] : [])
                    left = min(left, ends.min() ?? left)
                    right = max(right, ends.max() ?? right)
                }
            }
            let (first, last) = (max(left - 2, 0), min(right + 2, Double(width - 1)))
            return first <= last ? (row, Int(first) / 2..<Int(last) / 2 + 1) : nil
        }
        if blockRows.isEmpty { return nil }
    }
}
