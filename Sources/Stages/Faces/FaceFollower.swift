internal import Annotate
internal import Glibc

/// Faces of a video without a model of the user's: the picture is searched part by part, all of it every `cycle`; every
/// face that is known is looked at in every frame.
///
/// The first frame, and one in which all known faces are gone (a cut, say), are searched as a whole. Which parts are due
/// goes by the video's time alone.
struct FaceFollower {
    /// The picture's parts, and how quickly all have their turn.
    struct Schedule: Sendable {
        let tiles: [FaceView]
        /// Seconds.
        static let cycle = 0.3

        /// Turns begun before a time.
        func turns(before seconds: Double) -> Int {
            Int((seconds * Double(tiles.count) / Self.cycle).rounded(.down))
        }

        /// The tiles of some turns, each once.
        func tiles(_ turns: Range<Int>) -> [FaceView] {
            guard turns.count < tiles.count else { return tiles }
            return turns.map { tiles[($0 % tiles.count + tiles.count) % tiles.count] }
        }

        /// A frame's own turns: while it is shown.
        func turns(of frame: VideoFrame) -> Range<Int> {
            let begin = turns(before: frame.seconds)
            return begin..<max(begin, turns(before: frame.end))
        }
    }

    /// What a candidate must have to be looked at closely.
    static let leastScore = 0.3
    /// How many faces that the mesh doesn't fit are searched for in one frame.
    private static let mostSearches = 2
    /// The side of such a search, in longer sides of the face's box.
    private static let searchSide = 3.5
    /// A face that overlaps more with where one is expected is that one.
    private static let overlap = 0.3

    /// What a score is worth where the mesh doesn't fit: a profile, a face of a few pixels, or none.
    private static let unfitted = 0.9

    private let scan: FaceScan
    private let schedule: Schedule
    private let minimumConfidence: Double
    /// The first turn that no frame had yet; nil before the first frame.
    private var next: Int?
    /// When the whole picture was searched last, seconds.
    private var searched = -Double.infinity

    /// - Parameter minimumConfidence: what has less is left out.
    init(scan: FaceScan, schedule: Schedule, minimumConfidence: Double) {
        self.scan = scan
        self.schedule = schedule
        self.minimumConfidence = minimumConfidence
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
        let missed = (next ?? own.lowerBound - schedule.tiles.count)..<max(next ?? own.lowerBound, own.lowerBound)
        next = max(own.upperBound, next ?? own.upperBound)
        if missed.count + own.count >= schedule.tiles.count { searched = frame.seconds }
        var candidates = FaceScan.surest(
            candidates
                + (try look(missed.count < schedule.tiles.count ? schedule.tiles(missed) : schedule.tiles, source)))

        var (faces, free) = try follow(expected, &candidates, source)
        if !expected.isEmpty, faces.isEmpty, frame.seconds - searched >= Schedule.cycle {
            searched = frame.seconds
            candidates = FaceScan.surest(candidates + (try look(schedule.tiles, source)))
            free = candidates
        }
        for candidate in free
        where !faces.contains(where: { $0.box.intersectionOverUnion(candidate.tightBox) > Self.overlap }) {
            faces.append(try face(candidate, source))
        }
        return FaceSuppression.surest(faces.filter { $0.confidence >= minimumConfidence })
    }

    private func look(_ views: [FaceView], _ source: FaceSource) throws -> [FaceCandidate] {
        try scan.candidates(views, in: source, minimumScore: Self.leastScore)
    }

    /// Looks for faces where they are expected: by the mesh from where it was, then from a candidate there; and some of
    /// those that it doesn't fit, which turn away or are small, by a search of their own.
    /// - Returns: what was found of them, and the candidates that are something else.
    private func follow(
        _ expected: [FoundFace], _ candidates: inout [FaceCandidate], _ source: FaceSource
    ) throws -> ([FoundFace], [FaceCandidate]) {
        var faces: [FoundFace] = []
        var taken = Set<Int>()
        var searches = 0
        for known in expected {
            let near = candidates.indices.filter { !taken.contains($0) }
                .map { (overlap: candidates[$0].tightBox.intersectionOverUnion(known.box), index: $0) }
                .filter { $0.overlap > Self.overlap }
                .max { ($0.overlap, $1.index) < ($1.overlap, $0.index) }?.index
            let score = near.map { candidates[$0].score } ?? 0
            if let near { taken.insert(near) }
            if let view = known.view, let face = try self.face(view, score: score, source),
                face.box.intersectionOverUnion(known.box) > Self.overlap
            {
                faces.append(face)
            } else if let near {
                faces.append(try face(candidates[near], source))
            } else if searches < Self.mostSearches {
                searches += 1
                let side = Self.searchSide * max(known.box.width, known.box.height)
                let around = FaceView(center: known.box.center, side: side)
                let seen = try around.isUsable ? look([around], source) : []
                let best = seen.max {
                    $0.tightBox.intersectionOverUnion(known.box) < $1.tightBox.intersectionOverUnion(known.box)
                }
                if let best, best.tightBox.intersectionOverUnion(known.box) > Self.overlap {
                    faces.append(try face(best, source))
                }
            }
        }
        return (faces, candidates.indices.filter { !taken.contains($0) }.map { candidates[$0] })
    }

    /// The face in a view if the mesh fits it.
    /// - Parameter score: of a candidate there, 0 where there is none.
    private func face(_ view: FaceView, score: Double, _ source: FaceSource) throws -> FoundFace? {
        guard view.isUsable else { return nil }
        let fit = try scan.mesh(of: view, in: source)
        guard fit.confidence >= 0.3, let box = fit.box else { return nil }
        return FoundFace(
            box: box, confidence: Self.either(score, fit.confidence), landmarks: fit.points, view: fit.view)
    }

    /// A candidate with its mesh, where that fits.
    private func face(_ candidate: FaceCandidate, _ source: FaceSource) throws -> FoundFace {
        let fitted = try face(candidate.view, score: candidate.score, source)
        if let fitted, fitted.box.intersectionOverUnion(candidate.tightBox) > Self.overlap { return fitted }
        return FoundFace(box: candidate.tightBox, confidence: candidate.score * Self.unfitted)
    }

    /// Both networks would have to be wrong.
    private static func either(_ a: Double, _ b: Double) -> Double { 1 - (1 - a) * (1 - b) }
}
