internal import Glibc
internal import Synchronization

/// The worker processes of a batch: started before the first thread, replaced where they die.
public final class WorkerPool: Sendable {
    /// Where words about workers go.
    public struct Log: Sendable {
        var debug: @Sendable (String) -> Void
        var warning: @Sendable (String) -> Void

        public init(debug: @escaping @Sendable (String) -> Void, warning: @escaping @Sendable (String) -> Void) {
            (self.debug, self.warning) = (debug, warning)
        }
    }

    private struct State {
        /// Started, and waiting for their settings.
        var waiting: [WorkerProcess] = []
        var settings = WorkerSettings()
        var log = Log(debug: { _ in }, warning: { _ in })
        /// Bytes that each worker with a job has.
        var memory: [pid_t: Int] = [:]
        /// The most that one had so far.
        var peak = 0
    }

    private let state = Mutex(State())
    private let arguments: [String]
    /// What all workers may take together where no limit is given for each.
    private let share: Int?

    /// Starts workers as copies of this process, which has one thread still.
    ///
    /// - Parameters:
    ///   - arguments: What makes this program a worker, for those that are started later.
    ///   - memory: The limit of each, bytes; nil for a share of the machine's that they have in common.
    public init(count: Int, arguments: [String], catalog: StageCatalog, memory: Int?) throws {
        self.arguments = arguments
        share = memory == nil ? MemoryGuard.share : nil
        for _ in 0..<count {
            let worker = try WorkerProcess.fork { WorkerProgram.run($0, $1, catalog: catalog) }
            state.withLock { $0.waiting.append(worker) }
        }
    }

    /// What every worker is told from now on.
    public func set(_ settings: WorkerSettings, log: Log) {
        state.withLock {
            $0.settings = settings
            $0.settings.memory = settings.memory ?? share
            $0.log = log
        }
    }

    var log: Log { state.withLock { $0.log } }
    var settings: WorkerSettings { state.withLock { $0.settings } }

    /// A worker that has its settings and waits for work.
    /// - Parameter change: How its settings differ.
    func take(_ change: (inout WorkerSettings) -> Void = { _ in }) throws -> WorkerProcess {
        var settings = settings
        change(&settings)
        // One that was ended while it waited costs nobody anything.
        while let waiting = state.withLock({ $0.waiting.popLast() }) {
            if let ready = try? prepare(waiting, settings) { return ready }
        }
        return try prepare(WorkerProcess.spawn(arguments), settings)
    }

    private func prepare(_ worker: WorkerProcess, _ settings: WorkerSettings) throws -> WorkerProcess {
        do {
            try worker.channel.send { settings.write(into: &$0) }
            let deadline = monotonicSeconds() + Self.patience
            while !worker.poll(milliseconds: 50), monotonicSeconds() < deadline {}
            guard let measures = try worker.channel.receiveJSON()?.elements else {
                throw FileError(
                    "start", path: "a worker",
                    reason: worker.waitOrKill(seconds: 0.2).map(Self.describe) ?? "it gave an answer that is none")
            }
            log.debug("worker \(worker.process): \(measures.compactMap(\.string).joined(separator: "; "))")
        } catch {
            log.debug("worker \(worker.process): \(worker.takeWords().joined(separator: " | "))")
            throw error
        }
        return worker
    }

    /// Seconds that a worker has to begin.
    private static let patience = 30.0

    static func describe(_ ending: WorkerProcess.Ending) -> String {
        switch ending {
        case .exited(let status): "it ended with status \(status)"
        case .signal(let number): "it was ended by signal \(number)"
        }
    }

    /// Ends the workers that nobody has taken.
    public func close() { state.withLock { $0.waiting = [] } }

    // MARK: Memory that all have in common

    /// Waits until there is room for one more job like the largest so far, or nobody else has one.
    func awaitRoom(_ isCancelled: () -> Bool) {
        guard let share else { return }
        while !isCancelled() {
            let isRoom = state.withLock { state in
                state.memory.isEmpty || state.memory.values.reduce(state.peak, +) <= share
            }
            if isRoom { return }
            sleep(seconds: 0.05)
        }
    }

    /// Takes down what a worker with a job has.
    /// - Returns: True where all together have too much, and this one most of it.
    func isOver(_ process: pid_t, memory: Int) -> Bool {
        state.withLock { state in
            state.memory[process] = memory
            state.peak = max(state.peak, memory)
            guard let share, state.memory.values.reduce(0, +) > share else { return false }
            return memory == state.memory.values.max()
        }
    }

    func leave(_ process: pid_t) { state.withLock { $0.memory[process] = nil } }
}

/// Ends what this process has begun, at once: its workers, and every file that isn't finished.
public func endAtOnce() {
    WorkerProcess.killAll()
    removeUnfinishedFiles()
    BatchRunner.sweepFolders()
}
