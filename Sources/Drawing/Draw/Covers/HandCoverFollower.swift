/// Follows what covers by hand follow: finds their things among each picture's observations.
package struct HandCoverFollower {
    /// In the picture's pixels.
    package let covers: [HandCover]
    /// Of those that a thing takes along: where that was when the cover's place was said to be there.
    private var anchors: [Box?]
    /// Whether each one's thing was seen within its time.
    private(set) var isSeen: [Bool]
    private let pauses: [String: Double]

    /// - Parameter pauses: How long stages don't look, seconds, by their ids.
    package init(_ covers: [HandCover], pauses: [String: Double] = [:]) {
        (self.covers, self.pauses) = (covers, pauses)
        anchors = covers.map { _ in nil }
        isSeen = covers.map { _ in false }
    }

    /// Whether one of them hides something.
    var hides: Bool { covers.contains { $0.follows && !$0.isException } }

    /// How far ahead it must be known what they follow, seconds.
    var lookahead: Double { pauses.values.map(LookPauses.reach).reduce(HandCover.gap, max) }

    /// What is to be covered in such a picture, by stages' styles and by hand.
    mutating func claims(
        from time: Double, until end: Double, _ observations: [DrawnObservation]
    ) -> [CoverClaim] {
        var claims: [CoverClaim] = []
        for drawn in observations {
            let observation = drawn.observation
            var (exceptions, isLeft) = (Set<Int>(), false)
            for (index, cover) in covers.enumerated() where cover.isAbout(observation) {
                guard let box = observation.coverableBox else { continue }
                let holds = cover.holds(from: time, until: end)
                if holds { isSeen[index] = true }
                if cover.isException {
                    exceptions.insert(index)
                    isLeft = isLeft || holds
                    continue
                }
                guard let place = place(of: index, box, holds) else { continue }
                claims.append(
                    CoverClaim(
                        observation, place, style: cover.style, color: cover.color,
                        gap: max(HandCover.gap, LookPauses.reach(pauses[observation.stage] ?? 0)), hand: index))
            }
            guard var claim = CoverClaim(drawn) else { continue }
            (claim.exceptions, claim.isLeft) = (exceptions, isLeft)
            claims.append(claim)
        }
        return claims
    }

    /// What a stage doesn't see where the manifest says that it is: of that nobody knows more than that it is somewhere.
    func missing(in observations: [DrawnObservation]) -> Set<CoverClaim.Thing> {
        var missing: Set<CoverClaim.Thing> = []
        for drawn in observations where drawn.observation.isMissed && drawn.observation.region != nil {
            guard let track = drawn.observation.track?.number else { continue }
            if drawn.style?.cover != nil { missing.insert(CoverClaim.Thing(track: track)) }
            for (index, cover) in covers.enumerated() where !cover.isException && cover.isAbout(drawn.observation) {
                missing.insert(CoverClaim.Thing(track: track, hand: index))
            }
        }
        return missing
    }

    /// Where a cover is whose thing is at a box: as it lay to the thing when that was first seen within the cover's time.
    private mutating func place(of index: Int, _ thing: Box, _ holds: Bool) -> Box? {
        guard let own = covers[index].box else { return thing }
        if anchors[index] == nil, holds { anchors[index] = thing }
        guard let anchor = anchors[index], anchor.width > 0, anchor.height > 0 else { return nil }
        let scale = (x: thing.width / anchor.width, y: thing.height / anchor.height)
        return Box(
            x: thing.x + (own.x - anchor.x) * scale.x, y: thing.y + (own.y - anchor.y) * scale.y,
            width: own.width * scale.x, height: own.height * scale.y)
    }
}

extension Observation {
    /// Whether its stage looks for it in vain, and goes on to.
    fileprivate var isMissed: Bool { state == .lost || state == .predicted }
}

extension HandCover {
    /// Whether an observation is of the thing that it follows.
    fileprivate func isAbout(_ observation: Observation) -> Bool {
        follows && (track == nil || observation.track?.number == track)
            && (region == nil || observation.region == region)
    }
}
