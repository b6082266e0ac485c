/// Joins two looks at one object: by a tracker that came from a place before, and by one that came from a place behind.
///
/// Where they agree, both count: each by how sure it is and how near to its own place. Where they don't, one of them has
/// strayed. Who still disagrees at the other's place has not found back: the other is believed all along. Else the first is
/// believed up to one frame and the second from there on, the frame that leaves most of nearness and sureness on the sides
/// that are believed.
enum ForwardBackward {
    struct Sighting {
        /// Share of the way from the one place to the other, 0…1.
        var share: Double
        var forward: TrackedObject
        var backward: TrackedObject
    }

    /// Intersection over union from which on two boxes are one object.
    private static let agreement = 0.5
    /// Least frames in a row that are more than two paths that cross.
    private static let lasting = 3

    /// - Parameter sightings: In the video's order.
    static func meet(_ sightings: [Sighting]) -> [TrackedObject] {
        var isForward = sightings.map { _ in true }
        for run in disagreements(sightings) {
            let handover = handover(sightings, run)
            for index in run { isForward[index] = index < handover }
        }
        var wasLost = false
        return zip(sightings, isForward).map { sighting, isForward in
            var object = object(sighting, isForward: isForward)
            if object.state.isInSight, wasLost { object.state = .recovered }
            wasLost = !object.state.isInSight
            return object
        }
    }

    private static func object(_ sighting: Sighting, isForward: Bool) -> TrackedObject {
        let (forward, backward) = (sighting.forward, sighting.backward)
        switch (forward.state.isInSight, backward.state.isInSight) {
        case (false, false):
            return TrackedObject(
                box: forward.box, confidence: max(forward.confidence, backward.confidence), state: .lost)
        case (true, false): return forward.settled
        case (false, true): return backward.settled
        case (true, true):
            guard agree(sighting) else { return (isForward ? forward : backward).settled }
            return mean(sighting)
        }
    }

    private static func agree(_ sighting: Sighting) -> Bool {
        sighting.forward.state.isInSight && sighting.backward.state.isInSight
            && sighting.forward.box.intersectionOverUnion(sighting.backward.box) >= agreement
    }

    private static func mean(_ sighting: Sighting) -> TrackedObject {
        let (a, b) = (sighting.forward, sighting.backward)
        let (wa, wb) = weights(sighting, sighting.share)
        let part = wa + wb > 0 ? wb / (wa + wb) : sighting.share
        func between(_ x: Double, _ y: Double) -> Double { x + (y - x) * part }
        return TrackedObject(
            box: Box(
                x: between(a.box.x, b.box.x), y: between(a.box.y, b.box.y),
                width: between(a.box.width, b.box.width), height: between(a.box.height, b.box.height)),
            confidence: between(a.confidence, b.confidence),
            state: a.state == .predicted && b.state == .predicted ? .predicted : .tracked)
    }

    /// Weights of both sides' looks.
    /// - Parameter share: How far it is from the first one's side to the second one's, 0…1.
    private static func weights(_ sighting: Sighting, _ share: Double) -> (forward: Double, backward: Double) {
        func weight(_ object: TrackedObject, _ nearness: Double) -> Double {
            object.state.isInSight ? object.confidence * nearness : 0
        }
        return (weight(sighting.forward, 1 - share), weight(sighting.backward, share))
    }

    /// The stretches between which they agree for longer.
    private static func disagreements(_ sightings: [Sighting]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var (start, agreed) = (0, 0)
        for index in 0...sightings.count {
            let isEnd = index == sightings.count
            if !isEnd, agree(sightings[index]) {
                agreed += 1
                continue
            }
            // Agreement that goes on to a place needn't last.
            if agreed >= lasting || agreed > 0 && (agreed == index || isEnd) {
                if start < index - agreed { runs.append(start..<index - agreed) }
                start = index
            }
            agreed = 0
        }
        if start < sightings.count { runs.append(start..<sightings.count) }
        return runs
    }

    /// The first frame of a disagreement on which the second tracker is believed.
    private static func handover(_ sightings: [Sighting], _ run: Range<Int>) -> Int {
        switch (run.lowerBound == 0, run.upperBound == sightings.count) {
        case (true, false): return run.upperBound
        case (false, true): return run.lowerBound
        default: break
        }
        var (sum, best, place) = (0.0, 0.0, run.lowerBound)
        for index in run where !agree(sightings[index]) {
            let share = Double(index - run.lowerBound + 1) / Double(run.count + 1)
            let (forward, backward) = weights(sightings[index], share)
            sum += forward - backward
            if sum > best { (best, place) = (sum, index + 1) }
        }
        return place
    }
}

extension TrackedObject {
    /// The object without what only its own tracker can mean: found again after a loss that the other one may not have
    /// had.
    fileprivate var settled: TrackedObject {
        var settled = self
        if state == .recovered { settled.state = .tracked }
        return settled
    }
}
