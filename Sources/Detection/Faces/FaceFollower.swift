internal import Glibc

/// Faces of a video without a model of the user's: the picture is searched part by part, all of it every `cycle`, for the
/// smallest faces every few of them; every face that is known is looked at in every frame.
///
/// The first frame, and one in which all known faces are gone (a cut, say), are searched as a whole but for the smallest
/// faces; where faces are hidden, the first frame and what comes at once for those too. Which parts are due goes by the video's time alone.
struct FaceFollower {
    /// Least score of a candidate that is looked at closely.
    static let leastScore = 0.35
    /// Least score in a still picture: where nothing is followed there is time for more.
    private static let leastStillScore = 0.25
    /// The most faces that the mesh doesn't fit and that are judged in one frame, of those that are known and of new
    /// ones; in a frame that is searched as a whole more are.
    private static let mostKnown = 3
    private static let mostNew = 2
    private static let mostAtOnce = 60
    /// Intersection over union above which a face is the one that is expected there.
    private static let overlap = 0.3
    /// Side of the view in which a face that is missing is looked for again, in sides of the face: as large as the network
    /// sees faces best.
    private static let room = 5.0
    /// The most of those in one frame.
    private static let mostMissing = 4
    /// Least confidence of the mesh in a face that is known, and in one that is new and that nothing else speaks for.
    private static let (leastFit, certainFit) = (0.3, 0.6)
    /// Confidence below which a known face that the mesh fits may have moved on.
    private static let firm = 0.9
    /// Least score of a face that the picture's edge cuts, and that is new.
    private static let leastCut = 0.4
    /// Least score of another network there.
    private static let leastOther = 0.25
    /// Sides of the views, in sides of the face, in which such a face is looked at once more.
    private static let cutRooms = [3.5, 5.0, 7.0]

    /// What became of the faces that are known.
    private struct Known {
        /// What was found of them.
        var faces: [FoundFace]
        /// Candidates that are something else.
        var free: [FaceCandidate]
        /// Where one wasn't found surely.
        var missing: [Box]
        /// Where one that was sure isn't found: what was doubtful comes and goes, and is looked for around its place.
        var lost: [Box]
        /// Those found that fade: that had features before and have none now, or that the mesh hardly fits any more.
        var faded: [Box]
    }

    private let scan: FaceScan
    private let isStill: Bool
    private let hides: Bool
    private let minimumConfidence: Double
    private let newConfidence: Double
    /// The time up to which turns have been had; nil before the first frame.
    private var until: Double?
    /// Time at which the whole picture was searched last, seconds.
    private var searched = -Double.infinity
    private var doubts = FaceDoubts()
    private var losses = FaceLosses()
    private var changes = SuddenChanges()
    /// Whether the frame before was another at once, too: a camera goes on, and the pictures are smeared.
    private var wasOther = false
    /// How many known faces without a mesh had their turn: where there are many they take turns.
    private var judged = 0

    /// - Parameters:
    ///   - isStill: the picture is the only one.
    ///   - hides: A frame is searched as a whole where any sure face isn't found, not only where all are gone, and where the
    ///     picture changes at once; and faces that the picture's edges cut are told.
    ///   - minimumConfidence: what has less is left out.
    ///   - newConfidence: what is new and has less is left alone for a while.
    init(
        scan: FaceScan, isStill: Bool, hides: Bool, minimumConfidence: Double, newConfidence: Double
    ) {
        self.scan = scan
        self.hides = hides
        self.isStill = isStill
        self.minimumConfidence = minimumConfidence
        self.newConfidence = newConfidence
    }

