/// Decides which places of each picture are covered: where a thing was seen, and for a while before and after, since a
/// detector that misses a face for a few frames must not show it.
///
/// A box that is seen is grown by a fifth. Where a thing isn't seen, it is looked for by its picture, from the sighting
/// before on and from the one after it back: `CoverFollower`. Where both find the same, that is covered. Else a cover never
/// follows a guess alone: between two sightings no more than `coverGap` apart the whole way from one to the other is covered;
/// before the first sighting, after the last, and at the ends of a longer gap, for `coverGap`, where its picture is found, or
/// where it was, all the way that it may have gone on, and ever more about it, up to the whole neighbourhood. A box that is
/// only predicted or carried over counts in its own frame, with all that.
///
/// Where a style asks for masks, one is covered in the frames that it was seen in, grown by a tenth of its box's shorter side
/// on all sides; in any other frame it is the box.
///
/// Where a camera goes on so quickly that nothing looks like itself, what was in sight is also where that took it: `CameraWay`.
///
/// All that ends at a cut, where places say nothing of the next picture, those neither that a stage goes on to predict.
/// What is lost and at once seen again under another number is one thing: `join`.
///
/// What a region of the manifest says to be there, and its stage looks for in vain, is hidden until it is seen again or the
/// manifest says that it is nowhere: `CoverSubject.isMissing`.
///
/// A weak sighting may lie beside what is to be covered: the places that the sure ones around it tell of are covered too.
///
/// So a picture's covers are known when what was seen up to `lookahead` later is.
struct CoverPlanner {
    /// The confidence below which a sighting is weak.
    private static let sure = 0.6
    /// Overlap from which on a region without a track is the one of a frame before.
    private static let again = 0.3

    /// The pictures', at whose edges things go out of sight; nil where nothing is known to.
    private let size: PictureSize?
    private(set) var subjects: [CoverSubject] = []
    private var subjectOfTrack: [CoverClaim.Thing: Int] = [:]
    /// Tracks that go on under another number, and when they were last told of.
    private var joined: [CoverClaim.Thing: Double] = [:]
    /// The times of the first pictures of shots.
    private var cuts: [Double] = []
    private var shotBegin = 0.0
    /// The time of the shot's first picture that isn't dark, and whether all so far are.
    private var (sightBegin, wasDark) = (0.0, false)
    private(set) var camera = CameraWay()
    /// The time of the newest picture.
    private var newest: Double?
    /// What isn't known any longer, since `takeGone`.
    private var gone: [CoverSubject] = []

    init(size: PictureSize? = nil) { self.size = size }

    /// How far ahead regions must be known, seconds; nil where no style covers anything.
    static func lookahead(of styles: some Sequence<DrawStyle>) -> Double? {
        styles.filter { $0.cover != nil }.map(\.coverGap).max()
    }

    /// Notes one frame's observations, each covered as its style says.
    mutating func note(_ observations: [DrawnObservation], at time: Double, isCut: Bool = false) {
        note(claims: observations.compactMap { CoverClaim($0) }, at: time, isCut: isCut)
    }

    /// Notes what is to be covered in one frame. Call for every frame, in order.
    /// - Parameters:
    ///   - missing: What is to be there, and isn't seen.
    ///   - time: The frame's, in seconds.
    ///   - frame: Its ordinal.
    ///   - isCut: True where the frame is the first of another shot.
    ///   - isDark: True where it shows nothing, as before a fade.
    ///   - step: By how much everything moved in sight with it, pixels, where that is much.
    mutating func note(
        claims: [CoverClaim], missing: Set<CoverClaim.Thing> = [], at time: Double, frame: Int = 0, isCut: Bool = false,
        isDark: Bool = false, step: Point? = nil
    ) {
        if let step { camera.add(step, at: time) }
        if isCut {
            cuts.append(time)
            if let newest { forEachSubject { $0.endShot(newest) } }
        }
        if isCut || newest == nil { shotBegin = time }
        // Nothing is to be seen of what a fade begins with.
        if isCut || newest == nil || wasDark { (sightBegin, wasDark) = (time, isDark) }
        newest = time
        for claim in claims {
            let sighting = CoverSubject.Sighting(
                time: time, frame: frame, box: claim.box, mask: claim.mask, isMeasured: claim.isMeasured,
                isSure: claim.isMeasured && claim.confidence >= Self.sure, exceptions: claim.exceptions,
                isLeft: claim.isLeft)
            if let thing = claim.thing, joined[thing] != nil {
                joined[thing] = claim.isMeasured ? nil : time
                if !claim.isMeasured { continue }
            }
            // What has just got a track was one without before.
            if let index = claim.thing.flatMap({ subjectOfTrack[$0] }) ?? untracked(claim, before: time) {
                if let thing = claim.thing, subjectOfTrack[thing] == nil {
                    subjectOfTrack[thing] = index
                    (subjects[index].isTracked, subjects[index].track) = (true, claim.track)
                }
                // What its stage supposes of another shot's says nothing of this one.
                if !claim.isMeasured, let story = subjects[index].story, story.last.time < shotBegin { continue }
                subjects[index].see(sighting, shotBegin: shotBegin, sightBegin: sightBegin)
                continue
            }
            if let thing = claim.thing { subjectOfTrack[thing] = subjects.count }
            var subject = CoverSubject(
                style: claim.style, color: claim.color, gap: claim.gap, isTracked: claim.track != nil,
                kind: claim.kind, stage: claim.stage, track: claim.track, hand: claim.hand)
            subject.see(sighting, shotBegin: shotBegin, sightBegin: sightBegin)
            subjects.append(subject)
        }
        for thing in missing {
            guard let index = subjectOfTrack[thing] else { continue }
            subjects[index].miss(at: time, in: size)
        }
    }

