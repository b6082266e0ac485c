/// The connected pieces of ink at a line's end, some of which are letters or parts of such: those no higher than the line. A
/// panel's rim, a ruled line, another line's letters and what is texture reach beyond it.
struct TextStrokes {
    /// A piece's bounding box: columns from the line's end on, rows from its top on, the ends excluded.
    struct Piece {
        var columns: Range<Int>
        var rows: Range<Int>
        var area = 0
    }

    /// Letters, and parts of such.
    private(set) var letters: [Piece] = []
    /// Columns of ground between one piece and the next, from the first on.
    var gaps: [Int] {
        var gaps: [Int] = []
        var end: Int?
        for piece in letters.sorted(by: { $0.columns.lowerBound < $1.columns.lowerBound }) {
            if let end, piece.columns.lowerBound > end { gaps.append(piece.columns.lowerBound - end) }
            end = max(end ?? .min, piece.columns.upperBound)
        }
        return gaps
    }
    /// Share of what is above and below the line that has the letters' colour, rims left out.
    let texture: Double

    /// Share of the line's rows beyond its end that has the letters' colour.
    let beyond: Double

    /// In the line's height: what a letter may stand out from the line, and the least height of a letter's part.
    private static let (overhang, leastHeight) = (0.125, 0.125)
    /// Share of its box that a panel's rim has at the most.
    private static let rim = 0.25

    /// - Parameters:
    ///   - ink: by rows, what has the letters' colour.
    ///   - end: the column where the line ends.
    ///   - lines: the rows that it takes.
    ///   - ground: the rows of what it stands on.
    init(_ ink: [Bool], width: Int, end: Int, lines: Range<Int>, ground: Range<Int>) {
        let high = Double(lines.count)
        let overhang = Int(Self.overhang * high), least = Int(Self.leastHeight * high)
        let near = max(0, min(end - lines.count / 2, width - 8))
        var strange = 0
        for (piece, members) in Self.pieces(of: ink, width: width) {
            let (wide, tall) = (piece.columns.count, piece.rows.count)
            let isHigher = Double(tall) > 1.08 * high
            let isRim =
                isHigher && (Double(piece.area) < Self.rim * Double(wide * tall) || Double(wide) < high / 7)
                || Double(tall) < high / 7 && Double(wide) > high / 2
            if !isRim {
                strange += members.count { place in
                    let (row, column) = (place / width, place % width)
                    return column >= near && ground.contains(row)
                        && (row < lines.lowerBound - overhang || row >= lines.upperBound + overhang)
                }
            }
            guard !isHigher, tall >= least, piece.rows.lowerBound >= lines.lowerBound - overhang,
                piece.rows.upperBound <= lines.upperBound + overhang
            else { continue }
            letters.append(
                Piece(
                    columns: piece.columns.lowerBound - end..<piece.columns.upperBound - end,
                    rows: piece.rows.lowerBound - lines.lowerBound..<piece.rows.upperBound - lines.lowerBound,
                    area: piece.area))
        }
        beyond =
            Double(lines.reduce(0) { sum, row in sum + (end..<max(width, end)).count { ink[row * width + $0] } })
            / Double(max(lines.count * (width - end), 1))
        let beside = ground.count { $0 < lines.lowerBound - overhang || $0 >= lines.upperBound + overhang }
        texture = Double(strange) / Double(max(beside * (width - near), 1))
    }

    /// Pieces whose pixels touch at a side or a corner, each with its places.
    private static func pieces(of ink: [Bool], width: Int) -> [(Piece, [Int])] {
        var isLeft = ink
        var pieces: [(Piece, [Int])] = []
        let height = ink.count / max(width, 1)
        for start in isLeft.indices where isLeft[start] {
            isLeft[start] = false
            var members = [start], next = 0
            var (columns, rows) = (start % width..<start % width + 1, start / width..<start / width + 1)
            while next < members.count {
                let (row, column) = (members[next] / width, members[next] % width)
                next += 1
                columns = min(columns.lowerBound, column)..<max(columns.upperBound, column + 1)
                rows = min(rows.lowerBound, row)..<max(rows.upperBound, row + 1)
                for y in max(row - 1, 0)..<min(row + 2, height) {
                    for x in max(column - 1, 0)..<min(column + 2, width) where isLeft[y * width + x] {
                        isLeft[y * width + x] = false
                        members.append(y * width + x)
                    }
                }
            }
            pieces.append((Piece(columns: columns, rows: rows, area: members.count), members))
        }
        return pieces
    }
}
