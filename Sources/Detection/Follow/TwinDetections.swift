/// Detections of one frame that are of one thing, put together: what two detectors see, or one that suppresses class by class.
///
/// How far two boxes overlap doesn't tell a thing that is detected twice from two things one behind the other. What is
/// followed does: where one thing is, two detections are of it, and where two are, each has as many as it had while it was
/// alone.
struct TwinDetections {
    /// A thing that is followed.
    struct Known {
        /// Where it is expected.
        var box: Box
        /// How often it is detected in a frame, in the mean.
        var multiplicity: Double
    }

    /// Detections of one thing.
    struct Group {
        /// The surest one, with the look that shows most of the thing.
        var sighting: Sighting
        /// How many there are.
        var count = 1
        /// Places of the others among the frame's detections.
        var others: [Int] = []
        /// Whether more than one followed thing is there.
        var isCrowded = false
        /// The stages that they are of.
        fileprivate var sources: Set<String>
    }

    let model: FollowModel
    /// All things that are surely there.
    let known: [Known]

    /// - Returns: The groups, in the order of their surest detections.
    func groups(_ sightings: [Sighting]) -> [Group] {
        var groups = sightings.map { Group(sighting: $0, sources: [$0.source]) }
        var home = Array(sightings.indices)
        for pair in pairs(sightings) {
            let (a, b) = (home[pair.first], home[pair.second])
            guard a != b, areOne(groups[a], groups[b]) else { continue }
            // The surer one is told; of two as sure the first.
            let isFirst = (groups[a].sighting.score, b) > (groups[b].sighting.score, a)
            let (stays, goes) = isFirst ? (a, b) : (b, a)
            groups[stays].take(groups[goes])
            for place in home.indices where home[place] == goes { home[place] = stays }
        }
        return groups.indices.filter { home[$0] == $0 }.map { place in
            var group = groups[place]
            group.isCrowded = there(group.sighting.box, group.sighting.box).count > 1
            return group
        }
    }

    /// Pairs that may be of one thing, those that overlap most first.
    private func pairs(_ sightings: [Sighting]) -> [(first: Int, second: Int)] {
        var found: [(overlap: Double, first: Int, second: Int)] = []
        let least = min(model.twinOverlap, model.knownTwinOverlap)
        for (first, one) in sightings.enumerated() {
            for second in first + 1..<max(first + 1, sightings.count) {
                let overlap = one.box.intersectionOverUnion(sightings[second].box)
                if overlap > least { found.append((overlap, first, second)) }
            }
        }
        return found.sorted { ($1.overlap, $0.first, $0.second) < ($0.overlap, $1.first, $1.second) }
            .map { ($0.first, $0.second) }
    }

    private func areOne(_ one: Group, _ other: Group) -> Bool {
        let there = there(one.sighting.box, other.sighting.box)
        let times = there.map(\.multiplicity).max() ?? 1
        // What was detected twice before is so again.
        let least = times >= Self.twice ? model.knownTwinOverlap : model.twinOverlap
        guard one.sighting.box.intersectionOverUnion(other.sighting.box) > least else { return false }
        // Two detectors see one thing each rather than one of two.
        return there.count < 2 || one.sources.isDisjoint(with: other.sources)
            || Double(one.count + other.count) <= times.rounded()
    }

    /// A mean number of detections that is rather two than one.
    static let twice = 1.5

    /// Things that either box may be of.
    private func there(_ one: Box, _ other: Box) -> [Known] {
        known.filter {
            max($0.box.intersectionOverUnion(one), $0.box.intersectionOverUnion(other)) > model.knownTwinOverlap
        }
    }
}

extension TwinDetections.Group {
    fileprivate mutating func take(_ other: Self) {
        count += other.count
        others += [other.sighting.index] + other.others
        sources.formUnion(other.sources)
        // Each is hidden by the other where that stands a little lower.
        if let look = other.sighting.appearance, look.share > sighting.appearance?.share ?? 0 {
            sighting.appearance = look
        }
    }
}
