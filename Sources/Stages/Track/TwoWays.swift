internal import Annotate

/// Joins two looks at one object: by a tracker that came from a place before, and by one that came from a place behind.
///
/// Where they agree, both count: each by how sure it is and how near to its own place. Where they don't, one of them has
/// strayed, and a tracker that has strayed rarely comes back: the first is believed up to one frame, the second from there on,
/// the frame that leaves most of nearness and sureness on the side that is believed.
enum TwoWays {
    struct Sighting {
        /// How far along the way from the one place to the other, 0…1.
        var share: Double
        var forward: TrackedObject
        var backward: TrackedObject
    }

    /// Intersection over union from which on two boxes are one object.
    private static let agreement = 0.5

    /// - Parameter sightings: In the video's order.
    static func meet(_ sightings: [Sighting]) -> [TrackedObject] {
        let handover = handover(sightings)
        var wasLost = false
        return sightings.enumerated().map { index, sighting in
            var object = object(sighting, isBefore: index < handover)
            if object.state.isInSight, wasLost { object.state = .recovered }
            wasLost = !object.state.isInSight
            return object
        }
    }

    private static func object(_ sighting: Sighting, isBefore: Bool) -> TrackedObject {
        let (forward, backward) = (sighting.forward, sighting.backward)
        switch (forward.state.isInSight, backward.state.isInSight) {
        case (false, false):
            return TrackedObject(
                box: forward.box, confidence: max(forward.confidence, backward.confidence), state: .lost)
        case (true, false): return forward.settled
        case (false, true): return backward.settled
        case (true, true):
            guard agree(sighting) else { return (isBefore ? forward : backward).settled }
            return mean(sighting)
        }
    }

    private static func agree(_ sighting: Sighting) -> Bool {
        sighting.forward.box.intersectionOverUnion(sighting.backward.box) >= agreement
    }

    private static func mean(_ sighting: Sighting) -> TrackedObject {
        let (a, b) = (sighting.forward, sighting.backward)
        let (wa, wb) = weights(sighting)
        let part = wa + wb > 0 ? wb / (wa + wb) : sighting.share
        func between(_ x: Double, _ y: Double) -> Double { x + (y - x) * part }
        return TrackedObject(
            box: Box(
                x: between(a.box.x, b.box.x), y: between(a.box.y, b.box.y),
                width: between(a.box.width, b.box.width), height: between(a.box.height, b.box.height)),
            confidence: between(a.confidence, b.confidence),
            state: a.state == .predicted && b.state == .predicted ? .predicted : .tracked)
    }

    /// What each side's look is worth.
    private static func weights(_ sighting: Sighting) -> (forward: Double, backward: Double) {
        func weight(_ object: TrackedObject, _ nearness: Double) -> Double {
            object.state.isInSight ? object.confidence * nearness : 0
        }
        return (weight(sighting.forward, 1 - sighting.share), weight(sighting.backward, sighting.share))
    }

    /// The first frame on which the second tracker is believed.
    private static func handover(_ sightings: [Sighting]) -> Int {
        let gains = sightings.map { sighting in
            if agree(sighting) { return 0.0 }
            let (forward, backward) = weights(sighting)
            return forward - backward
        }
        var (sum, best, place) = (0.0, 0.0, 0)
        for (index, gain) in gains.enumerated() {
            sum += gain
            if sum > best { (best, place) = (sum, index + 1) }
        }
        return place
    }
}

extension TrackedObject {
    /// Without what only its own tracker can mean: found again after a loss that the other one may not have had.
    fileprivate var settled: TrackedObject {
        var settled = self
        if state == .recovered { settled.state = .tracked }
        return settled
    }
}
