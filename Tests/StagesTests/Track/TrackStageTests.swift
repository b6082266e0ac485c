import Synchronization
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct TrackStageTests {
    /// Says where the object is as it was told to, and notes how it was called.
    private final class ScriptedTracker: ObjectTracker {
        let log: Log
        let number: Int

        init(_ log: Log) {
            self.log = log
            number = log.made()
        }

        func seed(_ frame: VideoFrame, box: Box) throws {
            log.add("seed \(number) at \(frame.ordinal): \(box.x) \(box.y)")
        }

        func update(_ frame: VideoFrame) throws -> TrackedObject {
            log.add("update \(number) at \(frame.ordinal)")
            return TrackedObject(
                box: Box(x: Double(frame.ordinal), y: 0, width: 5, height: 5), confidence: 0.5,
                state: log.states[frame.ordinal] ?? .tracked)
        }
    }

    private final class Log: Sendable {
        let states: [Int: TrackState]
        private let lines = Mutex<[String]>([])
        private let count = Mutex(0)

        init(states: [Int: TrackState]) { self.states = states }

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        func made() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
        var all: [String] { lines.withLock { $0 } }
    }

    private struct Refusal: Error {}

    private func seed(
        _ id: String, _ start: Seed.Moment, end: Seed.Moment? = nil, x: Double = 10, keyframes: [Seed.Keyframe] = []
    ) -> Seed {
        Seed(
            id: id, start: start, end: end, polygon: Box(x: x, y: 20, width: 30, height: 40).corners,
            keyframes: keyframes)
    }

    private func place(_ frame: Int, x: Double) -> Seed.Keyframe {
        Seed.Keyframe(.frame(frame), polygon: Box(x: x, y: 20, width: 30, height: 40).corners)
    }

    private func absent(_ frame: Int) -> Seed.Keyframe { Seed.Keyframe(.frame(frame), polygon: nil) }

    /// What the stage says of each frame: `region#track state`, with `*` where it is held.
    private func run(
        _ seeds: [Seed], from first: Int = 0, frames: Int = 6, endsOnLoss: Bool = false,
        states: [Int: TrackState] = [:],
        runsOn: Set<Int>? = nil
    ) throws -> (said: [[String]], log: [String], last: [Observation], notes: [String]) {
        let log = Log(states: states)
        var tracker = RegionTracker(
            context: StageContext(id: "t", width: 100, height: 100).giving(Region.self, seeds), endsOnLoss: endsOnLoss
        ) { ScriptedTracker(log) }
        var last: [Observation] = []
        let said = try (first..<frames).map { ordinal in
            let input = StageInput(frame: try emptyFrame(ordinal))
            last = try runsOn?.contains(ordinal) ?? true ? tracker.update((), input) : tracker.carry(last, input)
            return last.map {
                "\($0.region ?? "")#\($0.track?.number ?? 0) \($0.state?.rawValue ?? "")" + ($0.isHeld ? "*" : "")
            }
        }
        return (said, log.all, last, tracker.notes)
    }

    @Test(arguments: [Seed.Moment.frame(2), .seconds(0.08), .seconds(0.05)])
    func aRegionBeginsAtItsMoment(start: Seed.Moment) throws {
        let (said, log, last, _) = try run([seed("cup", start)], frames: 4)
        #expect(said == [[], [], ["cup#1 seeded"], ["cup#1 tracked"]])
        #expect(log == ["seed 1 at 2: 10.0 20.0", "update 1 at 3"])
        #expect(last.first?.box == Box(x: 3, y: 0, width: 5, height: 5))
        #expect(last.first?.confidence == 0.5)
        #expect(last.first?.kind == "object")
        #expect(last.first?.label == "cup")
    }

    @Test func tracksAreNumberedAsTheyBegin() throws {
        let (said, log, _, _) = try run(
            [seed("late", .frame(2)), seed("early", .frame(0)), seed("never", .frame(99))], frames: 4)
        #expect(
            said == [
                ["early#1 seeded"], ["early#1 tracked"], ["late#2 seeded", "early#1 tracked"],
                ["late#2 tracked", "early#1 tracked"],
            ])
        #expect(log.filter { $0.hasPrefix("seed") } == ["seed 1 at 0: 10.0 20.0", "seed 2 at 2: 10.0 20.0"])
    }

    @Test(arguments: [(Seed.Moment.frame(3)), .seconds(0.12)])
    func aRegionEndsAtItsEnd(end: Seed.Moment) throws {
        let (said, _, _, _) = try run([seed("cup", .frame(1), end: end)])
        #expect(said == [[], ["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], [], []])
    }

    @Test func aRegionWhoseTimeIsOverBeforeTheFirstFrame() throws {
        var tracker = RegionTracker(
            context: StageContext(id: "t", width: 9, height: 9).giving(
                Region.self, [seed("cup", .frame(1), end: .frame(3))]),
            endsOnLoss: false
        ) { throw Refusal() }
        #expect(try tracker.update((), StageInput(frame: try emptyFrame(5))).isEmpty)
    }

    @Test func aLostObjectIsLookedFor() throws {
        let (said, _, _, _) = try run(
            [seed("cup", .frame(0))], states: [2: .predicted, 3: .lost, 4: .lost, 5: .recovered])
        #expect(
            said.map { $0.joined() } == [
                "cup#1 seeded", "cup#1 tracked", "cup#1 predicted", "cup#1 lost", "cup#1 lost", "cup#1 recovered",
            ])
    }

    @Test func aLostObjectHasNoPlace() throws {
        let (_, _, last, _) = try run([seed("cup", .frame(0))], frames: 3, states: [2: .lost])
        #expect(last.map(\.box) == [nil])
        #expect(last.map(\.confidence) == [0.5])
    }

    @Test func aLostObjectsTrackEndsWhereAskedTo() throws {
        let (said, log, last, _) = try run([seed("cup", .frame(0))], frames: 4, endsOnLoss: true, states: [2: .lost])
        #expect(said == [["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], []])
        #expect(log.last == "update 1 at 2")
        #expect(last.isEmpty)
    }

    @Test func aRateLeavesOutNoBeginningAndNoEnd() throws {
        let (said, log, _, _) = try run(
            [seed("cup", .frame(1), end: .frame(5)), seed("pen", .frame(2))], frames: 7, runsOn: [0, 3, 6])
        #expect(
            said == [
                [], ["cup#1 seeded"], ["cup#1 seeded*", "pen#2 seeded"], ["cup#1 tracked", "pen#2 tracked"],
                ["cup#1 tracked*", "pen#2 tracked*"], ["cup#1 ended", "pen#2 tracked*"], ["pen#2 tracked"],
            ])
        #expect(
            log == [
                "seed 1 at 1: 10.0 20.0", "seed 2 at 2: 10.0 20.0", "update 1 at 3", "update 2 at 3", "update 2 at 6",
            ])
    }

    @Test func anEndThatWasToldIsNotTimesTwo() throws {
        // On the frames between two runs the ended track must not be told of again.
        let (said, _, _, _) = try run(
            [seed("cup", .frame(0))], frames: 5, endsOnLoss: true, states: [2: .lost], runsOn: [0, 1, 2])
        #expect(said == [["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], [], []])
    }

    // MARK: Keyframes

    @Test func aKeyframeCorrectsTheTrackUnderItsNumber() throws {
        let (said, log, _, _) = try run([
            seed("pen", .frame(0)), seed("cup", .frame(0), keyframes: [place(2, x: 50), place(4, x: 70)]),
        ])
        #expect(
            said.map { $0.last ?? "" } == [
                "cup#2 seeded", "cup#2 tracked", "cup#2 seeded", "cup#2 tracked", "cup#2 seeded", "cup#2 tracked",
            ])
        // Each place has a tracker of its own that knows nothing of the one before.
        #expect(
            log.filter { $0.contains(" at 2") || $0.contains(" at 3") } == [
                "seed 3 at 2: 50.0 20.0", "update 1 at 2", "update 1 at 3", "update 3 at 3",
            ])
    }

    @Test func aKeyframesBoxIsTheGivenOne() throws {
        let (_, _, last, _) = try run([seed("cup", .frame(0), keyframes: [place(3, x: 50)])], frames: 4)
        #expect(last.map(\.box) == [Box(x: 50, y: 20, width: 30, height: 40)])
        #expect(last.map(\.confidence) == [1])
    }

    @Test func aKeyframeEndsTheTrackAndALaterOneBringsItBack() throws {
        let (said, log, _, _) = try run(
            [seed("cup", .frame(0), keyframes: [absent(2), absent(3), place(5, x: 50)])], frames: 7)
        #expect(
            said == [["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], [], [], ["cup#1 seeded"], ["cup#1 tracked"]])
        // Nothing looks for it meanwhile.
        #expect(
            log == ["seed 1 at 0: 10.0 20.0", "update 1 at 1", "seed 2 at 5: 50.0 20.0", "update 2 at 6"])
    }

    @Test func aKeyframeBringsBackWhatWasLost() throws {
        for (endsOnLoss, lost) in [(false, [["cup#1 lost"], ["cup#1 lost"]]), (true, [["cup#1 ended"], []])] {
            let (said, _, _, _) = try run(
                [seed("cup", .frame(0), keyframes: [place(3, x: 50)])], frames: 5, endsOnLoss: endsOnLoss,
                states: [1: .lost, 2: .lost])
            #expect(said == [["cup#1 seeded"]] + lost + [["cup#1 seeded"], ["cup#1 tracked"]])
        }
    }

    @Test func aRegionsEndComesBeforeItsKeyframes() throws {
        let (said, _, _, _) = try run([
            seed("cup", .frame(0), end: .frame(2), keyframes: [place(2, x: 50), place(4, x: 50)])
        ])
        #expect(said == [["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], [], [], []])
    }

    @Test func aRangeThatBeginsBehindKeyframesTakesTheLastOne() throws {
        let keyframes = [place(2, x: 50), place(3, x: 60), place(8, x: 90)]
        let (said, log, _, notes) = try run([seed("cup", .frame(0), keyframes: keyframes)], from: 5, frames: 7)
        #expect(said == [["cup#1 seeded"], ["cup#1 tracked"]])
        #expect(log.first == "seed 1 at 5: 60.0 20.0")
        #expect(notes == [])
        // Nothing has begun where it is absent.
        let gone = try run([seed("cup", .frame(0), keyframes: [absent(3), place(7, x: 9)])], from: 5, frames: 8)
        #expect(gone.said == [[], [], ["cup#1 seeded"]])
    }

    @Test func aKeyframeHoldsOnAFrameThatTheRateLeavesOut() throws {
        let (said, log, _, _) = try run(
            [seed("cup", .frame(0), keyframes: [place(2, x: 50), absent(4)])], runsOn: [0, 3])
        #expect(
            said == [["cup#1 seeded"], ["cup#1 seeded*"], ["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], []])
        #expect(log == ["seed 1 at 0: 10.0 20.0", "seed 2 at 2: 50.0 20.0", "update 2 at 3"])
    }

    @Test func ofTwoKeyframesOnOneFrameTheLaterHolds() throws {
        // 25 frames a second: both lie behind frame 1 and before frame 2.
        let box = Box(x: 50, y: 20, width: 30, height: 40).corners
        let (said, log, _, notes) = try run(
            [
                seed(
                    "cup", .seconds(0),
                    keyframes: [
                        Seed.Keyframe(.seconds(0.05), polygon: nil), Seed.Keyframe(.seconds(0.07), polygon: box),
                    ])
            ], frames: 4)
        #expect(said.map { $0.joined() } == ["cup#1 seeded", "cup#1 tracked", "cup#1 seeded", "cup#1 tracked"])
        #expect(log[2] == "seed 2 at 2: 50.0 20.0")
        #expect(notes == ["1 keyframe of the region “cup” got no frame: the next one begins on the same"])
    }

    @Test func noRegions() throws { #expect(try run([], frames: 2).said == [[], []]) }

    @Test func aTrackerThatRefusesItsSeed() {
        var tracker = RegionTracker(
            context: StageContext(id: "t", width: 9, height: 9).giving(Region.self, [seed("a", .frame(0))]),
            endsOnLoss: false
        ) { throw Refusal() }
        #expect(throws: Refusal.self) { try tracker.update((), StageInput(frame: try emptyFrame(0))) }
    }
}
