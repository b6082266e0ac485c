import Annotate
import Testing

@testable import Pages

/// A judgement by which something doesn't hold at some moments, each with the track that it is about there.
func failed(_ moments: [(frame: Int?, track: Int?)], frame: Int? = nil) -> Judgement {
    var judgement = Judgement()
    judgement.frame = frame
    judgement.complaints = moments.isEmpty ? ["too few"] : moments.map { _ in "too many" }
    judgement.evidence = moments.map { moment in
        var evidence = Evidence()
        (evidence.frame, evidence.track) = (moment.frame, moment.track)
        return evidence
    }
    return judgement
}

struct ExpectedMomentTests {
    @Test func thoseThatThePageHasCardsOf() {
        var holds = failed([(frame: 1, track: 1)])
        holds.complaints = []
        let all = ExpectedMoment.all(of: [
            failed([(frame: 8, track: 2), (frame: nil, track: nil), (frame: 8, track: 2)], frame: 7),
            failed([(frame: 4, track: nil)]), failed([(frame: nil, track: 3)], frame: 6), failed([], frame: 5),
            failed([]), holds,
        ])
        #expect(
            all == [
                ExpectedMoment(frame: 4), ExpectedMoment(frame: 5), ExpectedMoment(frame: 6, track: 3),
                ExpectedMoment(frame: 8, track: 2),
            ])
    }

    /// Of a track that is out of sight the place is where it was seen last.
    @Test func placesOfTracks() throws {
        let folder = try Folder()
        let later = Box(x: 50, y: 30, width: 10, height: 10)
        try folder.tracks(
            "a.tracks.jsonl", [[thing(1), thing(2)], [thing(2)], [thing(1, at: later)], [thing(1, .lost)]], first: 7)
        let moments = [
            ExpectedMoment(frame: 7), ExpectedMoment(frame: 7, track: 3), ExpectedMoment(frame: 8, track: 1),
            ExpectedMoment(frame: 10, track: 1), ExpectedMoment(frame: 99, track: 2),
        ]
        let digest = try TrackFileDigest(
            folder.file("a.tracks.jsonl"), kinds: testKinds, doubtfulBelow: 0.5, expected: moments,
            cancellation: Cancellation())
        let first = Box(x: 10, y: 10, width: 20, height: 20)
        #expect(moments.map { digest.expectedPlaces[$0] } == [nil, nil, first, later, nil])
    }
}