    /// The region without a track that was last seen at this place, in an earlier frame.
    private func untracked(_ claim: CoverClaim, before time: Double) -> Int? {
        var best: (index: Int, overlap: Double)?
        for (index, subject) in subjects.enumerated()
        where !subject.isTracked && subject.kind == claim.kind && subject.hand == claim.hand {
            guard let last = subject.sightings.last, last.time < time,
                time - last.time <= subject.gap + CoverSubject.tolerance
            else { continue }
            let overlap = last.box.intersectionOverUnion(claim.box)
            if overlap >= Self.again, overlap > best?.overlap ?? 0 { best = (index, overlap) }
        }
        return best?.index
    }

    /// What is covered in the frame of this time, in order of first sight.
    func covers(at time: Double) -> [Cover] { look(at: time).covers }

    /// What is covered in a frame.
    struct Look {
        /// In order of first sight.
        var covers: [Cover] = []
        /// Whether some of it is where its stage didn't see it.
        var isGuess = false
        /// Places at which what an exception leaves visible is seen.
        var left: [Box] = []
    }

    /// What is covered in the frame of this time.
    /// - Parameters:
    ///   - idle: What is covered, or left out, by hand at other times alone, by its index.
    ///   - ground: What the pictures show where things aren't; nil where nobody can look.
    func look(at time: Double, idle: Set<Int> = [], ground: StillGround? = nil) -> Look {
        let shot = (cuts.last { $0 <= time } ?? -.infinity)..<(cuts.first { $0 > time } ?? .infinity)
        var look = Look()
        for subject in subjects where !(subject.hand.map(idle.contains) ?? false) {
            let now = subject.sightings.last { $0.time == time }
            if subject.isLeft(at: time, idle) {
                if let now { look.left.append(now.box) }
                continue
            }
            // A mask tells of its own frame alone; elsewhere the box is sure to hold it.
            if let now, now.isSure, let mask = now.mask {
                look.covers.append(
                    Cover(
                        spot: .mask(mask, margin: CoverSubject.margin(of: now.box)), style: subject.style,
                        color: subject.color))
                continue
            }
            let sure = subject.sure(about: time, in: shot)
            var places = subject.places(at: time, in: shot, camera).flatMap { place in
                ground?.narrowed(place, by: sure) ?? [place.box]
            }
            if now?.isMeasured != true, !places.isEmpty {
                places += subjects.compactMap { subject.exchanged(with: $0, at: time, in: shot) }
            }
            look.isGuess = look.isGuess || !places.isEmpty && now?.isMeasured != true
            look.covers += places.map { Cover(spot: .box($0), style: subject.style, color: subject.color) }
        }
        return look
    }

    /// What no picture needs any longer, and when there are no more pictures all that is known, in order of first sight.
    mutating func takeGone(isEnd: Bool = false) -> [CoverSubject] {
        if isEnd {
            if let newest { forEachSubject { $0.endShot(newest) } }
            gone += subjects
            (subjects, subjectOfTrack) = ([], [:])
        }
        defer { gone = [] }
        return gone
    }

    /// When things were seen last that aren't seen any longer, up to a time.
    func lastSights(until time: Double) -> Set<Double> {
        Set(subjects.compactMap { subject in subject.sightings.last(where: \.isSure)?.time }.filter { $0 <= time })
    }

    /// Changes what is known of each subject, in order of first sight.
    mutating func forEachSubject(_ body: (inout CoverSubject) -> Void) {
        for index in subjects.indices { body(&subjects[index]) }
    }

    /// Forgets what no frame from this time on needs.
    mutating func forget(before time: Double) {
        // The last one of the past begins the shot that goes on.
        let passed = cuts.lastIndex { $0 <= time } ?? 0
        cuts.removeFirst(passed)
        var kept: [CoverSubject] = []
        var places: [Int: Int] = [:]
        for (index, subject) in subjects.enumerated() {
            var subject = subject
            guard subject.forget(before: time) else {
                gone.append(subject)
                continue
            }
            places[index] = kept.count
            kept.append(subject)
        }
        subjects = kept
        subjectOfTrack = subjectOfTrack.compactMapValues { places[$0] }
        joined = joined.filter { $0.value >= time }
        camera.forget(before: kept.map(\.oldest).reduce(time, min))
    }

    /// Makes one thing of two where a stage lost one and sees it again under another number: its picture is found where the
    /// other is seen, which nobody saw before the first was lost. What the stage goes on to suppose of the first then says
    /// nothing more.
    /// - Parameter time: The newest picture's.
    mutating func join(at time: Double) {
        var gone = Set<Int>()
        for newer in subjects.indices {
            guard let seen = subjects[newer].sightings.last, seen.time == time, seen.isSure,
                let older = subjects.indices.first(where: {
                    !gone.contains($0) && subjects[newer].continues(subjects[$0], at: seen)
                })
            else { continue }
            subjects[newer].take(subjects[older])
            gone.insert(older)
            for (thing, index) in subjectOfTrack where index == older { joined[thing] = time }
        }
        guard !gone.isEmpty else { return }
        let places = Dictionary(
            uniqueKeysWithValues: subjects.indices.filter { !gone.contains($0) }.enumerated().map { ($1, $0) })
        subjects = subjects.indices.filter { !gone.contains($0) }.map { subjects[$0] }
        subjectOfTrack = subjectOfTrack.compactMapValues { places[$0] }
    }
}
