/// Gives detections of one stage their tracks, frame by frame: pairs each with the nearest thing of the same name that
/// was seen lately, wherever it was going.
///
/// A thing's track ends when it has been missed and not seen for `memory` seconds. It gets its number when it has been seen
/// `confirmation` times.
package struct Association {
    /// A candidate to be paired: where it is, and which things can be the same at all.
    package struct Candidate: PolygonTrackable {
        /// Only candidates of one name can be the same thing.
        package var name: Int
        package var polygon: [Point]

        package init(name: Int, polygon: [Point]) { (self.name, self.polygon) = (name, polygon) }

        /// The mean length of a side.
        package var side: Double {
            let sides = polygon.indices.map { polygon[$0].distance(to: polygon[($0 + 1) % polygon.count]) }
            return sides.reduce(0, +) / Double(max(1, sides.count))
        }
    }

    /// The match of a detection.
    package struct Match {
        /// Number of the track; nil until it is confirmed.
        package var track: Int?
    }

    /// Longest way that a thing may go in a second, pixels.
    private let reach: Double
    private var book: TrackBook<Candidate>

    package init(memory: Double, confirmation: Int, width: Int, height: Int) {
        reach = Point(Double(width), Double(height)).length
        var policy = TrackPolicy(memory: memory, confirmation: confirmation)
        policy.outlastsOneMiss = true
        policy.remembersUnconfirmed = true
        policy.trustedMotion = 0
        book = TrackBook(policy)
    }

    /// Pairs one frame's detections with the things known. Call once a frame, in order.
    package mutating func match(_ candidates: [Candidate], at seconds: Double) -> [Match] {
        book.advance(to: seconds)
        let trackOf = book.pair(candidates) { track, _, candidate in
            let (known, gap) = (track.thing, seconds - track.lastSeen)
            if known.name != candidate.name || track.isMissed && gap > book.policy.memory { return nil }
            let distance = candidate.center.distance(to: known.center)
            let ratio = candidate.side / max(known.side, 1e-6)
            let limit = max(candidate.side, known.side) + reach * gap
            return distance <= limit && (0.4...2.5).contains(ratio) ? distance : nil
        }
        defer { book.settle() }
        return zip(candidates, trackOf).map { candidate, known in
            let index = book.see(candidate, as: known)
            return Match(track: book.tracks[index].number)
        }
    }
}
