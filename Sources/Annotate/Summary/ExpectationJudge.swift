/// Judges one expectation, frame by frame.
struct ExpectationJudge: Sendable {
    /// What gaps are counted of.
    private enum Thing: Hashable {
        case id(Int), track(Int), all
    }

    let expectation: Expectation
    private var total = 0
    private var tracks: Set<Int> = []
    /// Frames with one that is measured, and with one that is lost.
    private var seen = Sightings()
    private var lost = Sightings()
    private var things = SightingBook<Thing>()
    private var confidence = 0.0
    private var measured = 0

    init(_ expectation: Expectation) { self.expectation = expectation }

    mutating func add(_ frame: FrameRecord) {
        total += 1
        let moment = Moment(frame: frame.frame, seconds: frame.pts.seconds)
        var inSight: Set<Thing> = []
        var (isSeen, isLost) = (false, false)
        for observation in frame.observations where expectation.matches(observation) {
            if observation.state == .lost { isLost = true }
            guard observation.isInSight else { continue }
            inSight.insert(thing(observation))
            guard observation.isMeasured else { continue }
            isSeen = true
            if let track = observation.track?.number { tracks.insert(track) }
            if let confidence = observation.confidence {
                // As the track file has it, so that a job that is judged anew is judged the same.
                self.confidence += (confidence * 1000).rounded() / 1000
                measured += 1
            }
        }
        things.add(inSight, at: moment)
        // Their gaps are of no interest.
        if isSeen { seen.see(at: moment) }
        if isLost { lost.see(at: moment) }
    }

    private func thing(_ observation: Observation) -> Thing {
        // What carries its own number, or was looked for by it, is one thing under however many tracks.
        if let id = observation.finding.base.identity { return .id(id) }
        if expectation.region != nil { return .all }
        return observation.track.map { .track($0.number) } ?? .all
    }

    var judgement: Judgement {
        var judgement = Judgement()
        judgement.title = expectation.title
        var moment: Moment?
        func judge(_ range: Expectation.Range?, _ value: Double?, at place: Moment?, _ sentence: (String) -> String) {
            guard let range else { return }
            if let value, range.holds(value) { return }
            judgement.complaints.append("expected " + sentence(value == nil || seen.frames == 0 ? "never seen" : ""))
            moment = moment ?? place
        }
        let subject = expectation.subject
        let (first, last) = (seen.first ?? 0, seen.last?.frame ?? 0)
        let places = seen.frames == 1 ? "frame \(first)" : "first \(first), last \(last)"
        judge(expectation.frames, Double(seen.frames), at: seen.last) { never in
            let range = Self.words(expectation.frames) { plain($0) }
            let found = never.isEmpty ? "seen in \(seen.frames) (\(places))" : never
            return "\(subject) in \(range) frames, \(found)"
        }
        judge(expectation.seen, total == 0 ? 0 : Double(seen.frames) / Double(total), at: seen.last) { never in
            let range = Self.words(expectation.seen) { plain(($0 * 10000).rounded() / 100) }
            let share = Words.percent(seen.frames, of: total)
            let found = never.isEmpty ? "seen in \(share) % (\(seen.frames) of \(total); \(places))" : never
            return "\(subject) in \(range) % of the frames, \(found)"
        }
        judge(expectation.tracks, Double(tracks.count), at: seen.last) { _ in
            let range = Self.words(expectation.tracks) { plain($0) }
            return "\(range) tracks of \(subject), there \(tracks.count == 1 ? "is 1" : "are \(tracks.count)")"
        }
        judge(expectation.lost, Double(lost.frames), at: lost.firstMoment) { _ in
            let range = Self.words(expectation.lost) { plain($0) }
            let places = lost.first.map { " (first \($0), last \(lost.last?.frame ?? $0))" } ?? ""
            return "\(subject) lost in \(range) frames, it is in \(lost.frames)\(places)"
        }
        let worst = things.all.values.max { $0.longestGap < $1.longestGap }
        judge(expectation.longestGap, things.all.isEmpty ? nil : worst?.longestGap, at: worst?.longestGapStart) {
            never in
            let range = Self.words(expectation.longestGap) { Words.seconds($0) }
            let from = worst?.longestGapStart.map { " (from frame \($0.frame))" } ?? ""
            let found = never.isEmpty ? "it is \(Words.seconds(worst?.longestGap ?? 0))\(from)" : never
            return "the longest gap of \(subject) to be \(range), \(found)"
        }
        let mean = measured == 0 ? nil : confidence / Double(measured)
        judge(expectation.confidence, mean, at: seen.last) { never in
            let range = Self.words(expectation.confidence) { plain($0) }
            let found = mean.map { "it is \(plain(($0 * 1000).rounded() / 1000))" }
            return "a mean confidence of \(subject) of \(range), \(found ?? (never.isEmpty ? "it has none" : never))"
        }
        (judgement.frame, judgement.time) = (moment?.frame, moment?.seconds)
        return judgement
    }

    /// `at least 100`, `at most 3`, `100 to 200`.
    private static func words(_ range: Expectation.Range?, _ text: (Double) -> String) -> String {
        switch (range?.min, range?.max) {
        case (let min?, let max?) where min == max: "exactly \(text(min))"
        case (let min?, let max?): "\(text(min)) to \(text(max))"
        case (let min?, nil): "at least \(text(min))"
        case (nil, let max?): "at most \(text(max))"
        case (nil, nil): ""
        }
    }
}
