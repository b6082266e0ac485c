internal import Graph

/// Faces by a model of the user's: detects in any order, then tracks in order.
///
/// `@unchecked Sendable`: `tracking` is touched by `update` alone, which is never run twice at once.
final class FacesStage: Stage, @unchecked Sendable {
    private let id: String
    private let finder: FaceFinder
    private var tracking: FaceTracking

    init(id: String, finder: FaceFinder, tracking: FaceTracking) {
        self.id = id
        self.finder = finder
        self.tracking = tracking
    }

    func detect(_ input: StageInput) throws -> [FoundFace] { try finder.faces(in: input.frame) }

    func update(_ found: [FoundFace], _ input: StageInput) throws -> [Observation] {
        tracking.observations(of: found, at: input.frame.seconds, stage: id)
    }
}

/// Faces by the program's own networks: searches the parts of the picture that a frame's time calls for in any order, then
/// looks at every face that is known in order.
///
/// `@unchecked Sendable`: `tracking` and `follower` are touched by `update` alone, which is never run twice at once.
final class FollowedFacesStage: Stage, @unchecked Sendable {
    private let id: String
    private let scan: FaceScan
    private let schedule: FaceSchedule
    private let reader: FaceReader
    private let minimumSize: Double
    private let isStill: Bool
    private var follower: FaceFollower
    private var tracking: FaceTracking

    /// - Parameters:
    ///   - isStill: the picture is the only one: it is searched thoroughly, at once.
    ///   - minimumSize: of a box's shorter side, pixels.
    init(
        id: String, scan: FaceScan, schedule: FaceSchedule, isStill: Bool, reader: FaceReader,
        settings: FaceTracking.Settings, minimumSize: Double
    ) {
        self.id = id
        self.scan = scan
        self.schedule = schedule
        self.reader = reader
        tracking = FaceTracking(settings: settings)
        self.minimumSize = minimumSize
        self.isStill = isStill
        follower = FaceFollower(
            scan: scan, schedule: schedule, isStill: isStill, minimumConfidence: settings.trackingConfidence,
            newConfidence: settings.minimumConfidence)
    }

    func detect(_ input: StageInput) throws -> [FaceCandidate] {
        // The only picture is searched as a video's first is, as a whole, and that is the follower's.
        guard !isStill else { return [] }
        let tiles = schedule.tiles(schedule.turns(of: input.frame))
        return try scan.candidates(tiles, in: FaceSource(input.frame), minimumScore: FaceFollower.leastScore)
    }

    func update(_ candidates: [FaceCandidate], _ input: StageInput) throws -> [Observation] {
        let (frame, seconds) = (input.frame, input.frame.seconds)
        let found = try follower.faces(in: frame, candidates: candidates, expected: tracking.expected(at: seconds))
            .filter { min($0.box.width, $0.box.height) >= minimumSize && $0.isWithin(frame) }
            .map { try reader.read($0, in: frame) }
        return tracking.observations(of: found, at: seconds, stage: id)
    }
}

extension FaceTracking {
    /// What one frame shows, by track. Call once a frame, in order.
    mutating func observations(of found: [FoundFace], at seconds: Double, stage id: String) -> [Observation] {
        update(found, at: seconds).map { face in
            let detection = face.detection.map { found[$0] }
            return Observation(
                FaceFinding(landmarks: detection?.landmarks ?? [], angles: detection?.angles), stage: id,
                track: TrackReference(stage: id, number: face.track), confidence: face.confidence, state: face.state,
                box: face.box)
        }
    }
}
