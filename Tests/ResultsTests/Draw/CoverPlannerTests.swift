@testable import Drawing
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct CoverPlannerTests {
    private func style(gap: Double = 0.5) -> DrawStyle {
        var style = FaceFinding.style
        style.cover = .blur
        style.coverGap = gap
        return style
    }

    private func face(
        _ x: Double, track: Int? = 1, state: TrackState = .tracked, held: Bool = false, gap: Double = 0.5
    ) -> DrawnObservation {
        let box = state == .lost ? nil : Box(x: x, y: 50, width: 10, height: 20)
        return DrawnObservation(
            Observation(FaceFinding(), stage: "f", state: state, box: box, isHeld: held), track: track,
            style: style(gap: gap))
    }

    /// Where faces are covered, by the middle of the covers.
    private func places(_ planner: CoverPlanner, at time: Double) -> [Double] {
        planner.covers(at: time).map { (($0.spot.bounds?.center.x ?? 0) * 1e6).rounded() / 1e6 - 5 }
    }

    @Test func nothingWithoutAStyle() {
        var planner = CoverPlanner()
        var plain = face(0)
        plain.style = FaceFinding.style
        planner.note([plain], at: 0)
        plain.style = nil
        planner.note([plain], at: 0.1)
        #expect(planner.covers(at: 0).isEmpty && planner.covers(at: 0.1).isEmpty)
        #expect(CoverPlanner.lookahead(of: [DrawStyle()]) == nil)
        #expect(CoverPlanner.lookahead(of: [DrawStyle(), style(gap: 0.2), style(gap: 0.7)]) == 0.7)
        #expect(CoverPlanner.lookahead(of: []) == nil)
    }

    @Test func theBoxGrowsByAFifth() {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        #expect(planner.covers(at: 0) == [Cover(box: Box(x: 99, y: 48, width: 12, height: 24), style: .blur)])
    }

    /// The whole of what is covered, left and right, without the fifth by which boxes grow.
    private func reach(_ planner: CoverPlanner, at time: Double) -> ClosedRange<Double>? {
        let boxes = planner.covers(at: time).compactMap(\.spot.bounds)
        guard let left = boxes.map(\.x).min(), let right = boxes.map(\.right).max() else { return nil }
        return (left + 1)...(right - 1)
    }

    @Test func beforeTheFirstSightAndAfterTheLast() throws {
        var planner = CoverPlanner()
        planner.note([], at: 0)
        planner.note([face(100)], at: 1)
        planner.note([face(0, state: .lost)], at: 1.1)
        #expect(places(planner, at: 0.4).isEmpty)
        #expect(places(planner, at: 1) == [100])
        #expect(places(planner, at: 1.6).isEmpty)
        // The longer ago, the more of its neighbourhood; at last its whole size on either side, a narrow one's as if it were
        // as wide as it is high.
        for (time, share) in [(1.1, 0.2), (1.25, 0.5), (1.5, 1), (0.75, 0.5), (0.5, 1)] {
            let whole = try #require(reach(planner, at: time))
            let margin = share * (10.0 * 20).squareRoot() / 2
            #expect(
                abs(whole.lowerBound - (100 - margin)) < 1e-6 && abs(whole.upperBound - (110 + margin)) < 1e-6,
                "\(time)")
        }
    }

    /// A line is taller for a moment where a shaking camera smears it: no more of it is to be seen then. One that comes in at the
    /// top is, and stays so.
    @Test func aSmearedLineIsNoLargerOne() {
        func covers(_ heights: [Double]) -> [Int] {
            var planner = CoverPlanner()
            for (frame, height) in heights.enumerated() {
                let line = DrawnObservation(
                    Observation(
                        FaceFinding(), stage: "f", state: .tracked, box: Box(x: 100, y: 50, width: 120, height: height)),
                    track: 1, style: style())
                planner.note([line], at: Double(frame) / 25)
            }
            return heights.indices.map { planner.covers(at: Double($0) / 25).count }
        }
        #expect(covers([20, 20, 20, 28, 20, 20]) == [1, 1, 1, 1, 1, 1])
        #expect(covers([20, 20, 27, 28, 20, 20]) == [1, 1, 1, 1, 1, 1])
        #expect(covers([20, 20, 28, 28, 28]) == [2, 2, 1, 1, 1])
    }

    /// Two that meet, one behind the other, and have each other's numbers afterwards: neither is bare meanwhile.
    @Test(arguments: [true, false]) func whereTwoMeetEitherMayBeTheOther(areExchanged: Bool) {
        var planner = CoverPlanner()
        func hidden(_ time: Double) -> Double { 100 + 37 * time / 0.7 }
        func front(_ time: Double) -> Double { 144 - 37 * time / 0.7 }
        for tenth in 0...7 {
            let time = Double(tenth) / 10
            let isSeen = tenth == 0 || tenth == 7
            let isAfter = areExchanged && tenth == 7
            planner.note(
                [face(front(time), track: isAfter ? 2 : 1, gap: 0.75)]
                    + (isSeen ? [face(hidden(time), track: isAfter ? 1 : 2, gap: 0.75)] : []), at: time)
        }
        for time in [0.1, 0.2, 0.3, 0.4, 0.5, 0.6] {
            let boxes = planner.covers(at: time).compactMap(\.spot.bounds)
            let bare = (0..<10).filter { column in
                let x = hidden(time) + Double(column) + 0.5
                return !boxes.contains { $0.x <= x && x <= $0.right }
            }
            #expect(bare.count <= 2, "\(time): \(bare)")
        }
    }

    /// What moved may have gone on.
    @Test func theWayItHadGoesOn() throws {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([face(112)], at: 0.1)
        let after = try #require(reach(planner, at: 0.2))
        #expect(after.lowerBound <= 112 && after.upperBound >= 134)
        // No farther than twice its size.
        #expect(try #require(reach(planner, at: 0.6)).upperBound < 122 + 29 + 8)
    }

    /// A detector that takes something beside a hidden face for it.
    @Test func aWeakSightingDoesntUncover() throws {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        var weak = face(130)
        weak.observation.confidence = 0.4
        planner.note([weak], at: 0.2)
        planner.note([face(100)], at: 0.4)
        for time in [0.2, 0.1] {
            let whole = try #require(reach(planner, at: time))
            #expect(whole.lowerBound <= 100 && whole.upperBound >= 140, "\(time)")
        }
        #expect(places(planner, at: 0) == [100])
        planner.forget(before: 0.2)
        #expect(try #require(reach(planner, at: 0.2)).lowerBound <= 100)
    }

    /// No way between two sightings is certain: all that lies between them is covered.
    @Test func aShortGapIsCoveredAsAWhole() throws {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([face(140)], at: 0.4)
        for time in [0.1, 0.2, 0.3] {
            let whole = try #require(reach(planner, at: time))
            #expect(whole.lowerBound <= 100 && whole.upperBound >= 150, "\(time)")
        }
    }

    @Test func bothEndsOfALongGap() throws {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([face(140)], at: 0.8)
        #expect(places(planner, at: 0.2) == [100])
        #expect(places(planner, at: 0.4) == [100, 140])
        #expect(places(planner, at: 0.6) == [140])
    }

    /// A carried box is where the face was: it doesn't stand for what is between two sightings.
    @Test(arguments: [true, false]) func whatIsNotMeasured(held: Bool) throws {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([face(104, state: held ? .tracked : .predicted, held: held)], at: 0.2)
        planner.note([face(140)], at: 0.4)
        let whole = try #require(reach(planner, at: 0.2))
        #expect(whole.lowerBound <= 100 && whole.upperBound >= 150)
        #expect(places(planner, at: 0.2).first == 104)
        // Too far from the last sighting to be bridged: it counts in its own frame, and nowhere else.
        planner.note([face(150, state: held ? .tracked : .predicted, held: held)], at: 2)
        #expect(places(planner, at: 2) == [150])
        #expect(places(planner, at: 1.9).isEmpty && places(planner, at: 2.1).isEmpty)
    }

    @Test func whatHasNoTrackIsKnownByItsPlace() {
        var planner = CoverPlanner()
        planner.note([face(100, track: nil), face(200, track: nil)], at: 0)
        planner.note([face(104, track: nil)], at: 0.1)
        planner.note([face(300, track: nil)], at: 0.2)
        #expect(places(planner, at: 0).prefix(2) == [100, 200])
        #expect(places(planner, at: 0.1).prefix(2) == [104, 200])
        #expect(planner.subjects.count == 3)
    }

    /// Where something was says nothing of the next shot.
    @Test func aCutEndsIt() {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([], at: 0.1, isCut: true)
        planner.note([face(300)], at: 0.2)
        #expect(places(planner, at: 0) == [100])
        #expect(places(planner, at: 0.1) == [300])
        planner.note([], at: 0.3, isCut: true)
        #expect(places(planner, at: 0.3).isEmpty)
        planner.forget(before: 0.2)
        #expect(places(planner, at: 0.2) == [300] && places(planner, at: 0.3).isEmpty)
    }

    /// What a stage goes on to suppose of the shot before isn't in this one, until it is measured again.
    @Test func aSupposedPlaceEndsAtACut() {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([face(104, state: .predicted)], at: 0.1)
        planner.note([face(108, state: .predicted), face(300, track: 2)], at: 0.2, isCut: true)
        planner.note([face(112, state: .predicted), face(300, track: 2)], at: 0.3)
        #expect(places(planner, at: 0.1).first == 104)
        #expect(places(planner, at: 0.2) == [300] && places(planner, at: 0.3) == [300])
        planner.note([face(116)], at: 0.4)
        planner.note([face(120, state: .predicted)], at: 0.5)
        #expect(places(planner, at: 0.5).first == 120)
    }

    /// Lost, and at once seen under another number where its picture is found: one thing, of which no guess is left.
    @Test(arguments: [nil, 60.0, 160]) func whatGoesOnUnderAnotherNumber(found: Double?) {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([face(96, state: .predicted), face(160, track: 2)], at: 0.1)
        planner.forEachSubject { subject in
            guard subject.track == 1, let found else { return }
            subject.forward.append(
                CoverSubject.Find(time: 0.1, box: Box(x: found, y: 50, width: 10, height: 20)))
        }
        planner.join(at: 0.1)
        planner.note([face(92, state: .predicted), face(170, track: 2)], at: 0.2)
        let isOne = found == 160
        #expect(planner.subjects.count == (isOne ? 1 : 2))
        #expect((places(planner, at: 0.2) == [170]) == isOne)
        #expect((places(planner, at: 0.1) == [160]) == isOne)
        // Seen again, it is another.
        planner.note([face(92), face(180, track: 2)], at: 0.3)
        #expect(places(planner, at: 0.3) == (isOne ? [180, 92] : [92, 180]))
    }

    /// What only looks like a lost thing may be another: where the thing may have gone stays covered.
    @Test(arguments: [true, false]) func whatIsFoundElsewhere(isSure: Bool) throws {
        var planner = CoverPlanner()
        planner.note([face(100)], at: 0)
        planner.note([], at: 0.2)
        planner.forEachSubject { subject in
            subject.forward.append(
                CoverSubject.Find(time: 0.2, box: Box(x: 300, y: 50, width: 10, height: 20), isSure: isSure))
        }
        let covers = planner.covers(at: 0.2).compactMap(\.spot.bounds)
        #expect(covers.contains { $0.x <= 300 && $0.right >= 310 })
        #expect(covers.contains { $0.x < 100 && $0.right > 110 } == !isSure, "\(covers)")
    }

    @Test func forgettingChangesNothing() {
        var all = CoverPlanner()
        var lean = CoverPlanner()
        for frame in 0..<100 {
            let time = Double(frame) / 10
            let seen = frame % 9 < 3 || frame > 60 && frame < 75 ? [face(Double(frame))] : []
            all.note(seen, at: time)
            lean.note(seen, at: time)
            guard frame >= 5 else { continue }
            lean.forget(before: time - 0.5)
            #expect(lean.covers(at: time - 0.5) == all.covers(at: time - 0.5), "\(frame)")
        }
    }

    /// A line that comes in at the edge is read by half, and followed so, until it is read whole: what is seen then is covered
    /// before, too. And the other way round.
    @Test(arguments: [false, true]) func whatIsSeenInPart(isLeaving: Bool) throws {
        func line(_ frame: Int) -> DrawnObservation {
            let right = 100.0 + 16 * Double(frame)
            let width = frame < 6 ? 80.0 : 240.0
            return DrawnObservation(
                Observation(
                    FaceFinding(), stage: "f", state: .tracked,
                    box: Box(x: right - width, y: 50, width: width, height: 30)),
                track: 1, style: style())
        }
        var planner = CoverPlanner()
        for frame in 0..<12 { planner.note([line(isLeaving ? 11 - frame : frame)], at: Double(frame) / 30) }
        for frame in 0..<12 {
            let place = isLeaving ? 11 - frame : frame
            let right = 100.0 + 16 * Double(place)
            let covers = planner.covers(at: Double(frame) / 30).compactMap(\.spot.bounds)
            #expect(covers.contains { $0.x <= right - 240 && $0.right >= right }, "\(frame)")
        }
    }
}
