internal import Graph
internal import Glibc

/// Faces of a video without a model of the user's: the picture is searched part by part, all of it every `cycle`, for the
/// smallest faces every few of them; every face that is known is looked at in every frame.
///
/// The first frame, and one in which all known faces are gone (a cut, say), are searched as a whole but for the smallest
/// faces. Which parts are due goes by the video's time alone.
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
    /// Least confidence of the mesh in a face that is known, and in one that is new and that nothing else speaks for.
    private static let (leastFit, certainFit) = (0.3, 0.6)

    private let scan: FaceScan
    private let schedule: FaceSchedule
    private let isStill: Bool
    private let hides: Bool
    private let minimumConfidence: Double
    private let newConfidence: Double
    /// The first turn that no frame had yet; nil before the first frame.
    private var next: Int?
    /// Time at which the whole picture was searched last, seconds.
    private var searched = -Double.infinity
    private var doubts = FaceDoubts()
    /// How many known faces without a mesh had their turn: where there are many they take turns.
    private var judged = 0

    /// - Parameters:
    ///   - isStill: the picture is the only one.
    ///   - hides: A frame is searched as a whole where any known face isn't found, not only where all are gone.
    ///   - minimumConfidence: what has less is left out.
    ///   - newConfidence: what is new and has less is left alone for a while.
    init(
        scan: FaceScan, schedule: FaceSchedule, isStill: Bool, hides: Bool, minimumConfidence: Double,
        newConfidence: Double
    ) {
        self.scan = scan
        self.hides = hides
        self.schedule = schedule
        self.isStill = isStill
        self.minimumConfidence = minimumConfidence
        self.newConfidence = newConfidence
    }

    /// A frame's faces, the surest first.
    /// - Parameters:
    ///   - candidates: of the frame's own turns.
    ///   - expected: where known faces are supposed to be.
    mutating func faces(
        in frame: VideoFrame, candidates: [FaceCandidate], expected: [FoundFace]
    ) throws -> [FoundFace] {
        let source = FaceSource(frame)
        let own = schedule.turns(of: frame)
        let isFirst = next == nil
        let missed = (next ?? own.lowerBound)..<max(next ?? own.lowerBound, own.lowerBound)
        next = max(own.upperBound, next ?? own.upperBound)
        var most = Self.mostNew * (missed.count + own.count + schedule.turnsOfFrame - 1) / schedule.turnsOfFrame
        var candidates = candidates
        if isFirst {
            searched = frame.seconds
            most = Self.mostAtOnce
            candidates = try FaceScan.surest(
                candidates + look(schedule.coarse, source) + (isStill ? look(schedule.finest, source) : []))
        } else if !missed.isEmpty {
            candidates = FaceScan.surest(candidates + (try look(schedule.tiles(missed), source)))
        }
        doubts.forget(before: frame.seconds)

        var (faces, free) = try follow(expected, candidates, source)
        let isLost = hides ? faces.count < expected.count : !expected.isEmpty && faces.isEmpty
        if isLost, hides || frame.seconds - searched >= FaceSchedule.cycle {
            searched = frame.seconds
            most = Self.mostAtOnce
            free = FaceScan.surest(free + (try look(schedule.coarse, source)))
        }
        for candidate in free
        where !faces.contains(where: { $0.box.intersectionOverUnion(candidate.tightBox) > Self.overlap })
            && !doubts.cover(candidate)
        {
            let meshed = try meshed(candidate, source)
            if let meshed, meshed.fit >= Self.certainFit {
                faces.append(meshed.face)
            } else if most > 0 {
                most -= 1
                let face = try newFace(candidate, meshed?.face, source)
                if let face { faces.append(face) }
                if face.map({ $0.confidence < newConfidence }) ?? true { doubts.add(candidate, at: frame.seconds) }
            }
        }
        return FaceSuppression.whole(FaceSuppression.surest(faces.filter { $0.confidence >= minimumConfidence }))
    }

    private func look(_ views: [FaceView], _ source: FaceSource) throws -> [FaceCandidate] {
        try scan.candidates(
            views, in: source, minimumScore: isStill ? Self.leastStillScore : Self.leastScore, isThorough: isStill)
    }

    /// Looks for faces where they are expected: by the mesh from where it was, then from a candidate there; some of those
    /// that it doesn't fit, which turn away or are small, by the other networks.
    /// - Returns: what was found of them, and the candidates that are something else.
    private mutating func follow(
        _ expected: [FoundFace], _ candidates: [FaceCandidate], _ source: FaceSource
    ) throws -> ([FoundFace], [FaceCandidate]) {
        var faces: [FoundFace] = []
        var taken = Set<Int>()
        var others: [Box] = []
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
            } else if let near, let face = try meshed(candidates[near], source)?.face {
                faces.append(face)
            } else {
                others.append(near.map { candidates[$0].box } ?? FaceCandidate.loose(known.box))
            }
        }
        for turn in 0..<min(others.count, Self.mostKnown) {
            let place = others[(judged + turn) % others.count]
            if let face = try face(at: place, source, isKnown: true) { faces.append(face) }
        }
        judged &+= Self.mostKnown
        return (faces, candidates.indices.filter { !taken.contains($0) }.map { candidates[$0] })
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
