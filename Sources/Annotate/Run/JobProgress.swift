internal import Synchronization

/// How far a job is, for whoever shows it; written by the job's threads, read by others.
public final class JobProgress: Sendable {
    public enum Phase: Int, Sendable { case waiting, running, finished }

    public let id: String
    private let phaseValue = Atomic<Int>(Phase.waiting.rawValue)
    private let frameCount = Atomic<Int>(0)
    private let expected = Atomic<Int>(0)
    private let result = Mutex<JobOutcome?>(nil)

    public init(id: String) { self.id = id }

    public var phase: Phase { Phase(rawValue: phaseValue.load(ordering: .acquiring)) ?? .waiting }
    /// Frames written.
    public var frames: Int { frameCount.load(ordering: .relaxed) }
    /// What the container says of the whole; nil where it says nothing.
    public var expectedFrames: Int? {
        let count = expected.load(ordering: .relaxed)
        return count > 0 ? count : nil
    }
    public var outcome: JobOutcome? { result.withLock { $0 } }

    func start() { phaseValue.store(Phase.running.rawValue, ordering: .releasing) }
    func expect(_ frames: Int?) { expected.store(frames ?? 0, ordering: .relaxed) }
    func advance() { frameCount.add(1, ordering: .relaxed) }
    func finish(_ outcome: JobOutcome) {
        result.withLock { $0 = outcome }
        phaseValue.store(Phase.finished.rawValue, ordering: .releasing)
    }
}

/// How a job ended.
public struct JobOutcome: Sendable {
    public enum Status: String, Sendable, CaseIterable {
        case done
        /// Nothing has changed since it was done last.
        case upToDate = "up-to-date"
        case failed, interrupted
        /// Another job's failure ended the batch before it began.
        case notRun = "not-run"
    }

    public struct Output: Sendable, Hashable {
        public var file: String
        public var bytes: Int64
    }

    public var status: Status
    /// One sentence, where it failed.
    public var error: String?
    public var frames = 0
    public var tracks = 0
    /// Damaged pictures that the decoder patched up, and packets that it refused.
    public var concealed = 0
    public var skipped = 0
    /// Wall time.
    public var seconds = 0.0
    public var outputs: [Output] = []
    public var fingerprint: String?
    /// The input's path from the output folder, as an earlier run's report has it.
    public var source: String?
    /// Things that a user should know of a job that went well.
    public var notes: [String] = []

    public init(_ status: Status, error: String? = nil) {
        self.status = status
        self.error = error
    }
}
