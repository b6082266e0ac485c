/// A board of markers on one plane, whose points are known together.
///
/// Its own coordinates are a marker's: origin in the middle, x right, y up, z out of it, metres. Markers are numbered row
/// by row from the top left. A ChArUco board is a chessboard whose top left square is black, with markers in its white
/// squares, as OpenCV has it since 4.6.
package struct Board: Sendable {
    /// The corners of each marker, clockwise from its own top left, by id.
    package let markers: [Int: [Point]]
    /// The inner corners of the chessboard, each with the ids of the markers next to it; none for a plain grid.
    let crossings: [Crossing]
    /// Surroundings of each marker, by id.
    let surroundings: [Int: Surroundings]
    /// Width and height of the board, metres.
    let extent: SIMD2<Double>
    let firstID: Int

    struct Crossing: Sendable {
        var place: Point
        var neighbours: [Int]
        /// Distance of the nearest marker's edge, as a share of the marker's side.
        var clearance: Double
    }

    struct Surroundings: Sendable {
        /// Whether a light square with dark ones beside it is around; else other markers are.
        var isChessboard: Bool
        /// Gap to the dark squares or other markers, as a share of the marker's side.
        var gap: Double
        /// Whether there is one at each side, clockwise from the top.
        var hasNeighbour: [Bool]

        /// Surroundings of one of a board's places, row by row from the top left; nil where nothing is between it and
        /// its neighbours.
        fileprivate init?(isChessboard: Bool, gap: Double, place: Int, columns: Int, rows: Int) {
            guard gap > 0 else { return nil }
            let (column, row) = (place % columns, place / columns)
            self.isChessboard = isChessboard
            self.gap = gap
            hasNeighbour = [row > 0, column < columns - 1, row < rows - 1, column > 0]
        }
    }

    /// A board of markers in columns and rows with gaps between them, metres.
    init(columns: Int, rows: Int, markerSize: Double, gap: Double, firstID: Int) {
        let pitch = markerSize + gap
        extent = [Double(columns) * pitch - gap, Double(rows) * pitch - gap]
        var markers: [Int: [Point]] = [:]
        var surroundings: [Int: Surroundings] = [:]
        for index in 0..<columns * rows {
            let corner = Point(
                Double(index % columns) * pitch - extent.x / 2, extent.y / 2 - Double(index / columns) * pitch)
            markers[firstID + index] = Self.square(corner, markerSize)
            surroundings[firstID + index] = Surroundings(
                isChessboard: false, gap: gap / markerSize, place: index, columns: columns, rows: rows)
        }
        self.markers = markers
        self.surroundings = surroundings
        crossings = []
        self.firstID = firstID
    }

    /// A ChArUco board: a chessboard of columns and rows of squares, sizes in metres.
    /// - Parameter isLegacy: As OpenCV had it before 4.6: with an even number of rows the top left square is white.
    package init(
        columns: Int, rows: Int, squareSize: Double, markerSize: Double, firstID: Int, isLegacy: Bool = false
    ) {
        extent = [Double(columns) * squareSize, Double(rows) * squareSize]
        let (left, top) = (-extent.x / 2, extent.y / 2)
        let margin = (squareSize - markerSize) / 2
        var markers: [Int: [Point]] = [:]
        var surroundings: [Int: Surroundings] = [:]
        var ids: [Int: Int] = [:]
        let white = isLegacy && rows % 2 == 0 ? 0 : 1
        for square in 0..<columns * rows where (square % columns + square / columns) % 2 == white {
            let corner = Point(
                left + Double(square % columns) * squareSize + margin,
                top - Double(square / columns) * squareSize - margin)
            ids[square] = firstID + ids.count
            markers[firstID + ids.count - 1] = Self.square(corner, markerSize)
            surroundings[firstID + ids.count - 1] = Surroundings(
                isChessboard: true, gap: margin / markerSize, place: square, columns: columns, rows: rows)
        }
        var crossings: [Crossing] = []
        for row in 1..<max(rows, 1) {
            for column in 1..<max(columns, 1) {
                let around = [(0, 0), (1, 0), (0, 1), (1, 1)].map { (row - $0.1) * columns + column - $0.0 }
                crossings.append(
                    Crossing(
                        place: Point(left + Double(column) * squareSize, top - Double(row) * squareSize),
                        neighbours: around.compactMap { ids[$0] }, clearance: margin / markerSize))
            }
        }
        self.markers = markers
        self.surroundings = surroundings
        self.crossings = crossings
        self.firstID = firstID
    }

    private static func square(_ corner: Point, _ side: Double) -> [Point] {
        [corner, corner + Point(side, 0), corner + Point(side, -side), corner + Point(0, -side)]
    }

    /// The share of the board that carries a pose which rests on some of its markers' corners, 0…1: how firmly they
    /// hold the tilt about the worse axis, by their number and spread, against how firmly all of them would.
    func share(of corners: [Point]) -> Double {
        let all = markers.sorted { $0.key < $1.key }.flatMap(\.value)
        return min(1, (Self.leastScatter(corners) / Self.leastScatter(all)).squareRoot())
    }

    /// The sum of squares of points' distances from the line that is nearest to them.
    private static func leastScatter(_ points: [Point]) -> Double {
        guard !points.isEmpty else { return 0 }
        let middle = points.reduce(Point(0, 0), +) * (1 / Double(points.count))
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for point in points {
            let off = point - middle
            (xx, xy, yy) = (xx + off.x * off.x, xy + off.x * off.y, yy + off.y * off.y)
        }
        return (xx + yy) / 2 - ((xx - yy) * (xx - yy) / 4 + xy * xy).squareRoot()
    }

    package var lastID: Int { firstID + markers.count - 1 }

    /// The board's own corners, clockwise from its top left.
    var outline: [Point] { PoseEstimator.corners(width: extent.x, height: extent.y) }
}
