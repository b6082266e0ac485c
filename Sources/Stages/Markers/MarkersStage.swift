internal import Graph
internal import CVision

/// Detects in any order, then gives tracks in order.
///
/// `@unchecked Sendable`: `association` and `choosers` are touched by `update` alone, which is never run twice at once.
final class MarkersStage: Stage, @unchecked Sendable {
    private let id: String
    private let name: String
    private let accepted: Set<Int>
    private let detectors: ResourcePool<MarkerDetector>
    private let searchesHalf: Bool
    /// For a board of which the search at half size finds too little; nil where the search is another one.
    private let thorough: ResourcePool<MarkerDetector>?
    private let sides: MarkerSides
    private let board: BoardFinder?
    private let estimator: PoseEstimator
    private let projection: CameraProjection
    private var association: Association
    private var choosers: PoseChoosers

    init(
        context: StageContext, codes: MarkerDictionary, name: String, settings: ocv_marker_options, accepted: Set<Int>,
        memory: Double, sides: MarkerSides, board: Board?
    ) {
        id = context.id
        self.name = name
        self.accepted = accepted
        self.sides = sides
        self.board = board.map(BoardFinder.init(board:))
        estimator = PoseEstimator(context.camera)
        projection = CameraProjection(context.camera)
        choosers = PoseChoosers(memory: memory)
        detectors = ResourcePool { try MarkerDetector(codes, settings, board: board) }
        // The blueprint has made one such detector already; should one fail now, `detect` throws its error.
        searchesHalf =
            (try? detectors.withResource { $0.usesHalf(width: context.width, height: context.height) }) ?? false
        var full = settings
        full.search = Int32(OCV_MARKER_SEARCH_FULL)
        let isAutomatic = board != nil && searchesHalf && settings.search == Int32(OCV_MARKER_SEARCH_AUTO)
        thorough = isAutomatic ? ResourcePool { [full] in try MarkerDetector(codes, full, board: board) } : nil
        association = Association(memory: memory, confirmation: 1, width: context.width, height: context.height)
    }

    /// What one frame shows.
    struct Detection: Sendable {
        var markers: [FoundMarker]
        var board: BoardFinder.Sighting?
    }

    func detect(_ input: StageInput) throws -> Detection {
        let half = searchesHalf ? try input.frame.product(HalfSizeLuma.self) : nil
        return try input.frame.withLuma { luma in
            var markers = try detectors.withResource { detector in
                guard let half else { return try detector.detect(ocv_plane(luma), half: nil) }
                return try half.withPlane { try detector.detect(ocv_plane(luma), half: $0) }
            }.filter { isWanted($0.id) }
            if let board { markers = try completed(markers, board, in: ocv_plane(luma)) }
            var sighting = board?.sight(markers)
            if let places = sighting {
                sighting?.poses = try estimator.poses(of: places.flat, seen: places.seen, groups: places.groups)
                markers.removeAll { board?.board.markers[$0.id] != nil }
            }
            for index in markers.indices {
                guard let side = sides[markers[index].id] else { continue }
                markers[index].poses = try estimator.poses(
                    of: PoseEstimator.corners(width: side, height: side), seen: markers[index].corners)
            }
            return Detection(markers: markers, board: sighting)
        }
    }

    private func isWanted(_ id: Int) -> Bool { accepted.isEmpty || accepted.contains(id) }

    /// With a board's markers that the search lost: read where the found ones say that they are, or found by a search at
    /// full size where too few say it.
    private func completed(_ markers: [FoundMarker], _ board: BoardFinder, in luma: ocv_plane) throws -> [FoundMarker] {
        var markers = try detectors.withResource {
            try board.complete(markers, in: luma, with: $0, isWanted: isWanted)
        }
        guard board.isPoor(markers), let thorough else { return markers }
        return try thorough.withResource { detector in
            let seen = Set(markers.map(\.id))
            let others = try detector.detect(luma, half: nil)
            markers += others.filter { board.board.markers[$0.id] != nil && isWanted($0.id) && !seen.contains($0.id) }
            return try board.complete(markers, in: luma, with: detector, isWanted: isWanted)
        }
    }

    func update(_ detection: Detection, _ input: StageInput) throws -> [Observation] {
        let time = input.frame.seconds
        let outline = detection.board.flatMap(outline(of:))
        var candidates = detection.markers.map { Association.Candidate(name: $0.id, polygon: $0.corners) }
        // No marker has a negative id.
        if let outline { candidates.append(Association.Candidate(name: -1, polygon: outline)) }
        let matches = association.match(candidates, at: time)
        defer { choosers.forget(before: time) }
        var observations = zip(detection.markers, matches).map { marker, match in
            let side = sides[marker.id] ?? 0
            let pose = choosers.choose(marker.poses, extent: [side, side], points: 4, track: match.track, at: time)
            return Observation(
                MarkerFinding(id: marker.id, pose: pose), stage: id,
                track: match.track.map { TrackReference(stage: id, number: $0) }, label: "\(name)/\(marker.id)",
                confidence: marker.confidence, polygon: marker.corners)
        }
        if let board = board?.board, let sighting = detection.board, let match = matches.last, outline != nil {
            let pose = choosers.choose(
                sighting.poses, extent: board.extent, points: sighting.seen.count, track: match.track, at: time)
            observations.append(
                Observation(
                    BoardFinding(pose: pose), stage: id,
                    track: match.track.map { TrackReference(stage: id, number: $0) }, label: "\(name)/board",
                    confidence: board.share(of: sighting.flat),
                    polygon: pose.flatMap { polygon(of: $0.pose, board) }))
        }
        return observations
    }

    /// Where a board's outline is seen, before one of its poses is chosen: for its track.
    private func outline(of sighting: BoardFinder.Sighting) -> [Point]? {
        guard let board = board?.board, let pose = sighting.poses.first else { return nil }
        return polygon(of: pose, board)
    }

    /// nil where a corner of the board lies behind the camera.
    private func polygon(of pose: Pose, _ board: Board) -> [Point]? {
        let corners = board.outline.map { pose([$0.x, $0.y, 0]) }
        return corners.allSatisfy { $0.z > 0 } ? corners.map(projection.project) : nil
    }
}
