import Testing

@testable import Annotate
@testable import TestSupport

/// How steady things stand and how well poses fit, judged on ways whose jitter and jumps are known.
@Suite struct MotionJudgeTests {
    private static let base = Rational(1, 90_000)

    /// One frame: its time in ticks of 1/90000 s, and what is seen of the thing; nil where it isn't there.
    private typealias Line = (ticks: Int64, observation: Observation?)

    private func object(_ x: Double, _ y: Double = 50, state: TrackState = .tracked, track: Int = 1) -> Observation {
        Observation(
            ObjectFinding(), stage: "objects", track: TrackReference(stage: "objects", number: track),
            state: state, box: Box(x: x - 10, y: y - 10, width: 20, height: 20))
    }

    private func marker(_ translation: SIMD3<Double>, degrees: Double = 0, error: Double = 0.2) -> Observation {
        let pose = Pose(
            rotation: Rotation(rodrigues: [0, 0, degrees * .pi / 180]), translation: translation,
            reprojectionError: error)
        return Observation(
            MarkerFinding(id: 7, pose: EstimatedPose(pose: pose, extent: [0.1, 0.1])), stage: "found",
            track: TrackReference(stage: "found", number: 3))
    }

    private func judge(_ text: String, _ lines: [Line]) throws -> Judgement {
        var judge = ExpectationJudge(Expectation(try JSONParser.parse(Array(text.utf8))))
        for (number, line) in lines.enumerated() {
            judge.add(
                FrameRecord(
                    frame: number, pts: MediaTime(ticks: line.ticks, timeBase: Self.base), duration: 3600,
                    observations: [line.observation].compactMap(\.self)))
        }
        return judge.judgement
    }

    private func complaint(_ text: String, _ lines: [Line]) throws -> String {
        try judge(text, lines).complaints.joined(separator: "; ")
    }

    /// Times of a rate that varies: 20 to 120 ms a frame.
    private static let varying: [Int64] = (0..<40).reduce(into: [0]) { times, number in
        let length: Int = 1800 + 9000 * (number * 7 % 11) / 10
        times.append(times[number] + Int64(length))
    }

