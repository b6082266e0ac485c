import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// The stage: what it tells of which frame, from what other stages saw.
@Suite struct CountTrackerTests {
    private static let size = PictureSize(width: 640, height: 480)

    /// What the stage tells, by frame.
    private func told(
        _ frames: [[Observation]], lines: [Line] = [], zones: [Zone] = [], options: String = "{}",
        skipping: Bool = false
    ) throws -> [Int: [Observation]] {
        var context = StageContext(id: "flow", width: Self.size.width, height: Self.size.height)
        context[Line.self] = lines
        context[Zone.self] = zones
        let stage = try CountBlueprint(options: try stageOptions(options)).makeStage(context)
        var all: [Emission] = []
        for (index, observations) in frames.enumerated() {
            let input = StageInput(frame: try emptyFrame(index), results: [observations.map { Emission($0) }])
            try stage.lane.detect(index, input)
            all += try stage.lane.update(index, input, runs: !skipping || index.isMultiple(of: 3))
        }
        all += try stage.lane.rest()
        // In the frames' order, each with its frame.
        #expect(all.map { $0.frame ?? -1 } == all.map { $0.frame ?? -1 }.sorted())
        return Dictionary(grouping: all) { $0.frame ?? -1 }.mapValues { $0.map(\.observation) }
    }

    private func person(
        _ bottom: Point, _ track: Int = 1, label: String? = "person", state: TrackState = .tracked, isHeld: Bool = false
    ) -> Observation {
        Observation(
            ObjectFinding(), stage: "people", track: TrackReference(stage: "people", number: track), label: label,
            state: state, box: Box(x: bottom.x - 20, y: bottom.y - 100, width: 40, height: 100), isHeld: isHeld)
    }

    private let gate = Line(id: "gate", from: Point(0, 300), to: Point(640, 300))

    private func events(_ told: [Int: [Observation]]) -> [(frame: Int, event: EventFinding, head: Observation)] {
        told.sorted { $0.key < $1.key }.flatMap { frame, observations in
            observations.compactMap { one in one.finding(as: EventFinding.self).map { (frame, $0, one) } }
        }
    }

    /// Over the line between frames 10 and 11, in its frame, and counted from there on.
    @Test(arguments: [false, true]) func inItsFrame(skipping: Bool) throws {
        let frames = (0..<30).map { [person(Point(320, 258 + 4 * Double($0)))] }
        let told = try told(frames, lines: [gate], skipping: skipping)
        let found = events(told)
        try #require(found.count == 1)
        #expect(found[0].frame == 11 && found[0].event.frame == 11)
        #expect(abs(found[0].event.time - 10.5 / 25) < 1e-9)
        #expect(found[0].event.direction == .forward && found[0].event.line == "gate")
        #expect(found[0].event.point == Point(320, 300))
        #expect(found[0].head.about == TrackReference(stage: "people", number: 1) && found[0].head.label == "person")
        for frame in 0..<30 {
            let count = try #require(told[frame]?.first?.finding(as: CountFinding.self))
            #expect(count.figures.forward == (frame < 11 ? 0 : 1), "frame \(frame)")
            #expect(count.figures.backward == 0 && count.from == gate.from && count.to == gate.to)
            #expect(count.byLabel.keys.sorted() == (frame < 11 ? [] : ["person"]))
            // Marked for half a second.
            #expect(count.recent.count == ((11...23).contains(frame) ? 1 : 0), "frame \(frame)")
        }
    }

    /// What is undecided when the frames end counts.
    @Test func atTheEnd() throws {
        let frames = (0..<12).map { [person(Point(320, 258 + 4 * Double($0)))] }
        let told = try told(frames, lines: [gate])
        #expect(events(told).map(\.frame) == [11])
        #expect(told[11]?.first?.finding(as: CountFinding.self)?.figures.forward == 1)
        #expect(told.count == 12)
    }

