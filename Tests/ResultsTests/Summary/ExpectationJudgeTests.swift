import Testing

@testable import Annotate
@testable import TestSupport

/// What is expected of results, told with figures where it doesn't hold.
@Suite struct ExpectationJudgeTests {
    private func marker(_ id: Int, track: Int, confidence: Double = 1) -> Observation {
        Observation(
            MarkerFinding(id: id), stage: "found", track: TrackReference(stage: "found", number: track),
            label: "m/\(id)", confidence: confidence)
    }

    private func object(_ state: TrackState, track: Int = 1) -> Observation {
        Observation(
            ObjectFinding(), stage: "objects", track: TrackReference(stage: "objects", number: track),
            region: "ball", label: "ball", confidence: 0.5, state: state)
    }

    private func judge(_ text: String, _ frames: [[Observation]]) throws -> Judgement {
        var judge = ExpectationJudge(Expectation(try JSONParser.parse(Array(text.utf8))))
        for (number, observations) in frames.enumerated() {
            judge.add(
                FrameRecord(
                    frame: number, pts: MediaTime(ticks: Int64(number), timeBase: Rational(1, 10)), duration: 1,
                    observations: observations))
        }
        return judge.judgement
    }

    private func complaint(_ text: String, _ frames: [[Observation]]) throws -> String {
        try judge(text, frames).complaints.joined(separator: "; ")
    }

    /// Seen in frames 2 to 4 and 8; another marker all the time.
    private var frames: [[Observation]] {
        (0..<10).map { number in
            [marker(7, track: 1, confidence: 0.2)]
                + ([2, 3, 4, 8].contains(number) ? [marker(24, track: number < 5 ? 2 : 3)] : [])
        }
    }

