import Annotate

/// CLEAR MOT (Bernardin and Stiefelhagen 2008), as TrackEval's `CLEAR` counts: frame by frame, who was paired in the frame
/// before stays paired.
struct ClearTally: Sendable {
    private(set) var right = 0
    private(set) var wrong = 0
    private(set) var missed = 0
    private(set) var switches = 0
    private(set) var fragments = 0
    private(set) var overlap = 0.0
    /// Tracks of the truth that were followed for over 80 %, and for under 20 %.
    private(set) var mostlyTracked = 0
    private(set) var mostlyLost = 0
    private(set) var tracks = 0
    private var clips = 0

    private static let threshold = 0.5

    init() {}

    init(_ clip: TrackedClip) {
        (tracks, clips) = (clip.truthCounts.count, 1)
        guard clip.foundBoxes > 0, clip.truthBoxes > 0 else {
            (wrong, missed, mostlyLost) = (clip.foundBoxes, clip.truthBoxes, tracks)
            return
        }
        var (last, before) = ([Int?](repeating: nil, count: tracks), [Int?](repeating: nil, count: tracks))
        var (matched, fragmented) = ([Int](repeating: 0, count: tracks), [Int](repeating: 0, count: tracks))
        for frame in clip.frames {
            guard !frame.truth.isEmpty, !frame.found.isEmpty else {
                wrong += frame.found.count
                missed += frame.truth.count
                continue
            }
            let pairs = frame.assignment { index in
                let pair = frame.overlaps[index]
                guard pair.overlap >= Self.threshold - Double.ulpOfOne else { return 0 }
                return pair.overlap + (before[frame.truth[pair.truth]] == frame.found[pair.found] ? 1000 : 0)
            }
            var now = [Int?](repeating: nil, count: tracks)
            for pair in pairs {
                let (truth, found) = (frame.truth[pair.truth], frame.found[pair.found])
                if let known = last[truth], known != found { switches += 1 }
                (last[truth], now[truth]) = (found, found)
                matched[truth] += 1
                overlap += pair.overlap
            }
            for track in 0..<tracks where before[track] == nil && now[track] != nil { fragmented[track] += 1 }
            before = now
            right += pairs.count
            missed += frame.truth.count - pairs.count
            wrong += frame.found.count - pairs.count
        }
        for track in 0..<tracks {
            let share = Double(matched[track]) / Double(clip.truthCounts[track])
            if share > 0.8 { mostlyTracked += 1 } else if share < 0.2 { mostlyLost += 1 }
            fragments += max(0, fragmented[track] - 1)
        }
    }

    mutating func add(_ other: ClearTally) {
        (right, wrong, missed) = (right + other.right, wrong + other.wrong, missed + other.missed)
        (switches, fragments, tracks) = (switches + other.switches, fragments + other.fragments, tracks + other.tracks)
        (mostlyTracked, mostlyLost) = (mostlyTracked + other.mostlyTracked, mostlyLost + other.mostlyLost)
        overlap += other.overlap
        clips += other.clips
    }

    /// Multiple object tracking accuracy, up to 1; below 0 where more is wrong than right.
    /// One clip in which there is nothing has 0, as TrackEval has it, whatever was found there; of several each false one counts.
    var accuracy: Double {
        clips == 1 && right + missed == 0 ? 0 : Double(right - wrong - switches) / Double(max(1, right + missed))
    }
    /// Multiple object tracking precision: the mean overlap of pairs, 0…1.
    var precision: Double { overlap / Double(max(1, right)) }
}

/// Identity figures (Ristani and others 2016), as TrackEval's `Identity` and motmetrics count: tracks are paired over the whole
/// clip.
struct IdentityTally: Sendable {
    private(set) var right = 0
    private(set) var wrong = 0
    private(set) var missed = 0

    init() {}

    init(_ clip: TrackedClip) {
        var counts: [TrackedClip.Pair: Int] = [:]
        for frame in clip.frames {
            for pair in frame.overlaps where pair.overlap >= 0.5 {
                counts[.init(truth: frame.truth[pair.truth], found: frame.found[pair.found]), default: 0] += 1
            }
        }
        var rows = [[(column: Int, weight: Double)]](repeating: [], count: clip.truthCounts.count)
        for (pair, count) in counts.sorted(by: { $0.key < $1.key }) {
            rows[pair.truth].append((pair.found, Double(count)))
        }
        for (truth, found) in SparseAssignment.solve(rows).enumerated() {
            if let found { right += counts[.init(truth: truth, found: found)] ?? 0 }
        }
        (missed, wrong) = (clip.truthBoxes - right, clip.foundBoxes - right)
    }

    mutating func add(_ other: IdentityTally) {
        (right, wrong, missed) = (right + other.right, wrong + other.wrong, missed + other.missed)
    }

    var f1: Double { Double(right) / max(1, Double(right) + 0.5 * Double(wrong + missed)) }
    var precision: Double { Double(right) / Double(max(1, right + wrong)) }
    var recall: Double { Double(right) / Double(max(1, right + missed)) }
}
