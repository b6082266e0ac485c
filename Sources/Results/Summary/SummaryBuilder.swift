/// Sums a job's frames up.
package struct SummaryBuilder: Sendable {
    /// Sums of a track beside its sightings.
    fileprivate struct Sum {
        var summary = TrackSummary()
        /// Number of the last frame that says anything of it.
        var lastLine = 0
        /// How many frames say that it has ended.
        var ended = 0
        var confidence = 0.0
        var measured = 0
        var region: String?
        /// Time of the last frame that says anything of it, and of the last one that says that it is lost.
        var lastSaid = 0.0
        var isLost = false
        /// Whether the last frame that says anything of it says that it has ended.
        var isOver = false
    }

    private let stages: [String]
    package private(set) var frames = 0
    private var sums: [Int: Sum] = [:]
    private var tracks = SightingBook<Int>()
    private var seenBy: [String: StageSummary]
    private(set) var things = ThingBook()
    private(set) var gates = GateBook()
    private var ids = IdentityBook()
    private var first: Moment?
    package private(set) var last: Moment?

    /// The summary of a job with these stages, without frames so far.
    /// - Parameter stages: The header's, in its order.
    package init(stages: [String]) {
        self.stages = stages
        seenBy = Dictionary(stages.map { ($0, StageSummary(stage: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes the next frame.
    package mutating func add(_ frame: FrameRecord) {
        let moment = Moment(frame: frame.frame, seconds: frame.pts.seconds)
        frames += 1
        first = first ?? moment
        last = moment
        var inSight: Set<Int> = []
        var working: Set<String> = []
        for observation in frame.observations {
            if observation.isInSight {
                seenBy[observation.stage]?.observations += 1
                working.insert(observation.stage)
                if let track = observation.track?.number { inSight.insert(track) }
            }
            if let track = observation.track?.number { add(observation, to: track, at: moment) }
        }
        tracks.add(inSight, at: moment)
        things.add(frame.observations, at: moment)
        gates.add(frame.observations)
        ids.add(frame.observations, at: moment)
        for stage in stages where !working.contains(stage) { seenBy[stage]?.framesWithNothing += 1 }
    }

    private mutating func add(_ observation: Observation, to track: Int, at moment: Moment) {
        if sums[track] == nil {
            var sum = Sum()
            sum.summary.track = track
            sum.summary.stage = observation.stage
            sum.summary.kind = observation.kind
            (sum.summary.first, sum.summary.last) = (moment.frame, moment.frame)
            (sum.summary.seen, sum.summary.predicted) = (0, 0)
            sums[track] = sum
            seenBy[observation.stage]?.tracks += 1
        }
        sums[track]?.add(observation, at: moment)
    }

    /// The summary of the frames so far.
    package func summary(_ outcome: SourceOutcome) -> TrackFileSummary {
        var summary = TrackFileSummary()
        (summary.frames, summary.concealed, summary.skipped) = (frames, outcome.concealed, outcome.skipped)
        summary.isCutOff = outcome.isCutOff
        summary.stages = stages.compactMap { seenBy[$0] }
        summary.gates = gates.summaries
        summary.ids = ids.summaries
        summary.tracks = sums.sorted { $0.key < $1.key }.map { track, sum in
            let sightings = tracks[track]
            var whole = sum.summary
            whole.spans = sightings.spans.map { [$0.lowerBound, $0.upperBound] }
            whole.longestGap = sightings.longestGap
            whole.lost = max(
                0, sum.lastLine.subtractingInRange(whole.first).addingInRange(1) - sightings.frames - sum.ended)
            return whole
        }
        return summary
    }

    /// A sentence on what was seen and counted; nil for nothing.
    package var sentence: String? {
        let parts = [things.sentence, gates.sentence].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Seconds from the first frame to the last one.
    package var duration: Double { (last?.seconds ?? 0) - (first?.seconds ?? 0) }

    /// Stages that saw nothing at all.
    package var blindStages: [String] {
        frames == 0 ? [] : stages.filter { seenBy[$0]?.framesWithNothing == frames }
    }

    /// Seconds at the end of which a region that isn't seen again is lost for good.
    private static let forGood = 0.5

    /// The manifest's regions whose tracks were given up, with when that was and when they were seen last.
    package var regionsGivenUp: [(region: String, lastSeen: Moment, end: Moment)] {
        sums.sorted { $0.key < $1.key }.compactMap { track, sum in
            guard sum.isOver, let region = sum.region, let seen = tracks[track].last else { return nil }
            return (region, seen, Moment(frame: sum.lastLine, seconds: sum.lastSaid))
        }
    }

    /// The manifest's regions whose tracks were lost and not found again, with when they were seen last.
    package var regionsLostForGood: [(region: String, lastSeen: Moment)] {
        sums.sorted { $0.key < $1.key }.compactMap { track, sum in
            guard sum.isLost, let region = sum.region, let seen = tracks[track].last,
                sum.lastSaid - seen.seconds >= Self.forGood
            else { return nil }
            return (region, seen)
        }
    }
}

extension SummaryBuilder.Sum {
    fileprivate mutating func add(_ observation: Observation, at moment: Moment) {
        lastLine = moment.frame
        lastSaid = moment.seconds
        region = region ?? observation.region
        isOver = observation.state == .ended
        // An annotation's text may come later than its point.
        summary.label = summary.label ?? observation.label
        guard observation.isInSight else {
            if observation.state == .ended { ended += 1 } else { isLost = true }
            return
        }
        isLost = false
        summary.last = moment.frame
        summary.observations += 1
        if observation.state == .predicted { summary.predicted? += 1 }
        guard observation.isMeasured else { return }
        summary.seen? += 1
        guard let confidence = observation.confidence else { return }
        self.confidence += confidence
        measured += 1
        summary.meanConfidence = self.confidence / Double(measured)
        summary.minConfidence = min(summary.minConfidence ?? 1, confidence)
    }
}
