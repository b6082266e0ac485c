internal import Glibc

/// The detectors' opinion of a candidate that no mesh fits well: a profile, a face of a few pixels, or none. They look at it
/// at several sizes, and what they say on average counts: what is a face to one network at one size alone mostly is none.
/// A new one is looked at mirrored as well, and by one more network: faces are faces there, textures mostly aren't.
struct FaceOpinion: Sendable {
    /// The networks' judgement of a place.
    struct Judgement: Sendable {
        /// Confidence that it is a face, 0…1.
        var confidence: Double
        var box: Box
    }

    /// A look at a face so that it has this height in a network's input, pixels.
    private struct Look: Sendable {
        var network: LazyFaceNetwork
        var height: Double
        var isMirrored = false
    }

    /// What was seen so far.
    private struct Tally {
        var sum = 0.0
        var count = 0
        var weights = 0.0
        var box = Box(x: 0, y: 0, width: 0, height: 0)

        var mean: Double { sum / Double(max(count, 1)) }

        /// - Parameter best: nil where a look saw nothing.
        mutating func add(_ best: FaceCandidate?) {
            count += 1
            guard let best else { return sum += FaceOpinion.nothing }
            sum += log(best.score / (1 - best.score))
            weights += best.score
            box = box.sum(best.tightBox, weight: best.score)
        }

        /// - Parameter middle: the mean that counts as a half.
        func judgement(middle: Double) -> Judgement? {
            guard weights > 0 else { return nil }
            return Judgement(
                confidence: 1 / (1 + exp(-FaceOpinion.gain * (mean - middle))),
                box: Box(
                    x: box.x / weights, y: box.y / weights, width: box.width / weights, height: box.height / weights))
        }
    }

    /// Looks, those first that tell most for their cost.
    private struct Looks: Sendable {
        /// Of what is known.
        var known: [Look]
        /// The mean that counts as a half where only those look: of small faces the networks are less sure.
        var knownMiddle: Double
        /// First at what is new.
        var first: [Look]
        /// Then at what may be a face by those.
        var second: [Look]
    }

    /// Height of a small face, pixels: it is known by the head around it, which those networks see that look at much of
    /// it.
    private static let small = 20.0
    /// Least height, pixels: what is lower has nothing to tell it by.
    private static let least = 6.0
    /// Score that a look counts as which sees nothing.
    private static let nothing = -3.0
    /// Intersection over union from which on what is seen is the face that was asked for.
    private static let overlap = 0.35
    /// Steepness with which confidence grows with the mean.
    private static let gain = 2.0
    /// The mean of all looks that counts as a half.
    private static let middle = -0.2
    /// With a lower mean no more looks are taken: after two of the first, and after all of them.
    private static let (hopeless, promising) = (-1.5, -0.5)

    private let ofSmall: Looks
    private let ofLarge: Looks

    init(full: LazyFaceNetwork, sparse: LazyFaceNetwork, shortRange: LazyFaceNetwork) {
        func looks(_ network: LazyFaceNetwork, _ heights: [Double]) -> [Look] {
            heights.map { Look(network: network, height: $0) }
        }
        func mirrored(_ looks: [Look]) -> [Look] {
            looks.map { Look(network: $0.network, height: $0.height, isMirrored: true) }
        }
        let small = looks(sparse, [28, 18])
        let others = looks(sparse, [14]) + looks(full, [14, 18, 28])
        ofSmall = Looks(
            known: looks(sparse, [28]), knownMiddle: -0.35, first: small,
            second: others + mirrored(small + others))
        let large = [(sparse, 28.0), (shortRange, 44), (sparse, 36), (shortRange, 64)].flatMap { looks($0, [$1]) }
        let full = looks(full, [28, 36])
        ofLarge = Looks(
            known: looks(shortRange, [44, 64]), knownMiddle: -0.1, first: large,
            second: full + mirrored(large + full))
    }

    /// - Parameters:
    ///   - candidate: from the picture's corner, as `FaceCandidate.box`.
    ///   - angle: of the face, clockwise, radians.
    ///   - isKnown: it was a face before, so that few looks are enough.
    /// - Returns: nil where none of them sees anything.
    func judgement(
        of candidate: Box, angle: Double = 0, in source: FaceSource, isKnown: Bool
    ) throws -> Judgement? {
        let height = max(candidate.width, candidate.height)
        guard height >= Self.least else { return nil }
        let looks = height < Self.small ? ofSmall : ofLarge
        var tally = Tally()
        func see(_ looks: [Look], least: Double = -.infinity) throws -> Bool {
            for look in looks where tally.count < 2 || tally.mean > least {
                let network = try look.network.loaded()
                let side = Double(network.side) / look.height * height
                let view = FaceView(center: candidate.center, side: side, angle: angle, isMirrored: look.isMirrored)
                guard view.isUsable else { return false }
                let pixels = Self.brightened(try source.pixels(of: view, side: network.side))
                let seen = try network.candidates(pixels, of: view, minimumScore: Self.faintest)
                let expected = FaceCandidate.tight(candidate)
                tally.add(seen.first { $0.tightBox.intersectionOverUnion(expected) > Self.overlap })
            }
            return true
        }
        if isKnown { return try see(looks.known) ? tally.judgement(middle: looks.knownMiddle) : nil }
        guard try see(looks.first, least: Self.hopeless) else { return nil }
        if tally.mean > Self.promising { _ = try see(looks.second) }
        return tally.judgement(middle: Self.middle)
    }

    private static let faintest = 1 / (1 + exp(-nothing))

    /// The mean that a dark view is brightened to, and by how much at the most: in the dark everything looks alike to the
    /// networks.
    private static let (bright, mostGain) = (90.0, 4.0)

    private static func brightened(_ pixels: [UInt8]) -> [UInt8] {
        let mean = Double(pixels.reduce(0) { $0 + Int($1) }) / Double(pixels.count)
        let gain = min(bright / max(mean, 1), mostGain)
        guard gain > 1 else { return pixels }
        let table = (0...255).map { UInt8(min(Double($0) * gain, 255)) }
        return pixels.map { table[Int($0)] }
    }
}

extension Box {
    fileprivate func sum(_ other: Box, weight: Double) -> Box {
        Box(
            x: x + weight * other.x, y: y + weight * other.y, width: width + weight * other.width,
            height: height + weight * other.height)
    }
}