    /// One speed has neither jitter nor jumps, however long frames last.
    @Test func oneSpeedAtARateThatVaries() throws {
        let lines = Self.varying.map { ticks -> Line in
            let seconds = Double(ticks) / 90_000
            return (ticks, object(100 + 300 * seconds, 50 - 80 * seconds))
        }
        let judgement = try judge(
            #"{"stage": "objects", "jitter": {"max": 0}, "jump": {"max": 0}}"#, lines)
        #expect(judgement.complaints == [])
        // With the same places a constant rate apart it is anything but steady.
        let even = lines.enumerated().map { (Int64($0.offset) * 3600, $0.element.observation) }
        #expect(try judge(#"{"stage": "objects", "jitter": {"max": 2}}"#, even).complaints.count == 1)
    }

    /// What moves to and fro by one pixel at a constant rate is 2 px off the line between its neighbours, a noise of
    /// 2 px ÷ √1.5, times 1.4826.
    @Test func jitterOfKnownSize() throws {
        let lines = (0..<20).map { (Int64($0) * 3600, object(100 + ($0 % 2 == 0 ? -1 : 1))) as Line }
        #expect(
            try complaint(#"{"stage": "objects", "jitter": {"max": 2}}"#, lines)
                == "expected a jitter of “objects” of at most 2 px, it is 2.421 px (track 1, x, farthest off in frame 1 at 0.04 s)"
        )
        #expect(try judge(#"{"stage": "objects", "jitter": {"min": 2.42, "max": 2.4213}}"#, lines).holds)
        let judgement = try judge(#"{"stage": "objects", "jitter": {"max": 2}}"#, lines)
        #expect((judgement.frame, judgement.time) == (1, 0.04))
        #expect(judgement.title == "objects: jitter ≤ 2")
    }

    /// One place that is far off is a jump, and no jitter.
    @Test func aJumpIsNoJitter() throws {
        let lines = (0..<20).map { (Int64($0) * 3600, object($0 == 12 ? 160 : 100)) as Line }
        let judgement = try judge(#"{"stage": "objects", "jitter": {"max": 0}, "jump": {"max": 59}}"#, lines)
        #expect(
            judgement.complaints == [
                "expected a jump of “objects” of at most 59 px, it is 60 px (track 1, to frame 12 at 0.48 s)"
            ])
        #expect((judgement.frame, judgement.time) == (12, 0.48))
        #expect(try judge(#"{"stage": "objects", "jump": {"max": 60}}"#, lines).holds)
    }

    /// What begins to move, turns round or stops doesn't jump.
    @Test func startsAndTurnsAreNoJumps() throws {
        let places = [0.0, 0, 0, 0, 10, 20, 30, 40, 30, 20, 10, 10, 10, 10]
        let lines = places.enumerated().map { (Int64($0.offset) * 3600, object(100 + $0.element)) as Line }
        #expect(try judge(#"{"stage": "objects", "jump": {"max": 0}}"#, lines).complaints == [])
    }

    /// Nothing is measured across a gap, and what is predicted is no measurement.
    @Test(arguments: [nil, TrackState.predicted, .lost])
    func gaps(state: TrackState?) throws {
        let lines = (0..<24).map { number -> Line in
            let isGap = number == 12
            let observation = isGap ? state.map { object(400, state: $0) } : object(number < 12 ? 100 : 300)
            return (Int64(number) * 3600, observation)
        }
        #expect(try judge(#"{"stage": "objects", "jump": {"max": 0}, "jitter": {"max": 0}}"#, lines).complaints == [])
    }

    /// What is carried over to frames on which a stage doesn't run is no place of its own, and no gap.
    @Test func heldPlaces() throws {
        let lines = (0..<40).map { number -> Line in
            let place = object(100 + Double(number / 2 * 2))
            return (Int64(number) * 3600, number % 2 == 0 ? place : place.held)
        }
        #expect(try judge(#"{"stage": "objects", "jump": {"max": 0}, "jitter": {"max": 0}}"#, lines).complaints == [])
        let jump = (0..<40).map { number -> Line in
            let place = object(number < 20 ? 100 : 130)
            return (Int64(number) * 3600, number % 2 == 0 ? place : place.held)
        }
        #expect(
            try complaint(#"{"stage": "objects", "jump": {"max": 5}}"#, jump)
                == "expected a jump of “objects” of at most 5 px, it is 30 px (track 1, to frame 20 at 0.8 s)")
    }

    @Test func poses() throws {
        let lines = (0..<20).map { number -> Line in
            let z = 1 + (number % 2 == 0 ? -0.001 : 0.001) + (number == 15 ? 0.2 : number > 15 ? 0.01 : 0)
            return (
                Int64(number) * 3600,
                marker([0.1, 0, z], degrees: number == 9 ? 31 : number > 9 ? 2 : 1, error: number == 4 ? 2.5 : 0.2)
            )
        }
        #expect(
            try complaint(#"{"stage": "found", "id": 7, "reprojectionError": {"max": 1}}"#, lines)
                == "expected a reprojection error of id 7 of at most 1 px, it is 2.5 px (track 3, in frame 4 at 0.16 s)"
        )
        #expect(
            try complaint(#"{"stage": "found", "positionJitter": {"max": 0.001}}"#, lines)
                == "expected a position jitter of “found” of at most 0.001 m, it is 0.002421 m (track 3, z, farthest off in frame 15 at 0.6 s)"
        )
        #expect(
            try complaint(#"{"stage": "found", "positionJump": {"max": 0.1}}"#, lines)
                == "expected a position jump of “found” of at most 0.1 m, it is 0.204 m (track 3, to frame 15 at 0.6 s)"
        )
        #expect(
            try complaint(#"{"stage": "found", "rotationJump": {"max": 10}}"#, lines)
                == "expected a rotation jump of “found” of at most 10 °, it is 30 ° (track 3, to frame 9 at 0.36 s)")
        #expect(try judge(#"{"stage": "found", "rotationJitter": {"max": 0}}"#, lines).complaints == [])
    }

    /// Several figures that fail have each its own moment and track.
    @Test func evidenceOfEachFigure() throws {
        let lines = (0..<20).map { number -> Line in
            let z = 1 + (number % 2 == 0 ? -0.001 : 0.001) + (number == 15 ? 0.2 : number > 15 ? 0.01 : 0)
            return (
                Int64(number) * 3600,
                marker([0.1, 0, z], degrees: number == 9 ? 31 : number > 9 ? 2 : 1, error: number == 4 ? 2.5 : 0.2)
            )
        }
        let judgement = try judge(
            #"{"stage": "found", "reprojectionError": {"max": 1}, "positionJump": {"max": 0.1}, "frames": {"min": 30}, "#
                + #""rotationJump": {"max": 10}, "rotationJitter": {"max": 10}}"#, lines)
        #expect(judgement.evidence.map(\.complaint) == judgement.complaints)
        #expect(
            judgement.evidence.map(\.figure) == ["frames", "reprojectionError", "positionJump", "rotationJump"])
        #expect(judgement.evidence.map(\.frame) == [nil, 4, 15, 9])
        #expect(judgement.evidence.map(\.time) == [nil, 0.16, 0.6, 0.36])
        #expect(judgement.evidence.map(\.track) == [nil, 3, 3, 3])
        for evidence in judgement.evidence.dropFirst() {
            #expect(evidence.value == evidence.figure.flatMap { judgement.values[$0] })
        }
        // As the report has it, and back.
        var json = JSONWriter()
        judgement.write(into: &json)
        #expect(
            json.text.contains(#""figure":"reprojectionError","value":2.5,"bounds":{"max":1},"frame":4,"time":0.16,"#)
        )
        #expect(Judgement(try JSONParser.parse(json.bytes)) == judgement)
    }

    /// Values and bounds of some millionths are told as such.
    @Test func smallValues() throws {
        let lines = (0..<20).map { (Int64($0) * 3600, marker([0, 0, $0 == 12 ? 1.00005 : 1])) as Line }
        let judgement = try judge(#"{"stage": "found", "positionJump": {"max": 0.00004}}"#, lines)
        #expect(
            judgement.complaints == [
                "expected a position jump of “found” of at most 0.00004 m, it is 0.00005 m (track 3, to frame 12 at 0.48 s)"
            ])
        #expect(judgement.title == "found: positionJump ≤ 0.00004")
        // Four digits would say 60, which holds.
        let far = (0..<20).map { (Int64($0) * 3600, object($0 == 12 ? 160.0004 : 100)) as Line }
        #expect(
            try complaint(#"{"stage": "objects", "jump": {"max": 60}}"#, far)
                == "expected a jump of “objects” of at most 60 px, it is 60.0004 px (track 1, to frame 12 at 0.48 s)")
    }

    /// Where nothing gives a figure, no bound on it holds.
    @Test(arguments: [
        ("reprojectionError", "px", "it has no pose"),
        ("jitter", "px", "it was never measured in 10 frames one after another"),
        ("positionJump", "m", "it was never measured in 3 frames one after another"),
    ])
    func nothingFulfilsNothing(figure: String, unit: String, reason: String) throws {
        let text = "{\"stage\": \"objects\", \"\(figure)\": {\"max\": 1}}"
        let lines = [0, 3600].map { ($0, object(100)) as Line }
        #expect(try complaint(text, lines).hasSuffix("of “objects” of at most 1 \(unit), \(reason)"))
        #expect(try complaint(text, [(0, nil)]).hasSuffix("of “objects” of at most 1 \(unit), never seen"))
    }
}
