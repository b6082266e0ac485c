/// Gives faces that a model of the user's found in single frames their tracks.
struct FaceTracker: Tracker {
    let id: String
    /// Where faces are looked for; nil for the whole frame.
    var regions: SearchedRegions?
    var tracking: FaceTracking

    mutating func update(_ found: [FoundFace], _ input: StageInput) -> [Observation] {
        regions?.advance(to: input)
        return tracking.observations(of: found, at: input.frame.seconds, stage: id, regions)
    }
}

/// Searches, with the program's own networks, the parts of the picture that a frame's time calls for.
struct FaceCandidateDetector: StorableDetector {
    let scan: FaceScan
    let ground: FaceGround
    /// Whether the picture is the only one: it is searched thoroughly, at once.
    let isStill: Bool
    let hides: Bool

    func detect(_ input: StageInput) throws -> [FaceCandidate] {
        // The only picture is searched as a video's first is, as a whole, and that is the follower's.
        guard !isStill else { return [] }
        var regions = ground.regions
        regions?.advance(to: input)
        let tiles = ground.grounds(regions?.parts ?? []).tiles(of: input.frame)
        return try scan.candidates(
            tiles, in: FaceSource(input.frame), minimumScore: FaceFollower.leastScore, isOnBlack: hides)
    }
}

/// Looks at every face that is known, with the program's own networks.
struct FollowedFaceTracker: Tracker {
    let id: String
    var tracking: FaceTracking
    let reader: FaceReader
    /// Least shorter side of a face's box, pixels.
    let minimumSize: Double
    let ground: FaceGround
    /// Whether known faces are told outside of the regions as well: what is hidden stays hidden where its region isn't found.
    let hides: Bool
    /// Where faces are looked for; nil for the whole frame.
    var regions: SearchedRegions?
    var follower: FaceFollower

    init(
        id: String, tracking: FaceTracking, reader: FaceReader, minimumSize: Double, ground: FaceGround, hides: Bool,
        follower: FaceFollower
    ) {
        (self.id, self.tracking, self.reader, self.minimumSize) = (id, tracking, reader, minimumSize)
        (self.ground, self.hides, self.follower) = (ground, hides, follower)
        regions = ground.regions
    }

    mutating func update(_ candidates: [FaceCandidate], _ input: StageInput) throws -> [Observation] {
        let (frame, seconds) = (input.frame, input.frame.seconds)
        regions?.advance(to: input)
        let expected = tracking.expected(at: seconds)
        let (regions, hides) = (regions, hides)
        func isWanted(_ box: Box) -> Bool {
            guard let regions else { return true }
            return regions.hasPart(at: box.center - Point(0.5, 0.5))
                || hides && expected.contains { $0.box.intersectionOverUnion(box) > 0.3 }
        }
        let found = try follower.faces(
            in: frame, candidates: candidates, expected: expected, grounds: ground.grounds(regions?.parts ?? []),
            new: regions.map { ground.grounds($0.new) } ?? FaceGrounds(schedules: []), isWanted: isWanted
        )
        .filter { min($0.box.width, $0.box.height) >= minimumSize && $0.isWithin(frame) && isWanted($0.box) }
        .map { try reader.read($0, in: frame) }
        return tracking.observations(of: found, at: seconds, stage: id, regions)
    }
}

extension FaceTracking {
    /// Observations of one frame, by track. Call once a frame, in order.
    /// - Parameter regions: that faces were looked for in; each is told with the track of the one that it lies in.
    mutating func observations(
        of found: [FoundFace], at seconds: Double, stage id: String, _ regions: SearchedRegions? = nil
    ) -> [Observation] {
        update(found, at: seconds).map { face in
            let detection = face.detection.map { found[$0] }
            return Observation(
                FaceFinding(landmarks: detection?.landmarks ?? [], angles: detection?.angles), stage: id,
                track: TrackReference(stage: id, number: face.track),
                about: face.box.flatMap { box in regions?.track(at: box.corners.map { $0 - Point(0.5, 0.5) }) },
                confidence: face.confidence, state: face.state,
                box: face.box)
        }
    }
}
