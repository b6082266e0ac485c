import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What counts as a crossing of a line: every one once, in its direction, at its time, and none that wasn't.
@Suite struct LineCountTests {
    private static let gate = DirectedLine(Point(0, 300), Point(768, 300))

    /// Straight on at so many pixels a second, from a place where it is at a time.
    private func straight(_ velocity: Point, through point: Point, at moment: Double) -> Way {
        { time in point + velocity * (time - moment) }
    }

    @Test(arguments: FrameTimes.allCases, [-700.0, -150, -31, 17, 90, 480])
    func straightOn(_ frames: FrameTimes, speed: Double) throws {
        let times = frames.until(6)
        var chance = Chance(Int(speed))
        for _ in 0..<50 {
            let moment = chance.between(0.5, 5.5)
            let way = straight(Point(chance.between(-40, 40), speed), through: Point(380, 300), at: moment)
            let events = FlowCounter.events([way], at: times, lines: [Self.gate])
            let event = try #require(events.first)
            #expect(events.count == 1)
            #expect(event.kind == .crossed(isForward: speed > 0))
            #expect(abs(event.time - moment) < 1e-9)
            #expect(event.frame == times.firstIndex { $0 > moment })
            #expect(event.point.distance(to: Point(380, 300)) < 1e-6)
        }
    }

    /// From the arrow's left, as it is drawn, to its right.
    @Test(
        arguments: [
            (Point(0, 100), Point(200, 100), Point(0, 1)), (Point(200, 100), Point(0, 100), Point(0, -1)),
            (Point(100, 0), Point(100, 200), Point(-1, 0)), (Point(100, 200), Point(100, 0), Point(1, 0)),
        ])
    func forward(from: Point, to: Point, way: Point) {
        let there = straight(way * 60, through: Point(100, 100), at: 1)
        let back = straight(way * -60, through: Point(100, 100), at: 1)
        let events = FlowCounter.events(
            [there, back], at: FrameTimes.thirty.until(2), lines: [DirectedLine(from, to)])
        #expect(events.map(\.kind) == [.crossed(isForward: true), .crossed(isForward: false)])
    }

    @Test(arguments: FrameTimes.allCases) func besideTheEnds(_ frames: FrameTimes) {
        let line = DirectedLine(Point(100, 100), Point(200, 100))
        let ways = [99.0, 101, 199, 201].map { straight(Point(0, 120), through: Point($0, 100), at: 1.03) }
        let events = FlowCounter.events(ways, at: frames.until(2), lines: [line])
        #expect(events.map(\.thing.number).sorted() == [2, 3])
    }

    /// Up to the very line, a second of standing on it, and back: from either side the same.
    @Test(arguments: FrameTimes.allCases, [-1.0, 1]) func standingOnIt(_ frames: FrameTimes, side: Double) {
        let way: Way = { time in
            let distance = time < 2 ? 2 - time : time < 3 ? 0 : time - 3
            return Point(380, 300 + side * 60 * distance)
        }
        #expect(FlowCounter.events([way], at: frames.until(5), lines: [Self.gate]).isEmpty)
        // Who goes on beyond has crossed it.
        let over: Way = { time in
            Point(380, 300 + side * 60 * (time < 2 ? 2 - time : time < 3 ? 0 : 3 - time))
        }
        let events = FlowCounter.events([over], at: frames.until(5), lines: [Self.gate])
        #expect(events.map(\.kind) == [.crossed(isForward: side < 0)])
    }

    /// Along the very line for a second, and then over it: where and when it leaves the line. Past the line's end it crosses none.
    @Test(arguments: FrameTimes.allCases, [-1.0, 1]) func alongIt(_ frames: FrameTimes, side: Double) throws {
        let times = frames.until(5)
        for (end, count) in [(400.0, 1), (768.0, 1), (300, 0)] {
            let way: Way = { time in
                let distance = time < 2 ? 2 - time : time < 3 ? 0 : 3 - time
                return Point(time < 2 ? 240 : 240 + 100 * (min(time, 3) - 2), 300 + side * 60 * distance)
            }
            let line = DirectedLine(Point(0, 300), Point(end, 300))
            let events = FlowCounter.events([way], at: times, lines: [line])
            #expect(events.map(\.kind) == Array(repeating: .crossed(isForward: side < 0), count: count))
            for event in events {
                let first = try #require(times.firstIndex { $0 > 3 + 1e-9 })
                #expect(event.frame == first && abs(event.time - times[first - 1]) < 1e-9)
                #expect(event.point.distance(to: Point(240 + 100 * (times[first - 1] - 2), 300)) < 1e-6)
            }
        }
    }

