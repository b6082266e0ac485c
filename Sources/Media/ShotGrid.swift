/// What became of a picture in the next one.
package enum ShotChange: Sendable, Hashable {
    /// They are seen from the same place.
    case little
    /// Everything has moved so far, of the picture's width and height: a camera went on quickly.
    case way(Point)
    /// They have nothing in common that tells, or are plain.
    case unlike
}

/// Luma sums of a picture's parts, by rows, and by how many parts another picture's are beside them.
struct ShotGrid: Sendable {
    /// The correlation under which two pictures aren't of one place, whatever way the camera went: the most alike ways between
    /// pictures of different places come up to 0.76.
    private static let alike = 0.85
    /// From which on they are seen from the same place.
    private static let same = 0.9
    /// The part of the picture that both show at least.
    private static let leastCommon = 1.0 / 3

    private let columns: Int
    private let rows: Int
    private let samples: Int
    private var sums: [Int32]

    /// - Parameter samples: Along each side of a part.
    init(columns: Int, rows: Int, samples: Int, of luma: PlaneView) {
        (self.columns, self.rows, self.samples) = (columns, rows, samples)
        func places(_ count: Int, _ length: Int) -> [Int] {
            (0..<count * samples).map { min((2 * $0 + 1) * length / (2 * count * samples), length - 1) }
        }
        let across = places(columns, luma.width)
        sums = Array(repeating: 0, count: columns * rows)
        for (line, y) in places(rows, luma.height).enumerated() {
            let (row, first) = (luma.base + y * luma.stride, line / samples * columns)
            for (sample, x) in across.enumerated() { sums[first + sample / samples] += Int32(row[x]) }
        }
    }

    /// The mean of the brightest part.
    var brightest: Double { Double(sums.max() ?? 0) / Double(samples * samples) }

    subscript(column: Int, row: Int) -> Int32 { sums[row * columns + column] }

    /// What became of another picture, which is the one before.
    func change(since before: ShotGrid) -> ShotChange {
        guard let stays = likeness(to: before, movedBy: (0, 0)) else { return .unlike }
        guard stays < Self.same else { return .little }
        var best = (likeness: stays, x: 0, y: 0)
        for y in -rows / 2...rows / 2 {
            for x in -columns * 2 / 3...columns * 2 / 3 {
                let common = (columns - abs(x)) * (rows - abs(y))
                guard Double(common) >= Self.leastCommon * Double(columns * rows),
                    let likeness = likeness(to: before, movedBy: (x, y)), likeness > best.likeness
                else { continue }
                best = (likeness, x, y)
            }
        }
        guard best.likeness >= Self.alike, best.x != 0 || best.y != 0 else { return .unlike }
        let (x, y) = (best.x, best.y)
        let finer = (
            x: peak(
                likeness(to: before, movedBy: (x - 1, y)), best.likeness, likeness(to: before, movedBy: (x + 1, y))),
            y: peak(likeness(to: before, movedBy: (x, y - 1)), best.likeness, likeness(to: before, movedBy: (x, y + 1)))
        )
        return .way(Point((Double(x) + finer.x) / Double(columns), (Double(y) + finer.y) / Double(rows)))
    }

    /// Where between its neighbours the largest of three values is, by the parabola through them.
    private func peak(_ left: Double?, _ middle: Double, _ right: Double?) -> Double {
        guard let left, let right, 2 * middle - left - right > 0 else { return 0 }
        return min(max((right - left) / (2 * (2 * middle - left - right)), -0.5), 0.5)
    }

    /// The normalised cross-correlation of what both show where everything has moved by some parts; nil where one of them is plain.
    private func likeness(to before: ShotGrid, movedBy way: (x: Int, y: Int)) -> Double? {
        let across = max(way.x, 0)..<columns + min(way.x, 0), down = max(way.y, 0)..<rows + min(way.y, 0)
        guard !across.isEmpty, !down.isEmpty else { return nil }
        var (own, other, ownSquares, otherSquares, products) = (0, 0, 0, 0, 0)
        sums.withUnsafeBufferPointer { mine in
            before.sums.withUnsafeBufferPointer { theirs in
                for y in down {
                    let (to, from) = (y * columns, (y - way.y) * columns - way.x)
                    for x in across {
                        let (a, b) = (Int(mine[to + x]), Int(theirs[from + x]))
                        own &+= a
                        other &+= b
                        ownSquares &+= a &* a
                        otherSquares &+= b &* b
                        products &+= a &* b
                    }
                }
            }
        }
        let count = across.count * down.count
        let (mine, theirs) = (count * ownSquares - own * own, count * otherSquares - other * other)
        guard mine > 0, theirs > 0 else { return nil }
        return Double(count * products - own * other) / (Double(mine).squareRoot() * Double(theirs).squareRoot())
    }
}
