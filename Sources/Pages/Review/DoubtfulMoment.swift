import Annotate

/// A doubtful moment: something in a track file that whoever must be sure should look at.
struct DoubtfulMoment {
    enum What: String {
        /// A track is lost, or has ended without being seen for sure.
        case lost
        /// The confidence is below what was asked for.
        case doubtful
        /// A track wasn't seen for a while.
        case gap
        /// A track ends beside another's start: one thing, perhaps.
        case handover
        /// Two tracks lie on one another.
        case collision
    }

    var what: What
    /// The first and the last frame of it, by their index.
    var first: Int
    var last: Int
    /// The frame to look at.
    var best: Int
    /// Indices of the things.
    var things: [Int]
    /// The lowest confidence; nil for none.
    var confidence: Double?
    /// Around the things in the frame to look at, or where they were seen last; nil where nobody knows.
    var place: Box?
    /// Whether the track ended without being lost before.
    var hasEnded = false
}

/// Finds doubtful moments, frame by frame.
struct DoubtfulMoments {
    /// The course of one track so far.
    private struct Course {
        var stage: String
        var kind: String
        var identity: Int?
        var region: String?
        /// Index of the frame in which it was in sight last.
        var last: Int
        var lastTime: Double
        var box: Box?
        /// Whether it was surely there when it was in sight last.
        var isSure: Bool
        /// Index of the running moment in which it is lost; likewise of each other kind.
        var lost: Int?
        var doubtful: Int?
    }

    private let limit: Double
    /// Seconds in which two runs of doubt are one, and in which a track that ends and one that begins may be one thing.
    private static let together = 0.5
    private static let after = 1.0
    /// Intersection over union of two that lie on one another; and of two that may be one thing.
    private static let collision = 0.5
    private static let handover = 0.1

    /// What carries a number of its own, under however many tracks.
    private struct Identity: Hashable {
        var stage: String
        var kind: String
        var id: Int

        init?(_ observation: Observation) {
            guard let id = observation.finding.base.identity else { return nil }
            (stage, kind, self.id) = (observation.stage, observation.kind, id)
        }
    }

    private(set) var all: [DoubtfulMoment] = []
    /// In which frame what carries a number was in sight last.
    private var lastOf: [Identity: Int] = [:]
    private var courses: [Int: Course] = [:]
    /// Things that were in sight a moment ago.
    private var recent: Set<Int> = []
    /// Running collisions: the moment of a pair.
    private var pairs: [[Int]: Int] = [:]
    private var times: [Double] = []

    /// - Parameter limit: Confidences below it are doubtful.
    init(below limit: Double) { self.limit = limit }

    /// Takes the next frame.
    /// - Parameter observations: Those with a track, with their things' indices.
    mutating func add(_ observations: [(thing: Int, observation: Observation)], at time: Double) {
        let index = times.count
        times.append(time)
        recent = recent.filter { time - (courses[$0]?.lastTime ?? 0) <= Self.after }
        var inSight: [(thing: Int, observation: Observation, box: Box)] = []
        for (thing, observation) in observations {
            if observation.isInSight {
                see(thing, observation, at: index)
                if let box = observation.bounds { inSight.append((thing, observation, box)) }
            } else {
                lose(thing, observation, at: index)
            }
        }
        collide(inSight, at: index)
    }

    private mutating func see(_ thing: Int, _ observation: Observation, at index: Int) {
        let identity = Identity(observation)
        let lastOfAll = identity.flatMap { lastOf[$0] }
        defer { if let identity { lastOf[identity] = index } }
        guard var course = courses[thing] else {
            // The same thing under another track: the gap between them is its own.
            if let last = lastOfAll, last < index - 1 {
                all.append(
                    DoubtfulMoment(
                        what: .gap, first: last + 1, last: index - 1, best: last + 1, things: [thing],
                        place: observation.bounds))
            }
            begin(thing, observation, at: index)
            return doubt(thing, observation, at: index)
        }
        // What the manifest seeds anew was away because it says so.
        let last = max(course.last, lastOfAll ?? course.last)
        if course.lost == nil, last < index - 1, observation.state != .seeded {
            all.append(
                DoubtfulMoment(
                    what: .gap, first: last + 1, last: index - 1, best: last + 1, things: [thing], place: course.box))
        }
        course.lost = nil
        (course.last, course.lastTime, course.box) = (index, times[index], observation.bounds)
        course.isSure = isSure(observation)
        courses[thing] = course
        recent.insert(thing)
        doubt(thing, observation, at: index)
    }

    private mutating func begin(_ thing: Int, _ observation: Observation, at index: Int) {
        let course = Course(
            stage: observation.stage, kind: observation.kind, identity: observation.finding.base.identity,
            region: observation.region, last: index, lastTime: times[index], box: observation.bounds,
            isSure: isSure(observation))
        courses[thing] = course
        defer { recent.insert(thing) }
        guard let box = observation.bounds else { return }
        // Whether it has really ended shows at the end.
        let ended = recent.compactMap { key -> (thing: Int, last: Int)? in
            guard let other = courses[key], other.last < index, Self.mayBeOne(course, other),
                let place = other.box, Self.areNear(box, place)
            else { return nil }
            return (key, other.last)
        }
        // The nearest in time; of several the first.
        guard let other = ended.min(by: { ($1.last, $0.thing) < ($0.last, $1.thing) })?.thing else { return }
        all.append(
            DoubtfulMoment(
                what: .handover, first: index, last: index, best: index, things: [other, thing],
                place: Self.around(box, courses[other]?.box)))
    }

