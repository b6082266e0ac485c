/// Joins tracklets that are one thing's: by the gap between them, where motion leads from both sides, appearance and label.
struct TrackletJoiner {
    let model: FollowModel
    /// The longest gap, seconds.
    let memory: Double
    /// Times of the frames that were looked at, seconds, in order: where nobody looked, nothing was missed.
    let looks: [Double]

    /// Every tracklet has one successor and one predecessor at the most, so that most speaks for all joints together. The surest
    /// are made first: what is joined is known better, and says more of what else may be.
    func join(_ tracklets: [Tracklet]) -> [Tracklet] {
        var (joined, least) = (tracklets, model.firstJoint)
        while true {
            let next = successors(joined, least: least)
            guard next.contains(where: { $0 != nil }) else {
                if least <= 0 { return resumed(joined) }
                least = max(0, least - Self.step)
                continue
            }
            joined = Self.linked(joined, next)
        }
    }

    /// Makes one of those that follow one another.
    /// - Parameter next: The index of each one's successor; nil for none.
    private static func linked(_ tracklets: [Tracklet], _ next: [Int?]) -> [Tracklet] {
        let later = Set(next.compactMap(\.self))
        return tracklets.indices.filter { !later.contains($0) }.map { start in
            var (whole, place) = (tracklets[start], next[start])
            while let index = place {
                whole.append(tracklets[index])
                place = next[index]
            }
            return whole
        }
    }

    /// Joins what looks shortly after one another, or with none between them, saw as one thing while frames streamed, and that
    /// nothing else is joined to: motion and looks from both sides say little of single ones.
    private func resumed(_ tracklets: [Tracklet]) -> [Tracklet] {
        var bySource: [Int: [Int]] = [:]
        for (index, tracklet) in tracklets.enumerated() where tracklet.sources.first > 0 {
            bySource[tracklet.sources.first, default: []].append(index)
        }
        var (next, isLater) = ([Int?](repeating: nil, count: tracklets.count), Set<Int>())
        for (index, tracklet) in tracklets.enumerated() {
            let found = bySource[tracklet.sources.last]?.first { other in
                let later = tracklets[other]
                return later.first.frame > tracklet.last.frame
                    && missed(from: tracklet.last, to: later.first) <= model.weakMemory
            }
            guard let found, isLater.insert(found).inserted else { continue }
            next[index] = found
        }
        return Self.linked(tracklets, next)
    }

    /// Nats by which less is asked for when no more can be joined.
    private static let step = 2.0

    /// - Parameter least: Joints for which less speaks aren't made yet, but keep others from what is theirs.
    private func successors(_ tracklets: [Tracklet], least: Double) -> [Int?] {
        // What lies far from an end says little of it.
        let ends = tracklets.map { BoxMotion(along: $0.steps.suffix(Self.reach), model) }
        let starts = tracklets.map { BoxMotion(along: $0.steps.prefix(Self.reach).reversed(), model) }
        let looks = tracklets.map(\.appearance.look)
        let index = TimeIndex(tracklets)
        let rows = tracklets.indices.map { place -> [(column: Int, weight: Double)] in
            let tracklet = tracklets[place]
            return index.starting(after: tracklet.last.seconds, within: memory).compactMap { other in
                let later = tracklets[other]
                let gap = later.first.seconds - tracklet.last.seconds
                guard let end = ends[place], let start = starts[other] else { return nil }
                var evidence = end.evidence(for: start, after: gap, model)
                evidence += isContinued(tracklet, later) ? model.continuation : -model.joint
                if tracklet.label != later.label { evidence -= model.relabel }
                if let a = looks[place], let b = looks[other] { evidence += model.looks.evidence(a, b) }
                guard evidence > 0 else { return nil }
                let open =
                    missed(from: tracklet.last, to: later.first)
                    * (1 - covered(from: tracklet.last, to: later.first, place, other, tracklets, index))
                evidence -= open / model.absence
                return evidence > 0 ? (other, evidence) : nil
            }
        }
        return zip(rows, SparseAssignment.solve(rows)).map { row, column in
            row.contains { $0.column == column && $0.weight >= least } ? column : nil
        }
    }

    /// Whether two were one track while frames streamed, with no look between them.
    private func isContinued(_ tracklet: Tracklet, _ later: Tracklet) -> Bool {
        tracklet.sources.last > 0 && tracklet.sources.last == later.sources.first
            && missed(from: tracklet.last, to: later.first) == 0
    }

    /// Seconds of a gap between two looks in which others saw nothing.
    private func missed(from last: TrackStep, to first: TrackStep) -> Double {
        func place(of seconds: Double) -> Int {
            var (low, high) = (0, looks.count)
            while low < high {
                let middle = (low + high) / 2
                if looks[middle] < seconds { low = middle + 1 } else { high = middle }
            }
            return low
        }
        // The first one's own look is none of them.
        let between = Double(max(0, place(of: first.seconds) - place(of: last.seconds) - 1))
        return (first.seconds - last.seconds) * between / (between + 1)
    }

    /// Looks at an end that are gone through.
    private static let reach = 60
    /// Places of a gap that are looked at.
    private static let samples = 8

    /// The share of a gap in which the thing would be behind another one.
    private func covered(
        from last: TrackStep, to first: TrackStep, _ place: Int, _ other: Int, _ tracklets: [Tracklet],
        _ index: TimeIndex
    ) -> Double {
        let around = index.overlapping(last.seconds...first.seconds).filter { $0 != place && $0 != other }
        var sum = 0.0
        for sample in 1...Self.samples {
            let seconds =
                last.seconds + (first.seconds - last.seconds) * Double(sample) / Double(Self.samples + 1)
            let box = last.box(towards: first, at: seconds)
            var most = 0.0
            for index in around where tracklets[index].spans(seconds) {
                let common = box.intersection(tracklets[index].box(at: seconds))?.area ?? 0
                most = max(most, common / box.area)
            }
            sum += min(1, 2 * most)
        }
        return sum / Double(Self.samples)
    }
}

/// Tracklets by time.
private struct TimeIndex {
    private let tracklets: [(start: Double, end: Double)]
    /// Indices by start, and the starts.
    private let order: [Int]
    private let starts: [Double]
    private let longest: Double

    init(_ tracklets: [Tracklet]) {
        self.tracklets = tracklets.map { ($0.first.seconds, $0.last.seconds) }
        let spans = self.tracklets
        order = spans.indices.sorted { (spans[$0].start, $0) < (spans[$1].start, $1) }
        starts = order.map { spans[$0].start }
        longest = spans.map { $0.end - $0.start }.max() ?? 0
    }

    /// Those that start later than a time, but not by more than a span.
    func starting(after seconds: Double, within span: Double) -> [Int] {
        var place = first(from: seconds)
        var found: [Int] = []
        while place < order.count, starts[place] <= seconds + span {
            if starts[place] > seconds { found.append(order[place]) }
            place += 1
        }
        return found
    }

    func overlapping(_ time: ClosedRange<Double>) -> [Int] {
        var place = first(from: time.lowerBound - longest)
        var found: [Int] = []
        while place < order.count, starts[place] <= time.upperBound {
            if tracklets[order[place]].end >= time.lowerBound { found.append(order[place]) }
            place += 1
        }
        return found
    }

    private func first(from seconds: Double) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Tracklet {
    fileprivate func spans(_ seconds: Double) -> Bool { first.seconds <= seconds && last.seconds >= seconds }
}
