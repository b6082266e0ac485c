internal import CVision
internal import Synchronization

/// Whether a picture is being followed: the tracker says, the detector asks.
final class Following: Sendable {
    private let state = Mutex(false)

    var isUnderWay: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// Makes the pyramid of a frame ahead where following will need it. It depends on the frame alone, so who needs one that
/// wasn't made ahead makes the same.
struct PyramidDetector: Detector {
    let following: Following

    func detect(_ input: StageInput) throws {
        if following.isUnderWay { _ = try input.frame.product(FramePyramid.self) }
    }
}

/// Follows what it knows, and looks for the rest a few times a second.
struct ImagesTracker: Tracker {
    private let id: String
    private let options: ImagesBlueprint.Options
    private let takesRegions: Bool
    private let threads: Int
    private let estimator: PoseEstimator
    private var subjects: [ImageSubject]
    private let following: Following
    private var choosers: PoseChoosers
    private var tracks = 0
    private var lastSearch = -Double.infinity

    /// The most rectangles that are remembered, so that one that comes back keeps its track.
    private static let mostRemembered = 8

    /// - Parameter takesRegions: Whether it follows one rectangle of its input, instead of pictures that are known.
    init(
        _ context: StageContext, sought: [SoughtImage], options: ImagesBlueprint.Options, takesRegions: Bool,
        following: Following
    ) throws {
        id = context.id
        self.following = following
        threads = context.threads
        (self.options, self.takesRegions) = (options, takesRegions)
        estimator = PoseEstimator(context.camera)
        choosers = PoseChoosers(memory: max(options.timeout, 1))
        subjects = try sought.map {
            ImageSubject(
                name: $0.name, tracker: try ImageTracker($0.image), picture: $0.picture,
                physicalWidth: $0.physicalWidth)
        }
    }

    mutating func update(_: Void, _ input: StageInput) throws -> [Emission] {
        let frame = input.frame
        try follow(into: frame)
        if isDue(frame.seconds) {
            lastSearch = frame.seconds
            try search(frame)
            if takesRegions, !subjects.contains(where: \.isFollowed) { try adopt(input.observations, frame) }
        }
        following.isUnderWay = subjects.contains(where: \.isFollowed)
        defer { choosers.forget(before: frame.seconds) }
        return subjects.compactMap { subject in
            observation(of: subject, at: frame.seconds).map { Emission($0, subject.picture) }
        }
    }

    // MARK: Following

    /// Follows the pictures, all at once: they know nothing of each other.
    private mutating func follow(into frame: VideoFrame) throws {
        let followed = subjects.indices.filter { subjects[$0].isFollowed }
        guard !followed.isEmpty else { return }
        let pyramid = try frame.product(FramePyramid.self)
        let (seconds, period) = (frame.seconds, MediaTime(ticks: max(frame.duration, 1), timeBase: frame.pts.timeBase))
        let steps = followed.map { max(1, (seconds - subjects[$0].lastLook) / period.seconds) }
        let trackers = followed.map { subjects[$0].tracker }
        let found = try parallelMap(followed.count, threads: threads) { index in
            try trackers[index].follow(pyramid, interval: steps[index])
        }
        for (place, index) in followed.enumerated() {
            subjects[index].lastLook = seconds
            // Of two that claim one place, the surer one has it.
            let isBeaten = found.indices.contains { other in
                guard other != place, let mine = found[place], let theirs = found[other] else { return false }
                return mine.isWhere(theirs.polygon)
                    && (theirs.confidence, -Double(other)) > (mine.confidence, -Double(place))
            }
            if let sighting = found[place], !isBeaten {
                subjects[index].see(sighting, at: seconds, isAnew: false)
            } else {
                subjects[index].miss(at: seconds, timeout: options.timeout)
            }
        }
    }

    // MARK: Searching

    private func isDue(_ seconds: Double) -> Bool {
        guard subjects.contains(where: { !$0.isSeen }) || takesRegions && subjects.isEmpty else {
            return false
        }
        // Times are read from ticks as coarse as a millisecond.
        return seconds - lastSearch >= 1 / options.searchRate - 0.002 || seconds < lastSearch
    }

    /// Looks for the pictures that are not seen, those that are not even followed after the others.
    private mutating func search(_ frame: VideoFrame) throws {
        let missing = subjects.indices.filter { !subjects[$0].isSeen }
        guard !missing.isEmpty else { return }
        let pyramid = try frame.product(FramePyramid.self)
        let features = try frame.product(FrameFeatures.self)
        let order = missing.filter({ subjects[$0].isFollowed }) + missing.filter({ !subjects[$0].isFollowed })
        var found: [(index: Int, sighting: ImageTracker.Sighting)] = []
        for index in order where hasRoom(for: index) {
            if let sighting = try subjects[index].tracker.search(pyramid, features) { found.append((index, sighting)) }
        }
        // Pictures that are alike in part may be found on one another's place: the surest has it.
        for (index, sighting) in found where hasRoom(for: index) {
            let isBeaten = found.contains { other in
                other.index != index && sighting.isWhere(other.sighting.polygon)
                    && (other.sighting.confidence, -other.index) > (sighting.confidence, -index)
            }
            let rival = subjects.indices.first { other in
                other != index && subjects[other].isSeen && subjects[other].polygon.map(sighting.isWhere) ?? false
            }
            guard !isBeaten, rival.map({ subjects[$0].confidence < sighting.confidence }) ?? true else { continue }
            if let rival { subjects[rival].miss(at: frame.seconds, timeout: options.timeout) }
            see(index, sighting, at: frame.seconds)
        }
    }

    /// The most that are followed at once; 0 for no limit.
    private var mostFollowed: Int { takesRegions ? 1 : options.maximumTracked }