    /// A frame's faces, the surest first.
    /// - Parameters:
    ///   - candidates: of the frame's own turns.
    ///   - expected: where known faces are supposed to be.
    ///   - grounds: what of the frame is searched.
    ///   - new: what of it is searched for the first time, in a frame that isn't the first.
    ///   - isWanted: whether a face is, by its box.
    mutating func faces(
        in frame: VideoFrame, candidates: [FaceCandidate], expected: [FoundFace], grounds: FaceGrounds,
        new: FaceGrounds = FaceGrounds(schedules: []), isWanted: (Box) -> Bool = { _ in true }
    ) throws -> [FoundFace] {
        let source = FaceSource(frame)
        let begin = until.map { min($0, frame.seconds) }
        let missed = try begin.map { try look(grounds.tiles(from: $0, to: frame.seconds), source) } ?? []
        until = max(frame.seconds, frame.end, until ?? 0)
        var most = min(Self.mostAtOnce, Self.mostNew * grounds.frames(from: begin ?? frame.seconds, to: frame.end))
        var candidates = candidates + missed
        if begin == nil || !new.schedules.isEmpty {
            if begin == nil { searched = frame.seconds }
            most = Self.mostAtOnce
            let whole = begin == nil ? grounds : new
            // What is bare in the first picture of a clip of half a second is never seen again.
            let isThorough = isStill || hides
            candidates += try look(whole.coarse, source, isThorough: isThorough)
            if isThorough { candidates += try look(whole.finest, source, isThorough: true) }
        }
        candidates = FaceScan.surest(candidates).filter { isWanted($0.tightBox) }
        doubts.forget(before: frame.seconds)

        let known = try follow(expected, candidates, source)
        var (faces, free) = (known.faces, known.free)
        let other = hides && !isStill ? changes.come(in: frame) : nil
        let isLost = hides ? !known.lost.isEmpty : !expected.isEmpty && faces.isEmpty
        if hides, !known.missing.isEmpty {
            free = FaceScan.surest(free + (try look(known.missing.map { Self.neighbourhood(of: $0) }, source)))
        }
        if other != nil || isLost, hides || frame.seconds - searched >= FaceSchedule.cycle {
            searched = frame.seconds
            most = Self.mostAtOnce
            // What comes at once comes where the picture changes.
            let new = other.map { place in
                ((isLost ? [] : grounds.coarse) + grounds.finest).filter { $0.reaches(place) }
            }
            let whole =
                !isLost ? [] : hides && other == nil ? losses.turn(of: grounds.coarse, known.lost) : grounds.coarse
            free += try look(whole, source) + look(new ?? [], source, isThorough: !wasOther)
            free = FaceScan.surest(free).filter { isWanted($0.tightBox) }
        }
        losses.places = known.lost
        wasOther = other != nil
        for candidate in free
        where !faces.contains(where: {
            !known.faded.contains($0.box) && $0.box.intersectionOverUnion(candidate.tightBox) > Self.overlap
        }) && !doubts.cover(candidate) {
            let meshed = try meshed(candidate, source)
            if let meshed, meshed.fit >= Self.certainFit {
                // What has features is rather the face that had them than what fades beside it.
                faces.removeAll { known.faded.contains($0.box) && $0.isBeside(meshed.face) }
                faces.append(meshed.face)
            } else if most > 0 {
                most -= 1
                var face = try newFace(candidate, meshed?.face, source)
                if (face?.confidence ?? 0) < candidate.score { face = try cutFace(candidate, source) ?? face }
                if let face { faces.append(face) }
                if face.map({ $0.confidence < newConfidence }) ?? true { doubts.add(candidate, at: frame.seconds) }
            }
        }
        return FaceSuppression.whole(FaceSuppression.surest(faces.filter { $0.confidence >= minimumConfidence }))
    }

    /// - Parameter isThorough: By all networks, and what is less sure as well: as the only picture is searched, and, where faces
    ///   are hidden, a shot's first.
    private func look(
        _ views: [FaceView], _ source: FaceSource, isThorough: Bool = false
    ) throws -> [FaceCandidate] {
        let isThorough = isThorough || isStill
        return try scan.candidates(
            views, in: source, minimumScore: isThorough ? Self.leastStillScore : Self.leastScore,
            isThorough: isThorough, isOnBlack: hides)
    }

