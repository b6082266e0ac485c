/// Pictures in order, each with what is covered in it.
///
/// They wait until that is known, which may be only later. The wait is as long as the styles' longest `coverGap`, in the
/// video's own time, and none where nothing is covered. It depends on the frames alone, so that every run covers the same.
package struct CoverQueue {
    /// A picture and what is told of it.
    package struct Picture {
        package var frame: VideoFrame
        package var observations: [DrawnObservation]
        /// In the order in which they are painted.
        package var covers: [Cover] = []
        /// Places of what stays visible though its stage covers.
        package var left: [Box] = []
    }

    /// Seconds of pictures that show nothing after which nobody knows what was before.
    private static let longestBlack = 2.0
    /// Seconds between two looks that are other, and seconds of pictures from the same place, without either of which another look
    /// is no cut.
    private static let (shortestShot, shortestRest) = (0.25, 0.06)
    /// What waiting pictures may take, bytes.
    private static let memoryLimit = 1 << 30

    /// Seconds.
    private let lookahead: Double
    private let covers: Bool
    /// What is hidden by hand, and the first picture that each is in.
    private var hidden: HandCoverFollower
    private var began: [HandCover.Moment?]
    /// Pictures.
    private let limit: Int
    private var planner: CoverPlanner
    private var ledger: CoverLedger
    /// The first picture's.
    private let first: (frame: Int, time: Double)
    private var waiting: [Picture] = []
    /// What pictures that have gone on showed in which things were seen last.
    private var past: [Double: GroundCells] = [:]
    private var newest = -Double.infinity
    /// The newest picture's ordinal, and when it ends.
    private var end: (frame: Int, time: Double)
    /// What the last picture that shows anything looks like, and when its shot began.
    private var last: ShotLook?
    private var lastSeen = -Double.infinity
    /// When a picture last looked other than the one before it, and when it was last seen from another place, however near.
    private var (lastOther, lastMove) = (-Double.infinity, -Double.infinity)
    private var shot = -Double.infinity
    /// True where pictures went on early, since they would have taken too much memory.
    private(set) var isCutShort = false

    /// - Parameters:
    ///   - styles: All that may be drawn in, by the stage's id.
    ///   - hidden: What is covered by hand.
    ///   - pauses: How long stages don't look, seconds, by their ids.
    ///   - first: The first frame.
    package init(
        styles: [(stage: String, style: DrawStyle)], hidden: [HandCover], pauses: [String: Double] = [:],
        first: VideoFrame
    ) {
        self.first = (first.ordinal, first.seconds)
        end = (first.ordinal, first.end)
        let covering = styles.filter { $0.style.cover != nil }.map(\.stage)
        let size = PictureSize(width: first.width, height: first.height)
        planner = CoverPlanner(size: size)
        self.hidden = HandCoverFollower(hidden.map { $0.inPixels(of: size) }, pauses: pauses)
        began = hidden.map { _ in nil }
        ledger = CoverLedger(
            stages: covering.enumerated().filter { !covering[..<$0.offset].contains($0.element) }.map(\.element),
            size: size)
        let gaps = [CoverPlanner.lookahead(of: styles.map(\.style)), self.hidden.hides ? self.hidden.lookahead : nil]
        let lookahead = gaps.compactMap(\.self).max()
        self.lookahead = lookahead ?? 0
        covers = lookahead != nil
        // Chroma takes as much as luma at the most, usually half of it; an original of more bits lies beside the stages'
        // copy.
        let bytes = first.width * first.height * (first.original == nil ? 2 : 6)
        limit = max(8, Self.memoryLimit / max(bytes, 1))
    }

    /// What was covered, when all have gone through; nil where nothing is to be covered.
    package var summary: CoverSummary? {
        covers || !hidden.covers.isEmpty ? ledger.whole(first: first) : nil
    }

    /// What a user should know of it, when all have gone through.
    package var notes: [String] {
        let idle = began.indices.compactMap { index -> String? in
            let cover = hidden.covers[index]
            guard cover.audio == nil, cover.follows ? !hidden.isSeen[index] : began[index] == nil else { return nil }
            let what =
                cover.follows ? "\(cover.followed) is nowhere seen \(cover.times)" : "no picture is seen \(cover.times)"
            return "cover \(index) \(cover.isException ? "left nothing visible" : "hid nothing"): \(what)"
        }
        let late = hidden.covers.enumerated().compactMap { index, cover -> String? in
            let count = cover.keyframes(behind: end)
            guard count > 0 else { return nil }
            return "\(Words.plural(count, "keyframe")) of cover \(index) never came: the frames end at \(end.frame)"
        }
        return (isCutShort ? [Self.cutShort] : []) + idle + late
    }

    private static let cutShort =
        "regions were covered for less than “coverGap” before they were first seen: the pictures that wait would take too "
        + "much memory"

    /// Takes the next picture, in order, and what was seen in it.
    package mutating func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) {
        let before = newest
        newest = frame.seconds
        end = (frame.ordinal, frame.end)
        guard covers else { return waiting.append(Picture(frame: frame, observations: observations)) }
        let look = ShotLook(frame)
        let change = last.map { look.change(since: $0) } ?? .unlike
        // A camera that goes on quickly shows something else in every picture, and is no cut either.
        var way: Point?
        if case .way(let moved) = change { way = moved }
        let isOther = way == nil && look.isOther(than: last)
        // What looks other all the time is a camera that is shaken: the thing is still about. It doesn't rest in between.
        let isCut = isOther && (newest - lastOther >= Self.shortestShot || before - lastMove >= Self.shortestRest)
        if isOther { lastOther = newest }
        if change != .little { lastMove = newest }
        // Behind a black picture the next one is held against what was before it.
        if !look.isPlain {
            (last, lastSeen) = (look, newest)
        } else if newest - lastSeen > Self.longestBlack {
            last = nil
        }
        let claims = hidden.claims(from: newest, until: frame.end, observations)
        planner.note(
            claims: claims, missing: hidden.missing(in: observations), at: newest, frame: frame.ordinal, isCut: isCut,
            isDark: look.isDark, step: way.map { Point($0.x * Double(frame.width), $0.y * Double(frame.height)) })
        // What the stages derived from the frame needn't wait with it.
        let held = VideoFrame(
            ordinal: frame.ordinal, pts: frame.pts, duration: frame.duration, picture: frame.picture,
            original: frame.original)
        waiting.append(Picture(frame: held, observations: observations))
        if isCut { shot = newest }
        CoverFollower.follow(
            &planner, through: waiting.map(\.frame).filter { $0.seconds >= shot }, isCut: isCut)
    }

    /// The next picture of which all is known.
    /// - Parameter isEnd: no more frames will be added.
    package mutating func next(isEnd: Bool) -> Picture? {
        guard var first = waiting.first else { return nil }
        let time = first.frame.seconds
        if !isEnd, newest <= time + lookahead, lookahead > 0 {
            guard waiting.count > limit else { return nil }
            isCutShort = true
        }
        // A picture is seen until the next one is.
        if !isEnd, !hidden.covers.isEmpty, waiting.count < 2 { return nil }
        waiting.removeFirst()
        let end = waiting.first?.frame.seconds ?? first.frame.end
        if covers {
            planner.forget(before: time)
            for subject in planner.takeGone() { ledger.add(subject) }
        }
        let now = HandCover.Moment(frame: first.frame.ordinal, time: time)
        var idle: Set<Int> = []
        for (index, cover) in hidden.covers.enumerated() {
            guard cover.holds(from: time, until: end) else {
                idle.insert(index)
                continue
            }
            guard !cover.follows else { continue }
            let start = began[index] ?? cover.began(at: now, until: end, isFirst: now.frame == self.first.frame)
            began[index] = start
            if let place = cover.cover(at: now, until: end, began: start) { first.covers.append(place) }
        }
        let ground = StillGround(now: first.frame, later: waiting.map(\.frame), past: past)
        let found = covers ? planner.look(at: time, idle: idle, ground: ground) : CoverPlanner.Look()
        let last = planner.lastSights(until: time)
        past = past.filter { last.contains($0.key) }
        if last.contains(time) { past[time] = GroundCells(first.frame) }
        first.covers += found.covers
        first.left = found.left
        if !first.covers.isEmpty {
            first.observations = first.observations.map { $0.withoutWords(under: first.covers) }
        }
        ledger.add(frame: first.frame.ordinal, isCovered: !first.covers.isEmpty, isGuess: found.isGuess)
        if isEnd, waiting.isEmpty { for subject in planner.takeGone(isEnd: true) { ledger.add(subject) } }
        return first
    }
}

extension DrawnObservation {
    /// The part of a writing from which on what it says isn't written beside it where that part is hidden: a letter's.
    private static let hidden = 0.02

    /// The same without a label where it is writing, whose label is what it says, and lies under a cover of something else.
    fileprivate func withoutWords(under covers: [Cover]) -> DrawnObservation {
        guard let style, style.label, style.cover == nil, style.usualCover == .fill, let box = observation.bounds,
            box.area > 0
        else { return self }
        let isHidden = covers.contains { cover in
            (cover.spot.bounds?.intersection(box)?.area ?? 0) >= Self.hidden * box.area
        }
        guard isHidden else { return self }
        var other = self
        other.style?.label = false
        return other
    }
}