    /// Around the end and back through the line.
    @Test func around() {
        let line = DirectedLine(Point(100, 100), Point(200, 100))
        let corners = [Point(250, 50), Point(250, 150), Point(150, 150), Point(150, 50)]
        let way: Way = { time in
            let leg = min(Int(time), 2)
            return corners[leg] + (corners[leg + 1] - corners[leg]) * (time - Double(leg))
        }
        let events = FlowCounter.events([way], at: FrameTimes.ten.until(3), lines: [line])
        #expect(events.map(\.kind) == [.crossed(isForward: false)])
    }

    @Test(arguments: FrameTimes.allCases) func trembling(_ frames: FrameTimes) throws {
        let times = frames.until(8)
        for seed in 0..<40 {
            var chance = Chance(seed)
            let (speed, moment, tremble) = (chance.between(20, 120), chance.between(3, 5), chance.between(0.2, 3))
            let way: Way = {
                Point(380 + tremble * chance.normal(), 300 + speed * ($0 - moment) + tremble * chance.normal())
            }
            let events = FlowCounter.events([way], at: times, lines: [Self.gate])
            #expect(events.map(\.kind) == [.crossed(isForward: true)], "seed \(seed)")
            // Trembling moves the moment by no more than it moves the place.
            #expect(abs(try #require(events.first).time - moment) < 5 * tremble / speed + 0.1, "seed \(seed)")
        }
    }

    /// A minute on the very line.
    @Test(arguments: FrameTimes.allCases) func standing(_ frames: FrameTimes) {
        let times = frames.until(60)
        for seed in 0..<20 {
            var chance = Chance(seed)
            let (place, tremble) = (chance.between(-1, 1), chance.between(0.3, 4))
            let way: Way = { _ in Point(380, 300 + tremble * (place + chance.normal())) }
            let events = FlowCounter.events([way], at: times, lines: [Self.gate])
            #expect(events.map(\.short) == [], "seed \(seed), \(place)")
        }
    }

    /// Comes, stands on the line for some time, and goes on or back.
    @Test(arguments: FrameTimes.allCases, [true, false])
    func standingBetween(_ frames: FrameTimes, goesOn: Bool) {
        for seed in 0..<20 {
            var chance = Chance(seed + 500)
            let way: Way = { time in
                let place = time < 2 ? 60 * (time - 2) : time < 6 ? 0 : (goesOn ? 60 : -60) * (time - 6)
                return Point(380, 300.2 + place + 1.5 * chance.normal())
            }
            let events = FlowCounter.events([way], at: frames.until(8), lines: [Self.gate])
            #expect(events.map(\.name) == (goesOn ? ["person"] : []), "seed \(seed) \(events.map(\.short))")
        }
    }

    /// Exactly on the line: from above and back is nothing, and on is one.
    @Test func touching() {
        let times = FrameTimes.thirty.until(3)
        let touching: Way = { Point(10, 300 - 90 * abs($0 - 1)) }
        let resting: Way = { Point(10, $0 < 1 ? 300 + 90 * ($0 - 1) : $0 < 2 ? 300 : 300 + 90 * ($0 - 2)) }
        let along: Way = { Point(10 + 30 * $0, 300) }
        #expect(FlowCounter.events([touching], at: times, lines: [Self.gate]).isEmpty)
        #expect(FlowCounter.events([resting], at: times, lines: [Self.gate]).map(\.kind) == [.crossed(isForward: true)])
        #expect(FlowCounter.events([along], at: times, lines: [Self.gate]).isEmpty)
    }

    @Test(arguments: FrameTimes.allCases) func severalLinesInOneStep(_ frames: FrameTimes) throws {
        let lines = [
            Self.gate, DirectedLine(Point(768, 310), Point(0, 310)), DirectedLine(Point(300, 250), Point(400, 350)),
        ]
        // 40 pixels and more between two frames.
        let events = FlowCounter.events(
            [straight(Point(0, 1200), through: Point(345, 300), at: 0.47)], at: frames.until(1), lines: lines)
        let expected: [(gate: Int, forward: Bool)] = [(2, true), (0, true), (1, false)].sorted { a, b in
            // The oblique line is met at (345, 295).
            let place = [0: 300.0, 1: 310, 2: 295]
            return (place[a.gate] ?? 0) < (place[b.gate] ?? 0)
        }
        try #require(events.map(\.gate) == expected.map(\.gate))
        #expect(events.map(\.kind) == expected.map { .crossed(isForward: $0.forward) })
        let times = events.map(\.time)
        #expect(abs(times[1] - times[0] - 5.0 / 1200) < 1e-9 && abs(times[2] - times[1] - 10.0 / 1200) < 1e-9)
    }

