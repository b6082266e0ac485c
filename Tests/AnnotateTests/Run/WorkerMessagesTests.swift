import Glibc
import Testing

@testable import Annotate

/// What a worker says is believed of its job, and of nothing else.
@Suite struct WorkerMessagesTests {
    private static let order: JobOrder = {
        var order = JobOrder()
        order.id = "a"
        order.results = ["a.mp4", "a.tracks.jsonl"]
        return order
    }()

    private func end(_ change: (inout JobReply) -> Void) throws -> JobEnd {
        var reply = JobReply()
        reply.result = JobResult()
        reply.result?.frames = 3
        reply.files = [".a.mp4.partial-7", ".a.tracks.jsonl.partial-7"]
        change(&reply)
        var json = JSONWriter()
        reply.write(into: &json)
        return JobReply(try JSONParser.parse(json.bytes)).end(of: Self.order, in: OutputPlaces("out"))
    }

    @Test func aWholeJob() throws {
        guard case .whole(let result, let files) = try end({ $0.result?.notes = ["“so”\n"] }) else {
            Issue.record("it was not believed")
            return
        }
        #expect(result.frames == 3)
        #expect(result.notes == [#"“so”\u{a}"#])
        #expect(
            files == [
                PendingFile(temporary: "out/.a.mp4.partial-7", target: "out/a.mp4"),
                PendingFile(temporary: "out/.a.tracks.jsonl.partial-7", target: "out/a.tracks.jsonl"),
            ])
    }

    @Test(arguments: [
        [], [".a.mp4.partial-7"], ["a.mp4", "a.tracks.jsonl"], [".a.tracks.jsonl.partial-7", ".a.mp4.partial-7"],
        [".a.mp4.partial-/../../victim", ".a.tracks.jsonl.partial-7"],
        [".b.mp4.partial-7", ".a.tracks.jsonl.partial-7"],
        [".a.mp4.partial-7", ".a.tracks.jsonl.partial-7", ".report.json.partial-7"],
    ])
    func filesThatAreNoneOfTheJobs(files: [String]) throws {
        guard case .failed(let failure) = try end({ $0.files = files }) else {
            Issue.record("\(files) were believed")
            return
        }
        #expect(failure.isCrash)
    }

    @Test(arguments: [-1, Int.max]) func countsThatAreNone(count: Int) throws {
        guard case .failed = try end({ $0.result?.frames = count }) else {
            Issue.record("\(count) frames were believed")
            return
        }
    }

    @Test func aFailedJob() throws {
        let failed = JobFailure(
            StageError(stage: "a", frame: 7, underlying: FileError("read", path: "m\n", code: -ENOSPC, reason: "full")))
        guard case .failed(let failure) = try end({ $0.failure = failed }) else {
            Issue.record("it was whole")
            return
        }
        #expect((failure.code, failure.stage, failure.frame, failure.file) == (.stage, "a", 7, #"m\u{a}"#))
        #expect(failure.reason == #"stage “a” failed at frame 7: could not read m\u{a}: full"#)
        #expect(failure.mayPass && !failure.isCrash)
    }

    @Test func anAnswerWithoutAResult() throws {
        guard case .failed(let failure) = try end({ $0.result = nil }) else {
            Issue.record("it was believed")
            return
        }
        #expect(failure.code == .crash)
    }

    @Test func requestsAreReadAsTheyWereWritten() throws {
        var json = JSONWriter()
        WorkerRequest.run(Self.order, JobTask(kind: .reread, results: []), threads: 3).write(into: &json)
        guard
            case .run(let order, JobTask(kind: .reread, results: []), 3)? = WorkerRequest(
                try JSONParser.parse(json.bytes))
        else {
            Issue.record("no request to run")
            return
        }
        #expect((order.id, order.results, order.fingerprint) == ("a", Self.order.results, nil))
        #expect(WorkerRequest(try JSONParser.parse(Array(#"{"walk": 1}"#.utf8))) == nil)
    }

    // MARK: Messages as bytes

    private func pair() throws -> (Channel, Channel) {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        return (Channel(descriptor: ends[0]), Channel(descriptor: ends[1]))
    }

    @Test(arguments: [0, 1, 100_000]) func messagesArriveWhole(count: Int) throws {
        let (here, there) = try pair()
        let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sender = try Worker { try? here.send(message) }
        #expect(try there.receive() == message)
        sender.join()
        close(here.descriptor)
        #expect(try there.receive() == nil)
        close(there.descriptor)
    }

    @Test(arguments: [[1, 2], [9, 0, 0, 0, 1], [255, 255, 255, 255]] as [[UInt8]])
    func whatIsNoMessageIsNone(bytes: [UInt8]) throws {
        let (here, there) = try pair()
        #expect(write(here.descriptor, bytes, bytes.count) == bytes.count)
        close(here.descriptor)
        if bytes.count < 4 {
            #expect(try there.receive() == nil)
        } else {
            #expect(throws: FileError.self) { try there.receive() }
        }
        close(there.descriptor)
    }
}