    private func isSure(_ observation: Observation) -> Bool {
        observation.isMeasured && observation.confidence ?? 1 >= limit
    }

    /// False where they carry different numbers or names of their own.
    private static func mayBeOne(_ a: Course, _ b: Course) -> Bool {
        func differ<Value: Equatable>(_ a: Value?, _ b: Value?) -> Bool { a != nil && b != nil && a != b }
        return a.stage == b.stage && a.kind == b.kind && !differ(a.identity, b.identity) && !differ(a.region, b.region)
    }

    private static func areNear(_ a: Box, _ b: Box) -> Bool {
        if a.intersectionOverUnion(b) >= handover { return true }
        let (x, y) = (a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2)
        let reach = max(min(a.width, a.height), min(b.width, b.height))
        return x * x + y * y <= reach * reach
    }

    private static func around(_ a: Box, _ b: Box?) -> Box {
        guard let b else { return a }
        let (left, top) = (min(a.x, b.x), min(a.y, b.y))
        return Box(x: left, y: top, width: max(a.right, b.right) - left, height: max(a.bottom, b.bottom) - top)
    }

    private mutating func doubt(_ thing: Int, _ observation: Observation, at index: Int) {
        guard observation.isMeasured, let confidence = observation.confidence, confidence < limit else { return }
        if let running = courses[thing]?.doubtful, times[index] - times[all[running].last] <= Self.together {
            all[running].last = index
            if confidence < all[running].confidence ?? 1 {
                (all[running].best, all[running].confidence) = (index, confidence)
            }
            return
        }
        courses[thing]?.doubtful = all.count
        all.append(
            DoubtfulMoment(
                what: .doubtful, first: index, last: index, best: index, things: [thing], confidence: confidence,
                place: observation.bounds))
    }

    private mutating func lose(_ thing: Int, _ observation: Observation, at index: Int) {
        if courses[thing] == nil { begin(thing, observation, at: index) }
        if let running = courses[thing]?.lost {
            all[running].last = index
            return
        }
        // What ends in plain sight ends where the manifest says.
        if observation.state == .ended, let course = courses[thing], course.isSure, course.last == index - 1 { return }
        courses[thing]?.lost = all.count
        all.append(
            DoubtfulMoment(
                what: .lost, first: index, last: index, best: index, things: [thing], place: courses[thing]?.box,
                hasEnded: observation.state == .ended))
    }

    private mutating func collide(_ inSight: [(thing: Int, observation: Observation, box: Box)], at index: Int) {
        // From left to right: only those that begin before one's right edge can lie on it.
        let sorted = inSight.sorted { ($0.box.x, $0.thing) < ($1.box.x, $1.thing) }
        for (position, a) in sorted.enumerated() {
            for b in sorted[(position + 1)...] {
                guard b.box.x < a.box.right else { break }
                guard a.thing != b.thing, a.observation.stage == b.observation.stage,
                    a.observation.kind == b.observation.kind, a.box.intersectionOverUnion(b.box) >= Self.collision
                else { continue }
                let pair = [min(a.thing, b.thing), max(a.thing, b.thing)]
                if let running = pairs[pair], times[index] - times[all[running].last] <= Self.together {
                    all[running].last = index
                } else {
                    pairs[pair] = all.count
                    all.append(
                        DoubtfulMoment(
                            what: .collision, first: index, last: index, best: index, things: pair,
                            place: Self.around(a.box, b.box)))
                }
            }
        }
    }

    /// Moments that are left when all frames are known, in the order of their frames.
    var found: [DoubtfulMoment] {
        all.filter { moment in
            // What was seen again beside the other one is another thing.
            guard moment.what == .handover, let ended = courses[moment.things[0]] else { return true }
            return ended.last < moment.first
        }.sorted { ($0.first, $0.things[0], $0.what.rawValue) < ($1.first, $1.things[0], $1.what.rawValue) }
    }

    /// A sentence without its full stop.
    func text(_ moment: DoubtfulMoment, things: [ReviewThing]) -> String {
        func name(_ index: Int) -> String {
            let thing = things[index]
            return thing.track.map { "\(thing.name) (track \($0))" } ?? thing.name
        }
        let subject = name(moment.things[0])
        switch moment.what {
        case .lost: return "\(subject) \(moment.hasEnded ? "has ended" : "is lost")"
        case .gap: return "\(subject) is not seen for \(seconds(moment))"
        case .doubtful:
            var figure = JSONWriter()
            figure.value(moment.confidence ?? 0, decimals: 2)
            return "\(subject) at \(figure.text)"
        case .handover: return "\(subject) ends where \(name(moment.things[1])) begins"
        case .collision: return "\(subject) and \(name(moment.things[1])) lie on one another"
        }
    }

    /// Times of its first frame and of the one after its last, in words.
    private func seconds(_ moment: DoubtfulMoment) -> String {
        let end = moment.last + 1 < times.count ? times[moment.last + 1] : times[moment.last]
        return Words.seconds(end - times[moment.first])
    }
}