    /// Whether one more may be followed.
    private func hasRoom(for index: Int) -> Bool {
        let others = subjects.indices.filter { $0 != index && subjects[$0].isFollowed }.count
        return mostFollowed == 0 || others < mostFollowed
    }

    /// Makes the first rectangle that can be followed the picture that is followed.
    private mutating func adopt(_ rectangles: some Sequence<Observation>, _ frame: VideoFrame) throws {
        for rectangle in rectangles {
            guard let polygon = rectangle.polygon, Homography.isConvex(polygon), polygon.count == 4,
                rectangle.isInSight, !rectangle.isHeld
            else { continue }
            let pyramid = try frame.product(FramePyramid.self)
            for index in subjects.indices {
                if let sighting = try subjects[index].tracker.place(at: polygon, pyramid) {
                    return see(index, sighting, at: frame.seconds)
                }
            }
            let image: ReferenceImage
            do {
                image = try frame.reference(polygon)
            } catch is ReferenceImage.Refusal {
                // Not every rectangle can be followed: a blank sheet isn't.
                continue
            }
            let tracker = try ImageTracker(image)
            guard let sighting = try tracker.place(at: polygon, pyramid) else { continue }
            if subjects.count == Self.mostRemembered { subjects.removeFirst() }
            subjects.append(ImageSubject(name: nil, tracker: tracker, picture: nil, physicalWidth: nil))
            return see(subjects.count - 1, sighting, at: frame.seconds)
        }
    }

    private mutating func see(_ index: Int, _ sighting: ImageTracker.Sighting, at seconds: Double) {
        if subjects[index].track == nil {
            tracks += 1
            subjects[index].track = tracks
        }
        subjects[index].lastLook = seconds
        subjects[index].see(sighting, at: seconds, isAnew: true)
    }

    // MARK: Telling

    private mutating func observation(of subject: ImageSubject, at seconds: Double) -> Observation? {
        // What was never seen is nothing yet.
        guard let track = subject.track, let state = subject.state else { return nil }
        var pose: EstimatedPose?
        if subject.isSeen, let polygon = subject.polygon, let width = subject.physicalWidth {
            let height = width * subject.proportion
            // A picture that OpenCV finds no pose for has none.
            let poses =
                (try? estimator.poses(of: PoseEstimator.corners(width: width, height: height), seen: polygon)) ?? []
            pose = choosers.choose(poses, extent: [width, height], points: 4, track: track, at: seconds)
        }
        return Observation(
            ImageFinding(isTracked: subject.isSeen, pose: pose), stage: id,
            track: TrackReference(stage: id, number: track), label: subject.name, confidence: subject.confidence,
            state: state, polygon: subject.polygon)
    }
}

extension ImageTracker.Sighting {
    /// Whether a quad takes most of its place.
    fileprivate func isWhere(_ quad: [Point]) -> Bool {
        guard let own = Box(around: polygon), let other = Box(around: quad) else { return false }
        return own.intersectionOverUnion(other) > 0.5
    }
}

/// A picture that is followed or looked for.
struct ImageSubject {
    /// nil for a rectangle that was found.
    let name: String?
    let tracker: ImageTracker
    /// Pixels of its file; nil for a rectangle that was found.
    let picture: ReferencePicture?
    /// Width of the printed picture, metres; nil where it isn't known.
    let physicalWidth: Double?
    /// Number of its track; nil until it was seen.
    var track: Int?
    /// Time of the frame in which it was last looked for by following, seconds.
    var lastLook = 0.0
    private(set) var state: TrackState?
    private(set) var polygon: [Point]?
    private(set) var confidence = 0.0
    private var lastSeen = 0.0

    init(name: String?, tracker: ImageTracker, picture: ReferencePicture?, physicalWidth: Double?) {
        self.name = name
        self.picture = picture
        self.tracker = tracker
        self.physicalWidth = physicalWidth
    }

    /// Proportion: height ÷ width.
    var proportion: Double { Double(tracker.reference.height) / Double(tracker.reference.width) }
    var isSeen: Bool { state == .tracked || state == .recovered }
    /// Whether it is seen, or was a moment ago.
    var isFollowed: Bool { isSeen || state == .predicted }

    mutating func see(_ sighting: ImageTracker.Sighting, at seconds: Double, isAnew: Bool) {
        state = isAnew && state != nil ? .recovered : .tracked
        (polygon, confidence, lastSeen) = (sighting.polygon, sighting.confidence, seconds)
    }

    mutating func miss(at seconds: Double, timeout: Double) {
        confidence = 0
        if seconds - lastSeen > timeout {
            (state, polygon) = (.lost, nil)
        } else {
            state = .predicted
        }
    }
}

extension VideoFrame {
    /// The longer side of a picture that is cut out, pixels.
    private static let longestReference = 640.0

    /// The picture that a quad of the frame shows, seen from the front.
    /// - Throws: `ReferenceImage.Refusal` where it can't be followed.
    fileprivate func reference(_ quad: [Point]) throws -> ReferenceImage {
        let sides = quad.indices.map { quad[$0].distance(to: quad[($0 + 1) % 4]) }
        let (width, height) = ((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2)
        let scale = min(1, Self.longestReference / max(width, height))
        let size = (Int(max(1, (width * scale).rounded())), Int(max(1, (height * scale).rounded())))
        var options = ocv_crop_options()
        (options.width, options.height) = (Int32(size.0), Int32(size.1))
        options.channels = OCV_CHANNELS_GRAY
        options.geometry = OCV_GEOMETRY_STRETCH
        options.antialias = true
        var pixels = [UInt8](repeating: 0, count: size.0 * size.1)
        try crop(quad, options, into: &pixels, stride: size.0)
        return try ReferenceImage(luma: pixels, width: size.0, height: size.1)
    }
}
