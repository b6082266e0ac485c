internal import Annotate
internal import Glibc

/// Other networks' opinion of a candidate that no mesh fits: a profile, a face of a few pixels, or none. They look at it at
/// several sizes, and what they say on average counts: what is a face to one network at one size alone mostly is none.
struct FaceOpinion: Sendable {
    /// What the networks make of a place.
    struct Judgement: Sendable {
        /// 0…1.
        var confidence: Double
        var box: Box
    }

    /// A look at a face so that it has this height in a network's input, pixels.
    private struct Look: Sendable {
        var network: LazyFaceNetwork
        var height: Double
    }

    /// Pixels: a smaller face is known by the head around it, which those networks see that look at much of it.
    private static let small = 20.0
    /// Pixels: what is lower has nothing to tell it by.
    private static let least = 6.0
    /// What a look that sees nothing counts as.
    private static let nothing = -3.0
    /// What is seen elsewhere is something else.
    private static let overlap = 0.35
    /// How quickly confidence grows with the mean.
    private static let gain = 2.0

    private let ofSmall: [Look]
    private let ofLarge: [Look]

    init(sparse: LazyFaceNetwork, shortRange: LazyFaceNetwork) {
        ofSmall = [28, 18].map { Look(network: sparse, height: $0) }
        ofLarge =
            [44, 64].map { Look(network: shortRange, height: $0) } + [28, 36].map { Look(network: sparse, height: $0) }
    }

    /// - Parameters:
    ///   - candidate: from the picture's corner, as `FaceCandidate.box`.
    ///   - isKnown: it was a face before, so that half the looks are enough.
    /// - Returns: nil where none of them sees anything.
    func judgement(of candidate: Box, in source: FaceSource, isKnown: Bool) throws -> Judgement? {
        let expected = FaceCandidate.tight(candidate)
        let height = max(candidate.width, candidate.height)
        guard height >= Self.least else { return nil }
        // The mean that counts as a half: of small faces the networks are less sure.
        let middle = height < Self.small ? -0.35 : -0.1
        var looks = height < Self.small ? ofSmall : ofLarge
        if isKnown { looks.removeLast(looks.count / 2) }
        var (sum, weights) = (0.0, 0.0)
        var box = Box(x: 0, y: 0, width: 0, height: 0)
        for look in looks {
            let network = try look.network.loaded()
            let view = FaceView(center: candidate.center, side: Double(network.side) / look.height * height)
            guard view.isUsable else { return nil }
            let seen = try network.candidates(
                try source.pixels(of: view, side: network.side), of: view, minimumScore: Self.faintest)
            guard let best = seen.first(where: { $0.tightBox.intersectionOverUnion(expected) > Self.overlap }) else {
                sum += Self.nothing
                continue
            }
            sum += log(best.score / (1 - best.score))
            weights += best.score
            box = box.sum(best.tightBox, weight: best.score)
        }
        guard weights > 0 else { return nil }
        return Judgement(
            confidence: 1 / (1 + exp(-Self.gain * (sum / Double(looks.count) - middle))),
            box: Box(x: box.x / weights, y: box.y / weights, width: box.width / weights, height: box.height / weights))
    }

    private static let faintest = 1 / (1 + exp(-nothing))
}

extension Box {
    fileprivate func sum(_ other: Box, weight: Double) -> Box {
        Box(
            x: x + weight * other.x, y: y + weight * other.y, width: width + weight * other.width,
            height: height + weight * other.height)
    }
}
