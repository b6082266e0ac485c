import Synchronization
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// `track` on what other stages find.
@Suite struct SightingTests {
    /// Follows nothing: says that the thing is where it was seeded, in states that were told.
    private final class StandingTracker: ObjectTracker {
        private let place = Mutex(Box(x: 0, y: 0, width: 0, height: 0))
        let states: [Int: TrackState]

        init(_ states: [Int: TrackState]) { self.states = states }

        func seed(_ frame: VideoFrame, box: Box) throws { place.withLock { $0 = box } }

        func update(_ frame: VideoFrame) throws -> TrackedObject {
            TrackedObject(
                box: place.withLock { $0 }, confidence: 0.7, state: states[frame.ordinal] ?? .tracked)
        }
    }

    private static func thing(
        _ label: String, x: Double, track: Int? = nil, confidence: Double? = 0.9, state: TrackState? = nil
    ) -> Observation {
        Observation(
            DetectionFinding(), stage: "found", track: track.map { TrackReference(stage: "found", number: $0) },
            label: label, confidence: confidence, state: state ?? (track == nil ? nil : .tracked),
            box: Box(x: x, y: 10, width: 20, height: 20))
    }

    private func grey(_ ordinal: Int) throws -> VideoFrame {
        let frame = try grayFrame([UInt8](repeating: 0, count: 200 * 60), width: 200, height: 60)
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: frame.picture, original: nil)
    }

    /// What is said of each frame: `label#track<of state`.
    private func run(
        _ frames: [[Observation]], classes: [String] = [], confirmation: Int = 2, endsOnLoss: Bool = false,
        timeout: Double = 0.08, most: Int = 0, states: [Int: TrackState] = [:], regions: [Seed] = []
    ) throws -> [[String]] {
        var tracker = SightingTracker(
            context: StageContext(id: "t", width: 200, height: 60).giving(Region.self, regions), endsOnLoss: endsOnLoss,
            timeout: timeout, most: most,
            seeds: SightingSeeds(classes: classes, leastConfidence: 0.5, confirmation: confirmation)
        ) { StandingTracker(states) }
        return try frames.enumerated().map { ordinal, things in
            let input = StageInput(frame: try grey(ordinal), results: [things.map { Emission($0) }])
            return try tracker.update((), input).map {
                "\($0.label ?? "")#\($0.track?.number ?? 0)" + ($0.about.map { "<\($0.number)" } ?? "")
                    + " \($0.state?.rawValue ?? "")"
            }
        }
    }

    /// What has no track begins one when it was found twice, on the same place, by the same name, and surely enough.
    @Test func aThingIsConfirmedByASecondSighting() throws {
        let car = Self.thing("car", x: 20)
        #expect(try run([[car], [], [car], [car], []]) == [[], [], [], ["car#1 seeded"], ["car#1 tracked"]])
        #expect(try run([[car], [Self.thing("car", x: 60)]]) == [[], []])
        #expect(try run([[car], [Self.thing("bus", x: 20)]]) == [[], []])
        let unsure = Self.thing("car", x: 20, confidence: 0.4)
        #expect(try run([[unsure], [unsure]]) == [[], []])
        #expect(try run([[car]], confirmation: 1) == [["car#1 seeded"]])
        // What is carried over from a frame is no other sighting.
        #expect(try run([[car], [car.held], [car]]) == [[], [], ["car#1 seeded"]])
    }

    /// One that has a track begins one at once, tells it, and begins no other while that lasts.
    @Test func aThingWithATrack() throws {
        let (near, far) = (Self.thing("car", x: 20, track: 8), Self.thing("car", x: 120, track: 8))
        #expect(
            try run([[near], [near], [far]]) == [["car#1<8 seeded"], ["car#1<8 tracked"], ["car#1<8 tracked"]])
        let guessed = Self.thing("car", x: 20, track: 8, state: .predicted)
        #expect(try run([[guessed], [near]]) == [[], ["car#1<8 seeded"]])
    }

    @Test func onlySomeLabels() throws {
        let things = [Self.thing("car", x: 20, track: 1), Self.thing("dog", x: 120, track: 2)]
        #expect(try run([things], classes: ["dog"]) == [["dog#1<2 seeded"]])
        #expect(try run([things]) == [["car#1<1 seeded", "dog#2<2 seeded"]])
    }

    /// Nothing begins where something is followed already: neither a second detection of it, nor a region's.
    @Test func nothingBeginsOnWhatIsFollowed() throws {
        let twice = [Self.thing("car", x: 20, track: 1), Self.thing("van", x: 24, track: 2, confidence: 0.95)]
        #expect(try run([twice, twice]) == [["van#1<2 seeded"], ["van#1<2 tracked"]])
        let region = Seed(
            id: "mine", start: .frame(0), polygon: Box(x: 20, y: 10, width: 20, height: 20).corners)
        #expect(
            try run([[Self.thing("car", x: 22, track: 1), Self.thing("car", x: 100, track: 2)]], regions: [region])
                == [["mine#1 seeded", "car#2<2 seeded"]])
    }

    /// A lost thing is looked for a while, then its track ends, and the thing may begin another one.
    @Test func aLostThing() throws {
        let car = Self.thing("car", x: 20, track: 5)
        let lost: [Int: TrackState] = [1: .lost, 2: .lost, 3: .lost, 4: .lost]
        #expect(
            try run([[car], [], [], [], [], [car]], states: lost) == [
                ["car#1<5 seeded"], ["car#1<5 lost"], ["car#1<5 lost"], ["car#1<5 ended"], [], ["car#2<5 seeded"],
            ])
        #expect(
            try run([[car], [], []], endsOnLoss: true, states: lost)
                == [["car#1<5 seeded"], ["car#1<5 ended"], []])
        #expect(
            try run([[car], [], []], states: [1: .lost, 2: .recovered])
                == [["car#1<5 seeded"], ["car#1<5 lost"], ["car#1<5 recovered"]])
    }

    @Test func noMoreThanSoMany() throws {
        let things = (0..<4).map { index in
            let place = Double(index)
            return Self.thing("car", x: 45 * place, track: index + 1, confidence: 0.6 + 0.1 * place)
        }
        #expect(try run([things], most: 2) == [["car#1<4 seeded", "car#2<3 seeded"]])
        // Whoever found no room begins when there is some.
        let lost: [Int: TrackState] = [1: .lost, 2: .lost, 3: .lost]
        #expect(
            try run([Array(things[2...]), [things[2]], [things[2]], [things[2]]], most: 1, states: lost) == [
                ["car#1<4 seeded"], ["car#1<4 lost"], ["car#1<4 lost"], ["car#1<4 ended", "car#2<3 seeded"],
            ])
    }

    @Test(arguments: [
        #""classes": ["car"]"#, #""seedConfidence": 0.4"#, #""confirmation": 1"#, #""timeout": 3"#,
        #""maximumObservations": 4"#,
    ]) func optionsOfInputsWithoutInputs(option: String) throws {
        let name = String(option.dropFirst().prefix { $0 != "\"" })
        do {
            _ = try TrackBlueprint(options: try stageOptions("{\(option), \"level\": \"fast\"}"))
            Issue.record("it was taken")
        } catch let error as StageOptionError {
            #expect(error.option == name)
            #expect(
                error.message
                    == "“\(name)” without “inputs”; it is of things that other stages find, so expected “inputs” with such a "
                    + "stage, or the job's regions alone")
        }
        _ = try TrackBlueprint(options: try stageOptions("{\(option), \"level\": \"fast\", \"inputs\": [\"found\"]}"))
    }
}
