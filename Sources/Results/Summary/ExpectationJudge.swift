/// Judges one expectation, frame by frame.
package struct ExpectationJudge: Sendable {
    /// A thing whose gaps are counted.
    private enum Thing: Hashable {
        case id(Int), track(Int), all
    }

    /// What is judged.
    package let expectation: Expectation
    private var total = 0
    private var tracks: Set<Int> = []
    /// Frames in which one is measured.
    private var seen = Sightings()
    /// For each thing that is lost: from which frame on, and for how many frames.
    private var lost: [Thing: (since: Moment, frames: Int)] = [:]
    private var things = SightingBook<Thing>()
    private var confidence = 0.0
    private var measured = 0
    private var counts: CountJudge
    private var motion: MotionJudge

    package init(_ expectation: Expectation) {
        self.expectation = expectation
        counts = CountJudge(expectation)
        motion = MotionJudge(expectation)
    }

    /// Takes the next frame.
    package mutating func add(_ frame: FrameRecord) {
        total += 1
        let moment = Moment(frame: frame.frame, seconds: frame.pts.seconds)
        counts.add(frame, at: moment)
        motion.add(frame, at: moment)
        var inSight: Set<Thing> = []
        var isSeen = false
        for observation in frame.observations where expectation.matches(observation) {
            let thing = thing(observation)
            if observation.state == .lost {
                lost[thing] = (lost[thing]?.since ?? moment, (lost[thing]?.frames ?? 0) + 1)
            }
            guard observation.isInSight else { continue }
            lost[thing] = nil
            inSight.insert(thing)
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
        // Its gaps are of no interest.
        if isSeen { seen.see(at: moment) }
    }

    private func thing(_ observation: Observation) -> Thing {
        // What carries its own number, or was looked for by it, is one thing under however many tracks.
        if let id = observation.finding.base.identity { return .id(id) }
        if expectation.region != nil { return .all }
        return observation.track.map { .track($0.number) } ?? .all
    }

    /// Whether the expectation holds of all frames so far, and of the covers.
    /// - Parameter covers: What the annotated video hides; nil where it hides nothing, or there is none.
    package func judgement(covers: CoverSummary?) -> Judgement {
        guard let expected = expectation.cover else { return judgement }
        var judgement = Judgement()
        judgement.title = expectation.title
        func judge(_ range: Expectation.Range?, _ value: Int?, _ noun: String, _ first: CoverDoubt?) {
            guard let range, !(value.map { range.holds(Double($0)) } ?? false) else { return }
            let words = Self.words(range) { plain($0) }
            let one = first.map { " (\($0.sentence))" } ?? ""
            judgement.complaints.append(
                "expected \(words) \(noun), "
                    + (value.map { "there \($0 == 1 ? "is" : "are") \($0)\(one)" }
                        ?? (covers == nil ? "nothing was covered" : "nobody looked")))
            if judgement.frame == nil { (judgement.frame, judgement.time) = (first?.frame, first?.time) }
        }
        judge(expected.doubtful, covers?.doubtful, "doubtful moments of covers", covers?.moments.first)
        judge(expected.found, covers?.found?.count, "finds in the annotated video", covers?.found?.first)
        judge(expected.frames, covers?.frames, "covered frames", nil)
        return judgement
    }

    package var judgement: Judgement {
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
        func frames(_ range: String) -> String { range + (range.hasSuffix(" 1") ? " frame" : " frames") }
        let places = seen.frames == 1 ? "frame \(first)" : "first \(first), last \(last)"
        judge(expectation.frames, Double(seen.frames), at: seen.last) { never in
            let range = Self.words(expectation.frames) { plain($0) }
            let found = never.isEmpty ? "seen in \(seen.frames) (\(places))" : never
            return "\(subject) in \(frames(range)), \(found)"
        }
        judge(expectation.seen, total == 0 ? 0 : Double(seen.frames) / Double(total), at: seen.last) { never in
            let range = Self.words(expectation.seen) { plain(($0 * 10000).rounded() / 100) }
            let share = Words.percent(seen.frames, of: total)
            let found = never.isEmpty ? "seen in \(share) % (\(seen.frames) of \(total); \(places))" : never
            return "\(subject) in \(range) % of the frames, \(found)"
        }
        judge(expectation.tracks, Double(tracks.count), at: seen.last) { _ in
            let range = Self.words(expectation.tracks) { plain($0) }
            return
                "\(range) track\(range.hasSuffix(" 1") ? "" : "s") of \(subject), there \(tracks.count == 1 ? "is 1" : "are \(tracks.count)")"
        }
        let most = lostMost
        judge(expectation.lost, Double(most.frames), at: most.since) { _ in
            let range = Self.words(expectation.lost) { plain($0) }
            let from = most.since.map { " (the first time from frame \($0.frame) on)" } ?? ""
            return "\(subject) lost in \(frames(range)), it is in \(most.frames)\(from)"
        }
        // The earliest of several alike, whatever their order.
        let worst = things.all.values.max {
            ($0.longestGap, -($0.longestGapStart?.frame ?? 0)) < ($1.longestGap, -($1.longestGapStart?.frame ?? 0))
        }
        judge(expectation.longestGap, things.all.isEmpty ? nil : worst?.longestGap, at: worst?.longestGapStart) {
            never in
            let range = Self.words(expectation.longestGap) { plain($0) + " s" }
            let from = worst?.longestGapStart.map { " (from frame \($0.frame))" } ?? ""
            let found =
                never.isEmpty ? "it is \(plain(((worst?.longestGap ?? 0) * 1000).rounded() / 1000)) s\(from)" : never
            return "the longest gap of \(subject) to be \(range), \(found)"
        }
        let mean = measured == 0 ? nil : confidence / Double(measured)
        judge(expectation.confidence, mean, at: seen.last) { never in
            let range = Self.words(expectation.confidence) { plain($0) }
            let found = mean.map { "it is \(plain(($0 * 1000).rounded() / 1000))" }
            return "a mean confidence of \(subject) of \(range), \(found ?? (never.isEmpty ? "it has none" : never))"
        }
        for figure in motion.figures {
            judgement.values[figure.name] = figure.worst?.value
            judge(figure.range, figure.worst?.value, at: figure.worst?.moment ?? seen.last) { _ in
                figure.sentence(
                    Self.words(figure.range) { plain($0) + " " + figure.unit }, seen.frames == 0 ? "never seen" : nil)
            }
        }
        for (range, value, place, sentence) in counts.figures {
            judge(range, Double(value), at: place ?? seen.last) { _ in sentence(Self.words(range) { plain($0) }) }
        }
        (judgement.frame, judgement.time) = (moment?.frame, moment?.seconds)
        return judgement
    }

    /// The most frames in which one thing was lost between two frames with it in sight, or behind the last one; and
    /// where that began.
    private var lostMost: (frames: Int, since: Moment?) {
        Set(things.all.keys).union(lost.keys).map { thing -> (frames: Int, since: Moment?) in
            let sightings = things[thing]
            return (sightings.missed + (lost[thing]?.frames ?? 0), sightings.firstGapStart ?? lost[thing]?.since)
        }
        // The earliest of several alike, whatever their order.
        .max { ($0.frames, -($0.since?.frame ?? 0)) < ($1.frames, -($1.since?.frame ?? 0)) } ?? (0, nil)
    }

    /// A range in words: `at least 100`, `at most 3`, `100 to 200`.
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
