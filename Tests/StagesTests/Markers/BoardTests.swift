import CVision
import Glibc
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// A ChArUco board of 5×4 squares of 8 cells with markers of 6, seen by a camera so far away that it keeps its parallels.
private struct BlurredBoard {
    static let (width, height) = (240, 185)
    private static let (right, down, origin) = (Point(4.6, 0.9), Point(-0.7, 3.9), Point(35.3, 15.6))

    let board = Board(columns: 5, rows: 4, squareSize: 0.04, markerSize: 0.03, firstID: 0)
    private var codes: [Int: MarkerBits] = [:]

    /// - Parameter swapped: Instead of this marker another one is printed.
    init(swapped: Int? = nil) throws {
        for (id, square) in Self.squares.enumerated() {
            codes[square] = try ClipRenderer.markerBits(dictionary: "aruco-4x4-50", id: id == swapped ? 40 : id)
        }
    }

    private static let squares = (0..<20).filter { ($0 % 5 + $0 / 5) % 2 == 1 }

    /// Where the corners of each marker are seen.
    var corners: [Int: [Point]] {
        Dictionary(
            uniqueKeysWithValues: Self.squares.enumerated().map { id, square in
                let (u, v) = (Double(square % 5 * 8 + 1), Double(square / 5 * 8 + 1))
                return (
                    id,
                    [(0, 0), (6, 0), (6, 6), (0, 6)].map {
                        Self.origin + Self.right * (u + $0.0) + Self.down * (v + $0.1)
                    }
                )
            })
    }

    private func light(_ place: Point) -> Double {
        let off = place - Self.origin, area = Self.right.cross(Self.down)
        let (u, v) = (off.cross(Self.down) / area, Self.right.cross(off) / area)
        guard (0..<40).contains(u), (0..<32).contains(v) else { return 225 }
        let square = Int(v) / 8 * 5 + Int(u) / 8
        guard let code = codes[square] else { return 25 }
        let (column, row) = (Int(u) % 8 - 1, Int(v) % 8 - 1)
        guard (0..<6).contains(column), (0..<6).contains(row) else { return 225 }
        guard (1..<5).contains(column), (1..<5).contains(row) else { return 25 }
        return code.isWhite[(row - 1) * 4 + column - 1] ? 225 : 25
    }

    /// - Parameters:
    ///   - blur: Standard deviation, pixels.
    ///   - motion: While the picture was taken, pixels.
    func luma(blur: Double, motion: Point) -> [UInt8] {
        let steps = -3...3
        var parts: [(off: Point, weight: Double)] = []
        for i in steps {
            for j in steps {
                let (x, y) = (Double(i) * 0.8, Double(j) * 0.8)
                for moment in motion == Point(0, 0) ? [0] : Array(-4...4) {
                    parts.append(
                        (Point(x, y) * blur + motion * (Double(moment) / 9), exp(-(x * x + y * y) / 2)))
                }
            }
        }
        let whole = parts.reduce(0) { $0 + $1.weight }
        return (0..<Self.width * Self.height).map { index in
            let place = Point(Double(index % Self.width), Double(index / Self.width))
            return UInt8((parts.reduce(0) { $0 + $1.weight * light(place + $1.off) } / whole).rounded())
        }
    }

    /// The markers that are found and read.
    func find(_ luma: [UInt8], knowsBoard: Bool) throws -> [FoundMarker] {
        let search = try MarkerSearch(MarkerDictionary(name: "aruco-4x4-50"), board: knowsBoard ? board : nil)
        return try luma.withUnsafeBufferPointer { buffer in
            let plane = ocv_plane(
                data: buffer.baseAddress, width: Int32(Self.width), height: Int32(Self.height),
                stride: Int64(Self.width))
            let found = try search.detect(plane, half: nil)
            return try BoardFinder(board: board).complete(found, in: plane, with: search) { _ in true }
        }
    }

    /// The largest error of each marker's corners, pixels, ascending.
    func errors(_ markers: [FoundMarker]) -> [Double] {
        markers.map { marker in
            zip(marker.corners, corners[marker.id] ?? []).map { $0.distance(to: $1) }.max() ?? .infinity
        }.sorted()
    }
}

@Suite struct BoardTests {
    @Test(arguments: [(0.6, Point(0, 0), 0.04), (1.6, Point(0, 0), 0.08), (0.6, Point(6, 3), 0.08)])
    func blurLeavesCornersInPlace(blur: Double, motion: Point, limit: Double) throws {
        let scene = try BlurredBoard()
        let errors = scene.errors(try scene.find(scene.luma(blur: blur, motion: motion), knowsBoard: true))
        #expect(errors.count == 10)
        #expect(errors[errors.count / 2] < limit, "\(errors)")
        #expect(errors.allSatisfy { $0 < 3 * limit }, "\(errors)")
    }

    /// A board of other columns and rows with the same markers is none that is seen.
    @Test func anotherBoard() throws {
        let scene = try BlurredBoard()
        let markers = try scene.find(scene.luma(blur: 0.6, motion: Point(0, 0)), knowsBoard: true)
        let estimator = PoseEstimator(
            CameraIntrinsics(width: BlurredBoard.width, height: BlurredBoard.height, fieldOfView: 20))
        func fits(columns: Int, rows: Int) throws -> Bool {
            let board = Board(columns: columns, rows: rows, squareSize: 0.04, markerSize: 0.03, firstID: 0)
            let sighting = try #require(BoardFinder(board: board).sight(markers))
            return sighting.fits(try estimator.poses(of: sighting.flat, seen: sighting.seen, groups: sighting.groups))
        }
        #expect(try fits(columns: 5, rows: 4))
        #expect(try !fits(columns: 4, rows: 5))
    }

    /// As `cv2.aruco.CharucoBoard` has it with `setLegacyPattern(True)`: of an even number of rows the first square has a marker, of an
    /// odd one the second.
    @Test(arguments: [(4, true, 0), (4, false, 1), (3, true, 1), (3, false, 1)])
    func layouts(rows: Int, isLegacy: Bool, first: Int) throws {
        let board = Board(columns: 5, rows: rows, squareSize: 1, markerSize: 0.5, firstID: 7, isLegacy: isLegacy)
        let corner = try #require(board.markers[7]?.first)
        #expect(corner == Point(-2.5 + Double(first) + 0.25, Double(rows) / 2 - 0.25))
        #expect(board.markers.count == (5 * rows + (first == 0 ? 1 : 0)) / 2)
    }

    /// The squares draw a blurred marker's edges to them.
    @Test func whatIsAroundIsTakenIntoAccount() throws {
        let scene = try BlurredBoard()
        let luma = scene.luma(blur: 1.6, motion: Point(0, 0))
        let known = scene.errors(try scene.find(luma, knowsBoard: true))
        let unknown = scene.errors(try scene.find(luma, knowsBoard: false))
        #expect(known[known.count / 2] < 0.6 * unknown[unknown.count / 2], "\(known), \(unknown)")
    }

    /// With cells of less than two standard deviations of the blur: what can't be read is seen to be there, or not.
    @Test func markersTooBlurredToReadAreSeen() throws {
        let whole = try BlurredBoard()
        #expect(try whole.find(whole.luma(blur: 2.2, motion: Point(0, 0)), knowsBoard: true).count == 10)
        let swapped = try BlurredBoard(swapped: 4)
        let found = try swapped.find(swapped.luma(blur: 2.2, motion: Point(0, 0)), knowsBoard: true)
        #expect(!found.contains { $0.id == 4 })
        #expect(found.count >= 8)
    }
}