    /// Looks for faces where they are expected: by the mesh from where it was, then from a candidate there; some of those
    /// that it doesn't fit, which turn away or are small, by the other networks.
    private mutating func follow(
        _ expected: [FoundFace], _ candidates: [FaceCandidate], _ source: FaceSource
    ) throws -> Known {
        var faces: [FoundFace] = []
        var taken = Set<Int>()
        var others: [(place: Box, hadFeatures: Bool, isSure: Bool)] = []
        var (missing, faded) = ([Box](), [Box]())
        var lost: [Box] = []
        for known in expected {
            let near = candidates.indices.filter { !taken.contains($0) }
                .map { (overlap: candidates[$0].tightBox.intersectionOverUnion(known.box), index: $0) }
                .filter { $0.overlap > Self.overlap }
                .max { ($0.overlap, $1.index) < ($1.overlap, $0.index) }?.index
            if let near { taken.insert(near) }
            if let view = known.view,
                let face = try meshed(view, score: near.map { candidates[$0].score } ?? 0, source)?.face,
                face.box.intersectionOverUnion(known.box) > Self.overlap
            {
                faces.append(face)
                // Pulled off a face that has moved on, the mesh fits a part of it.
                if face.confidence < Self.firm {
                    missing.append(known.box)
                    faded.append(face.box)
                }
            } else if let near, let face = try meshed(candidates[near], source)?.face {
                faces.append(face)
            } else if let face = try cutFace(known, near.map { candidates[$0] }, source) {
                faces.append(face)
            } else {
                let place = near.map { candidates[$0].box } ?? FaceCandidate.loose(known.box)
                others.append((place, known.view != nil, known.confidence >= newConfidence))
            }
        }
        for turn in others.indices {
            let (place, hadFeatures, isSure) = others[(judged + turn) % others.count]
            let face = turn < Self.mostKnown ? try face(at: place, source, isKnown: true) : nil
            // What few looks doubt, and what has just lost its features, may be elsewhere by now.
            let isDoubtful = hadFeatures || face.map { $0.confidence < newConfidence } ?? true
            if isDoubtful, turn < Self.mostMissing { missing.append(place) }
            guard let face, face.confidence >= minimumConfidence else {
                if isSure { lost.append(place) }
                continue
            }
            if hadFeatures { faded.append(face.box) }
            faces.append(face)
        }
        judged &+= Self.mostKnown
        let free = candidates.indices.filter { !taken.contains($0) }.map { candidates[$0] }
        return Known(faces: faces, free: free, missing: missing, lost: lost, faded: faded)
    }

    /// The face of a candidate that the picture's edge cuts, by its score alone where faces are hidden: no mesh fits half a
    /// face. It counts as its best look of several.
    private func cutFace(_ candidate: FaceCandidate, _ source: FaceSource) throws -> FoundFace? {
        guard hides, isCut(candidate.tightBox, source) else { return nil }
        var best = candidate
        if best.score < Self.leastCut, let nearer = try cutCandidate(at: candidate.tightBox, source) { best = nearer }
        guard best.score >= Self.leastCut, try isSeenByOther(best.tightBox, source) else { return nil }
        return Self.featureless(best)
    }

    /// A known face that the edge cuts, where it was expected: what tracks a face is enough.
    /// - Parameter near: A candidate there, if any.
    private func cutFace(
        _ known: FoundFace, _ near: FaceCandidate?, _ source: FaceSource
    ) throws -> FoundFace? {
        guard hides, isCut(known.box, source) else { return nil }
        return try (near ?? cutCandidate(at: known.box, source)).map(Self.featureless)
    }

    private func isCut(_ box: Box, _ source: FaceSource) -> Bool {
        FaceTiles.cuts(box, width: source.frame.width, height: source.frame.height)
    }

    /// The surest candidate of a place at the edge, in views of several sizes.
    private func cutCandidate(at box: Box, _ source: FaceSource) throws -> FaceCandidate? {
        try scan.candidates(cutViews(of: box), in: source, minimumScore: minimumConfidence, isOnBlack: true)
            .filter { isCut($0.tightBox, source) && $0.tightBox.intersectionOverUnion(box) > Self.overlap }
            .max { $0.score < $1.score }
    }

    /// Whether a network with other weights sees something of a place at the edge, too: leaves are half a face to one.
    private func isSeenByOther(_ box: Box, _ source: FaceSource) throws -> Bool {
        try scan.otherCandidates(cutViews(of: box), in: source, minimumScore: Self.leastOther).contains {
            $0.tightBox.intersectionOverUnion(box) > Self.overlap
        }
    }

