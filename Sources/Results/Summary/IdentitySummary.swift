/// The sightings of what carries one number, under several tracks, in a track file's last line: its gaps are the
/// thing's, as an expectation judges them.
public struct IdentitySummary: Record, Hashable {
    /// Id of the stage that saw it.
    public var stage = ""
    /// Kind of the thing.
    public var kind = ""
    /// The number that it carries.
    public var id = 0
    /// Numbers of its tracks.
    public var tracks: [Int] = []
    /// Frames in which it was measured.
    public var seen = 0
    /// Frames between its first and its last one in which it was not in sight.
    public var lost = 0
    /// First and last frame of each run of frames with it in sight.
    public var spans: [[Int]] = []
    /// The longest time without it between two frames with it, seconds; 0 for none.
    public var longestGap = 0.0

    public init() {}

    public static let fields: [Field<IdentitySummary>] = [
        Field("stage", \.stage, .text(.identifier), doc: "The stage that saw it."),
        Field("kind", \.kind, .text(), doc: "What kind of thing."),
        Field("id", \.id, .integer(0...Int.mostCounted), doc: "The number that it carries."),
        Field("tracks", \.tracks, .list(.integer(1...Int.mostCounted)), doc: "Its tracks."),
        Field("seen", \.seen, .integer(0...Int.mostCounted), doc: "Frames in which it was measured."),
        Field(
            "lost", \.lost, .integer(0...Int.mostCounted),
            doc: "Frames between its first and its last one in which it was not in sight."),
        Field(
            "spans", \.spans, .list(.list(.integer(0...Int.mostCounted), count: 2...2)),
            doc: "[first, last] of each run of frames with it in sight."),
        Field(
            "longestGap", \.longestGap, .number(Bounds(0), decimals: 6), unit: "s",
            doc: "The longest time without it between two frames with it; 0 for none."),
    ]

    /// What this says otherwise than the frames do; nil for nothing.
    package func difference(from frames: IdentitySummary) -> String? {
        var (a, b) = (self, frames)
        (a.longestGap, b.longestGap) = (0, 0)
        guard a != b || abs(longestGap - frames.longestGap) > 1e-5 else { return nil }
        return "the summary says of the id \(id) of “\(stage)” what the frames don't"
    }
}

/// Gathers what carries numbers.
struct IdentityBook: Sendable {
    private struct Key: Hashable, Comparable {
        var stage: String
        var kind: String
        var id: Int

        static func < (a: Key, b: Key) -> Bool { (a.stage, a.kind, a.id) < (b.stage, b.kind, b.id) }
    }

    private var sightings = SightingBook<Key>()
    private var tracks: [Key: Set<Int>] = [:]
    private var seen: [Key: Int] = [:]

    mutating func add(_ observations: [Observation], at moment: Moment) {
        var (inSight, measured): (Set<Key>, Set<Key>) = ([], [])
        for observation in observations where observation.isInSight {
            guard let id = observation.finding.base.identity, let track = observation.track?.number else { continue }
            let key = Key(stage: observation.stage, kind: observation.kind, id: id)
            inSight.insert(key)
            if observation.isMeasured { measured.insert(key) }
            tracks[key, default: []].insert(track)
        }
        sightings.add(inSight, at: moment)
        for key in measured { seen[key, default: 0] += 1 }
    }

    /// Those that had several tracks: of others the track says it.
    var summaries: [IdentitySummary] {
        tracks.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { key, tracks in
            var summary = IdentitySummary()
            (summary.stage, summary.kind, summary.id) = (key.stage, key.kind, key.id)
            summary.tracks = tracks.sorted()
            let sightings = sightings[key]
            (summary.seen, summary.lost) = (seen[key] ?? 0, sightings.missed)
            summary.spans = sightings.spans.map { [$0.lowerBound, $0.upperBound] }
            summary.longestGap = sightings.longestGap
            return summary
        }
    }
}