    @Test func occupancy() throws {
        let zone = Zone(id: "hall", polygon: [Point(100, 100), Point(300, 100), Point(300, 400), Point(100, 400)])
        let frames = (0..<60).map { frame -> [Observation] in
            [person(Point(200, 250), 1, label: "cat")]
                + [person(Point(40 + 8 * Double(frame), 300), 2)]
                + (frame < 20 ? [person(Point(250, 200), 3, label: nil)] : [])
        }
        let told = try told(frames, zones: [zone])
        let found = events(told)
        #expect(found.map(\.event.event) == [.entered, .left, .left])
        #expect(found.map(\.frame) == [8, 19, 33])
        #expect(found.map { $0.head.about?.number } == [2, 3, 2])
        #expect(found.map(\.event.isLost) == [false, true, false])
        #expect(found.map { $0.event.dwell.map { ($0 * 100).rounded() / 100 } } == [nil, 0.76, 1])
        func present(_ frame: Int) -> Int? { told[frame]?.first?.finding(as: CountFinding.self)?.figures.present }
        #expect([0, 7, 8, 18, 19, 32, 33, 59].map(present) == [2, 2, 3, 3, 2, 2, 1, 1])
        let last = try #require(told[59]?.first?.finding(as: CountFinding.self))
        #expect(last.figures.entered == 1 && last.figures.left == 2)
        #expect(last.byLabel["cat"]?.present == 1 && last.byLabel["object"]?.left == 1)
        #expect(last.corners == zone.polygon)
    }

    /// Only what is seen is on its way.
    @Test(arguments: [TrackState.predicted, .lost]) func supposed(state: TrackState) throws {
        let frames = (0..<30).map { frame in
            [person(Point(320, 258 + 4 * Double(frame)), state: frame < 9 ? .tracked : state)]
        }
        #expect(events(try told(frames, lines: [gate])).isEmpty)
        let held = (0..<30).map { [person(Point(320, 258 + 4 * Double($0)), isHeld: $0 > 8)] }
        #expect(events(try told(held, lines: [gate])).isEmpty)
    }

    @Test(arguments: [
        ("bottom", Point(50, 80)), ("center", Point(50, 50)), ("top", Point(50, 20)), ("left", Point(30, 50)),
        ("right", Point(70, 50)),
    ])
    func anchors(word: String, expected: Point) throws {
        let anchor = try #require(CountAnchor(rawValue: word))
        let box = Box(x: 30, y: 20, width: 40, height: 60)
        #expect(anchor.point(of: Observation(ObjectFinding(), stage: "s", box: box)) == expected)
        let quad = Box(x: 29.5, y: 19.5, width: 40, height: 60).corners
        #expect(anchor.point(of: Observation(ObjectFinding(), stage: "s", polygon: quad)) == expected)
        #expect(anchor.point(of: Observation(ObjectFinding(), stage: "s")) == nil)
    }

    @Test func streamsOfAnotherSize() throws {
        for line in [
            Line(id: "a", from: Point(0, 0), to: Point(700, 0)),
            Line(id: "a", from: Point(0, 0), to: Point(9, 9), units: GateUnits(size: PictureSize(width: 9, height: 9))),
        ] {
            var context = StageContext(id: "flow", width: Self.size.width, height: Self.size.height)
            context[Line.self] = [line]
            #expect(throws: StageOptionError.self) {
                try CountBlueprint(options: try stageOptions()).makeStage(context)
            }
        }
    }

    /// A photo, and a job without lines and zones.
    @Test func nothing() throws {
        #expect(try told([[person(Point(1, 1))]]).isEmpty)
        #expect(try told([[person(Point(1, 1))]], lines: [gate]).count == 1)
    }

    /// Things without a track are counted by nobody, which is said.
    @Test func withoutTracks() throws {
        var context = StageContext(id: "flow", width: Self.size.width, height: Self.size.height)
        context[Line.self] = [gate]
        func notes(_ observation: Observation) throws -> [String] {
            let stage = try CountBlueprint(options: try stageOptions("{}")).makeStage(context)
            for index in 0..<3 {
                let input = StageInput(frame: try emptyFrame(index), results: [[Emission(observation)]])
                try stage.lane.detect(index, input)
                _ = try stage.lane.update(index, input, runs: true)
            }
            _ = try stage.lane.rest()
            return stage.notes
        }
        #expect(try notes(person(Point(10, 10))) == [])
        let box = Box(x: 0, y: 0, width: 9, height: 9)
        #expect(
            try notes(Observation(DetectionFinding(), stage: "people", label: "person", box: box)) == [
                "“flow” counted nothing: none of 3 things in its input has a track; expected a “follow” between them, or a file "
                    + "with ids"
            ])
    }
}
