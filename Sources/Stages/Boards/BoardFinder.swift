package import Annotate
package import CVision

/// Puts the markers seen in a frame together to a board's points.
package struct BoardFinder: Sendable {
    let board: Board

    package init(board: Board) { self.board = board }

    /// What of a board is seen.
    struct Sighting: Sendable {
        /// Places on the board, and where they are seen.
        var flat: [Point] = []
        var seen: [Point] = []
        /// Markers of the board that were found.
        var markers = 0
        var poses: [Pose] = []
    }

    /// - Parameters:
    ///   - markers: All that were found in the frame.
    ///   - luma: The frame's luma, for corners of a chessboard.
    /// - Returns: nil where nothing of the board is seen.
    func sight(_ markers: [FoundMarker], in luma: ocv_plane) throws -> Sighting? {
        var sighting = Sighting()
        var corners: [Int: [Point]] = [:]
        // Of two with one id neither can be told to be the board's.
        let counts = Dictionary(markers.map { ($0.id, 1) }, uniquingKeysWith: +)
        for marker in markers where counts[marker.id] == 1 {
            guard let places = board.markers[marker.id] else { continue }
            corners[marker.id] = marker.corners
            sighting.markers += 1
            sighting.flat += places
            sighting.seen += marker.corners
        }
        guard sighting.markers > 0 else { return nil }
        let crossings = try crossings(corners, in: luma)
        // Corners of chessboards, between two black squares, are located better than those of markers.
        if crossings.count >= 4, Self.spreads(crossings.map(\.place)) {
            sighting.flat = crossings.map(\.place)
            sighting.seen = crossings.map(\.seen)
        }
        return sighting
    }

    /// The chessboard's corners alone; nil where none of the board's markers is seen.
    package func crossings(of markers: [FoundMarker], in luma: ocv_plane) throws -> [(place: Point, seen: Point)]? {
        let counts = Dictionary(markers.map { ($0.id, 1) }, uniquingKeysWith: +)
        let own = markers.filter { counts[$0.id] == 1 && board.markers[$0.id] != nil }
        guard !own.isEmpty else { return nil }
        let found = try crossings(
            Dictionary(own.map { ($0.id, $0.corners) }, uniquingKeysWith: { first, _ in first }), in: luma)
        return Self.spreads(found.map(\.place)) ? found : nil
    }

    /// False for points on one line.
    private static func spreads(_ points: [Point]) -> Bool {
        guard let a = points.first, let b = points.max(by: { $0.distance(to: a) < $1.distance(to: a) }) else {
            return false
        }
        let length = a.distance(to: b)
        return points.contains { abs(($0 - a).cross(b - a)) > 0.1 * length * length }
    }

    /// The chessboard's corners next to markers that were found: through the homography of these markers, then refined
    /// on the luma.
    private func crossings(_ corners: [Int: [Point]], in luma: ocv_plane) throws -> [(place: Point, seen: Point)] {
        var found: [(place: Point, seen: Point)] = []
        for crossing in board.crossings {
            let near = crossing.neighbours.filter { corners[$0] != nil }
            let flat = near.flatMap { board.markers[$0] ?? [] }
            let seen = near.flatMap { corners[$0] ?? [] }
            guard flat.count >= 4 else { continue }
            let sides = near.compactMap { corners[$0] }.map { quad in
                quad.indices.map { quad[$0].distance(to: quad[($0 + 1) % 4]) }.min() ?? 0
            }
            // The window ends before the markers' own edges begin.
            let window = (sides.min() ?? 0) * crossing.clearance * 0.9
            guard window >= 2 else { continue }
            let (object, image) = (flat.map(\.ocv), seen.map(\.ocv))
            var place = crossing.place.ocv
            var result = ocv_point()
            var isFound = false
            try check(
                ocv_crossing_find(
                    luma, object, image, Int32(object.count), &place, Int32(min(window, 12)), &result, &isFound),
                "find a chessboard's corner")
            if isFound { found.append((crossing.place, Point(result))) }
        }
        return found
    }
}
