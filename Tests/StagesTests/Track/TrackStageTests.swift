import Synchronization
import Testing

@testable import Annotate
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

    private func seed(_ id: String, _ start: Seed.Moment, end: Seed.Moment? = nil, x: Double = 10) -> Seed {
        Seed(id: id, start: start, end: end, polygon: Box(x: x, y: 20, width: 30, height: 40).corners)
    }

    /// What the stage says of each frame: `region#track state`, with `*` where it is held.
    private func run(
        _ seeds: [Seed], frames: Int = 6, endsOnLoss: Bool = false, states: [Int: TrackState] = [:],
        runsOn: Set<Int>? = nil
    ) throws -> (said: [[String]], log: [String], last: [Observation]) {
        let log = Log(states: states)
        let stage = TrackStage(
            context: StageContext(id: "t", width: 100, height: 100, seeds: seeds), endsOnLoss: endsOnLoss
        ) { ScriptedTracker(log) }
        var last: [Observation] = []
        let said = try (0..<frames).map { ordinal in
            let input = StageInput(frame: try emptyFrame(ordinal))
            last = try runsOn?.contains(ordinal) ?? true ? stage.update((), input) : stage.carry(last, input)
            return last.map {
                "\($0.region ?? "")#\($0.track?.number ?? 0) \($0.state?.rawValue ?? "")" + ($0.isHeld ? "*" : "")
            }
        }
        return (said, log.all, last)
    }

    @Test(arguments: [Seed.Moment.frame(2), .seconds(0.08), .seconds(0.05)])
    func aRegionBeginsAtItsMoment(start: Seed.Moment) throws {
        let (said, log, last) = try run([seed("cup", start)], frames: 4)
        #expect(said == [[], [], ["cup#1 seeded"], ["cup#1 tracked"]])
        #expect(log == ["seed 1 at 2: 10.0 20.0", "update 1 at 3"])
        #expect(last.first?.box == Box(x: 3, y: 0, width: 5, height: 5))
        #expect(last.first?.confidence == 0.5)
        #expect(last.first?.kind == "object")
        #expect(last.first?.label == "cup")
    }

    @Test func tracksAreNumberedAsTheyBegin() throws {
        let (said, log, _) = try run(
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
        let (said, _, _) = try run([seed("cup", .frame(1), end: end)])
        #expect(said == [[], ["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], [], []])
    }

    @Test func aRegionWhoseTimeIsOverBeforeTheFirstFrame() throws {
        let stage = TrackStage(
            context: StageContext(id: "t", width: 9, height: 9, seeds: [seed("cup", .frame(1), end: .frame(3))]),
            endsOnLoss: false
        ) { throw Refusal() }
        #expect(try stage.update((), StageInput(frame: try emptyFrame(5))).isEmpty)
    }

    @Test func aLostObjectIsLookedFor() throws {
        let (said, _, _) = try run(
            [seed("cup", .frame(0))], states: [2: .predicted, 3: .lost, 4: .lost, 5: .recovered])
        #expect(
            said.map { $0.joined() } == [
                "cup#1 seeded", "cup#1 tracked", "cup#1 predicted", "cup#1 lost", "cup#1 lost", "cup#1 recovered",
            ])
    }

    @Test func aLostObjectHasNoPlace() throws {
        let (_, _, last) = try run([seed("cup", .frame(0))], frames: 3, states: [2: .lost])
        #expect(last.map(\.box) == [nil])
        #expect(last.map(\.confidence) == [0.5])
    }

    @Test func aLostObjectsTrackEndsWhereAskedTo() throws {
        let (said, log, last) = try run([seed("cup", .frame(0))], frames: 4, endsOnLoss: true, states: [2: .lost])
        #expect(said == [["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], []])
        #expect(log.last == "update 1 at 2")
        #expect(last.isEmpty)
    }

    @Test func aRateLeavesOutNoBeginningAndNoEnd() throws {
        let (said, log, _) = try run(
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
        let (said, _, _) = try run(
            [seed("cup", .frame(0))], frames: 5, endsOnLoss: true, states: [2: .lost], runsOn: [0, 1, 2])
        #expect(said == [["cup#1 seeded"], ["cup#1 tracked"], ["cup#1 ended"], [], []])
    }

    @Test func noRegions() throws { #expect(try run([], frames: 2).said == [[], []]) }

    @Test func aTrackerThatRefusesItsSeed() {
        let stage = TrackStage(
            context: StageContext(id: "t", width: 9, height: 9, seeds: [seed("a", .frame(0))]), endsOnLoss: false
        ) { throw Refusal() }
        #expect(throws: Refusal.self) { try stage.update((), StageInput(frame: try emptyFrame(0))) }
    }
}
