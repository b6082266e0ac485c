/// Finds which track of one file is which of the other: gathers, frame by frame, how they lie on one another, then pairs
/// them.
///
/// What it keeps grows with the tracks and with those that ever met, not with the frames.
struct TrackMatcher: Sendable {
    /// Traits by which a track is recognised.
    private struct Traits {
        var stageKind: StageKind
        var region: String?
        var identity: Int?
        var name: String?

        mutating func add(_ observation: Observation) {
            region = region ?? observation.region
            identity = identity ?? observation.finding.base.identity
            name = name ?? observation.label
        }
    }

    private struct Meeting: Hashable {
        var old: Int
        var new: Int
    }

    private var old: [Int: Traits] = [:]
    private var new: [Int: Traits] = [:]
    /// Sums of intersection over union over the frames.
    private var overlaps: [Meeting: Double] = [:]

    mutating func add(_ frame: FramePair) {
        let olds = Self.tracked(frame.old)
        let news = Self.tracked(frame.new)
        for (number, observation) in olds { Self.note(observation, of: number, in: &old) }
        for (number, observation) in news { Self.note(observation, of: number, in: &new) }
        for (a, one) in olds where one.isInSight {
            for (b, other) in news where other.isInSight && StageKind(one) == StageKind(other) {
                let overlap = one.likeness(to: other)
                if overlap > 0 { overlaps[Meeting(old: a, new: b), default: 0] += overlap }
            }
        }
    }

    private static func tracked(_ frame: FrameRecord?) -> [(Int, Observation)] {
        (frame?.observations ?? []).compactMap { observation in observation.track.map { ($0.number, observation) } }
    }

    private static func note(_ observation: Observation, of number: Int, in all: inout [Int: Traits]) {
        all[number, default: Traits(stageKind: StageKind(observation))].add(observation)
    }

    /// Which track of the new file each of the old one is.
    ///
    /// Tracks of one region are the same first, then those that carry the same number, then those that lie on one another
    /// most, over all frames together.
    var pairs: [Int: Int] {
        var pairs: [Int: Int] = [:]
        pair(&pairs) { $0.region == nil ? nil : "region \($0.region ?? "")" }
        pair(&pairs) { traits in traits.identity.map { "id \($0)" } }
        // What carries a number is nothing that carries another one.
        pair(&pairs, needsOverlap: true) { $0.identity == nil ? "" : nil }
        return pairs
    }

    /// Pairs those that are left, of one stage, kind and key.
    private func pair(_ pairs: inout [Int: Int], needsOverlap: Bool = false, by key: (Traits) -> String?) {
        struct Group: Hashable {
            var stageKind: StageKind
            var key: String
        }
        func groups(_ all: [Int: Traits], without taken: Set<Int>) -> [Group: [Int]] {
            var groups: [Group: [Int]] = [:]
            for (number, traits) in all.sorted(by: { $0.key < $1.key }) where !taken.contains(number) {
                if let key = key(traits) {
                    groups[Group(stageKind: traits.stageKind, key: key), default: []].append(number)
                }
            }
            return groups
        }
        let olds = groups(old, without: Set(pairs.keys))
        let news = groups(new, without: Set(pairs.values))
        let met = Dictionary(grouping: overlaps.keys, by: \.old)
        for (group, rows) in olds {
            guard let columns = news[group] else { continue }
            let places = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
            let weights = rows.map { row -> [(column: Int, weight: Double)] in
                let known = needsOverlap ? (met[row] ?? []).map(\.new).sorted() : columns
                return known.compactMap { column in
                    places[column].map { ($0, weight(row, column)) }
                }
            }
            for (row, column) in zip(rows, SparseAssignment.solve(weights)) {
                if let column { pairs[row] = columns[column] }
            }
        }
    }

    /// Weight of a pair: of tracks that overlap alike those of one name, then of one number.
    private func weight(_ a: Int, _ b: Int) -> Double {
        (overlaps[Meeting(old: a, new: b)] ?? 0) + 1e-9 + (old[a]?.name == new[b]?.name ? 1e-6 : 0)
            + (a == b ? 1e-7 : 0)
    }
}

extension Observation {
    /// The likeness of two observations, 0…1: intersection over union, of masks where both have some, else of boxes;
    /// for what has joints alone how near these are; for what has no place whether it has the same name.
    func likeness(to other: Observation) -> Double {
        if let mask, let others = other.mask { return mask.intersectionOverUnion(others) }
        if bounds == nil, other.bounds == nil, let near = jointSimilarity(to: other, nil) { return near }
        if let bounds, let others = other.bounds { return bounds.intersectionOverUnion(others) }
        return bounds == nil && other.bounds == nil && name == other.name ? 1 : 0
    }
}
