internal import Annotate
internal import Glibc

/// Gives the faces of successive frames their tracks: each track's face is expected where its motion leads it, and
/// takes the detection that is nearest in place and looks.
///
/// A track begins with a detection of `minimumConfidence`. From then on one of `trackingConfidence` is enough (as
/// ByteTrack has it, Zhang et al. 2022). A face that isn't detected is `predicted` while its fading confidence is over
/// `trackingConfidence`, then `lost`; found again within `timeout` it is `recovered` under its number, else `ended`.
struct FaceTracking {
    struct Settings: Sendable {
        var minimumConfidence = 0.6
        var trackingConfidence = 0.3
        /// How long a face may be out of sight and keep its track, seconds.
        var timeout = 2.0
        /// How many are tracked at once; 0 for no limit.
        var maximumObservations = 0
        /// Of the picture, pixels.
        var width = 0
        var height = 0
    }

    /// A track's face in one frame.
    struct Face {
        var track: Int
        var state: TrackState
        /// nil for a lost or ended one.
        var box: Box?
        var confidence: Double
        /// Index of the detection; nil where there is none.
        var detection: Int?
    }

    private struct Track {
        var number: Int
        var box: Box
        /// Of the centre, pixels a second.
        var velocity = Point(0, 0)
        /// When it was seen last.
        var confidence: Double
        var appearance: FaceAppearance?
        var lastSeen: Double
        var isLost = false

        /// Where its box is supposed to be. Motion is trusted for a short while only.
        func prediction(at seconds: Double) -> Box {
            let way = velocity * min(max(seconds - lastSeen, 0), FaceTracking.trustedMotion)
            return Box(x: box.x + way.x, y: box.y + way.y, width: box.width, height: box.height)
        }
    }

    /// Seconds.
    private static let trustedMotion = 0.3
    /// Seconds in which the confidence of an undetected face halves.
    private static let halfLife = 0.3

    private let settings: Settings
    private var tracks: [Track] = []
    private var count = 0
    private var lastCall = -Double.infinity

    init(settings: Settings) { self.settings = settings }

    /// Pairs one frame's detections, the surest first, with the tracks. Call once a frame, in order.
    /// - Returns: by track.
    mutating func update(_ found: [FoundFace], at seconds: Double) -> [Face] {
        let last = lastCall
        lastCall = seconds
        var detectionOf = pair(found, at: seconds)
        var faces: [Face] = []
        for index in tracks.indices {
            guard let detection = detectionOf[tracks[index].number] else {
                faces.append(miss(index, at: seconds, last: last))
                continue
            }
            let state: TrackState = tracks[index].isLost ? .recovered : .tracked
            see(index, found[detection], at: seconds)
            faces.append(
                Face(
                    track: tracks[index].number, state: state, box: found[detection].box,
                    confidence: found[detection].confidence, detection: detection))
        }
        let ended = Set(faces.filter { $0.state == .ended }.map(\.track))
        tracks.removeAll { ended.contains($0.number) }
        let taken = Set(detectionOf.values)
        var active = tracks.count { !$0.isLost }
        for (index, face) in found.enumerated()
        where !taken.contains(index) && face.confidence >= settings.minimumConfidence {
            if settings.maximumObservations > 0, active >= settings.maximumObservations { break }
            count += 1
            active += 1
            tracks.append(
                Track(
                    number: count, box: face.box, confidence: face.confidence, appearance: face.appearance,
                    lastSeen: seconds))
            detectionOf[count] = index
            faces.append(
                Face(track: count, state: .tracked, box: face.box, confidence: face.confidence, detection: index))
        }
        return faces
    }

    // MARK: Pairing

    /// The detection of each track, by the track's number.
    private func pair(_ found: [FoundFace], at seconds: Double) -> [Int: Int] {
        var pairs: [(cost: Double, detection: Int, track: Int)] = []
        for track in tracks {
            let expected = track.prediction(at: seconds)
            for (index, face) in found.enumerated() {
                if track.isLost, face.confidence < settings.minimumConfidence { continue }
                guard let cost = cost(track, expected, face, gap: seconds - track.lastSeen) else { continue }
                pairs.append((cost, index, track.number))
            }
        }
        pairs.sort { ($0.cost, $0.detection, $0.track) < ($1.cost, $1.detection, $1.track) }
        var detectionOf: [Int: Int] = [:]
        var taken = Set<Int>()
        for pair in pairs where detectionOf[pair.track] == nil && !taken.contains(pair.detection) {
            detectionOf[pair.track] = pair.detection
            taken.insert(pair.detection)
        }
        return detectionOf
    }

    /// How unlikely a detection is the track's face; nil where it can't be.
    private func cost(_ track: Track, _ expected: Box, _ face: FoundFace, gap: Double) -> Double? {
        let side = (expected.area * face.box.area).squareRoot().squareRoot()
        let ratio = (face.box.area / max(expected.area, 1e-6)).squareRoot()
        guard side > 0, (0.5...2).contains(ratio) else { return nil }
        // In sides of the face: half a head a frame, and three heads a second while it is out of sight.
        let distance =
            min(
                face.box.center.distance(to: expected.center), face.box.center.distance(to: track.box.center)) / side
        let reach = 0.7 + 3 * min(gap, settings.timeout)
        guard distance <= reach else { return nil }
        var similarity = 0.0
        if let known = track.appearance, let seen = face.appearance { similarity = known.similarity(to: seen) }
        // The longer it was away, the less its place says.
        return distance / reach + 0.5 * (1 - similarity) + abs(log(ratio)) + (track.isLost ? 1 : 0)
    }

    // MARK: A track's next moment

    private mutating func see(_ index: Int, _ face: FoundFace, at seconds: Double) {
        var track = tracks[index]
        let gap = seconds - track.lastSeen
        if gap > 0, gap <= Self.trustedMotion, !track.isLost {
            let velocity = (face.box.center - track.box.center) * (1 / gap)
            // Smoothed over a tenth of a second, since detections tremble.
            track.velocity = track.velocity + (velocity - track.velocity) * (1 - exp(-gap / 0.1))
        } else {
            track.velocity = Point(0, 0)
        }
        if let seen = face.appearance {
            if track.appearance == nil { track.appearance = seen }
            track.appearance?.blend(seen, weight: 0.1)
        }
        track.box = face.box
        track.confidence = face.confidence
        track.lastSeen = seconds
        track.isLost = false
        tracks[index] = track
    }

    private mutating func miss(_ index: Int, at seconds: Double, last: Double) -> Face {
        let track = tracks[index]
        let gap = seconds - track.lastSeen
        let confidence = track.confidence * exp2(-gap / Self.halfLife)
        let expected = track.prediction(at: seconds)
        let isInside =
            (0..<Double(settings.width)).contains(expected.center.x)
            && (0..<Double(settings.height)).contains(expected.center.y)
        if !track.isLost, isInside, confidence > settings.trackingConfidence {
            return Face(track: track.number, state: .predicted, box: expected, confidence: confidence)
        }
        tracks[index].isLost = true
        // What was seen at the last call is remembered however long ago that was: frames may be far apart.
        let isOver = gap > settings.timeout && track.lastSeen < last
        return Face(track: track.number, state: isOver ? .ended : .lost, box: nil, confidence: 0)
    }
}
