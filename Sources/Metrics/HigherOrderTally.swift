import Annotate

/// Higher order tracking accuracy (Luiten and others 2020), as TrackEval's `HOTA` counts: for 19 overlaps from 0.05 to 0.95.
struct HigherOrderTally: Sendable {
    static let thresholds: [Double] = (0..<19).map { (index: Int) -> Double in 0.05 + Double(index) * 0.05 }

    private(set) var right = [Double](repeating: 0, count: 19)
    private(set) var wrong = [Double](repeating: 0, count: 19)
    private(set) var missed = [Double](repeating: 0, count: 19)
    /// How well tracks are joined, by how many boxes are right.
    private(set) var joined = [Double](repeating: 0, count: 19)
    /// Overlaps of what is right: their sum.
    private(set) var overlap = [Double](repeating: 0, count: 19)

    init() {}

    init(_ clip: TrackedClip) {
        guard clip.foundBoxes > 0, clip.truthBoxes > 0 else {
            missed = missed.map { _ in Double(clip.truthBoxes) }
            wrong = wrong.map { _ in Double(clip.foundBoxes) }
            return
        }
        let alignment = Self.alignment(of: clip)
        var matches: [TrackedClip.Pair: [Int]] = [:]
        for frame in clip.frames {
            let pairs =
                frame.truth.isEmpty || frame.found.isEmpty
                ? []
                : frame.assignment { index in
                    let pair = frame.overlaps[index]
                    let tracks = TrackedClip.Pair(truth: frame.truth[pair.truth], found: frame.found[pair.found])
                    return (alignment[tracks] ?? 0) * pair.overlap
                }
            for (index, threshold) in Self.thresholds.enumerated() {
                var count = 0.0
                for pair in pairs where pair.overlap >= threshold - Double.ulpOfOne {
                    let tracks = TrackedClip.Pair(truth: frame.truth[pair.truth], found: frame.found[pair.found])
                    matches[tracks, default: [Int](repeating: 0, count: Self.thresholds.count)][index] += 1
                    overlap[index] += pair.overlap
                    count += 1
                }
                right[index] += count
                missed[index] += Double(frame.truth.count) - count
                wrong[index] += Double(frame.found.count) - count
            }
        }
        for (pair, counts) in matches.sorted(by: { $0.key < $1.key }) {
            let all = Double(clip.truthCounts[pair.truth] + clip.foundCounts[pair.found])
            for (index, count) in counts.enumerated() where count > 0 {
                joined[index] += Double(count) * Double(count) / max(1, all - Double(count))
            }
        }
    }

    /// How much of two tracks is the same, over the whole clip.
    private static func alignment(of clip: TrackedClip) -> [TrackedClip.Pair: Double] {
        var common: [TrackedClip.Pair: Double] = [:]
        for frame in clip.frames {
            var truth = [Double](repeating: 0, count: frame.truth.count)
            var found = [Double](repeating: 0, count: frame.found.count)
            for pair in frame.overlaps {
                truth[pair.truth] += pair.overlap
                found[pair.found] += pair.overlap
            }
            for pair in frame.overlaps {
                let all = truth[pair.truth] + found[pair.found] - pair.overlap
                let tracks = TrackedClip.Pair(truth: frame.truth[pair.truth], found: frame.found[pair.found])
                if all > Double.ulpOfOne { common[tracks, default: 0] += pair.overlap / all }
            }
        }
        return Dictionary(
            uniqueKeysWithValues: common.map { pair, sum in
                (pair, sum / (Double(clip.truthCounts[pair.truth] + clip.foundCounts[pair.found]) - sum))
            })
    }

    mutating func add(_ other: HigherOrderTally) {
        for index in Self.thresholds.indices {
            right[index] += other.right[index]
            wrong[index] += other.wrong[index]
            missed[index] += other.missed[index]
            joined[index] += other.joined[index]
            overlap[index] += other.overlap[index]
        }
    }

    private func mean(_ value: (Int) -> Double) -> Double {
        Self.thresholds.indices.reduce(0) { $0 + value($1) } / Double(Self.thresholds.count)
    }

    private func found(at index: Int) -> Double {
        right[index] / max(1, right[index] + missed[index] + wrong[index])
    }
    private func association(at index: Int) -> Double { joined[index] / max(1, right[index]) }

    /// HOTA, the mean over the overlaps; 0…1, as the others.
    var accuracy: Double { mean { (found(at: $0) * association(at: $0)).squareRoot() } }
    /// DetA: how much is found.
    var detection: Double { mean(found(at:)) }
    /// AssA: how well it is joined.
    var association: Double { mean(association(at:)) }
    /// LocA: how exactly it lies on the truth.
    var localization: Double { mean { max(1e-10, overlap[$0]) / max(1e-10, right[$0]) } }
}
