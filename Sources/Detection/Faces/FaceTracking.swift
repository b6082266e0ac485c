internal import Glibc

/// Gives the faces of successive frames their tracks: each track's face is expected where its motion leads it, and
/// takes the detection that is nearest in place and looks.
///
/// A track begins with a detection of `minimumConfidence`. From then on one of `trackingConfidence` is enough (as
/// ByteTrack has it, Zhang et al. 2022). A face that isn't detected is `predicted` while its fading confidence is over
/// `trackingConfidence`, then `lost`; found again within `timeout` it is `recovered` under its number, else `ended`.
struct FaceTracking {
    /// A track's face in one frame.
    struct Face {
        var track: Int
        var state: TrackState
        /// Box; nil where the track is lost or has ended.
        var box: Box?
        var confidence: Double
        /// Index of the detection; nil where there is none.
        var detection: Int?
    }

    private typealias Track = TrackBook<FoundFace>.Track

    private let options: FacesBlueprint.Options
    /// Size of the picture, pixels.
    private let size: PictureSize
    private var book: TrackBook<FoundFace>

    /// - Parameters:
    ///   - width: Of the picture, pixels.
    ///   - height: The same.
    init(_ options: FacesBlueprint.Options = .init(), width: Int, height: Int) {
        self.options = options
        size = PictureSize(width: width, height: height)
        var policy = TrackPolicy(memory: options.timeout, confirmation: 1)
        policy.outlastsOneMiss = true
        // Detections tremble.
        policy.smoothing = .exponential(0.1)
        book = TrackBook(policy)
    }

    /// Faces that weren't lost, where they are supposed to be, by track.
    func expected(at seconds: Double) -> [FoundFace] {
        book.tracks.filter(\.isPlaced).map { track in
            track.thing.moved(by: track.velocity * min(max(seconds - track.lastSeen, 0), book.policy.trustedMotion))
        }
    }

    /// Pairs one frame's detections, the surest first, with the tracks. Call once a frame, in order.
    /// - Returns: by track.
    mutating func update(_ found: [FoundFace], at seconds: Double) -> [Face] {
        book.advance(to: seconds)
        var detectionOf: [Int: Int] = [:]
        /// - Returns: those that none takes.
        func take(_ detections: [Int], cost: (Track, Box, FoundFace) -> Double?) -> [Int] {
            let trackOf = book.pair(detections.map { found[$0] }) { cost($0, $1.box, $2) }
            for (detection, track) in zip(detections, trackOf) {
                guard let track else { continue }
                book.see(found[detection].blended(with: book[track]), as: track)
                detectionOf[track] = detection
            }
            return zip(detections, trackOf).filter { $0.1 == nil }.map(\.0)
        }
        let others = take(Array(found.indices)) { cost($0, $1, $2, gap: seconds - $0.lastSeen) }
        let new = take(others) { turnCost($0, $1, $2, gap: seconds - $0.lastSeen) }
        book.settle { [options, size] track, expected in
            (0..<Double(size.width)).contains(expected.center.x)
                && (0..<Double(size.height)).contains(expected.center.y)
                && Self.confidence(of: track, at: seconds) > options.trackingConfidence
                && (track.sightings > 1 || !track.thing.isFeatureless || seconds - track.lastSeen <= Self.glimpse)
        }
        var active = book.tracks.count { $0.isPlaced }
        for detection in new {
            let face = found[detection]
            guard face.confidence >= options.minimumConfidence else { continue }
            if options.maximumObservations > 0, active >= options.maximumObservations { break }
            active += 1
            detectionOf[book.see(face)] = detection
        }
        return book.tracks.indices.compactMap { index in
            let track = book.tracks[index]
            let (box, confidence) = (book.expected(index).box, Self.confidence(of: track, at: seconds))
            return track.number.map {
                Face(
                    track: $0, state: track.state, box: track.isPlaced ? box : nil,
                    confidence: track.isPlaced ? confidence : 0, detection: detectionOf[index])
            }
        }
    }

    /// How unlikely a detection is the track's face; nil where it can't be.
    private func cost(_ track: Track, _ expected: Box, _ face: FoundFace, gap: Double) -> Double? {
        let isLost = track.state == .lost
        if isLost, face.confidence < options.minimumConfidence { return nil }
        let side = (expected.area * face.box.area).squareRoot().squareRoot()
        let ratio = (face.box.area / max(expected.area, 1e-6)).squareRoot()
        guard side > 0, (0.5...2).contains(ratio) else { return nil }
        // In sides of the face: half a head a frame, and three heads a second while it is out of sight.
        let way = min(face.center.distance(to: expected.center), face.center.distance(to: track.thing.center))
        let reach = 0.7 + 3 * min(gap, options.timeout)
        guard way / side <= reach else { return nil }
        var similarity = 0.0
        if let known = track.thing.appearance, let seen = face.appearance { similarity = known.similarity(to: seen) }
        // The longer it was away, the less its place says.
        return way / side / reach + 0.5 * (1 - similarity) + abs(log(ratio)) + (isLost ? 1 : 0)
    }

    /// The same where the track's face can't have gone: it may have turned at once, if it looks the same and no other track
    /// takes it.
    private func turnCost(_ track: Track, _ expected: Box, _ face: FoundFace, gap: Double) -> Double? {
        guard track.isPlaced, gap <= Self.turn, let known = track.thing.appearance, let seen = face.appearance else {
            return nil
        }
        let side = (expected.area * face.box.area).squareRoot().squareRoot()
        let ratio = (face.box.area / max(expected.area, 1e-6)).squareRoot()
        let (way, similarity) = (face.center.distance(to: track.thing.center), known.similarity(to: seen))
        guard side > 0, (0.7...1.4).contains(ratio), way / side <= Self.turnReach, similarity >= Self.alike else {
            return nil
        }
        return way / side / Self.turnReach + 1 - similarity
    }

    /// Time within which a face that turned at once is known again, seconds, how far it may have got, in its sides, and how
    /// like itself it must look.
    private static let (turn, turnReach, alike) = (0.12, 2.0, 0.75)

    /// Time for which a face that was seen once, without features, is supposed to be there, seconds.
    private static let glimpse = 0.1

    /// Confidence of a track: that of an undetected face halves in 0.3 s.
    private static func confidence(of track: Track, at seconds: Double) -> Double {
        track.thing.confidence * exp2(-(seconds - track.lastSeen) / 0.3)
    }
}

extension FoundFace: Trackable {
    var center: Point { box.center }

    func moved(by way: Point) -> FoundFace {
        var face = self
        face.box = box.moved(by: way)
        if let view { face.view?.center = view.center + way }
        return face
    }

    /// The face with its appearance blended with the one that it had before, which follows slowly.
    fileprivate func blended(with known: FoundFace) -> FoundFace {
        var face = self
        face.appearance = known.appearance ?? appearance
        if let appearance { face.appearance?.blend(appearance, weight: 0.1) }
        return face
    }
}
