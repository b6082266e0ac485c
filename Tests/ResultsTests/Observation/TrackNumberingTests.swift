import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct TrackNumberingTests {
    private func observation(_ stage: String, _ track: Int?, about: TrackReference? = nil) -> Observation {
        Observation(
            ObjectFinding(), stage: stage, track: track.map { TrackReference(stage: stage, number: $0) }, about: about)
    }

    @Test func fromOneWithoutGapsInOrderOfConfirmation() {
        var numbering = TrackNumbering()
        // Stages may skip numbers of their own, and confirm out of their own order.
        let frames: [[[Observation]]] = [
            [[observation("a", nil)], [observation("b", nil)]], [[], [observation("b", 7)]],
            [[observation("a", 3), observation("a", 1)], [observation("b", 7), observation("b", 2)]],
            [[observation("a", 1)], [observation("b", 2)]],
        ]
        let numbers = frames.map { $0.map { $0.map { numbering.number($0).track?.number } } }
        #expect(numbers == [[[nil], [nil]], [[], [1]], [[2, 3], [1, 4]], [[3], [4]]])
    }

    @Test func aClassificationPointsAtTheTrackThatItIsAbout() {
        var numbering = TrackNumbering()
        _ = numbering.number(observation("x", 4))
        #expect(numbering.number(observation("a", 9)).track?.number == 2)
        let names = [
            observation("n", nil, about: TrackReference(stage: "a", number: 9)),
            // A track that nobody has reported is none.
            observation("n", nil, about: TrackReference(stage: "a", number: 1)),
        ]
        let numbered = names.map { numbering.number($0) }
        #expect(numbered.map(\.track) == [nil, nil])
        #expect(numbered.map(\.about?.number) == [2, nil])
    }

    @Test func whatHasNoTrackStaysWithoutOne() {
        var numbering = TrackNumbering()
        #expect(numbering.number(observation("a", nil)).track == nil)
        #expect(numbering.number(observation("a", 5)).track?.number == 1)
    }

    @Test func numbersFromElsewhereStay() {
        var numbering = TrackNumbering(keeping: [("b", [2, 700]), ("c", [2, 3])])
        let numbers = [
            observation("a", 1), observation("a", 2), observation("b", 2), observation("c", 2), observation("b", 700),
            observation("c", 3), observation("b", 0), observation("a", 1),
        ].map { numbering.number($0).track?.number }
        // “c” comes too late for 2.
        #expect(numbers == [1, 4, 2, 5, 700, 3, 6, 1])
    }
}
