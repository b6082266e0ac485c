import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What counts as entering and leaving a zone.
@Suite struct ZoneCountTests {
    private static let square = [Point(200, 200), Point(400, 200), Point(400, 400), Point(200, 400)]

    private func straight(_ velocity: Point, through point: Point, at moment: Double) -> Way {
        { time in point + velocity * (time - moment) }
    }

    @Test(arguments: FrameTimes.allCases) func throughIt(_ frames: FrameTimes) throws {
        let times = frames.until(8)
        let events = FlowCounter.events(
            [straight(Point(100, 0), through: Point(200, 300), at: 2.017)], at: times, zones: [Self.square])
        let (entry, exit) = (2.017, 4.017)
        let frame = { (moment: Double) in times.firstIndex { $0 > moment } ?? -1 }
        #expect(events.map(\.short) == ["in \(frame(entry))", "out \(frame(exit))"])
        try #require(events.count == 2)
        #expect(abs(events[0].time - entry) < 1e-9 && abs(events[1].time - exit) < 1e-9)
        guard case .left(let dwell, let isLost) = events[1].kind else { return }
        #expect(abs(dwell - 2) < 1e-9 && !isLost)
    }

    @Test func beginsAndEndsInside() throws {
        let times = FrameTimes.thirty.until(6)
        let resting: Way = { $0 < 2.5 ? Point(300, 300) : nil }
        let events = FlowCounter.events([resting], at: times, zones: [Self.square])
        try #require(events.map(\.short) == ["began 0", "lost 74"])
        guard case .left(let dwell, true) = events[1].kind else {
            Issue.record("not lost")
            return
        }
        #expect(abs(dwell - times[74]) < 1e-9)
        // Where the frames end it is still there.
        #expect(
            FlowCounter.events([{ _ in Point(300, 300) }], at: times, zones: [Self.square]).map(\.short) == ["began 0"])
    }

    /// Comes in, is lost there, and is another one afterwards.
    @Test func numbersThatChange() {
        let times = FrameTimes.thirty.until(6)
        let way = straight(Point(100, 0), through: Point(200, 300), at: 1.01)
        let (first, second): (Way, Way) = ({ $0 < 2 ? way($0) : nil }, { $0 >= 2 ? way($0) : nil })
        let events = FlowCounter.events([first, second], at: times, zones: [Self.square])
        #expect(events.map { "\($0.thing.number) \($0.short)" } == ["1 in 31", "2 began 60", "1 lost 59", "2 out 91"])
    }

    /// Over a thin band between two frames, and past its end.
    @Test(arguments: FrameTimes.allCases) func overABand(_ frames: FrameTimes) throws {
        let band = [Point(100, 300), Point(600, 300), Point(600, 305), Point(100, 305)]
        let times = frames.until(2)
        for (speed, y) in [(900.0, 300.0), (-900, 305)] {
            let over = straight(Point(20, speed), through: Point(300, y), at: 0.914)
            let past = straight(Point(0, speed), through: Point(610, y), at: 0.914)
            let events = FlowCounter.events([over, past], at: times, zones: [band])
            let frame = try #require(times.firstIndex { $0 > 0.914 })
            try #require(events.map(\.short) == ["in \(frame)", "out \(frame)"])
            #expect(events.map(\.thing.number) == [1, 1])
            #expect(abs(events[0].time - 0.914) < 1e-9)
            #expect(abs(events[1].time - events[0].time - 5 / abs(speed)) < 1e-9)
        }
    }

    /// In and out at one side for a moment is nothing.
    @Test(arguments: FrameTimes.allCases) func dips(_ frames: FrameTimes) {
        let dipping: Way = { Point(300, 199 + 6 * max(0, 1 - abs($0 - 2) / 0.1)) }
        let leaning: Way = { Point(300, 399 + 6 * max(0, 1 - abs($0 - 2) / 0.1)) }
        let events = FlowCounter.events([dipping, leaning], at: frames.until(4), zones: [Self.square])
        #expect(events.map(\.short) == ["began 0"])
    }

    @Test(arguments: FrameTimes.allCases) func tremblingAtTheEdge(_ frames: FrameTimes) {
        for seed in 0..<20 {
            var chance = Chance(seed)
            let tremble = chance.between(0.3, 3)
            let way: Way = { time in
                Point(300, 150 + 25 * min(time, 2) + tremble * chance.normal() + (time > 40 ? -40 * (time - 40) : 0))
            }
            let events = FlowCounter.events([way], at: frames.until(43), zones: [Self.square])
            #expect(events.map(\.short) == [], "seed \(seed)")
        }
    }

    /// The hole of a polygon that runs around twice is outside.
    @Test func evenOdd() {
        let ring =
            [Point(100, 100), Point(400, 100), Point(400, 400), Point(100, 400), Point(100, 100)]
            + [Point(200, 200), Point(200, 300), Point(300, 300), Point(300, 200), Point(200, 200)]
        let events = FlowCounter.events(
            [straight(Point(50, 0), through: Point(100, 250), at: 1.01)], at: FrameTimes.thirty.until(9), zones: [ring])
        #expect(events.map(\.short) == ["in 31", "out 91", "in 151", "out 211"])
    }

    /// Where zones touch, one is left as the next one is entered, also through a corner.
    @Test func neighbours() throws {
        let next = Self.square.map { $0 + Point(200, 0) }
        let events = FlowCounter.events(
            [straight(Point(100, 0), through: Point(400, 300), at: 3)], at: FrameTimes.thirty.until(6),
            zones: [Self.square, next])
        try #require(events.map(\.gate) == [0, 0, 1, 1])
        #expect(events[1].time == events[2].time && events[1].frame == events[2].frame)
    }

    /// Whatever somebody does: who is there began there or came in, and hasn't gone.
    @Test(arguments: FrameTimes.allCases) func balance(_ frames: FrameTimes) {
        let star = [Point(420, 300), Point(203, 371), Point(337, 186), Point(337, 414), Point(203, 229)]
        for seed in 0..<12 {
            var chance = Chance(seed)
            var place = Point(chance.between(150, 450), chance.between(150, 450))
            let way: Way = { _ in
                place = place + Point(8 * chance.normal(), 8 * chance.normal())
                place = place + (Point(300, 300) - place) * 0.03
                return chance.next() < 0.97 ? place : nil
            }
            var present = 0
            for event in FlowCounter.events([way], at: frames.until(60), zones: [star]) {
                switch event.kind {
                case .entered, .began: present += 1
                case .left(let dwell, _):
                    present -= 1
                    #expect(dwell >= 0)
                case .crossed: Issue.record("a crossing of a zone")
                }
                #expect((0...1).contains(present), "seed \(seed)")
            }
        }
    }

    /// Feet that the picture's edge cuts off stand on it: in a zone that ends there.
    @Test(arguments: [719.0, 720, 740]) func onThePicturesEdge(bottom: Double) throws {
        let picture = PictureSize(width: 1280, height: 720)
        let times = FrameTimes.thirty.until(8)
        let zone = [Point(100, 360), Point(400, 360), Point(400, 720), Point(100, 720)]
        let way = straight(Point(100, 0), through: Point(100, bottom), at: 1.017)
        let events = FlowCounter.events([way], at: times, zones: [zone], picture: picture)
        #expect(events.map(\.short) == ["in 31", "out 121"])
        let all = [Point(0, 0), Point(1280, 0), Point(1280, 720), Point(0, 720)]
        let resting = FlowCounter.events([{ _ in Point(300, bottom) }], at: times, zones: [all], picture: picture)
        #expect(resting.map(\.short) == ["began 0"])
        // From above, out of sight: it never left.
        let down = straight(Point(0, 100), through: Point(300, 360), at: 1.017)
        let sunk: Way = { time in down(time).flatMap { $0.y < bottom + 20 ? $0 : nil } }
        #expect(
            FlowCounter.events([sunk], at: times, zones: [zone], picture: picture).map(\.short).first == "in 31")
    }

    /// Who touches a corner from outside was never in.
    @Test(arguments: FrameTimes.allCases) func aCornerTouched(_ frames: FrameTimes) {
        let pointed = [Point(320, 100), Point(400, 300), Point(240, 300)]
        let way = straight(Point(100, 0), through: Point(320, 100), at: 2.017)
        #expect(FlowCounter.events([way], at: frames.until(5), zones: [pointed]).isEmpty)
    }
}
