/// Gives the markers of successive frames, or a board of them, their tracks and the more likely of their poses.
struct MarkerTracker: Tracker {
    private let id: String
    private let name: String
    private let sides: MarkerSides
    private let board: Board?
    private let projection: CameraProjection
    private var association: Association
    private var choosers: PoseChoosers
    private let isStill: Bool
    /// Tracks of plain markers, which are told from the second frame on that shows them.
    private var plain = Set<Int>()
    /// Frames in which the board's markers lay otherwise than on it.
    private var others = 0

    /// - Parameters:
    ///   - name: The dictionary's.
    ///   - memory: How long a marker may be out of sight and keep its track, seconds.
    init(_ context: StageContext, name: String, memory: Double, sides: MarkerSides, board: Board?) {
        id = context.id
        self.name = name
        self.sides = sides
        self.board = board
        projection = CameraProjection(context.camera)
        isStill = context.isStill
        choosers = PoseChoosers(memory: memory)
        association = Association(memory: memory, confirmation: 1, width: context.width, height: context.height)
    }

    mutating func update(_ found: FoundMarkers, _ input: StageInput) -> [Observation] {
        let time = input.frame.seconds
        others += found.hasOtherBoard ? 1 : 0
        let outline = found.board.flatMap(outline(of:))
        var candidates = found.markers.map { Association.Candidate(name: $0.id, polygon: $0.corners) }
        // No marker has a negative id.
        if let outline { candidates.append(Association.Candidate(name: -1, polygon: outline)) }
        let matches = association.match(candidates, at: time)
        defer { choosers.forget(before: time) }
        var observations = zip(found.markers, matches).compactMap { marker, match -> Observation? in
            if marker.isPlain, !isStill, let track = match.track, plain.insert(track).inserted { return nil }
            let side = sides[marker.id] ?? 0
            let pose = choosers.choose(marker.poses, extent: [side, side], points: 4, track: match.track, at: time)
            return Observation(
                MarkerFinding(id: marker.id, pose: pose), stage: id,
                track: match.track.map { TrackReference(stage: id, number: $0) }, label: "\(name)/\(marker.id)",
                confidence: marker.confidence, polygon: marker.corners)
        }
        if let board, let sighting = found.board, let match = matches.last, outline != nil {
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

    var notes: [String] {
        guard others > 0 else { return [] }
        return [
            "in \(Words.plural(others, "frame")) the board's markers don't lie as its “columns”, “rows” and sizes say, and are told "
                + "each on its own; was it printed so? (OpenCV before 4.6 begins a ChArUco board of an even number of rows with a "
                + "white square: \"legacy\": true)"
        ]
    }

    /// Outline of a board as it is seen, before one of its poses is chosen: for its track.
    private func outline(of sighting: BoardFinder.Sighting) -> [Point]? {
        guard let board, let pose = sighting.poses.first else { return nil }
        return polygon(of: pose, board)
    }

    /// Outline of a board with a pose, pixels; nil where a corner lies behind the camera.
    private func polygon(of pose: Pose, _ board: Board) -> [Point]? {
        let corners = board.outline.map { pose([$0.x, $0.y, 0]) }
        return corners.allSatisfy { $0.z > 0 } ? corners.map(projection.project) : nil
    }
}
