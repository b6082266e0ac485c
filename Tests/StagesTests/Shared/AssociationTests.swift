import Annotate
import Testing

@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct AssociationTests {
    /// A square around a point.
    private func square(_ name: Int = 0, _ x: Double, _ y: Double, side: Double = 20) -> Association.Candidate {
        Association.Candidate(
            name: name, polygon: Box(x: x - side / 2, y: y - side / 2, width: side, height: side).corners)
    }

    private func association(memory: Double = 1, confirmation: Int = 1) -> Association {
        Association(memory: memory, confirmation: confirmation, width: 400, height: 300)
    }

    @Test func candidates() {
        let candidate = square(0, 50, 60, side: 30)
        #expect(candidate.center == Point(50, 60))
        #expect(candidate.side == 30)
        #expect(Association.Candidate(name: 0, polygon: []).side == 0)
    }

    @Test func twoThingsOfOneNameAreTwoTracks() {
        var association = association()
        #expect(association.match([square(7, 100, 100), square(7, 300, 100)], at: 0).map(\.track) == [1, 2])
        // The detector gives them in another order, and they have moved.
        #expect(association.match([square(7, 295, 104), square(7, 106, 98)], at: 0.04).map(\.track) == [2, 1])
    }

    @Test func otherNamesAreOtherThings() {
        var association = association()
        #expect(association.match([square(1, 100, 100)], at: 0).map(\.track) == [1])
        #expect(association.match([square(2, 100, 100)], at: 0.04).map(\.track) == [2])
        #expect(association.match([square(1, 100, 100), square(2, 100, 100)], at: 0.08).map(\.track) == [1, 2])
    }

    /// Two that move alike: the nearest pair alone would leave the others far apart.
    @Test func pairsAreTheBestInAll() {
        var association = association()
        _ = association.match([square(0, 100, 100), square(0, 112, 100)], at: 0)
        #expect(association.match([square(0, 110, 100), square(0, 122, 100)], at: 0.04).map(\.track) == [1, 2])
        #expect(association.match([], at: 0.08).isEmpty)
    }

    @Test(arguments: [(0.5, 1), (1.0, 1), (1.001, 2), (5, 2)])
    func memory(gap: Double, track: Int) {
        var association = association(memory: 1)
        _ = association.match([square(0, 100, 100)], at: 10)
        for time in stride(from: 10.04, to: 10 + gap, by: 0.04) { _ = association.match([], at: time) }
        #expect(association.match([square(0, 100, 100)], at: 10 + gap).map(\.track) == [track])
    }

    @Test func aThingThatJumpsTooFarOrChangesItsSizeIsAnother() {
        var association = association()
        _ = association.match([square(0, 50, 50)], at: 0)
        // In 0.04 s it may go its own size and a 25th of the diagonal, 20 pixels each.
        #expect(association.match([square(0, 89, 50)], at: 0.04).map(\.track) == [1])
        #expect(association.match([square(0, 130, 50)], at: 0.08).map(\.track) == [2])
        #expect(association.match([square(0, 130, 50, side: 60)], at: 0.12).map(\.track) == [3])
        #expect(association.match([square(0, 130, 50, side: 55)], at: 0.16).map(\.track) == [3])
    }

    @Test func aNumberOnConfirmation() {
        var association = association(confirmation: 3)
        let (a, b) = (square(0, 100, 100), square(0, 300, 100))
        #expect(association.match([a], at: 0).map(\.track) == [nil])
        #expect(association.match([a, b], at: 0.04).map(\.track) == [nil, nil])
        #expect(association.match([b], at: 0.08).map(\.track) == [nil])
        // Confirmed in the order in which they were seen often enough: no number is lost to what never was.
        #expect(association.match([a, b], at: 0.12).map(\.track) == [1, 2])
        #expect(association.match([b, a], at: 0.16).map(\.track) == [2, 1])
    }

    @Test func whatWasSeenOnceTakesNoNumber() {
        var association = association(memory: 0.1, confirmation: 2)
        for index in 0..<10 {
            #expect(association.match([square(index, 100, 100)], at: Double(index)).map(\.track) == [nil])
        }
        _ = association.match([square(99, 50, 50)], at: 10)
        #expect(association.match([square(99, 50, 50)], at: 10.04).map(\.track) == [1])
    }
}
