/// Mean values of a picture's small cells, in all its planes: enough to tell whether another picture shows the same in a place.
struct GroundCells {
    /// The cells that are known: columns and rows of those of the whole picture.
    let columns: Range<Int>
    let rows: Range<Int>
    private let planes: [[UInt8]]

    /// A cell's side, pixels: whole chroma samples, whatever their form.
    static func side(of width: Int) -> Int { max(4, width / 320 / 4 * 4) }

    /// Difference of a cell's mean that is more than noise, levels.
    private static let noise = 3

    /// - Parameter box: The part of the frame that is looked at, pixels from the picture's corner; nil for all of it.
    init(_ frame: VideoFrame, in box: Box? = nil) {
        let side = Self.side(of: frame.width)
        func cells(_ from: Double, _ to: Double, _ length: Int) -> Range<Int> {
            let all = 0..<(length + side - 1) / side
            let (first, last) = ((from / Double(side)).rounded(.down), (to / Double(side)).rounded(.up))
            return (max(0, Int(inRange: first))..<max(0, Int(inRange: first), Int(inRange: last))).clamped(to: all)
        }
        let columns = cells(box?.x ?? 0, box?.right ?? Double(frame.width), frame.width)
        let rows = cells(box?.y ?? 0, box?.bottom ?? Double(frame.height), frame.height)
        (self.columns, self.rows) = (columns, rows)
        planes = frame.withPicture { picture in
            picture.planes.enumerated().map { index, plane in
                let shift = index == 0 ? (x: 0, y: 0) : picture.chromaShift
                return Self.means(plane, columns, rows, (side >> shift.x, side >> shift.y))
            }
        }
    }

    private static func means(
        _ plane: PlaneView, _ columns: Range<Int>, _ rows: Range<Int>, _ side: (x: Int, y: Int)
    ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: columns.count * rows.count) { means, count in
            for row in rows {
                let (top, bottom) = (min(row * side.y, plane.height), min((row + 1) * side.y, plane.height))
                for column in columns {
                    let (left, right) = (min(column * side.x, plane.width), min((column + 1) * side.x, plane.width))
                    var (sum, y) = (0, top)
                    while y < bottom {
                        let line = plane.base + y &* plane.stride
                        var x = left
                        while x < right {
                            sum &+= Int(line[x])
                            x &+= 1
                        }
                        y &+= 1
                    }
                    means[count] = UInt8(truncatingIfNeeded: sum / max(1, (right - left) * (bottom - top)))
                    count += 1
                }
            }
        }
    }

    /// Whether another picture shows something else in a cell, or nobody knows.
    func differs(from other: GroundCells, _ column: Int, _ row: Int) -> Bool {
        guard planes.count == other.planes.count, let here = place(column, row), let there = other.place(column, row)
        else { return true }
        return zip(planes, other.planes).contains { abs(Int($0[here]) - Int($1[there])) > Self.noise }
    }

    private func place(_ column: Int, _ row: Int) -> Int? {
        guard columns.contains(column), rows.contains(row) else { return nil }
        return (row - rows.lowerBound) * columns.count + column - columns.lowerBound
    }
}