    /// A polyline of lines, each drawn in either direction: exactly one of them is crossed, also exactly at a joint.
    @Test(arguments: FrameTimes.allCases) func joinedLines(_ frames: FrameTimes) {
        let joints = [
            Point(0, 300), Point(150, 280), Point(300, 300), Point(450, 290), Point(600, 290), Point(768, 310),
        ]
        let times = frames.until(3)
        for flips in stride(from: 0, to: 32, by: 5) {
            let lines = (0..<5).map { index in
                flips >> index & 1 == 0
                    ? DirectedLine(joints[index], joints[index + 1]) : DirectedLine(joints[index + 1], joints[index])
            }
            // Through the joints, and between them; some with a frame exactly at it.
            for (x, y) in joints.dropFirst().dropLast().map({ ($0.x, $0.y) }) + [(75.0, 290.0), (500, 290)] {
                for moment in [times[10], 1.234] {
                    for velocity in [Point(0, 100), Point(0, -100), Point(13, 90), Point(-13, 90)] {
                        let way = straight(velocity, through: Point(x, y), at: moment)
                        let events = FlowCounter.events([way], at: times, lines: lines)
                        #expect(events.count == 1, "x \(x), flips \(flips), \(velocity)")
                    }
                }
            }
        }
    }

    /// Boxes that grow at the edge of the picture, their anchors with them, across a line 10 pixels from the edge: what comes
    /// in begins there, and what goes ends.
    @Test(arguments: FrameTimes.allCases, [40.0, 90]) func nearTheEdge(_ frames: FrameTimes, speed: Double) throws {
        let line = DirectedLine(Point(10, 0), Point(10, 480))
        let times = frames.until(6)
        for seed in 0..<40 {
            var chance = Chance(seed)
            let (width, moment) = (60.0, chance.between(2, 4))
            for direction in [1.0, -1] {
                let way: Way = { time in
                    let right = direction * speed * (time - moment) + 20
                    let left = max(right - width, 0)
                    return right - left > 2 ? Point((left + right) / 2, 300) : nil
                }
                let events = FlowCounter.events([way], at: times, lines: [line])
                // Nobody saw it on the other side.
                if times.allSatisfy({ way($0).map { $0.x > 10 } ?? true }) { continue }
                #expect(events.map(\.kind) == [.crossed(isForward: direction < 0)], "seed \(seed), \(direction)")
                let beyond = times.firstIndex { way($0).map { direction > 0 ? $0.x > 10 : $0.x < 10 } ?? false }
                #expect(events.first?.frame == beyond)
            }
        }
    }

    /// The track's number changes, before the line or beyond it, as close as a frame.
    @Test(arguments: FrameTimes.allCases) func numbersThatChange(_ frames: FrameTimes) throws {
        let times = frames.until(4)
        let way = straight(Point(3, 75), through: Point(380, 300), at: 2.02)
        let beyond = try #require(times.firstIndex { $0 > 2.02 })
        for change in [beyond - 6, beyond - 3, beyond - 1, beyond + 1, beyond + 2, beyond + 5] {
            let first: Way = { $0 < times[change] ? way($0) : nil }
            let second: Way = { $0 >= times[change] ? way($0) : nil }
            let events = FlowCounter.events([first, second], at: times, lines: [Self.gate])
            #expect(events.map(\.short) == ["forward \(beyond)"], "from frame \(change)")
            #expect(events.map(\.thing.number) == [change < beyond ? 2 : 1])
        }
    }

