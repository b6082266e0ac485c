internal import Annotate

/// Gives detections of one stage their tracks, frame by frame: pairs each with the nearest thing of the same name that
/// was seen lately.
///
/// A thing's track ends when it has been missed and not seen for `memory` seconds. It gets its number when it has been seen
/// `confirmation` times.
struct Association {
    /// What is paired: where it is, and which things can be the same at all.
    struct Candidate {
        /// Only candidates of one name can be the same thing.
        var name: Int
        var polygon: [Point]

        var center: Point { polygon.reduce(Point(0, 0), +) * (1 / Double(max(1, polygon.count))) }
        /// The mean length of a side.
        var side: Double {
            let sides = polygon.indices.map { polygon[$0].distance(to: polygon[($0 + 1) % polygon.count]) }
            return sides.reduce(0, +) / Double(max(1, sides.count))
        }
    }

    /// What a detection was found to be.
    struct Match {
        /// nil until it is confirmed.
        var track: Int?
        /// The thing's corners when it was seen last; nil for a new one.
        var lastPolygon: [Point]?
    }

    private struct Thing {
        var candidate: Candidate
        var lastSeen: Double
        var sightings: Int
        var track: Int?
    }

    private let memory: Double
    private let confirmation: Int
    /// The longest way that a thing may go in a second, pixels.
    private let reach: Double
    private var things: [Thing] = []
    private var tracks = 0
    private var lastCall = -Double.infinity

    init(memory: Double, confirmation: Int, width: Int, height: Int) {
        self.memory = memory
        self.confirmation = confirmation
        let (w, h) = (Double(width), Double(height))
        reach = (w * w + h * h).squareRoot()
    }

    /// Pairs one frame's detections with the things known. Call once a frame, in order.
    mutating func match(_ candidates: [Candidate], at seconds: Double) -> [Match] {
        // What was seen at the last call is remembered however long ago that was: frames may be far apart.
        let last = lastCall
        things.removeAll { seconds - $0.lastSeen > memory && $0.lastSeen < last }
        lastCall = seconds
        var pairs: [(distance: Double, candidate: Int, thing: Int)] = []
        for (c, candidate) in candidates.enumerated() {
            for (t, thing) in things.enumerated() where thing.candidate.name == candidate.name {
                let distance = candidate.center.distance(to: thing.candidate.center)
                let ratio = candidate.side / max(thing.candidate.side, 1e-6)
                let gap = seconds - thing.lastSeen
                let limit = max(candidate.side, thing.candidate.side) + reach * gap
                if distance <= limit, (0.4...2.5).contains(ratio) { pairs.append((distance, c, t)) }
            }
        }
        // Nearest first; ties by order, so that the result is the same every time.
        pairs.sort { ($0.distance, $0.candidate, $0.thing) < ($1.distance, $1.candidate, $1.thing) }
        var thingOf = [Int?](repeating: nil, count: candidates.count)
        var taken = Set<Int>()
        for pair in pairs where thingOf[pair.candidate] == nil && !taken.contains(pair.thing) {
            thingOf[pair.candidate] = pair.thing
            taken.insert(pair.thing)
        }
        return candidates.indices.map { index in
            let candidate = candidates[index]
            guard let known = thingOf[index] else {
                things.append(Thing(candidate: candidate, lastSeen: seconds, sightings: 1, track: nil))
                return Match(track: confirm(things.count - 1), lastPolygon: nil)
            }
            let last = things[known].candidate.polygon
            things[known].candidate = candidate
            things[known].lastSeen = seconds
            things[known].sightings += 1
            return Match(track: confirm(known), lastPolygon: last)
        }
    }

    /// Remembers the corners in the order in which they are given out.
    private mutating func confirm(_ thing: Int) -> Int? {
        if things[thing].track == nil, things[thing].sightings >= confirmation {
            tracks += 1
            things[thing].track = tracks
        }
        return things[thing].track
    }
}
