/// What becomes of a line that is to be hidden and may be elsewhere than it was followed to: letters that go at once
/// leave the ground that they stood on, which is followed as well as they were and looks half as it did with them.
///
/// So a cover never follows a line alone: where it looks less like itself the picture is searched at once, and where
/// the network then sees no line in its place it is lost, to be looked for wherever it went.
extension NetworkTextTracking {
    /// Least likeness to itself of a line that is to be hidden and is where it was followed to, whatever its ground.
    private static let surelyAlike = 0.85
    /// By how much less a line looks like itself than at the last look at which the network saw it there, of one that
    /// something stands before.
    private static let otherwise = 0.1
    /// Least likeness of one that the network misses: nothing has changed in its place but noise.
    private static let unchanged = 0.93
    /// Least share of a line that is seen where it is, and of a piece that is its own.
    private static let (seen, own) = (0.6, 0.8)
    /// How many times as high as a line a piece of it is.
    private static let heights = 0.6...1.7
    /// Seconds for which a line that is missed is looked for, and in every picture at first.
    private static let (hunt, eagerHunt) = (0.3, 0.13)
    /// The most letters by which two readings of one line differ, of the longer one's; and how long the line may have
    /// been gone, seconds.
    private static let (misread, gone) = (0.34, 0.5)

    /// Whether a line that was followed may be elsewhere, by how much it looks like itself.
    static func isDoubtful(_ known: Known, likeness: Double) -> Bool {
        likeness < min(surelyAlike, known.agreed - otherwise)
    }

    /// In how many pictures a line that says something and hasn't been missed for long is looked for: each, or every
    /// other; nil where none is.
    func hunt(at seconds: Double) -> Int? {
        let gaps = book.tracks.compactMap {
            $0.number != nil && $0.isMissed && !$0.isSeen ? seconds - $0.lastSeen : nil
        }
        guard let least = gaps.min(), least <= Self.hunt else { return nil }
        return least <= Self.eagerHunt ? 1 : 2
    }

    /// The track of a line that was lost elsewhere a moment ago and says nearly the same: what moves fast is read
    /// otherwise each time, and is one thing.
    func gone(_ reading: TextReading, in line: TextRegion, at seconds: Double) -> Int? {
        let text = Self.folded(reading.text)
        let likely = book.tracks.indices.compactMap { index -> (index: Int, distance: Int)? in
            let other = book.tracks[index]
            guard other.number != nil, !other.isSeen, seconds - other.lastSeen <= Self.gone,
                let told = other.thing.reading?.text,
                Self.heights.contains(line.height / max(other.thing.height, 1e-6)),
                other.thing.center.distance(to: line.center) > 0.5 * line.height
            else { return nil }
            let folded = Self.folded(told)
            let distance = editDistance(text, folded)
            guard Double(distance) <= Self.misread * Double(max(text.count, folded.count)) else { return nil }
            return (index, distance)
        }
        return likely.min { ($0.distance, $0.index) < ($1.distance, $1.index) }?.index
    }

    /// Lines of those followed that the network sees where they are, or that look just as they did; the tracks of the
    /// others are lost.
    /// - Parameter parts: In which it has looked; nil for all of the picture.
    mutating func agreed(
        _ followed: [(index: Int, known: Known)], with regions: [TextRegion], within parts: [FramePart]?
    ) -> [(index: Int, known: Known)] {
        let seen = regions.map { ($0, ConvexPolygon($0.polygon)) }
        return followed.compactMap { index, known in
            guard book.tracks[index].number != nil else { return (index, known) }
            if let parts, !parts.contains(where: { known.detected.polygon.allSatisfy($0.contains) }) {
                return (index, known)
            }
            var known = known
            if Self.isSeen(known.detected, in: seen) {
                known.agreed = min(known.agreed, known.likeness)
                return (index, known)
            }
            return known.likeness >= Self.unchanged && !known.isDoubtful ? (index, known) : nil
        }
    }

    /// Whether regions hold most of a line, or one is a piece of it.
    private static func isSeen(_ line: TextRegion, in regions: [(TextRegion, ConvexPolygon)]) -> Bool {
        let place = ConvexPolygon(line.polygon)
        var held = 0.0
        for (region, polygon) in regions where heights.contains(region.height / max(line.height, 1e-6)) {
            let common = place.intersection(polygon).area
            if common >= own * polygon.area { return true }
            held += common
        }
        return held >= seen * place.area
    }
}
