package import CVision

/// Puts the markers seen in a frame together to a board's points.
package struct BoardFinder: Sendable {
    let board: Board

    package init(board: Board) { self.board = board }

    /// The part of a board that is seen.
    struct Sighting: Record, Hashable {
        /// Places on the board, and where they are seen.
        var flat: [Point] = []
        var seen: [Point] = []
        /// How each was measured: by its marker's whole code, or by the sides alone.
        var groups: [Int] = []
        var poses: [Pose] = []

        static let fields: [Field<Sighting>] = [
            Field("flat", \.flat, .list(.exactPoint), unit: "m", doc: "Places on the board."),
            Field("seen", \.seen, .list(.exactPoint), unit: "px", doc: "Where they are seen."),
            Field("groups", \.groups, .list(.integer()), doc: "0 for those measured by a marker's whole code, else 1."),
            Field("poses", \.poses, .list(.exactPose), doc: "Those at which the board may be."),
        ]

        /// Of a marker's side: how far corners lie at the most from where a pose says, root mean square. Blur and lenses move them
        /// less; a board of other columns, rows or squares moves them by whole markers.
        private static let farthest = 0.1
        /// Pixels that they may lie apart, however small the markers are.
        private static let least = 2.5

        /// Whether the markers lie as the board's do, in any of the poses; true where there is none to tell by.
        func fits(_ poses: [Pose]) -> Bool {
            guard let error = poses.map(\.reprojectionError).min() else { return true }
            let sides = stride(from: 0, to: seen.count - 1, by: 4).map { seen[$0].distance(to: seen[$0 + 1]) }
            let mean = sides.reduce(0, +) / Double(max(sides.count, 1))
            return error <= max(Self.farthest * mean, Self.least)
        }
    }

    /// The part of the board that is seen.
    /// - Parameter markers: All that were found in the frame.
    /// - Returns: nil where nothing of the board is seen.
    func sight(_ markers: [FoundMarker]) -> Sighting? {
        var sighting = Sighting()
        for marker in own(markers) {
            sighting.flat += board.markers[marker.id] ?? []
            sighting.seen += marker.corners
            sighting.groups += marker.corners.map { _ in marker.isFitted ? 0 : 1 }
        }
        return sighting.seen.isEmpty ? nil : sighting
    }

    /// The chessboard's corners; nil where none of the board's markers is seen.
    package func crossings(of markers: [FoundMarker], in luma: ocv_plane) throws -> [(place: Point, seen: Point)]? {
        let corners = corners(of: markers)
        guard !corners.isEmpty else { return nil }
        let found = try crossings(corners, in: luma)
        return Self.spreads(found.map(\.place)) ? found : nil
    }

    /// The board's own markers, by id. Of two with one id neither can be told to be the board's.
    private func own(_ markers: [FoundMarker]) -> [FoundMarker] {
        let own = Dictionary(grouping: markers.filter { board.markers[$0.id] != nil }, by: \.id)
        return own.values.compactMap { $0.count == 1 ? $0[0] : nil }.sorted { $0.id < $1.id }
    }

    /// Corners of the markers where they are seen, pixels, by id.
    private func corners(of markers: [FoundMarker]) -> [Int: [Point]] {
        Dictionary(uniqueKeysWithValues: own(markers).map { ($0.id, $0.corners) })
    }

    /// Whether points spread over an area, and aren't on one line.
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
            guard !near.isEmpty else { continue }
            let sides = near.compactMap { corners[$0] }.map { quad in
                quad.indices.map { quad[$0].distance(to: quad[($0 + 1) % 4]) }.min() ?? 0
            }
            // The window ends before the markers' own edges begin.
            let window = (sides.min() ?? 0) * crossing.clearance * 0.9
            guard window >= 2, let expected = try project([crossing.place], by: near, corners)?.first else { continue }
            var result = ocv_point()
            var isFound = false
            try check(
                ocv_crossing_find(luma, expected.ocv, Int32(min(window, 12)), &result, &isFound),
                "find a chessboard's corner")
            if isFound { found.append((crossing.place, Point(result))) }
        }
        return found
    }

    /// Places of the board as they are seen, going by some of its markers.
    fileprivate func project(_ places: [Point], by ids: [Int], _ corners: [Int: [Point]]) throws -> [Point]? {
        let object = ids.flatMap { board.markers[$0] ?? [] }.map(\.ocv)
        let image = ids.flatMap { corners[$0] ?? [] }.map(\.ocv)
        var out = [ocv_point](repeating: ocv_point(), count: places.count)
        var isFound = false
        try check(
            ocv_plane_project(
                object, image, Int32(min(object.count, image.count)), places.map(\.ocv), Int32(places.count), &out,
                &isFound), "project a board")
        return isFound ? out.map { Point($0) } : nil
    }
}

/// Markers that the search lost.
extension BoardFinder {
    /// How many found markers a missing one is expected by: those nearest to it, so that no lens bends the way.
    private static let guides = 4
    /// Share of the board below which the whole picture is searched again.
    private static let poor = 0.25

    /// Whether so little of the board was found that what was found may not lead to the rest.
    func isPoor(_ markers: [FoundMarker]) -> Bool {
        Double(corners(of: markers).count) < Self.poor * Double(board.markers.count)
    }

    /// Reads the board's missing markers where those found say that they are, going on from each that is read.
    ///
    /// - Parameter isWanted: Whether markers of an id are looked for.
    /// - Returns: All that were given, and those read now.
    func complete(
        _ markers: [FoundMarker], in luma: ocv_plane, with search: MarkerSearch, isWanted: (Int) -> Bool
    ) throws -> [FoundMarker] {
        var corners = corners(of: markers)
        guard !corners.isEmpty else { return markers }
        let seen = Set(markers.map(\.id))
        var missing = board.markers.keys.filter { !seen.contains($0) && isWanted($0) }.sorted()
        var tried: [Int: [Int]] = [:]
        var all = markers
        var goesOn = true
        while goesOn {
            goesOn = false
            for id in missing {
                let guides = guides(to: id, corners)
                guard tried[id] != guides else { continue }
                tried[id] = guides
                guard let place = board.markers[id], let quad = try project(place, by: guides, corners),
                    let read = try search.read(id, at: quad, in: luma)
                else { continue }
                corners[id] = read.corners
                all.append(read)
                goesOn = true
            }
            missing.removeAll { corners[$0] != nil }
        }
        return all
    }

    /// The found markers that are nearest to another one on the board.
    private func guides(to id: Int, _ corners: [Int: [Point]]) -> [Int] {
        guard let place = board.markers[id]?.first else { return [] }
        let far = corners.keys.map { (board.markers[$0]?.first?.distance(to: place) ?? .infinity, $0) }
        return far.sorted { $0 < $1 }.prefix(Self.guides).map(\.1)
    }
}