    @Test(arguments: FrameTimes.allCases) func returns(_ frames: FrameTimes) {
        func turning(after beyond: Double) -> Way {
            // As long beyond as said.
            { time in Point(380, 300 + 100 * (beyond / 2 - abs(time - 1.513 - beyond / 2))) }
        }
        let times = frames.until(5)
        #expect(FlowCounter.events([turning(after: 0.15)], at: times, lines: [Self.gate]).isEmpty)
        #expect(
            FlowCounter.events([turning(after: 0.7)], at: times, lines: [Self.gate]).map(\.kind)
                == [.crossed(isForward: true), .crossed(isForward: false)])
        // A short look back on the way is nothing, wherever it begins.
        let looking: Way = { time in
            Point(
                380, 300 + (time < 2 ? 60 * (time - 1.7) : time < 2.35 ? 18 - 60 * (time - 2) : -3 + 60 * (time - 2.35))
            )
        }
        #expect(FlowCounter.events([looking], at: times, lines: [Self.gate]).map(\.kind) == [.crossed(isForward: true)])
    }

    @Test(arguments: [(0.7, 1), (0.95, 1), (1.3, 0)]) func gaps(gap: Double, crossings: Int) {
        let times = FrameTimes.thirty.until(5)
        let whole = straight(Point(0, 80), through: Point(380, 300), at: 2)
        let way: Way = { abs($0 - 2) > gap / 2 - 0.02 ? whole($0) : nil }
        let events = FlowCounter.events([way], at: times, lines: [Self.gate])
        #expect(events.count == crossings)
        guard let event = events.first else { return }
        // Told where it was seen beyond; the time is on the line between.
        #expect(event.frame == times.firstIndex { $0 > 2 && way($0) != nil })
        #expect(abs(event.time - 2) < 1e-9)
    }

    /// Supposed places cross nothing, and neither do places that are only held.
    @Test func supposedPlaces() {
        var counter = FlowCounter(lines: [Self.gate], zones: [], hold: 0.2, bridge: 1)
        let thing = TrackReference(stage: "people", number: 1)
        var events: [FlowEvent] = []
        for frame in 0..<60 {
            let place: FlowCounter.Sighting.Place =
                frame < 20 ? .seen(Point(10, 280 + Double(frame) * 0.9)) : frame < 40 ? .unseen : .held
            events += counter.add(
                [.init(thing: thing, name: "person", place: place)], frame: frame, time: Double(frame) / 30)
        }
        #expect((events + counter.finish()).isEmpty)
    }

    /// Pictures that are farther apart than a gap may be.
    @Test func slowPictures() {
        let times = (0..<20).map { Double($0) * 4 }
        let way = straight(Point(0, 10), through: Point(380, 300), at: 33)
        let events = FlowCounter.events([way], at: times, lines: [Self.gate])
        #expect(events.map(\.short) == ["forward 9"])
        #expect(events.first?.time == 33)
    }

    /// Whatever somebody does, forwards and backwards take turns at a line without ends.
    @Test(arguments: FrameTimes.allCases) func turns(_ frames: FrameTimes) {
        let line = DirectedLine(Point(-1e5, 290), Point(1e5, 310))
        for seed in 0..<12 {
            var chance = Chance(seed)
            var place = Point(380, 300)
            let way: Way = { _ in
                place = place + Point(9 * chance.normal(), 9 * chance.normal())
                place.y += (300 - place.y) * 0.05
                return place
            }
            let crossed = FlowCounter.events([way], at: frames.until(30), lines: [line]).map(\.kind)
            #expect(zip(crossed, crossed.dropFirst()).allSatisfy { $0 != $1 })
        }
    }

    /// Ten pixels from the picture's edge, where boxes tremble by a third of that and nothing is seen any more beyond: whoever was
    /// there for as long as it takes has crossed.
    @Test(arguments: [15.0, 25]) func tremblingAtTheEdge(speed: Double) {
        let line = DirectedLine(Point(640, 10), Point(0, 10))
        var chance = Chance(Int(speed))
        let times = FrameTimes.thirty.until(8)
        var ways: [Way] = []
        for thing in 0..<40 {
            let begin = chance.between(0, 1)
            let places = times.map { time -> Point? in
                let y = 60 - speed * (time - begin)
                return y < 1 ? nil : Point(15 * Double(thing) + 3 * chance.normal(), max(0.5, y + 3 * chance.normal()))
            }
            ways.append { time in places[Int((time * 30).rounded())] }
        }
        let events = FlowCounter.events(ways, at: times, lines: [line])
        #expect(events.count >= 34 && events.allSatisfy { $0.kind == .crossed(isForward: true) }, "\(events.count)")
        #expect(Set(events.map(\.thing)).count == events.count)
    }

    /// What stands on a line and trembles, also with a longer breath than a frame, crosses nothing.
    @Test(arguments: FrameTimes.allCases, [0.0, 0.3]) func standingAndTrembling(_ frames: FrameTimes, breath: Double) {
        var chance = Chance(7)
        let times = frames.until(60)
        let ways = (0..<20).map { _ -> Way in
            var offset = chance.normal()
            let places = times.map { _ in
                offset = breath * offset + (1 - breath * breath).squareRoot() * chance.normal()
                return Point(380, 300 + 3 * offset)
            }
            let byTime = Dictionary(uniqueKeysWithValues: zip(times, places))
            return { byTime[$0] }
        }
        let events = FlowCounter.events(ways, at: times, lines: [Self.gate])
        #expect(events.count <= (breath == 0 ? 0 : 2), "\(events.map(\.short))")
    }
}
