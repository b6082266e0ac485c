import Annotate
import Testing

@testable import Metrics

/// Figures of a few frames, counted by hand.
@Suite struct TallyTests {
    private func thing(_ x: Double, track: Int? = nil, _ confidence: Double = 1, isCrowd: Bool = false) -> JudgedThing {
        var thing = JudgedThing(box: Box(x: x, y: 0, width: 100, height: 100))
        (thing.track, thing.confidence, thing.isCrowd) = (track, confidence, isCrowd)
        return thing
    }

    private func tally(_ frames: [JudgedFrame]) -> MetricFigures {
        var tally = ClassTally()
        for frame in frames { _ = tally.detection.add(frame, nil) }
        let clip = TrackedClip(frames)
        (tally.clear, tally.identity, tally.higherOrder) = (
            ClearTally(clip), IdentityTally(clip), HigherOrderTally(clip)
        )
        return MetricFigures([tally], isTracked: true)
    }

    @Test func theTruthItself() {
        let frames = (0..<4).map { JudgedFrame(frame: $0, truth: [thing(0, track: 1)], found: [thing(0, track: 7)]) }
        let figures = tally(frames)
        #expect((figures.truth, figures.right, figures.wrong, figures.missed) == (4, 4, 0, 0))
        #expect((figures.precision, figures.recall, figures.f1) == (1, 1, 1))
        #expect((figures.ap50, figures.ap, figures.overlap) == (1, 1, 1))
        #expect((figures.clear?.accuracy, figures.identity?.f1) == (1, 1))
        #expect(abs((figures.higherOrder?.accuracy ?? 0) - 1) < 1e-12)
    }

    @Test func anotherTrackHalfwayIsASwitch() {
        let frames = (0..<4).map {
            JudgedFrame(frame: $0, truth: [thing(0, track: 1)], found: [thing(0, track: $0 < 2 ? 7 : 8)])
        }
        let figures = tally(frames)
        #expect(figures.clear?.switches == 1)
        #expect(figures.clear?.accuracy == 0.75)
        // Two of four boxes of the truth and of what was found are one identity.
        #expect(figures.identity?.f1 == 0.5)
        // Of each pair two boxes, of four and two: 2 / (4 + 2 − 2).
        #expect(abs((figures.higherOrder?.association ?? 0) - 0.5) < 1e-12)
        #expect(figures.precision == 1)
    }

    /// 10 px of 100 aside: 90 / 110 = 0.818; right up to 0.8, wrong from 0.85 on.
    @Test func overlapsThatAreEnoughForSome() {
        let figures = tally([JudgedFrame(frame: 0, truth: [thing(0)], found: [thing(10)])])
        #expect(abs((figures.ap50 ?? 0) - 1) < 1e-12)
        #expect(abs((figures.ap ?? 0) - 0.7) < 1e-12)
        #expect(abs((figures.overlap ?? 0) - 90.0 / 110) < 1e-12)
    }

    /// Of those as sure the ones of the lower image come first; ids of two files have nothing to do with each other.
    @Test(arguments: [(0, 1.0), (1, 0.5)]) func thoseAsSureComeInTheOrderOfTheirImages(file: Int, precision: Double) {
        let figures = tally([
            JudgedFrame(frame: 0, image: JudgedImage(file: 0, id: 5), truth: [], found: [thing(0, 0.5)]),
            JudgedFrame(frame: 1, image: JudgedImage(file: file, id: 1), truth: [thing(0)], found: [thing(0, 0.5)]),
        ])
        #expect(abs((figures.ap50 ?? 0) - precision) < 1e-12)
    }

    @Test func theSurestComesFirst() {
        // The surer one takes the thing; the other is false, before it in the order of recall.
        let figures = tally([JudgedFrame(frame: 0, truth: [thing(0)], found: [thing(0, 0.5), thing(300, 0.9)])])
        #expect((figures.right, figures.wrong) == (1, 1))
        #expect(figures.ap50 == 0.5)
    }

    @Test func crowdsAreNeitherRightNorWrong() {
        let frames = [JudgedFrame(frame: 0, truth: [thing(0, isCrowd: true)], found: [thing(0), thing(10)])]
        let figures = tally(frames)
        #expect((figures.truth, figures.right, figures.wrong) == (0, 0, 0))
        #expect(figures.ap50 == nil)
        #expect(figures.recall == nil)
    }

    @Test func nothingFound() {
        let figures = tally([JudgedFrame(frame: 0, truth: [thing(0, track: 1)], found: [])])
        #expect((figures.ap50, figures.recall, figures.precision) == (0, 0, nil))
        #expect((figures.clear?.accuracy, figures.identity?.f1, figures.higherOrder?.accuracy) == (0, 0, 0))
        #expect(figures.clear?.mostlyLost == 1)
    }

    /// As TrackEval has it of a sequence, and of sequences together.
    @Test func clipsWithNothingInThem() {
        let frames = [JudgedFrame(frame: 0, truth: [], found: [thing(0, track: 1), thing(300, track: 2)])]
        #expect(tally(frames).clear?.accuracy == 0)
        var both = ClassTally()
        for _ in 0..<2 { both.add(ClassTally(clear: ClearTally(TrackedClip(frames)))) }
        #expect(MetricFigures([both], isTracked: true).clear?.accuracy == -4)
    }

    @Test func runsOfFaults() {
        let pair = ClipPair(name: "a", truth: .init(path: "a.txt"), results: "a.tracks.jsonl")
        var runs = FaultRuns()
        for (before, frame) in [(nil, 0), (0, 1), (1, 2), (2, 3), (3, 4)] as [(Int?, Int)] {
            runs.add(
                frame == 2 ? [] : [thing(0, track: 3)], .missed, frame: frame, before: before, of: pair, stage: "s")
        }
        runs.end()
        #expect(runs.all.map { [$0.first, $0.last] } == [[0, 1], [3, 4]])
        #expect(runs.all.allSatisfy { $0.track == 3 && $0.confidence == nil })
    }
}
