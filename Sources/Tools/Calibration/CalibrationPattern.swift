internal import Graph
internal import CVision
internal import Stages

/// A pattern that is held before the camera to calibrate it.
public struct CalibrationPattern: Sendable {
    private enum Kind: Sendable {
        /// Inner corners across and down, and where they are on the board.
        case chessboard(columns: Int, rows: Int, flat: [Point])
        case charuco(BoardFinder, ResourcePool<MarkerSearch>)
    }

    private let kind: Kind
    /// What of it may be said wrongly, in words.
    private(set) var traits = "columns and rows"

    /// A chessboard.
    ///
    /// - Parameters:
    ///   - columns: Inner corners across.
    ///   - rows: Inner corners down.
    ///   - square: Side of a square, metres.
    public static func chessboard(columns: Int, rows: Int, square: Double) -> CalibrationPattern {
        let flat = (0..<columns * rows).map { Point(Double($0 % columns) * square, Double($0 / columns) * square) }
        return CalibrationPattern(kind: .chessboard(columns: columns, rows: rows, flat: flat))
    }

    /// A ChArUco board: a chessboard whose top left square is black, with markers in its white squares.
    ///
    /// - Parameters:
    ///   - columns: Squares across.
    ///   - rows: Squares down.
    ///   - square: Side of a square, metres.
    ///   - marker: Side of a marker, metres.
    ///   - dictionary: A built-in one's name.
    ///   - firstID: The first marker's id, from 0; the others count on from it, row by row.
    ///   - isLegacy: As OpenCV had it before 4.6: with an even number of rows the top left square is white.
    /// - Throws: A sentence where the dictionary doesn't do.
    public static func charuco(
        columns: Int, rows: Int, square: Double, marker: Double, dictionary: String, firstID: Int,
        isLegacy: Bool = false
    ) throws -> CalibrationPattern {
        guard MarkerDictionary.names.contains(dictionary) else {
            throw CalibrationError(MarkerDictionary.complaint(about: dictionary))
        }
        let codes = try MarkerDictionary(name: dictionary)
        let board = Board(
            columns: columns, rows: rows, squareSize: square, markerSize: marker, firstID: firstID, isLegacy: isLegacy)
        guard board.lastID < codes.count else {
            throw CalibrationError(
                "the board has \(board.markers.count) markers from id \(firstID) on and “\(dictionary)” has ids up to "
                    + "\(codes.count - 1); expected a larger dictionary")
        }
        return CalibrationPattern(
            kind: .charuco(BoardFinder(board: board), ResourcePool { try MarkerSearch(codes) }),
            traits: "dictionary (\(dictionary)), first id (\(firstID)), columns and rows")
    }

    /// Points on the pattern and where they are seen; nil where there are too few.
    func find(in frame: VideoFrame) throws -> (flat: [Point], seen: [Point])? {
        switch kind {
        case .chessboard(let columns, let rows, let flat):
            var seen = [ocv_point](repeating: ocv_point(), count: flat.count)
            var isFound = false
            try frame.withLuma { luma in
                try check(
                    ocv_chessboard_find(ocv_plane(luma), Int32(columns), Int32(rows), &seen, &isFound),
                    "find a chessboard")
            }
            return isFound ? (flat, seen.map { Point($0) }) : nil
        case .charuco(let finder, let detectors):
            return try frame.withLuma { luma in
                let markers = try detectors.withResource { try $0.detect(ocv_plane(luma), half: nil) }
                guard let crossings = try finder.crossings(of: markers, in: ocv_plane(luma)), crossings.count >= 6
                else {
                    return nil
                }
                return (crossings.map(\.place), crossings.map(\.seen))
            }
        }
    }
}

extension CalibrationPattern {
    /// Inner corners of a chessboard.
    struct Size: Hashable, CustomStringConvertible {
        var longer: Int
        var shorter: Int

        var description: String { "\(longer) by \(shorter)" }
    }

    /// Size of a chessboard; nil for another pattern.
    var size: Size? {
        guard case .chessboard(let columns, let rows, _) = kind else { return nil }
        return Size(longer: max(columns, rows), shorter: min(columns, rows))
    }

    /// The size of the chessboard that is seen, where the pattern is one; nil where there is none.
    func chessboardSize(in frame: VideoFrame) throws -> Size? {
        guard size != nil else { return nil }
        var (longer, shorter) = (Int32(0), Int32(0))
        try frame.withLuma {
            try check(ocv_chessboard_count(ocv_plane($0), &longer, &shorter), "count a chessboard's corners")
        }
        return shorter > 0 ? Size(longer: Int(longer), shorter: Int(shorter)) : nil
    }
}

/// The error of a camera that can't be calibrated.
public struct CalibrationError: Error, Sendable, CustomStringConvertible {
    /// The sentence: what was found; what was expected; what to do.
    public var description: String

    init(_ description: String) { self.description = description }
}
