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
    /// For each thing under which tracks it was, and from which frame on.
    private var ways: [Thing: [(from: Int, track: Int)]] = [:]
    /// Where the last of the tracks was seen first.
    private var lastTrack: Spot?
    private var confidence = 0.0
    private var measured = 0
    /// The least confidence of those measured, and where.
    private var leastSure: (confidence: Double, spot: Spot)?
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
            let track = observation.track?.number
            if inSight.insert(thing).inserted, let track, ways[thing]?.last?.track != track {
                ways[thing, default: []].append((frame.frame, track))
            }
            guard observation.isMeasured else { continue }
            isSeen = true
            let spot = Spot(moment: moment, track: track)
            if let track, tracks.insert(track).inserted { lastTrack = spot }
            // As the track file has it, so that a job that is judged anew is judged the same.
            if let confidence = observation.confidence.map({ ($0 * 1000).rounded() / 1000 }) {
                self.confidence += confidence
                measured += 1
                if confidence < leastSure?.confidence ?? .infinity { leastSure = (confidence, spot) }
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
        func judge(_ figure: String, _ range: Expectation.Range?, _ value: Int?, _ noun: String, _ first: CoverDoubt?) {
            guard let range, !(value.map { range.holds(Double($0)) } ?? false) else { return }
            let words = Self.words(range) { plain($0) }
            let one = first.map { " (\($0.sentence))" } ?? ""
            let complaint =
                "expected \(words) \(noun), "
                + (value.map { "there \($0 == 1 ? "is" : "are") \($0)\(one)" }
                    ?? (covers == nil ? "nothing was covered" : "nobody looked"))
            let spot = first.map { Spot(moment: Moment(frame: $0.frame, seconds: $0.time), track: $0.track) }
            judgement.complain(
                Evidence(complaint, figure: figure, value: value.map(Double.init), bounds: range, at: spot))
            if judgement.frame == nil { (judgement.frame, judgement.time) = (first?.frame, first?.time) }
        }
        judge("doubtful", expected.doubtful, covers?.doubtful, "doubtful moments of covers", covers?.moments.first)
        judge("found", expected.found, covers?.found?.count, "finds in the annotated video", covers?.found?.first)
        judge("frames", expected.frames, covers?.frames, "covered frames", nil)
        return judgement
    }

    package var judgement: Judgement {
        var judgement = Judgement()
        judgement.title = expectation.title
        var moment: Moment?
        /// - Parameters:
        ///   - look: Where to look where nothing else says so.
        ///   - worst: Where the figure is worst.
        func judge(
            _ figure: String, _ range: Expectation.Range?, _ value: Double?, look: Moment?, worst: Spot?,
            _ sentence: (String) -> String
        ) {
            guard let range else { return }
            if let value, range.holds(value) { return }
            let complaint = "expected " + sentence(value == nil || seen.frames == 0 ? "never seen" : "")
            judgement.complain(Evidence(complaint, figure: figure, value: value, bounds: range, at: worst))
            moment = moment ?? look
        }
        /// A place that shows what is wrong where there are too many; where there are too few nothing does.
        func excess(_ range: Expectation.Range?, _ value: Int, _ spot: Spot?) -> Spot? {
            range?.isExceeded(by: Double(value)) == true ? spot : nil
        }
        let subject = expectation.subject
        let (first, last) = (seen.first ?? 0, seen.last?.frame ?? 0)
        func frames(_ range: String) -> String { range + (range.hasSuffix(" 1") ? " frame" : " frames") }
        let places = seen.frames == 1 ? "frame \(first)" : "first \(first), last \(last)"
        judge(
            "frames", expectation.frames, Double(seen.frames), look: seen.last,
            worst: excess(expectation.frames, seen.frames, seen.last.map { Spot(moment: $0) })
        ) { never in
            let range = Self.words(expectation.frames) { plain($0) }
            let found = never.isEmpty ? "seen in \(seen.frames) (\(places))" : never
            return "\(subject) in \(frames(range)), \(found)"
        }
        judge(
            "seen", expectation.seen, total == 0 ? 0 : Double(seen.frames) / Double(total), look: seen.last, worst: nil
        ) { never in
            let range = Self.words(expectation.seen) { Words.number(($0 * 100).rounded(toDecimals: 6)) }
            let share = Words.percent(seen.frames, of: total)
            let found = never.isEmpty ? "seen in \(share) % (\(seen.frames) of \(total); \(places))" : never
            return "\(subject) in \(range) % of the frames, \(found)"
        }
        judge(
            "tracks", expectation.tracks, Double(tracks.count), look: seen.last,
            worst: excess(expectation.tracks, tracks.count, lastTrack)
        ) { _ in
            let range = Self.words(expectation.tracks) { plain($0) }
            return
                "\(range) track\(range.hasSuffix(" 1") ? "" : "s") of \(subject), there \(tracks.count == 1 ? "is 1" : "are \(tracks.count)")"
        }
        let most = lostMost
        judge(
            "lost", expectation.lost, Double(most.frames), look: most.since, worst: most.spot
        ) { _ in
            let range = Self.words(expectation.lost) { plain($0) }
            let from = most.since.map { " (the first time from frame \($0.frame) on)" } ?? ""
            return "\(subject) lost in \(frames(range)), it is in \(most.frames)\(from)"
        }
        // The earliest of several alike, whatever their order.
        let gaps = things.all.map { thing, sightings in
            (
                length: sightings.longestGap, start: sightings.longestGapStart,
                spot: spot(of: thing, at: sightings.longestGapStart)
            )
        }
        let widest = gaps.max {
            Self.rank($0.length, $0.start, $0.spot) < Self.rank($1.length, $1.start, $1.spot)
        }
        let (gap, start) = (widest?.length, widest?.start)
        judge("longestGap", expectation.longestGap, gap, look: start, worst: widest?.spot) {
            never in
            let range = Self.words(expectation.longestGap) { Words.number($0) + " s" }
            let from = start.map { " (from frame \($0.frame))" } ?? ""
            let length = Words.value(gap ?? 0, outOf: expectation.longestGap, decimals: 3)
            let found = never.isEmpty ? "it is \(length) s\(from)" : never
            return "the longest gap of \(subject) to be \(range), \(found)"
        }
        let mean = measured == 0 ? nil : confidence / Double(measured)
        let isTooSure = mean.map { expectation.confidence?.isExceeded(by: $0) == true } ?? false
        judge("confidence", expectation.confidence, mean, look: seen.last, worst: isTooSure ? nil : leastSure?.spot) {
            never in
            let range = Self.words(expectation.confidence) { Words.number($0) }
            let found = mean.map { "it is \(Words.value($0, outOf: expectation.confidence, decimals: 3))" }
            return "a mean confidence of \(subject) of \(range), \(found ?? (never.isEmpty ? "it has none" : never))"
        }
        for figure in motion.figures {
            judgement.values[figure.name] = figure.worst?.value
            judge(
                figure.name, figure.range, figure.worst?.value, look: figure.worst?.moment ?? seen.last,
                worst: figure.worst.map { Spot(moment: $0.moment, track: figure.track) }
            ) { _ in
                figure.sentence(
                    Self.words(figure.range) { Words.number($0) + " " + figure.unit },
                    seen.frames == 0 ? "never seen" : nil)
            }
        }
        for figure in counts.figures {
            judge(
                figure.name, figure.range, Double(figure.value), look: figure.place?.moment ?? seen.last,
                worst: figure.worst
            ) { _ in figure.sentence(Self.words(figure.range) { plain($0) }) }
        }
        (judgement.frame, judgement.time) = (moment?.frame, moment?.seconds)
        return judgement
    }

    /// A moment from which on a thing isn't there, with the track that it had before; nil for no moment.
    private func spot(of thing: Thing?, at moment: Moment?) -> Spot? {
        guard let moment else { return nil }
        let way = thing.flatMap { ways[$0] } ?? []
        return Spot(moment: moment, track: (way.last { $0.from < moment.frame } ?? way.first)?.track)
    }

    /// The most frames in which one thing was lost between two frames with it in sight, or behind the last one, and where that
    /// began.
    private var lostMost: (frames: Int, since: Moment?, spot: Spot?) {
        var most: (frames: Int, since: Moment?, spot: Spot?) = (0, nil, nil)
        for thing in Set(things.all.keys).union(lost.keys) {
            let sightings = things[thing]
            let frames: Int = sightings.missed + (lost[thing]?.frames ?? 0)
            let since: Moment? = sightings.firstGapStart ?? lost[thing]?.since
            let place = spot(of: thing, at: since)
            if Self.rank(Double(frames), since, place) > Self.rank(Double(most.frames), most.since, most.spot) {
                most = (frames, since, place)
            }
        }
        return most
    }

    /// What is compared of two things: the larger, of several alike the earlier, then the one whose track began first.
    private static func rank(_ size: Double, _ start: Moment?, _ spot: Spot?) -> (Double, Int, Int) {
        let frame: Int = start?.frame ?? 0
        let track: Int = spot?.track ?? 0
        return (size, -frame, -track)
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
