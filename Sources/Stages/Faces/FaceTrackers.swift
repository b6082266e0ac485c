internal import Graph

/// Gives faces that a model of the user's found in single frames their tracks.
struct FaceTracker: Tracker {
    let id: String
    var tracking: FaceTracking

    mutating func update(_ found: [FoundFace], _ input: StageInput) -> [Observation] {
        tracking.observations(of: found, at: input.frame.seconds, stage: id)
    }
}

/// Searches, with the program's own networks, the parts of the picture that a frame's time calls for.
struct FaceCandidateDetector: Detector {
    let scan: FaceScan
    let schedule: FaceSchedule
    /// Whether the picture is the only one: it is searched thoroughly, at once.
    let isStill: Bool

    func detect(_ input: StageInput) throws -> [FaceCandidate] {
        // The only picture is searched as a video's first is, as a whole, and that is the follower's.
        guard !isStill else { return [] }
        let tiles = schedule.tiles(schedule.turns(of: input.frame))
        return try scan.candidates(tiles, in: FaceSource(input.frame), minimumScore: FaceFollower.leastScore)
    }
}

/// Looks at every face that is known, with the program's own networks.
struct FollowedFaceTracker: Tracker {
    let id: String
    var tracking: FaceTracking
    let reader: FaceReader
    /// Least shorter side of a face's box, pixels.
    let minimumSize: Double
    var follower: FaceFollower

    mutating func update(_ candidates: [FaceCandidate], _ input: StageInput) throws -> [Observation] {
        let (frame, seconds) = (input.frame, input.frame.seconds)
        let found = try follower.faces(in: frame, candidates: candidates, expected: tracking.expected(at: seconds))
            .filter { min($0.box.width, $0.box.height) >= minimumSize && $0.isWithin(frame) }
            .map { try reader.read($0, in: frame) }
        return tracking.observations(of: found, at: seconds, stage: id)
    }
}

extension FaceTracking {
    /// Observations of one frame, by track. Call once a frame, in order.
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
