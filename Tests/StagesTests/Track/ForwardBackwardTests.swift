import Annotate
import Testing

@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct ForwardBackwardTests {
    private func object(_ x: Double, _ confidence: Double = 0.8, _ state: TrackState = .tracked) -> TrackedObject {
        TrackedObject(box: Box(x: x, y: 0, width: 100, height: 50), confidence: confidence, state: state)
    }

    /// Sightings evenly along the way.
    private func meet(_ pairs: [(TrackedObject, TrackedObject)]) -> [TrackedObject] {
        ForwardBackward.meet(
            pairs.enumerated().map { index, pair in
                ForwardBackward.Sighting(
                    share: Double(index + 1) / Double(pairs.count + 1), forward: pair.0, backward: pair.1)
            })
    }

    private func close(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-9 }

    @Test func whereTheyAgreeTheNearerCountsMore() {
        let met = meet([(object(0), object(20)), (object(0), object(20)), (object(0), object(20))])
        #expect(zip(met.map(\.box.x), [5, 10, 15]).allSatisfy(close))
        #expect(met.allSatisfy { $0.box.width == 100 && $0.state == .tracked && close($0.confidence, 0.8) })
        // And the surer one.
        #expect(close(meet([(object(0, 0.9), object(20, 0.3))])[0].box.x, 5))
    }

    @Test func oneThatStrayedIsBelievedNoLonger() {
        // The first one goes astray on the second frame of five.
        let pairs = (0..<5).map { index in
            (object(index < 1 ? 0 : 500, index < 1 ? 0.9 : 0.35), object(0, 0.9))
        }
        #expect(meet(pairs).map(\.box.x) == [0, 0, 0, 0, 0])
        // The second one on the fourth, counted from the first.
        let back = (0..<5).map { index in (object(0, 0.9), object(index < 4 ? 500 : 0, index < 4 ? 0.35 : 0.9)) }
        #expect(meet(back).map(\.box.x) == [0, 0, 0, 0, 0])
    }

    /// Both are right before and after, and one of them took something else for it meanwhile.
    @Test func betweenTwoThatFindBackTheSurerIsBelieved() {
        let apart = { (forward: Double, backward: Double) in
            (0..<20).map { index in
                6..<14 ~= index
                    ? (self.object(0, forward), self.object(500, backward)) : (self.object(0), self.object(0))
            }
        }
        #expect(meet(apart(0.9, 0.05)).map(\.box.x) == Array(repeating: 0, count: 20))
        #expect(meet(apart(0.05, 0.9)).filter { $0.box.x == 500 }.count == 8)
        let even = meet(apart(0.5, 0.5)).map(\.box.x)
        #expect(even == (0..<20).map { 10..<14 ~= $0 ? 500 : 0 })
    }

    /// Paths that cross for a frame are no agreement.
    @Test func aChanceMeetingCountsForNothing() {
        let met = meet((0..<9).map { index in (object(index < 2 ? 0 : 500, 0.9), object(index == 5 ? 500 : 0, 0.5)) })
        #expect(met.map(\.box.x) == [0, 0, 0, 0, 0, 500, 0, 0, 0])
    }

    @Test func betweenTwoEquallySureOnesItChangesOnceInTheMiddle() {
        let met = meet((0..<7).map { _ in (object(0), object(500)) })
        #expect(met.map(\.box.x) == [0, 0, 0, 0, 500, 500, 500] || met.map(\.box.x) == [0, 0, 0, 500, 500, 500, 500])
    }

    @Test func whatOneLosesTheOtherHas() {
        let met = meet([
            (object(0), object(9, 0.1, .lost)), (object(0, 0.1, .lost), object(9, 0.1, .lost)),
            (object(0, 0.2, .lost), object(9)), (object(0, 0.2, .lost), object(9, 0.8, .recovered)),
        ])
        #expect(met.map(\.state) == [.tracked, .lost, .recovered, .tracked])
        #expect(met.map(\.box.x) == [0, 0, 9, 9])
    }

    @Test func onesOwnRecoveryIsNone() {
        #expect(meet([(object(0, 0.8, .recovered), object(0, 0.1, .lost))]).map(\.state) == [.tracked])
        #expect(meet([(object(0, 0.8, .predicted), object(0, 0.1, .predicted))]).map(\.state) == [.predicted])
        #expect(meet([(object(0, 0.8, .predicted), object(0))]).map(\.state) == [.tracked])
    }

    @Test func nothingBetween() { #expect(meet([]).isEmpty) }
}