    private func cutViews(of box: Box) -> [FaceView] {
        let place = FaceCandidate.loose(box)
        return Self.cutRooms.map { FaceView(center: place.center, side: max(place.width, place.height) * $0) }
    }

    private static func featureless(_ candidate: FaceCandidate) -> FoundFace {
        FoundFace(box: candidate.tightBox, confidence: candidate.score, isFeatureless: true)
    }

    /// The view in which a face is looked for around a place where it isn't.
    private static func neighbourhood(of place: Box) -> FaceView {
        FaceView(center: place.center, side: max(place.width, place.height) * room)
    }

    /// The face in a view if the mesh fits it.
    /// - Parameter score: of a candidate there, 0 where there is none.
    /// - Returns: with how sure the mesh alone is, 0…1.
    private func meshed(
        _ view: FaceView, score: Double, _ source: FaceSource
    ) throws -> (face: FoundFace, fit: Double)? {
        guard view.isUsable else { return nil }
        let fit = try scan.mesh(of: view, in: source)
        guard fit.confidence >= Self.leastFit, let box = fit.box else { return nil }
        // Both networks would have to be wrong.
        let confidence = 1 - (1 - score) * (1 - fit.confidence)
        let face = FoundFace(box: box, confidence: confidence, landmarks: fit.points, view: fit.view)
        return (face, fit.confidence)
    }

    /// A candidate's face if the mesh fits it.
    private func meshed(
        _ candidate: FaceCandidate, _ source: FaceSource
    ) throws -> (face: FoundFace, fit: Double)? {
        let meshed = try meshed(candidate.view, score: candidate.score, source)
        guard let meshed, meshed.face.box.intersectionOverUnion(candidate.tightBox) > Self.overlap else { return nil }
        return meshed
    }

    /// A face without a mesh, as the other networks see it.
    private func face(at box: Box, _ source: FaceSource, isKnown: Bool) throws -> FoundFace? {
        let judgement = try scan.opinion.judgement(of: box, in: source, isKnown: isKnown)
        return judgement.map { FoundFace(box: $0.box, confidence: $0.confidence, isFeatureless: true) }
    }

    /// A candidate that the mesh doesn't fit well: letters and wheels have two eyes and a mouth for it as well, so what the
    /// other networks say counts, of what it fits a little upright by its eyes.
    /// - Parameter meshed: what the mesh makes of it; nil where it fits nothing.
    private func newFace(
        _ candidate: FaceCandidate, _ meshed: FoundFace?, _ source: FaceSource
    ) throws -> FoundFace? {
        guard var face = meshed else { return try face(at: candidate.box, source, isKnown: false) }
        let judgement = try scan.opinion.judgement(
            of: candidate.box, angle: candidate.view.angle, in: source, isKnown: false)
        guard let judgement else { return nil }
        face.confidence = judgement.confidence
        return face
    }
}

extension FoundFace {
    /// Whether two faces are of one size and overlap.
    fileprivate func isBeside(_ other: FoundFace) -> Bool {
        (0.4...2.5).contains(box.area / max(other.box.area, 1e-6)) && box.intersection(other.box) != nil
    }
}

/// Doubts: places that were looked at closely and are no faces; for a while they aren't looked at again.
private struct FaceDoubts {
    /// Time for which a place is remembered, seconds.
    private static let memory = 1.0
    /// Intersection over union above which a candidate is the same; and gain of score with which one is looked at
    /// again.
    private static let (overlap, gain) = (0.5, 0.15)

    private var known: [(candidate: FaceCandidate, seconds: Double)] = []

    mutating func forget(before seconds: Double) {
        known.removeAll { $0.seconds < seconds - Self.memory }
    }

    mutating func add(_ candidate: FaceCandidate, at seconds: Double) { known.append((candidate, seconds)) }

    func cover(_ candidate: FaceCandidate) -> Bool {
        known.contains {
            $0.candidate.box.intersectionOverUnion(candidate.box) > Self.overlap
                && candidate.score < $0.candidate.score + Self.gain
        }
    }
}
