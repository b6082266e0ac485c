import Annotate

/// The things of one class in one clip with their tracks numbered from 0: what evaluators of tracking work on.
struct TrackedClip {
    struct Frame {
        var truth: [Int]
        var found: [Int]
        /// Overlaps over 0, by places in `truth` and `found`.
        var overlaps: [(truth: Int, found: Int, overlap: Double)]
    }

    /// A track of the truth and one that was found.
    struct Pair: Hashable, Comparable {
        var truth: Int
        var found: Int

        static func < (a: Pair, b: Pair) -> Bool { (a.truth, a.found) < (b.truth, b.found) }
    }

    private(set) var frames: [Frame] = []
    /// How many boxes each track has.
    private(set) var truthCounts: [Int] = []
    private(set) var foundCounts: [Int] = []

    /// - Parameter judged: In the order of time. Crowds are no tracks and are left out; what has no track is one of a
    ///   single frame.
    init(_ judged: [JudgedFrame]) {
        var (truths, founds): ([Int: Int], [Int: Int]) = ([:], [:])
        func number(_ thing: JudgedThing, _ known: inout [Int: Int], _ counts: inout [Int]) -> Int {
            if let track = thing.track, let number = known[track] {
                counts[number] += 1
                return number
            }
            if let track = thing.track { known[track] = counts.count }
            counts.append(1)
            return counts.count - 1
        }
        for frame in judged {
            let kept = frame.truth.indices.filter { !frame.truth[$0].isCrowd }
            let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
            frames.append(
                Frame(
                    truth: kept.map { number(frame.truth[$0], &truths, &truthCounts) },
                    found: frame.found.map { number($0, &founds, &foundCounts) },
                    overlaps: frame.overlaps.compactMap { pair in
                        places[pair.truth].map { ($0, pair.found, pair.overlap) }
                    }))
        }
    }

    var truthBoxes: Int { truthCounts.reduce(0, +) }
    var foundBoxes: Int { foundCounts.reduce(0, +) }
}

extension TrackedClip.Frame {
    /// The pairs that weigh the most together.
    /// - Parameter weight: Over 0 for a pair that may be; by its place in `overlaps`.
    func assignment(_ weight: (Int) -> Double) -> [(truth: Int, found: Int, overlap: Double)] {
        var rows = [[(column: Int, weight: Double)]](repeating: [], count: truth.count)
        for (index, pair) in overlaps.enumerated() {
            let weight = weight(index)
            if weight > 0 { rows[pair.truth].append((pair.found, weight)) }
        }
        return SparseAssignment.solve(rows).enumerated().compactMap { row, column in
            guard let column else { return nil }
            return overlaps.first { $0.truth == row && $0.found == column }
        }
    }
}
