/// Why a picture is left out of a data set.
enum LeftOut: String, CaseIterable {
    case lost, unsure, unfollowed, missing, held, before, after, unknown, unsearched, marked, unsayable, alike

    /// What is told of so many of them.
    var words: String {
        switch self {
        case .lost: "in which a track is lost"
        case .unsure: "with something below the least confidence"
        case .unfollowed: "with something that was found and isn't followed"
        case .missing: "in which something isn't told of that is before and after"
        case .held: "at which a stage with a rate didn't look"
        case .before: "before something was pointed at"
        case .after: "after a track's end"
        case .unknown: "without anything, by stages that don't search whole pictures"
        case .unsearched: "without anything, by stages that don't look for every class"
        case .marked: "that reviewers marked as wrong or unsure"
        case .unsayable: "with something that the layout can't say"
        case .alike: "like the one before"
        }
    }
}

/// Which frames of a clip are annotated: the track file read once, before its pictures are looked at.
struct ClipSurvey {
    /// What is known of a frame.
    enum Verdict: Hashable {
        /// All that is in it is annotated.
        case annotated
        /// There is nothing in it.
        case empty
        case leftOut(LeftOut)
    }

    let header: TrackFileHeader
    let outcome: SourceOutcome
    /// How many things of each name there are.
    private(set) var names: [String: Int] = [:]
    /// Names of things, by the ids of their stages.
    private(set) var given: [String: Set<String>] = [:]
    /// What the stages that are taken can give, by their ids.
    let sources: [String: ClassReach.Source]
    /// Skeletons of things with joints, by the things' names.
    private(set) var skeletons: [String: Skeleton] = [:]
    /// Pictures in which a stage tells as many things as it may, by its id, and how many those are.
    private(set) var full: [String: (pictures: Int, most: Int)] = [:]
    /// The highest track number.
    private(set) var lastTrack = 0

    private var firstFrame = 0
    private var notes: [UInt8] = []
    /// The last first and the first last frame of tracks of what was pointed at.
    private var begin = Int.min
    private var end = Int.max

    private static let hasThing: UInt8 = 1, isLost: UInt8 = 2, isUnsure: UInt8 = 4, isHeld: UInt8 = 8,
        isUnfollowed: UInt8 = 16, isUnsayable: UInt8 = 32, isMissing: UInt8 = 64
    private let isComplete: Bool
    /// Whether its stages, or somebody, looked for every class of the set.
    private let isSearched: Bool
    private let keepsUnknown: Bool
    private let said: ReviewedClips.Clip
    /// Whether somebody has looked through all of it.
    var isReviewed: Bool { said.isReviewed }

