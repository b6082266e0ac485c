/// A pair: what two files say of one thing in one frame.
struct ObservationPair {
    /// The thing, over all frames: its stage, kind and tracks; without any, all that have none and are said of the same are one.
    struct Key: Hashable, Comparable {
        var stageKind: StageKind
        var old: Int?
        var new: Int?
        /// What it is said of.
        var subject: String?

        static func < (a: Key, b: Key) -> Bool {
            // What has no track comes last.
            (a.stageKind, a.old ?? .max, a.new ?? .max, a.subject ?? "")
                < (b.stageKind, b.old ?? .max, b.new ?? .max, b.subject ?? "")
        }
    }

    var key: Key
    var old: Observation?
    var new: Observation?
}

/// Pairs the observations of a frame, once it is known which track is which.
struct ObservationPairs {
    /// For each track of the old file, that of the new one.
    private let newOf: [Int: Int]
    private let oldOf: [Int: Int]

    init(tracks: [Int: Int]) {
        newOf = tracks
        oldOf = Dictionary(uniqueKeysWithValues: tracks.map { ($1, $0) })
    }

    /// Whether the two are about the same track, or about none.
    func areAboutTheSame(_ old: Observation, _ new: Observation) -> Bool {
        old.about.flatMap { newOf[$0.number] } == new.about?.number && (old.about == nil) == (new.about == nil)
    }

    func of(_ frame: FramePair) -> [ObservationPair] {
        var byKey: [ObservationPair.Key: (old: [Observation], new: [Observation])] = [:]
        for observation in frame.old?.observations ?? [] {
            let number = observation.track?.number
            let key = ObservationPair.Key(
                stageKind: StageKind(observation), old: number, new: number.flatMap { newOf[$0] },
                subject: observation.finding.base.subject)
            byKey[key, default: ([], [])].old.append(observation)
        }
        for observation in frame.new?.observations ?? [] {
            let number = observation.track?.number
            let key = ObservationPair.Key(
                stageKind: StageKind(observation), old: number.flatMap { oldOf[$0] }, new: number,
                subject: observation.finding.base.subject)
            byKey[key, default: ([], [])].new.append(observation)
        }
        return byKey.sorted { $0.key < $1.key }.flatMap { key, sides in
            pair(sides.old, sides.new).map { ObservationPair(key: key, old: $0, new: $1) }
        }
    }

    /// A track has one observation in a frame; of what has none, those that are the most alike are the same.
    private func pair(_ olds: [Observation], _ news: [Observation]) -> [(Observation?, Observation?)] {
        if olds.count <= 1, news.count <= 1, olds.first?.track != nil || news.first?.track != nil {
            return [(olds.first, news.first)]
        }
        let rows = olds.map { old in
            news.enumerated().compactMap { index, new in
                weight(old, new).map { (column: index, weight: $0) }
            }
        }
        let columns = SparseAssignment.solve(rows)
        let taken = Set(columns.compactMap(\.self))
        return zip(olds, columns).map { ($0, $1.map { news[$0] }) }
            + news.indices.filter { !taken.contains($0) }.map { (nil, news[$0]) }
    }

    /// Likeness of two; nil where they can't be the same.
    private func weight(_ old: Observation, _ new: Observation) -> Double? {
        let (id, other) = (old.finding.base.identity, new.finding.base.identity)
        guard id == other, areAboutTheSame(old, new) else { return nil }
        let likeness = old.likeness(to: new)
        // Two that have no place, or carry one number, may be the same whatever they are called.
        let canDiffer = id != nil || old.about != nil || old.bounds == nil && new.bounds == nil
        guard likeness > 0 || canDiffer else { return nil }
        return likeness + 1e-6 + (old.fullName == new.fullName ? 1e-3 : 0)
    }
}
