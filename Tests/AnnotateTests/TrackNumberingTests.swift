import Annotate
import Testing

@Suite struct TrackNumberingTests {
    private func observation(_ stage: String, _ track: Int?, of: TrackReference? = nil) -> Observation {
        Observation(
            stage: stage, kind: .object, track: track.map { TrackReference(stage: stage, number: $0) }, of: of)
    }

    @Test func fromOneWithoutGapsInOrderOfConfirmation() {
        var numbering = TrackNumbering()
        // Stages may skip numbers of their own, and confirm out of their own order.
        let frames: [[[Observation]]] = [
            [[observation("a", nil)], [observation("b", nil)]], [[], [observation("b", 7)]],
            [[observation("a", 3), observation("a", 1)], [observation("b", 7), observation("b", 2)]],
            [[observation("a", 1)], [observation("b", 2)]],
        ]
        let numbers = frames.map { $0.map { numbering.number($0).map(\.track) } }
        #expect(numbers == [[[nil], [nil]], [[], [1]], [[2, 3], [1, 4]], [[3], [4]]])
    }

    @Test func aClassificationPointsAtTheTrackThatItIsAbout() {
        var numbering = TrackNumbering()
        _ = numbering.number([observation("x", 4)])
        #expect(numbering.number([observation("a", 9)]).map(\.track) == [2])
        let names = [
            observation("n", nil, of: TrackReference(stage: "a", number: 9)),
            // A track that nobody has reported is none.
            observation("n", nil, of: TrackReference(stage: "a", number: 1)),
        ]
        let numbered = numbering.number(names)
        #expect(numbered.map(\.track) == [nil, nil])
        #expect(numbered.map(\.of) == [2, nil])
    }

    @Test func nothing() {
        var numbering = TrackNumbering()
        #expect(numbering.number([]).isEmpty)
    }
}
