internal import CVision

/// Finds the markers of a frame, and where they may be in space.
struct MarkerDetector: StorableDetector {
    private let ids: Set<Int>
    private let searches: ResourcePool<MarkerSearch>
    private let searchesHalf: Bool
    /// Searches at full size for a board of which the search at half size finds too little; nil where the search is
    /// another one.
    private let thorough: ResourcePool<MarkerSearch>?
    private let sides: MarkerSides
    private let board: BoardFinder?
    private let estimator: PoseEstimator

    init(
        _ context: StageContext, _ codes: MarkerDictionary, _ options: MarkersBlueprint.Options, sides: MarkerSides,
        board: Board?
    ) {
        ids = Set(options.ids)
        var options = options
        // There is time for all of a photo.
        if context.isStill, options.search == .auto { options.search = .full }
        self.sides = sides
        self.board = board.map(BoardFinder.init(board:))
        estimator = PoseEstimator(context.camera)
        searches = ResourcePool { [options] in try MarkerSearch(codes, options, board: board) }
        // The blueprint has made one such search already; should one fail now, `detect` throws its error.
        searchesHalf =
            (try? searches.withResource { $0.usesHalf(width: context.width, height: context.height) }) ?? false
        var full = options
        full.search = .full
        let isAutomatic = board != nil && searchesHalf && options.search == .auto
        thorough = isAutomatic ? ResourcePool { [full] in try MarkerSearch(codes, full, board: board) } : nil
    }

    func detect(_ input: StageInput) throws -> FoundMarkers {
        let half = searchesHalf ? try input.frame.product(HalfSizeLuma.self) : nil
        return try input.frame.withLuma { luma in
            var markers = try searches.withResource { search in
                guard let half else { return try search.detect(ocv_plane(luma), half: nil) }
                return try half.withPlane { try search.detect(ocv_plane(luma), half: $0) }
            }.filter { isWanted($0.id) }
            if let board { markers = try completed(markers, board, in: ocv_plane(luma)) }
            var sighting = board?.sight(markers)
            var isOther = false
            if let places = sighting {
                let poses = try estimator.poses(of: places.flat, seen: places.seen, groups: places.groups)
                sighting?.poses = poses
                // Markers that lie otherwise than the board's are each their own.
                let isBoard = places.fits(poses)
                if isBoard { markers.removeAll { board?.board.markers[$0.id] != nil } } else { sighting = nil }
                isOther = !isBoard
            }
            for index in markers.indices {
                guard let side = sides[markers[index].id] else { continue }
                markers[index].poses = try estimator.poses(
                    of: PoseEstimator.corners(width: side, height: side), seen: markers[index].corners)
            }
            return FoundMarkers(markers: markers, board: sighting, hasOtherBoard: isOther)
        }
    }

    private func isWanted(_ id: Int) -> Bool { ids.isEmpty || ids.contains(id) }

    /// Markers with those of a board that the search lost: read where the found ones say that they are, or found by a
    /// search at full size where too few say it.
    private func completed(_ markers: [FoundMarker], _ board: BoardFinder, in luma: ocv_plane) throws -> [FoundMarker] {
        var markers = try searches.withResource {
            try board.complete(markers, in: luma, with: $0, isWanted: isWanted)
        }
        guard board.isPoor(markers), let thorough else { return markers }
        return try thorough.withResource { search in
            let seen = Set(markers.map(\.id))
            let others = try search.detect(luma, half: nil)
            markers += others.filter { board.board.markers[$0.id] != nil && isWanted($0.id) && !seen.contains($0.id) }
            return try board.complete(markers, in: luma, with: search, isWanted: isWanted)
        }
    }
}

/// The markers of one frame.
struct FoundMarkers: Record, Storable, Hashable {
    var markers: [FoundMarker] = []
    /// The part of the board that is seen; nil for none.
    var board: BoardFinder.Sighting?
    /// Whether the board's markers lie otherwise than on the board.
    var hasOtherBoard = false

    static let fields: [Field<FoundMarkers>] = [
        Field("markers", \.markers, .list(.record(doc: "A marker.")), doc: "Those that are no board's."),
        Field("board", \.board, .record(doc: "What of a board is seen."), doc: "What of a board is seen."),
        Field("hasOtherBoard", \.hasOtherBoard, .flag, .optional, doc: "Whether its markers lie otherwise than on it."),
    ]
}