    /// - Parameters:
    ///   - said: What reviewers said of the clip.
    ///   - covers: Whether what stages can give are all classes of the data set.
    ///   - isListed: Whether the data set has a class.
    ///   - isSayable: Whether its layout can say of a thing what it is there for.
    init(
        _ tracks: String, _ choice: (TrackFileHeader) throws -> ThingChoice, kinds: FindingCatalog,
        said: ReviewedClips.Clip, keepsUnknown: Bool, covers: ([String: ClassReach.Source]) -> Bool,
        isListed: (String) -> Bool, isSayable: (Observation, TrackFileHeader) -> Bool, cancellation: Cancellation
    ) throws {
        let reader = try TrackFileReader(path: tracks, kinds: kinds, wantsEach: true)
        let choice = try choice(reader.header)
        (isComplete, self.keepsUnknown) = (choice.isComplete || said.isReviewed, keepsUnknown)
        self.said = said
        sources = choice.sources
        isSearched = said.isReviewed || covers(choice.sources)
        var limiters = choice.rates.map { RateLimiter(rate: $0) }
        var lives: [Int: (first: Int, last: Int)] = [:]
        var untold = UntoldFrames()
        while let frame = try reader.next() {
            if cancellation.isCancelled { throw CancelledError() }
            if notes.isEmpty { firstFrame = frame.frame }
            // Every limiter has to see every frame.
            let runs = limiters.indices.map { limiters[$0].runs(at: frame.pts.seconds) }
            var note: UInt8 = 0
            for observation in frame.observations {
                if !said.isReviewed, choice.takes(observation), isListed(observation.name) {
                    for gap in untold.next(observation, in: frame.frame) { notes[gap - firstFrame] |= Self.isMissing }
                }
                switch choice.role(of: observation) {
                case .none: continue
                // What somebody has looked through lacks nothing.
                case .lost: if !said.isReviewed { note |= Self.isLost }
                case .unsure: note |= Self.isUnsure
                case .thing:
                    names[observation.name, default: 0] += 1
                    given[observation.stage, default: []].insert(observation.name)
                    if skeletons[observation.name] == nil, !observation.joints.isEmpty {
                        skeletons[observation.name] = observation.skeleton(reader.header.skeletons[observation.stage])
                    }
                    if observation.isHeld { note |= Self.isHeld }
                    if let track = observation.track?.number, choice.pointed.contains(observation.stage) {
                        lives[track] = (lives[track]?.first ?? frame.frame, frame.frame)
                    }
                    if let track = observation.track?.number { lastTrack = max(lastTrack, track) }
                    guard isListed(observation.name) else { continue }
                    note |= Self.hasThing
                    if Self.isInside(observation, reader.header), !isSayable(observation, reader.header) {
                        note |= Self.isUnsayable
                    }
                }
            }
            for (stage, most) in choice.limits
            where frame.observations.count(where: { $0.stage == stage && $0.isInSight }) >= most {
                full[stage, default: (0, most)].pictures += 1
            }
            // What somebody has seen through lacks nothing. A picture without anything is else known to be one in which nothing was
            // found, however unsurely.
            if !said.isReviewed {
                let unfollowed = choice.untold(in: frame.observations, isListed: isListed)
                if note & Self.hasThing == 0 ? unfollowed.any : unfollowed.sure { note |= Self.isUnfollowed }
            }
            if note & Self.hasThing == 0, runs.contains(false) { note |= Self.isHeld }
            notes.append(note)
        }
        begin = lives.values.map(\.first).max() ?? .min
        end = lives.values.map(\.last).min() ?? .max
        (header, outcome) = (reader.header, reader.outcome)
    }

    /// What lies beyond the picture isn't in it.
    private static func isInside(_ thing: Observation, _ header: TrackFileHeader) -> Bool {
        let picture = PixelBox(PictureSize(width: header.source.width, height: header.source.height)).box
        return PixelPlace(thing)?.box.intersection(picture) != nil
    }

    /// Numbers of the frames.
    var frames: Range<Int> { firstFrame..<firstFrame + notes.count }

    /// What is known of a frame.
    subscript(frame: Int) -> Verdict { verdict(on: frame, isSearched: isSearched) }

    /// Whether a picture is taken of any of the frames that are asked for.
    /// - Parameter isSearched: Whether its stages look for every class of the set.
    func hasPicture(isSearched: Bool, among takes: (Int) -> Bool) -> Bool {
        frames.contains { frame in
            guard takes(frame) else { return false }
            if case .leftOut = verdict(on: frame, isSearched: isSearched || said.isReviewed) { return false }
            return true
        }
    }

    private func verdict(on frame: Int, isSearched: Bool) -> Verdict {
        let index = frame - firstFrame
        guard notes.indices.contains(index) else { return .leftOut(.unknown) }
        let note = notes[index]
        if said.wrong.contains(frame) { return .leftOut(.marked) }
        if note & Self.isUnsayable != 0 { return .leftOut(.unsayable) }
        if said.right.contains(frame) { return note & Self.hasThing != 0 ? .annotated : .empty }
        if !keepsUnknown {
            if note & Self.isLost != 0 { return .leftOut(.lost) }
            if note & Self.isUnsure != 0 { return .leftOut(.unsure) }
            if note & Self.isUnfollowed != 0 { return .leftOut(.unfollowed) }
            if note & Self.isMissing != 0 { return .leftOut(.missing) }
            if note & Self.isHeld != 0 { return .leftOut(.held) }
            if frame < begin { return .leftOut(.before) }
            if frame > end { return .leftOut(.after) }
        }
        if note & Self.hasThing != 0 { return .annotated }
        let isKnown =
            isComplete && note & (Self.isLost | Self.isUnsure | Self.isUnfollowed | Self.isMissing | Self.isHeld) == 0
        if isKnown, isSearched { return .empty }
        return keepsUnknown ? .annotated : .leftOut(isKnown ? .unsearched : .unknown)
    }
}
