import Testing

@testable import Annotate
@testable import Drawing
@testable import TestSupport

/// What is told of a video's covers: how many frames, and where something may have been missed.
@Suite struct CoverLedgerTests {
    private static let size = PictureSize(width: 320, height: 200)

    /// Ten pictures a second with a face where and when it is seen.
    private func summary(
        _ places: [Double?], confidence: Double = 0.9, cuts: Set<Int> = [], dark: Range<Int> = 0..<0
    ) -> CoverSummary {
        let style = DrawStyle {
            $0.cover = .fill
            $0.coverGap = 0.2
        }
        var planner = CoverPlanner()
        var ledger = CoverLedger(stages: ["f"], size: Self.size)
        func pass(_ frame: Int) {
            let time = Double(frame) / 10
            planner.forget(before: time)
            for subject in planner.takeGone() { ledger.add(subject) }
            let found = planner.look(at: time)
            ledger.add(frame: frame, isCovered: !found.covers.isEmpty, isGuess: found.isGuess)
        }
        // Pictures wait as long as the gap is.
        let wait = 3
        for (frame, x) in places.enumerated() {
            let seen = x.map { x in
                DrawnObservation(
                    Observation(
                        FaceFinding(), stage: "f", track: TrackReference(stage: "f", number: 1), confidence: confidence,
                        state: .tracked, box: Box(x: x, y: 80, width: 40, height: 40)), style: style)
            }
            planner.note(
                claims: [seen].compactMap { $0.flatMap { CoverClaim($0) } }, at: Double(frame) / 10, frame: frame,
                isCut: cuts.contains(frame), isDark: dark.contains(frame))
            if frame >= wait { pass(frame - wait) }
        }
        for frame in places.indices.suffix(wait) { pass(frame) }
        for subject in planner.takeGone(isEnd: true) { ledger.add(subject) }
        return ledger.whole(first: (0, 0))
    }

    @Test func whatIsSeenAllAlong() {
        let sum = summary(Array(repeating: 140, count: 8))
        #expect(sum.frames == 8 && sum.spans == [[0, 7]] && sum.growing == 0)
        #expect(sum.doubtful == 0 && sum.moments.isEmpty && sum.notes.isEmpty)
    }

    @Test func whatComesAndGoesInTheMiddle() {
        let sum = summary([nil, nil, nil, nil, nil, 140, 140, 140, nil, nil, nil, nil, nil])
        #expect(sum.frames == 7 && sum.spans == [[3, 9]] && sum.growing == 4)
        #expect(sum.moments.map(\.reason) == [.late, .lost] && sum.moments.map(\.frame) == [5, 7])
        #expect(
            sum.notes.first
                == "cover is doubtful: frame 5 (0.5 s): stage “f” finds track 1 at 140, 80, 40×40 pixels for the first time, "
                + "well inside the picture")
    }

    /// Through an edge, or with a cut.
    @Test func whatComesAndGoesWithoutDoubt() {
        let sum = summary([nil, nil, nil, 4, 40, 80, 120, 160, 200, 240, 270, nil, nil, nil])
        #expect(sum.doubtful == 0)
        let cut = summary([nil, nil, nil, 140, 140, 140, nil, nil, nil, nil], cuts: [3, 6])
        #expect(cut.doubtful == 0 && cut.spans == [[3, 5]])
        #expect(
            summary([nil, nil, nil, 140, 140, 140, nil, nil, nil, nil], cuts: [3]).moments.map(\.reason) == [.lost])
    }

    /// A fade begins with pictures that show nothing: what is in the first one that does was there all the time.
    @Test func whatAFadeBegins() {
        let faded: [Double?] = [nil, nil, nil, 140, 140, 140, 140]
        #expect(summary(faded, dark: 0..<3).doubtful == 0)
        #expect(summary(faded, dark: 0..<2).moments.map(\.reason) == [.late])
        // What is dark in between is no beginning.
        #expect(summary([nil] + faded, dark: 1..<4).moments.map(\.reason) == [.late])
    }

    @Test func whatIsNeverSureAndWhatIsNeverThere() {
        #expect(summary(Array(repeating: 140, count: 5), confidence: 0.4).moments.map(\.reason) == [.unsure])
        let blind = summary([nil, nil, nil])
        #expect(blind.frames == 0 && blind.moments.map(\.reason) == [.nothing] && blind.doubtful == 1)
        #expect(blind.notes.isEmpty)
        #expect(blind.moments.first?.sentence == "stage “f” found nothing to cover in the whole video")
    }

    /// Two sightings farther apart than the gap are two stories.
    @Test func aLongGap() {
        let sum = summary([140, 140, nil, nil, nil, nil, nil, nil, 140, 140])
        #expect(sum.moments.map(\.reason) == [.lost, .late] && sum.moments.map(\.frame) == [1, 8])
    }

    /// Out of sight for longer than covers reach, and known again under its number.
    @Test func aGapThatIsBridgedByItsNumber() {
        let sum = summary([140, 140, nil, nil, nil, nil, nil, 140, 140, 140])
        #expect(sum.moments.map(\.reason) == [.lost] && sum.moments.map(\.frame) == [1])
    }

    /// Out of sight for longer than the way between two places is covered, and for no longer than covers reach from both.
    @Test func aGapOnTheWay() {
        let went = summary([100, 100, nil, nil, nil, 180, 180, 180])
        #expect(went.moments.map(\.reason) == [.lost] && went.moments.map(\.frame) == [1])
        #expect(summary([100, 100, nil, nil, nil, 100, 100, 100]).doubtful == 0)
        #expect(summary([100, 100, nil, nil, nil, 108, 110, 110]).doubtful == 0)
        // All of it is covered.
        #expect(summary([100, 100, nil, 180, 180, 180]).doubtful == 0)
    }

    @Test func whatIsSaidOtherwise() throws {
        let sum = summary(Array(repeating: 140, count: 3))
        #expect(sum.difference(from: sum) == nil)
        #expect(
            CoverSummary().difference(from: sum)
                == "the summary's cover has 0 covered frames, 0 of them by a guess, and 0 doubtful moments, source and frames "
                + "3 covered frames, 0 of them by a guess, and 0 doubtful moments")
        var writer = JSONWriter()
        summary([nil, 140, nil, nil, nil]).write(into: &writer)
        #expect(CoverSummary(try JSONParser.parse(writer.bytes)) == summary([nil, 140, nil, nil, nil]))
    }
}
