internal import Glibc

/// Alters pictures and says what is laid where.
struct AlterTracker: Tracker {
    private let id: String
    private let settings: AlterSettings
    private let picture: Box
    private var tracks: [TrackReference: AlteredTrack] = [:]

    /// Time for which the pictures of a track that is out of sight are kept, seconds.
    private static let memory = 5.0
    /// The most memory of all pictures that are kept for later, bytes.
    private static let mostBytes = 256 << 20

    init(id: String, settings: AlterSettings, width: Int, height: Int) {
        self.id = id
        self.settings = settings
        picture = Box(x: -0.5, y: -0.5, width: Double(width), height: Double(height))
    }

    /// One quad to cover.
    struct Target: Sendable {
        var track: TrackReference
        var quad: [Point]
        /// Whether the first corner may be another one from frame to frame.
        var mayTurn: Bool
        var isHeld: Bool
        var reference: ReferencePicture?
    }

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Emission] {
        forget(input)
        return try targets(input).compactMap { target in
            settings.options.live ? try animate(target, input.frame) : try cover(target, input.frame, makes: true)
        }
    }

    /// The last results, which follow their quads between two runs.
    mutating func carry(_ last: [Emission], _ input: StageInput) throws -> [Emission] {
        forget(input)
        return try targets(input).compactMap { target in
            guard settings.options.live else { return try cover(target, input.frame, makes: false) }
            guard var track = tracks[target.track], let moment = track.moment else { return nil }
            track.follow(target, at: input.frame.seconds)
            tracks[target.track] = track
            return emission(target, track, moment)?.held
        }
    }

    // MARK: What is covered

    /// The quads that have a track and can be covered, those tracked first, no more than asked for.
    private func targets(_ input: StageInput) -> [Target] {
        let all = input.results.enumerated().flatMap { index, results in
            results.compactMap { result in target(result).map { (input: index, target: $0) } }
        }
        let sorted = all.sorted { ($0.target.track.number, $0.input) < ($1.target.track.number, $1.input) }
        var seen: Set<TrackReference> = []
        return sorted.map(\.target).filter { seen.insert($0.track).inserted }.prefix(
            settings.options.maximumObservations
        ).map(
            \.self)
    }

    private func target(_ result: Emission) -> Target? {
        let observation = result.observation
        guard let track = observation.track, observation.isInSight, let quad = observation.quad,
            Homography.isConvex(quad),
            quad.allSatisfy({ abs($0.x) < 1e6 && abs($0.y) < 1e6 }), let around = Box(around: quad),
            around.intersection(picture) != nil, Self.area(quad) >= 16
        else { return nil }
        return Target(
            track: track, quad: quad, mayTurn: observation.finding(as: RectangleFinding.self) != nil,
            isHeld: observation.isHeld, reference: result.attachment(as: ReferencePicture.self))
    }

    static func area(_ quad: [Point]) -> Double {
        abs((quad[2] - quad[0]).cross(quad[3] - quad[1])) / 2
    }

    // MARK: Live pictures

    /// Alters what is on a quad now. Its size and first corner are those with which its track began, so that strokes and
    /// cells stay where they are: this is why it is done in the frames' order.
    private mutating func animate(_ target: Target, _ frame: VideoFrame) throws -> Emission? {
        let time = frame.seconds
        var track = tracks[target.track] ?? AlteredTrack(firstShown: time)
        defer { tracks[target.track] = track }
        track.follow(target, at: time)
        var moment = settings.sequence.moment(at: time)
        if track.firstShown >= moment.start { (moment.from, moment.share) = (nil, 1) }
        let styles = [moment.style, moment.from].compactMap(\.self)
        track.keepLive(styles)
        for number in styles {
            let style = settings.styles[number]
            let size = track.liveSize(for: style, number, resolution: settings.options.resolution)
            let altered = try style.apply(to: try frame.rectified(track.quad, to: size), on: track.firstQuad)
            track.blend(altered, style: number, timeConstant: settings.options.smoothing, at: time)
        }
        track.moment = moment
        return emission(target, track, moment)
    }

    // MARK: Pictures made once

    private mutating func cover(_ target: Target, _ frame: VideoFrame, makes: Bool) throws -> Emission? {
        let time = frame.seconds
        var track = tracks[target.track] ?? AlteredTrack(firstShown: time)
        defer { tracks[target.track] = track }
        track.follow(target, at: time)
        if makes { try track.look(at: frame, target, settings: settings, picture: picture) }
        guard track.isReady else { return nil }
        var moment = settings.sequence.moment(at: time)
        if track.shownSince >= moment.start { (moment.from, moment.share) = (nil, 1) }
        // Between runs nothing new is made: the last style stays until the next one.
        if !makes, !track.has(moment) {
            guard let last = track.moment else { return nil }
            moment = last
        }
        for style in [moment.style, moment.from].compactMap(\.self) {
            try track.make(style, settings: settings)
        }
        track.moment = moment
        tracks[target.track] = track
        dropIfTooMuch()
        track = tracks[target.track] ?? track
        return emission(target, track, moment)
    }

    private func emission(_ target: Target, _ track: AlteredTrack, _ moment: StyleSequence.Moment) -> Emission? {
        guard let texture = track.pictures[moment.style] else { return nil }
        let from = moment.from.flatMap { number in
            track.pictures[number].map { (name: settings.styles[number].name, picture: $0) }
        }
        let alteration = Alteration(
            style: settings.styles[moment.style].name, from: from?.name, fade: from == nil ? nil : moment.share)
        return Emission(
            Observation(
                AlterationFinding(alteration: alteration), stage: id, about: target.track, polygon: track.quad,
                isHeld: target.isHeld),
            AlteredPicture(picture: texture, previous: from.map { ($0.picture, moment.share) }))
    }

    // MARK: Memory

    /// How many tracks have pictures kept.
    var keptTracks: Int { tracks.count }

    /// Gives up the pictures of tracks that have ended, or have not been seen for a while.
    private mutating func forget(_ input: StageInput) {
        let time = input.frame.seconds
        for observation in input.observations where observation.state == .ended {
            if let track = observation.track { tracks[track] = nil }
        }
        tracks = tracks.filter { abs(time - $0.value.lastSeen) <= Self.memory }
        let most = 2 * settings.options.maximumObservations
        guard tracks.count > most else { return }
        let oldest = tracks.sorted {
            ($0.value.lastSeen, $0.key.number, $0.key.stage) < ($1.value.lastSeen, $1.key.number, $1.key.stage)
        }
        for (track, _) in oldest.prefix(tracks.count - most) { tracks[track] = nil }
    }

    /// Drops pictures that aren't shown, where they take too much: they can be made again.
    private mutating func dropIfTooMuch() {
        guard tracks.values.reduce(0, { $0 + $1.byteCount }) > Self.mostBytes else { return }
        for track in tracks.keys { tracks[track]?.dropWhatIsNotShown() }
    }
}