    @Test func figuresThatHold() throws {
        for text in [
            #"{"stage": "found", "id": 24, "frames": {"min": 4, "max": 4}}"#,
            #"{"stage": "found", "id": 24, "seen": {"min": 0.4, "max": 0.5}, "tracks": {"min": 2}}"#,
            #"{"stage": "found", "tracks": {"min": 3, "max": 3}, "seen": {"min": 1}}"#,
            #"{"stage": "found", "id": 24, "longestGap": {"min": 0.3, "max": 0.3}}"#,
            // Frames 5 to 7; said by nobody, but it was there before and after.
            #"{"stage": "found", "id": 24, "lost": {"min": 3, "max": 3}}"#,
            #"{"stage": "found", "label": "m/7", "confidence": {"max": 0.2}}"#,
            #"{"stage": "found", "id": 3, "frames": {"max": 0}}"#,
        ] { #expect(try judge(text, frames).complaints == [], "\(text)") }
    }

    @Test func figuresThatDoNot() throws {
        #expect(
            try complaint(#"{"stage": "found", "id": 24, "frames": {"min": 100}}"#, frames)
                == "expected id 24 in at least 100 frames, seen in 4 (first 2, last 8)")
        #expect(
            try complaint(#"{"stage": "found", "id": 24, "seen": {"min": 0.8}}"#, frames)
                == "expected id 24 in at least 80 % of the frames, seen in 40 % (4 of 10; first 2, last 8)")
        #expect(
            try complaint(#"{"stage": "found", "id": 24, "longestGap": {"max": 0.2}}"#, frames)
                == "expected the longest gap of id 24 to be at most 0.2 s, it is 0.3 s (from frame 5)")
        #expect(
            try complaint(#"{"stage": "found", "tracks": {"max": 2}}"#, frames)
                == "expected at most 2 tracks of “found”, there are 3")
        #expect(
            try complaint(#"{"stage": "found", "id": 7, "confidence": {"min": 0.5}}"#, frames)
                == "expected a mean confidence of id 7 of at least 0.5, it is 0.2")
        let never = try judge(#"{"stage": "found", "id": 3, "frames": {"min": 1}}"#, frames)
        #expect(never.complaints == ["expected id 3 in at least 1 frame, never seen"])
        #expect(never.frame == nil)
    }

    /// What was never there has no gap and no confidence, and isn't well for that.
    @Test(arguments: ["longestGap", "confidence"])
    func nothingFulfilsNothing(figure: String) throws {
        #expect(
            try complaint("{\"stage\": \"found\", \"id\": 3, \"\(figure)\": {\"max\": 1}}", frames)
                .hasSuffix("never seen"))
    }

    @Test func lostFramesAndTheMomentToLookAt() throws {
        let frames = [[object(.seeded)], [object(.tracked)], [object(.lost)], [object(.lost)], [object(.recovered)]]
        let judgement = try judge(#"{"stage": "objects", "region": "ball", "lost": {"max": 1}}"#, frames)
        #expect(
            judgement.complaints == [
                "expected region “ball” lost in at most 1 frame, it is in 2 (the first time from frame 2 on)"
            ])
        #expect((judgement.frame, judgement.time) == (2, 0.2))
        // Each track has gaps of its own.
        let two = [[object(.tracked)], [object(.tracked, track: 2)], [object(.tracked)]]
        #expect(try !judge(#"{"stage": "objects", "label": "ball", "longestGap": {"max": 0.05}}"#, two).holds)
        #expect(try judge(#"{"stage": "objects", "region": "ball", "longestGap": {"max": 0.05}}"#, two).holds)
    }

    /// Each of several figures that fail has its own entry, and where a moment is worst that one.
    @Test func evidenceOfEachFigure() throws {
        let judgement = try judge(
            #"{"stage": "found", "id": 24, "frames": {"min": 100}, "tracks": {"max": 1}, "lost": {"max": 2}, "#
                + #""longestGap": {"max": 0.2}, "confidence": {"max": 0.5}, "seen": {"min": 0.4}}"#, frames)
        #expect(judgement.evidence.map(\.complaint) == judgement.complaints)
        #expect(judgement.evidence.map(\.figure) == ["frames", "tracks", "lost", "longestGap", "confidence"])
        #expect(judgement.evidence.map(\.value) == [4, 2, 3, 0.8 - 0.5, 1])
        #expect(judgement.evidence.map(\.bounds?.max) == [nil, 1, 2, 0.2, 0.5])
        // Too few frames, and a mean that is too high, are nowhere; the second track begins in frame 8, and the first was
        // lost in frame 5.
        #expect(judgement.evidence.map(\.frame) == [nil, 8, 5, 5, nil])
        #expect(judgement.evidence.map(\.time) == [nil, 0.8, 0.5, 0.5, nil])
        #expect(judgement.evidence.map(\.track) == [nil, 3, 2, 2, nil])
        // The moment to look at first stays what it was.
        #expect(judgement.frame == 8)
    }

    /// A mean that is too low is worst where it is least sure; frames are too many in the last one.
    @Test func evidenceWhereBoundsArePassed() throws {
        var frames = frames
        frames[6] = [marker(7, track: 4, confidence: 0.05)]
        let judgement = try judge(
            #"{"stage": "found", "id": 7, "frames": {"max": 9}, "confidence": {"min": 0.5}}"#, frames)
        #expect(judgement.evidence.map(\.frame) == [9, 6])
        #expect(judgement.evidence.map(\.track) == [nil, 4])
        let never = try judge(#"{"stage": "found", "id": 3, "frames": {"min": 1}, "confidence": {"min": 0.5}}"#, frames)
        #expect(never.evidence.map(\.value) == [0, nil])
        #expect(never.evidence.allSatisfy { $0.frame == nil && $0.time == nil && $0.track == nil })
        #expect(try judge(#"{"stage": "found", "frames": {"min": 1}}"#, frames).evidence == [])
    }

    /// What is hardly out of its bounds is told as what it is, and small bounds without an exponent.
    @Test func valuesThatAreHardlyOff() throws {
        let frames = [0.9, 0.9, 0.899].map { [marker(7, track: 1, confidence: $0)] }
        #expect(
            try complaint(#"{"stage": "found", "confidence": {"min": 0.8999}}"#, frames)
                == "expected a mean confidence of “found” of at least 0.8999, it is 0.8997")
        #expect(
            try complaint(#"{"stage": "found", "confidence": {"max": 0.00005}}"#, frames)
                == "expected a mean confidence of “found” of at most 0.00005, it is 0.9")
        #expect(
            try judge(#"{"stage": "found", "longestGap": {"max": 0.00005}}"#, frames).title
                == "found: longestGap ≤ 0.00005")
    }

    @Test func titles() throws {
        let title = try judge(#"{"stage": "found", "id": 24, "frames": {"min": 100}, "seen": {"max": 1}}"#, []).title
        #expect(title == "found, id 24: frames ≥ 100, seen ≤ 1")
    }
}
