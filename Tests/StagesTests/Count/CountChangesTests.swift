import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What changes its label, is looked at seldom, or trembles where lines meet.
@Suite struct CountChangesTests {
    private typealias Sighting = FlowCounter.Sighting

    private func seen(_ point: Point?, _ name: String = "person", thing: Int = 1) -> Sighting {
        Sighting(
            thing: TrackReference(stage: "people", number: thing), name: name, place: point.map { .seen($0) } ?? .held)
    }

    /// A thing leaves a zone under the label with which it entered: no figure falls below 0.
    @Test(arguments: [false, true]) func aLabelThatChangesInAZone(beginsInside: Bool) {
        let zone = [Point(100, 0), Point(200, 0), Point(200, 100), Point(100, 100)]
        var counter = FlowCounter(lines: [], zones: [zone], hold: 0.2, bridge: 1)
        var ledger = FlowLedger(isZone: [true])
        var events: [FlowEvent] = []
        for frame in 0..<120 {
            // Labels flicker, and it comes a second time.
            let x = 50 + Double(frame % 60) * 5 + (beginsInside ? 60 : 0)
            events += counter.add(
                [seen(Point(x, 50), frame % 60 < 30 || frame % 7 == 0 ? "person" : "car", thing: 1 + frame / 60)],
                frame: frame, time: Double(frame) / 25)
        }
        events += counter.finish()
        for event in events.sorted(by: { $0.frame < $1.frame }) {
            ledger.add(event, at: event.time)
            for figures in ledger.accounts[0].byLabel.values { #expect((figures.present ?? 0) >= 0) }
        }
        let account = ledger.accounts[0]
        #expect(account.figures.present == 0 && account.figures.left == 2)
        #expect(account.byLabel.values.allSatisfy { $0.present == 0 })
    }

    /// Where nobody looks nothing is missed: a path goes on over frames of which nothing is said, whatever their number.
    @Test func seldomLooks() {
        let line = DirectedLine(Point(0, 300), Point(600, 300))
        let zone = [Point(0, 0), Point(600, 0), Point(600, 200), Point(0, 200)]
        var counter = FlowCounter(lines: [line], zones: [zone], hold: 0.2, bridge: 1)
        var events: [FlowEvent] = []
        for frame in 0..<200 {
            let looks = frame.isMultiple(of: 50)
            events += counter.add(
                [
                    seen(looks ? Point(300, 220 + Double(frame)) : nil),
                    seen(looks ? Point(300, 100) : nil, thing: 2),
                ], frame: frame, time: Double(frame) / 25)
        }
        events += counter.finish()
        #expect(events.map(\.short) == ["began 0", "forward 100"])
    }

    /// Through the joint of two lines, however bent, drawn in either direction: one crossing each, and in its direction.
    @Test(arguments: [-60.0, -40, -20, 0, 20, 45, 70], [0, 1, 2, 3]) func tremblingThroughAJoint(
        bend: Double, flips: Int
    ) {
        let joint = Point(300, 300)
        let way = Point(200, 200 * bend / 45)
        let ends = [joint - Point(way.x, -way.y), joint + way]
        let lines = [
            flips & 1 == 0 ? DirectedLine(ends[0], joint) : DirectedLine(joint, ends[0]),
            flips & 2 == 0 ? DirectedLine(joint, ends[1]) : DirectedLine(ends[1], joint),
        ]
        var chance = Chance(7 + flips)
        for thing in 0..<40 {
            let (start, down) = (chance.between(-6, 6), !thing.isMultiple(of: 2))
            var counter = FlowCounter(lines: lines, zones: [], hold: 0.2, bridge: 1)
            var events: [FlowEvent] = []
            for frame in 0..<150 {
                let y = (down ? -150 : 150) + (down ? 2 : -2) * Double(frame)
                let point = joint + Point(start + 2 * chance.normal(), y + 2 * chance.normal())
                events += counter.add([seen(point)], frame: frame, time: Double(frame) / 25)
            }
            events += counter.finish()
            #expect(events.count == 1, "thing \(thing): \(events.map(\.short))")
            guard let event = events.first else { continue }
            let isFlipped = flips >> event.gate & 1 == 1
            #expect(event.kind == .crossed(isForward: down != isFlipped), "thing \(thing), line \(event.gate)")
        }
    }

    /// Lines that meet elsewhere than at their ends, three at one point, and a ring of lines are each for themselves.
    @Test func whatIsNoChain() {
        let (a, b, c, d) = (Point(0, 0), Point(100, 0), Point(50, 80), Point(200, 50))
        func members(_ lines: [DirectedLine]) -> [[Int]] {
            ChainBoundary.chains(of: lines).map { $0.members.map(\.line) }
        }
        let ring = [DirectedLine(a, b), DirectedLine(b, c), DirectedLine(c, a)]
        #expect(members(ring) == [[0], [1], [2]])
        #expect(members([DirectedLine(a, b), DirectedLine(b, c), DirectedLine(b, d)]) == [[0], [1], [2]])
        #expect(members([DirectedLine(b, c), DirectedLine(d, b), DirectedLine(a, a)]) == [[1, 0], [2]])
        // Its ways past its ends meet each other.
        #expect(members([DirectedLine(a, b), DirectedLine(b, d), DirectedLine(d, Point(300, 50))]) == [[0, 1, 2]])
        #expect(members([DirectedLine(a, b), DirectedLine(b, d), DirectedLine(d, Point(50, -9))]) == [[0], [1], [2]])
    }

    /// Three sides of a rectangle count as they do alone, whichever way they go round.
    @Test(arguments: [false, true]) func sidesOfARectangle(isTurned: Bool) {
        let corners = [Point(200, 400), Point(200, 100), Point(400, 100), Point(400, 400)]
        let way = isTurned ? corners.reversed() : corners
        let lines = (0..<3).map { DirectedLine(way[$0], way[$0 + 1]) }
        var counter = FlowCounter(lines: lines, zones: [], hold: 0.2, bridge: 1)
        var events: [FlowEvent] = []
        for frame in 0..<100 {
            events += counter.add([seen(Point(100 + 4 * Double(frame), 250))], frame: frame, time: Double(frame) / 25)
        }
        events += counter.finish()
        let kinds: [FlowEvent.Kind] = [.crossed(isForward: !isTurned), .crossed(isForward: isTurned)]
        #expect(events.map(\.kind) == kinds)
        #expect(events.map(\.gate) == (isTurned ? [2, 0] : [0, 2]))
    }
}
