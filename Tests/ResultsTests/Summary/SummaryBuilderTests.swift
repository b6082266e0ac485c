@testable import Results
import Testing

@testable import Annotate
@testable import TestSupport

/// What a track file's last line says, counted by hand.
@Suite struct SummaryBuilderTests {
    /// A frame at 10 a second.
    private func frame(_ number: Int, _ observations: [Observation]) -> FrameRecord {
        FrameRecord(
            frame: number, pts: MediaTime(ticks: Int64(number), timeBase: Rational(1, 10)), duration: 1,
            observations: observations)
    }

    private func marker(_ id: Int, track: Int, confidence: Double = 1) -> Observation {
        Observation(
            MarkerFinding(id: id), stage: "found", track: TrackReference(stage: "found", number: track),
            label: "m/\(id)", confidence: confidence)
    }

    private func object(_ state: TrackState, held: Bool = false, confidence: Double? = 0.5) -> Observation {
        Observation(
            ObjectFinding(), stage: "objects", track: TrackReference(stage: "objects", number: 9), region: "ball",
            label: "ball", confidence: confidence, state: state, isHeld: held)
    }

    private func builder(_ frames: [[Observation]]) -> SummaryBuilder {
        var builder = SummaryBuilder(stages: ["found", "objects", "blind"])
        for (number, observations) in frames.enumerated() { builder.add(frame(number, observations)) }
        return builder
    }

    @Test func gapsOfWhatIsNotMentioned() {
        let seen = [true, true, false, false, false, true, false, true, false]
        let summary = builder(seen.map { $0 ? [marker(4, track: 1)] : [] }).summary(SourceOutcome())
        let track = summary.tracks[0]
        #expect((track.first, track.last, track.observations, track.seen) == (0, 7, 4, 4))
        #expect(track.spans == [[0, 1], [5, 5], [7, 7]])
        // From frame 2 to frame 5; what comes behind the last sighting is no gap.
        #expect(abs((track.longestGap ?? 0) - 0.3) < 1e-9)
        #expect((track.lost, track.predicted) == (4, 0))
        #expect(summary.stages?.map(\.stage) == ["found", "objects", "blind"])
        #expect(summary.stages?[0].observations == 4)
        #expect(summary.stages?.map(\.framesWithNothing) == [5, 9, 9])
        #expect(summary.stages?.map(\.tracks) == [1, 0, 0])
    }

    @Test func whatIsLostPredictedOrHeldIsNotSeen() {
        let frames = [
            [object(.seeded)], [object(.tracked, confidence: 0.3)], [object(.predicted, confidence: 0.1)],
            [object(.lost, confidence: nil)], [object(.recovered)], [object(.tracked, held: true, confidence: 0.2)],
            [object(.lost, confidence: nil)], [object(.ended, confidence: nil)],
        ]
        let track = builder(frames).summary(SourceOutcome()).tracks[0]
        #expect((track.observations, track.seen, track.predicted, track.lost) == (5, 3, 1, 2))
        #expect(track.spans == [[0, 2], [4, 5]])
        #expect(track.minConfidence == 0.3)
        #expect(abs((track.meanConfidence ?? 0) - 1.3 / 3) < 1e-9)
    }

    @Test func stagesThatSawNothing() {
        #expect(builder([[marker(4, track: 1)], []]).blindStages == ["objects", "blind"])
        // A lost thing is nothing that was seen.
        #expect(builder([[object(.lost)]]).blindStages == ["found", "objects", "blind"])
    }

    @Test func regionsThatWereLostForGood() {
        let gone = [[object(.seeded)]] + (0..<8).map { _ in [object(.lost, confidence: nil)] }
        let lost = builder(gone).regionsLostForGood
        #expect(lost.map(\.region) == ["ball"])
        #expect(lost.first?.lastSeen.frame == 0)
        // Found again, and lost for less than half a second at the end.
        let back = gone + [[object(.recovered)]]
        #expect(builder(back).regionsLostForGood.isEmpty)
        #expect(builder(back + [[object(.lost, confidence: nil)]]).regionsLostForGood.isEmpty)
        // One whose time is over.
        #expect(builder([[object(.seeded)], [object(.ended)], [], [], [], [], [], []]).regionsLostForGood.isEmpty)
    }

    @Test func regionsThatWereGivenUp() {
        let ended = [[object(.seeded)], [object(.ended)], []]
        #expect(builder(ended).regionsGivenUp.map(\.region) == ["ball"])
        #expect(builder(ended).regionsGivenUp.first?.end.frame == 1)
        // Brought back by a keyframe.
        #expect(builder(ended + [[object(.seeded)]]).regionsGivenUp.isEmpty)
    }

    @Test func theSentenceAboutIt() {
        // The marker comes back under another track: it is the same thing.
        let seen = [true, true, false, false, false, false, true, true, false, false]
        let frames = seen.enumerated().map { $1 ? [marker(0, track: $0 < 3 ? 1 : 2)] : [] }
        #expect(builder(frames).things.sentence == "1 marker (id 0) seen in 40 %, longest gap 0.4 s")
        let two = frames.map { $0 + [marker(23, track: 3)] }
        #expect(
            builder(two).things.sentence == "2 markers (id 0, id 23) seen in 40–100 %, longest gap 0.4 s (id 0)")
        // What has no number is one thing a track, whatever it is called: the second is away for two frames of the ten.
        let balls = frames.indices.map { index in
            [1, 2].filter { $0 == 1 || ![3, 4].contains(index) }.map { track in
                Observation(
                    ObjectFinding(), stage: "objects", track: TrackReference(stage: "objects", number: track),
                    label: "ball")
            }
        }
        #expect(
            builder(balls).things.sentence == "2 objects (ball) seen in 100 %, longest gap 0.2 s (ball, track 2)")
        #expect(builder([[], []]).things.sentence == nil)
        let plain = Observation(RectangleFinding(), stage: "found")
        #expect(builder([[plain], []]).things.sentence == "rectangle in 50 %")
    }

    @Test func anIdUnderSeveralTracksHasItsOwnGaps() {
        let seen = [true, true, false, false, false, true, true, false, false]
        let frames = seen.enumerated().map { number, isSeen in
            isSeen ? [marker(4, track: number < 3 ? 1 : 2), marker(9, track: 3)] : [marker(9, track: 3)]
        }
        let ids = builder(frames).summary(SourceOutcome()).ids
        // What has one track says it there.
        #expect(ids.map(\.id) == [4])
        #expect((ids.first?.tracks, ids.first?.seen, ids.first?.lost) == ([1, 2], 4, 3))
        #expect(ids.first?.spans == [[0, 1], [5, 6]])
        #expect(abs((ids.first?.longestGap ?? 0) - 0.3) < 1e-9)
        var other = ids[0]
        other.lost = 2
        #expect(other.difference(from: ids[0]) == "the summary says of the id 4 of “found” what the frames don't")
    }

    @Test(arguments: [(0, 10, "0"), (10, 10, "100"), (999, 1000, "99"), (1, 1000, "<1"), (41, 100, "41")])
    func shares(count: Int, all: Int, expected: String) { #expect(Words.percent(count, of: all) == expected) }
}
