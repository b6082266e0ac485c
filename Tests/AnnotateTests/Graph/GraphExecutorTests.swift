import CFFmpeg
import Glibc
import Synchronization
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct GraphExecutorTests {
    /// Says what it saw: the frame, what its inputs said, and how many frames it has updated so far.
    private final class TellingStage: Detector, Tracker {
        let id: String
        /// Microseconds that a call takes at the most.
        let delay: UInt32
        let seen = Mutex<[Int]>([])

        init(_ id: String, delay: UInt32 = 0) {
            self.id = id
            self.delay = delay
        }

        static func text(_ emission: Emission) -> String {
            (emission.observation.label ?? "") + (emission.observation.isHeld ? "*" : "")
        }

        private func wait(_ frame: Int, _ salt: Int) {
            guard delay > 0 else { return }
            usleep(UInt32((frame &* 7919 &+ salt &* 104_729 &+ id.hashValue) & 0xFFFF) % delay)
        }

        func detect(_ input: StageInput) throws -> String {
            wait(input.frame.ordinal, 1)
            let inputs = input.results.map { $0.map(Self.text).joined() }
            return "\(input.frame.ordinal)" + (inputs.isEmpty ? "" : "(\(inputs.joined(separator: ",")))")
        }

        func update(_ detection: String, _ input: StageInput) throws -> [Observation] {
            wait(input.frame.ordinal, 2)
            let count = seen.withLock { seen in
                seen.append(input.frame.ordinal)
                return seen.count
            }
            return [Observation(ObjectFinding(), stage: id, label: "\(id)\(detection)#\(count)")]
        }
    }

    private struct Failure: Error, CustomStringConvertible { var description: String }

    private final class FailingStage: Detector, Tracker {
        let frame: Int
        let inUpdate: Bool

        init(at frame: Int, inUpdate: Bool) {
            self.frame = frame
            self.inUpdate = inUpdate
        }

        func detect(_ input: StageInput) throws {
            if !inUpdate, input.frame.ordinal == frame { throw Failure(description: "no more") }
        }

        func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
            if inUpdate, input.frame.ordinal == frame { throw Failure(description: "no more") }
            return []
        }
    }

    /// Streams frames at 25 a second through a graph.
    private func run(
        _ plan: GraphPlan, _ stages: [Stage], frames: Int, workers: Int, window: Int,
        frame: @escaping @Sendable (Int) throws -> VideoFrame = { try emptyFrame($0, pts: Int64($0)) }
    ) throws -> [[[String]]] {
        let executor = GraphExecutor(plan: plan, stages: stages, window: window)
        var running = try (0..<workers).map { _ in try Worker { executor.work() } }
        running.append(
            try Worker {
                do {
                    for ordinal in 0..<frames {
                        try executor.admit(try frame(ordinal))
                    }
                    executor.close()
                } catch {
                    executor.fail(error)
                }
            })
        defer { running.forEach { $0.join() } }
        var results: [[[String]]] = []
        while let finished = try executor.next() {
            #expect(finished.frame.ordinal == results.count)
            results.append(finished.results.map { $0.map(TellingStage.text) })
        }
        return results
    }

    /// A diamond with a tail: a feeds b and c, d joins them.
    private static func diamond(rates: [String: Double] = [:]) throws -> GraphPlan {
        try TestCatalog.plan(
            [
                ("a", "find", []), ("b", "name", ["a"]), ("c", "name", ["a"]), ("d", "judge", ["b", "c"]),
                ("e", "plain", []),
            ],
            rates: rates)
    }

    private func stages(_ plan: GraphPlan, delay: UInt32 = 0) -> [TellingStage] {
        plan.nodes.map { TellingStage($0.id, delay: delay) }
    }

    @Test func whatEachStageIsGiven() throws {
        let plan = try Self.diamond()
        let results = try run(plan, stages(plan).map(\.stage), frames: 2, workers: 1, window: 1)
        #expect(
            results.map { $0.map { $0.joined() } } == [
                ["a0#1", "b0(a0#1)#1", "c0(a0#1)#1", "d0(b0(a0#1)#1,c0(a0#1)#1)#1", "e0#1"],
                ["a1#2", "b1(a1#2)#2", "c1(a1#2)#2", "d1(b1(a1#2)#2,c1(a1#2)#2)#2", "e1#2"],
            ])
    }

    @Test(arguments: [1, 2, 5], [1, 3, 9])
    func noScheduleChangesAResult(workers: Int, window: Int) throws {
        let plan = try Self.diamond(rates: ["a": 10, "c": 7.5])
        let expected = try run(plan, stages(plan).map(\.stage), frames: 60, workers: 1, window: 1)
        #expect(expected.count == 60)
        let slow = stages(plan, delay: 1500)
        #expect(try run(plan, slow.map(\.stage), frames: 60, workers: workers, window: window) == expected)
        // Updates come in the frames' order, each once.
        for stage in slow { #expect(stage.seen.withLock { $0 == $0.sorted() && Set($0).count == $0.count }) }
    }

    @Test func detectionsOfSeveralFramesRunAtOnce() throws {
        final class MeetingStage: Detector, Tracker {
            let here = Atomic<Int>(0)
            let most = Atomic<Int>(0)
            func detect(_ input: StageInput) throws {
                most.max(here.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
                usleep(3000)
                here.subtract(1, ordering: .relaxed)
            }
            func update(_ detection: Void, _ input: StageInput) throws -> [Observation] { [] }
        }
        let stage = MeetingStage()
        _ = try run(try TestCatalog.plan([("a", "find", [])]), [stage.stage], frames: 30, workers: 3, window: 6)
        #expect((2...3).contains(stage.most.load(ordering: .relaxed)))
    }

    @Test func aRateHoldsTheLastResult() throws {
        let plan = try TestCatalog.plan([("a", "find", []), ("b", "name", ["a"])], rates: ["a": 10])
        let results = try run(plan, stages(plan).map(\.stage), frames: 8, workers: 2, window: 4)
        #expect(
            results.map { $0[0].joined() } == ["a0#1", "a0#1*", "a0#1*", "a3#2", "a3#2*", "a5#3", "a5#3*", "a5#3*"])
        // What it feeds runs on every frame and sees what is held.
        #expect(results.map { $0[1].joined() }[1] == "b1(a0#1*)#2")
        #expect(results.map { $0[1].joined() }[5] == "b5(a5#3)#6")
    }

    /// What is covered isn't bare in a shot's first pictures because its stage's turn comes later, and its turns stay as they were.
    @Test(arguments: [true, false]) func whatIsCoveredIsLookedForInEveryShot(hides: Bool) throws {
        let plan = try TestCatalog.plan(
            [("a", "find", []), ("b", "name", ["a"])], rates: ["a": 5], draws: ["a": "{\"cover\": \(hides)}"])
        let results = try run(plan, stages(plan).map(\.stage), frames: 12, workers: 2, window: 4) { ordinal in
            try shotFrame(ordinal, shot: ordinal < 3 ? 0 : ordinal < 7 ? 1 : 0)
        }
        let ran = results.indices.filter { results[$0][0].joined().contains("*") == false }
        #expect(ran == (hides ? [0, 3, 5, 7, 10] : [0, 5, 10]))
        // Behind a black picture too.
        let behind = try run(plan, stages(plan).map(\.stage), frames: 12, workers: 2, window: 4) { ordinal in
            try shotFrame(ordinal, shot: ordinal < 6 ? 0 : ordinal < 8 ? nil : 1)
        }
        let looked = behind.indices.filter { !behind[$0][0].joined().contains("*") }
        #expect(looked == (hides ? [0, 5, 8, 10] : [0, 5, 10]))
    }

    /// A picture of a shot: two differ by which of their parts are light; nil is black.
    private func shotFrame(_ ordinal: Int, shot: Int?) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: 160, height: 90, format: AV_PIX_FMT_GRAY8)
        let plane = buffer.planes()[0]
        for y in 0..<90 {
            for x in 0..<160 { plane.base[y * plane.stride + x] = shot.map { (x < 80) == ($0 == 0) ? 60 : 180 } ?? 16 }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    @Test(arguments: [0, 1, 40], [0, 2])
    func aGraphWithoutStages(frames: Int, workers: Int) throws {
        let results = try run(GraphPlan(nodes: []), [], frames: frames, workers: workers, window: 3)
        #expect(results == Array(repeating: [], count: frames))
    }

    @Test(arguments: [0, 1, 17, 39], [true, false])
    func aStageThatThrowsStopsTheRun(frame: Int, inUpdate: Bool) throws {
        let plan = try TestCatalog.plan([("a", "find", []), ("bad", "name", ["a"]), ("c", "plain", [])])
        for (workers, window) in [(1, 1), (3, 6)] {
            let stages = [
                TellingStage("a", delay: 300).stage, FailingStage(at: frame, inUpdate: inUpdate).stage,
                TellingStage("c", delay: 300).stage,
            ]
            let error = #expect(throws: StageError.self) {
                try run(plan, stages, frames: 40, workers: workers, window: window)
            }
            #expect(error?.description == "stage “bad” failed at frame \(frame): no more")
        }
    }

    @Test func theFirstErrorIsTheOneThatIsReported() throws {
        let executor = GraphExecutor(plan: GraphPlan(nodes: []), stages: [], window: 2)
        executor.fail(Failure(description: "first"))
        executor.fail(Failure(description: "second"))
        for _ in 0..<2 {
            let error = #expect(throws: Failure.self) { try executor.next() }
            #expect(error?.description == "first")
        }
        #expect(throws: Failure.self) { try executor.admit(try emptyFrame(0, pts: 0)) }
        executor.work()
    }

    @Test func theReaderWaitsWhileTheWindowIsFull() throws {
        let executor = GraphExecutor(plan: GraphPlan(nodes: []), stages: [], window: 3)
        let counter = Counter()
        let reader = try Worker {
            for ordinal in 0..<10 {
                guard let frame = try? emptyFrame(ordinal, pts: Int64(ordinal)) else { return }
                do { try executor.admit(frame) } catch { return }
                counter.value.add(1, ordering: .sequentiallyConsistent)
            }
            executor.close()
        }
        usleep(30_000)
        #expect(counter.value.load(ordering: .sequentiallyConsistent) == 3)
        _ = try executor.next()
        usleep(30_000)
        #expect(counter.value.load(ordering: .sequentiallyConsistent) == 4)
        var left = 0
        while try executor.next() != nil { left += 1 }
        reader.join()
        #expect(left == 9)
    }

    private final class Counter: Sendable { let value = Atomic<Int>(0) }

    @Test func aWaitingReaderIsFreedByAFailure() throws {
        let executor = GraphExecutor(plan: GraphPlan(nodes: []), stages: [], window: 1)
        let reader = try Worker {
            for ordinal in 0..<10 {
                guard let frame = try? emptyFrame(ordinal, pts: Int64(ordinal)) else { return }
                do { try executor.admit(frame) } catch { return }
            }
        }
        usleep(10_000)
        executor.fail(CancelledError())
        reader.join()
        #expect(throws: CancelledError.self) { try executor.next() }
    }

    // MARK: What stages hand each other

    private struct Note: Annotate.Attachment, Equatable { var text: String }
    private struct OtherNote: Annotate.Attachment { var text: String }

    /// What one of its parts hands the other is of a type of its own.
    private final class SpottingStage: Detector, Tracker {
        struct Spot: Equatable {
            var frame: Int
            var places: [Point]
        }

        let updated = Mutex<[Spot]>([])

        func detect(_ input: StageInput) throws -> Spot {
            usleep(UInt32((input.frame.ordinal &* 7919) % 1500))
            let ordinal = input.frame.ordinal
            return Spot(frame: ordinal, places: Array(repeating: Point(Double(ordinal), 0), count: ordinal % 3))
        }

        func update(_ spot: Spot, _ input: StageInput) throws -> [Emission] {
            #expect(spot.frame == input.frame.ordinal)
            updated.withLock { $0.append(spot) }
            return spot.places.map { place in
                Emission(
                    Observation(ObjectFinding(), stage: "a", polygon: [place]), Note(text: "\(spot.frame)"))
            }
        }
    }

    /// Reads the notes of its input.
    private struct ReadingTracker: Tracker {
        func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
            let notes = input.results.joined().map { emission in
                #expect(emission.attachment(as: OtherNote.self) == nil)
                return (emission.attachment(as: Note.self)?.text ?? "nothing")
                    + (emission.observation.isHeld ? "*" : "")
            }
            return [Observation(ObjectFinding(), stage: "b", label: notes.joined(separator: ","))]
        }
    }

    @Test(arguments: [1, 3], [1, 6])
    func detectionsAndAttachments(workers: Int, window: Int) throws {
        let plan = try TestCatalog.plan([("a", "find", []), ("b", "name", ["a"])])
        let spotting = SpottingStage()
        let results = try run(
            plan, [spotting.stage, Stage(tracker: ReadingTracker())], frames: 30, workers: workers, window: window)
        #expect(spotting.updated.withLock { $0.map(\.frame) } == Array(0..<30))
        #expect(spotting.updated.withLock { $0[5] } == .init(frame: 5, places: [Point(5, 0), Point(5, 0)]))
        let expected = (0..<30).map { frame -> String in
            Array(repeating: "\(frame)", count: frame % 3).joined(separator: ",")
        }
        #expect(results.map { $0[1].joined() } == expected)
    }

    /// What is held keeps what goes with it.
    @Test func attachmentsAreHeldToo() throws {
        let plan = try TestCatalog.plan([("a", "find", []), ("b", "name", ["a"])], rates: ["a": 5])
        let results = try run(
            plan, [SpottingStage().stage, Stage(tracker: ReadingTracker())], frames: 9, workers: 2, window: 4)
        #expect(
            results.map { $0[1].joined() } == ["", "", "", "", "", "5,5", "5*,5*", "5*,5*", "5*,5*"])
    }

    /// A frame's result asked for before its detection is a fault that is told of, not an empty result.
    @Test func aMissingDetectionIsAnError() throws {
        let lane = SpottingStage().stage.lane
        let input = StageInput(frame: try emptyFrame(0, pts: 0))
        #expect(throws: (any Error).self) { try lane.update(0, input, runs: true) }
        try lane.detect(0, input)
        #expect(throws: (any Error).self) { try lane.update(1, input, runs: true) }
        #expect(try lane.update(0, input, runs: true).isEmpty)
        #expect(throws: (any Error).self) { try lane.update(0, input, runs: true) }
    }
}

extension Detector where Self: Tracker {
    /// Both parts in one, for a test that looks into them afterwards.
    fileprivate var stage: Stage { Stage(self, self) }
}
