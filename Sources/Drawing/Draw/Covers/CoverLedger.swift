/// Sums up what is covered in a video, and where something may have been missed.
struct CoverLedger {
    private let size: PictureSize
    /// Stages that cover.
    private let stages: [String]
    private var seen: Set<String> = []
    private var summary = CoverSummary()
    private var doubts: [CoverDoubt] = []
    private var last: Int?

    init(stages: [String], size: PictureSize) {
        (self.stages, self.size) = (stages, size)
    }

    /// Takes the next picture.
    mutating func add(frame: Int, isCovered: Bool, isGuess: Bool) {
        guard isCovered else { return }
        summary.frames += 1
        summary.growing += isGuess ? 1 : 0
        if let last, last == frame - 1 {
            summary.spans[summary.spans.count - 1][1] = frame
        } else {
            summary.spans.append([frame, frame])
        }
        last = frame
    }

    /// Takes a thing of which no more is known.
    mutating func add(_ subject: CoverSubject) {
        guard subject.hand == nil, let story = subject.story else { return }
        seen.insert(subject.stage)
        // What stays visible all along is no place where something may be seen that wasn't to be.
        guard subject.wasHidden else { return }
        func doubt(_ reason: CoverDoubt.Reason, _ moment: CoverSubject.Story.Moment) {
            doubts.append(
                CoverDoubt(
                    reason, stage: subject.stage, track: subject.track, frame: moment.frame, time: moment.time,
                    box: moment.box))
        }
        if !story.wasSure { doubt(.unsure, story.first) }
        if !story.reachesBegin, !story.earliest.isNearEdge(of: size) { doubt(.late, story.first) }
        for moment in story.cutAway { doubt(.lost, moment) }
        for moment in story.gaps where !moment.box.isNearEdge(of: size) { doubt(.lost, moment) }
        if !story.reachesEnd, !story.latest.isNearEdge(of: size) { doubt(.lost, story.last) }
    }

    /// All of it, when the last picture is known.
    func whole(first: (frame: Int, time: Double)) -> CoverSummary {
        let blind = stages.filter { !seen.contains($0) }.map {
            CoverDoubt(.nothing, stage: $0, frame: first.frame, time: first.time)
        }
        let all = blind + doubts.sorted { ($0.frame, $0.stage, $0.track ?? 0) < ($1.frame, $1.stage, $1.track ?? 0) }
        var whole = summary
        whole.doubtful = all.count
        whole.moments = Array(all.prefix(CoverSummary.mostMoments))
        return whole
    }
}
