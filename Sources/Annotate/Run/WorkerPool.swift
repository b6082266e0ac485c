internal import Glibc
internal import Synchronization

/// The worker processes of a batch: started as they are needed, replaced where they die.
public final class WorkerPool: Sendable {
    /// The receivers of log lines about workers.
    public struct Log: Sendable {
        var debug: @Sendable (String) -> Void
        var warning: @Sendable (String) -> Void

        /// Receivers of lines for whoever looks for faults and of warnings; both are called on any thread.
        public init(debug: @escaping @Sendable (String) -> Void, warning: @escaping @Sendable (String) -> Void) {
            (self.debug, self.warning) = (debug, warning)
        }
    }

    private struct State {
        var settings = WorkerSettings()
        var log = Log(debug: { _ in }, warning: { _ in })
        /// Memory of each worker with a job, bytes.
        var memory: [pid_t: Int] = [:]
        /// Those that may have to wait for what others are to do.
        var waiting: Set<pid_t> = []
        /// The most memory that one had so far, bytes.
        var peak = 0
        /// Why workers open files by themselves here; nil where another process opens them.
        var whyNoListener: String?
        /// Whether it has been told what workers aren't kept from here.
        var hasToldOfLacks = false
    }

    private let state = Mutex(State())
    /// The process that finishes what this one can't any more.
    let finisher: Finisher
    private let openings: OpeningListener
    /// Processes that were started ahead, before there was a pool even, and wait for their settings.
    private static let spares = Mutex<[WorkerProcess]>([])
    /// Threads that wait for the end of workers that were dismissed.
    private let leaving = Mutex<[Worker]>([])
    /// Memory that all workers may take together where no limit is given for each, bytes.
    private let share: Int?

    /// A pool of workers. Call it while this process has one thread. Workers are started anew, not copied: a copy would
    /// take this process's number for its own in Swift's locks, which know their owner by it.
    ///
    /// - Parameter memory: The limit of each, bytes; nil for a share of the machine's that they have in common.
    public init(memory: Int?) throws {
        share = memory == nil ? MemoryGuard.share : nil
        finisher = try Finisher()
        // After the finisher, a copy of this process, which has one thread until then.
        openings = try OpeningListener()
    }

    /// Sets the settings that every worker gets from now on.
    public func set(_ settings: WorkerSettings, log: Log) {
        state.withLock {
            $0.settings = settings
            $0.settings.memory = settings.memory ?? share
            $0.settings.takeKernelFromEnvironment()
            $0.log = log
        }
    }

    var log: Log { state.withLock { $0.log } }
    /// Why workers open files by themselves; nil where another process opens them.
    var whyNoListener: String? { state.withLock { $0.whyNoListener } }
    var settings: WorkerSettings { state.withLock { $0.settings } }

    /// Starts processes that will be wanted soon, those of readers first: they open their libraries while this one has other
    /// things to do. Call it on a thread that stays.
    public static func startAhead(readers: Int = 0, jobs: Int) {
        for words in Array(repeating: [WorkerProgram.word], count: readers)
            + Array(repeating: [WorkerProgram.word, WorkerProgram.forJobs], count: jobs)
        {
            // One that can't be started is told of where it is wanted.
            guard let worker = try? WorkerProcess.spawn(words) else { return }
            spares.withLock { $0.append(worker) }
        }
    }

    private func start() throws -> WorkerProcess {
        while let spare = Self.spares.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            // It says nothing before it is told anything: one that does has ended.
            if !spare.poll(milliseconds: 0) { return spare }
        }
        return try WorkerProcess.spawn([WorkerProgram.word])
    }

    /// A worker that has its settings and waits for work.
    /// - Parameters:
    ///   - folders: Where it writes; nil for one that writes nothing.
    ///   - change: How its settings differ.
    func take(
        in folders: WorkFolders? = nil, _ change: (inout WorkerSettings) -> Void = { _ in }
    ) throws -> WorkerProcess {
        let (worker, greeting) = try takeWithGreeting(in: folders, change)
        tell(ofLacks: greeting.lacks)
        return worker
    }

    /// Tells once of what the system doesn't have workers kept from. Who asked for it, by the environment, knows.
    private func tell(ofLacks lacks: [String]) {
        guard !lacks.isEmpty,
            state.withLock({ state -> Bool in
                defer { state.hasToldOfLacks = true }
                return !state.hasToldOfLacks
            })
        else { return }
        log.warning(
            "workers can do more than a job needs: \(lacks.joined(separator: "; ")); “annotate-batch doctor” tells what holds here"
        )
    }

    /// A worker that waits for work, with its first message.
    func takeWithGreeting(
        in folders: WorkFolders?, _ change: (inout WorkerSettings) -> Void
    ) throws -> (worker: WorkerProcess, greeting: WorkerGreeting) {
        var settings = settings
        change(&settings)
        let held = folders?.held ?? []
        settings.workFolders = held.map(\.path)
        do {
            settings.hasListener = state.withLock { $0.whyNoListener == nil }
            return try prepare(start(), settings, held)
        } catch let error as OpeningListener.Unavailable {
            state.withLock { $0.whyNoListener = error.reason }
            log.warning(
                "workers read what they like\(settings.root == nil ? "" : " inside the root"): what they open can't be seen "
                    + "(\(error.reason))")
            settings.hasListener = false
            return try prepare(start(), settings, held)
        }
    }

    private func prepare(
        _ worker: WorkerProcess, _ settings: WorkerSettings, _ folders: [HeldFolder]
    ) throws -> (worker: WorkerProcess, greeting: WorkerGreeting) {
        do {
            try worker.channel.sendToLiving {
                try worker.channel.send { settings.write(into: &$0) }
                for folder in folders { try worker.channel.send(descriptor: folder.descriptor) }
            }
            let deadline = monotonicSeconds() + Self.patience
            var hasSpoken = worker.poll(milliseconds: 50)
            while !hasSpoken, monotonicSeconds() < deadline { hasSpoken = worker.poll(milliseconds: 50) }
            // Where much else has the processors, it may come to it another time.
            guard hasSpoken else {
                worker.kill()
                throw FileError(
                    "start", path: "a worker", code: -EAGAIN,
                    reason: "it said nothing for \(plain(Self.patience)) s; is the machine overloaded?")
            }
            // One that dies in the middle of its greeting has died.
            guard let greeting = (try? worker.channel.receiveJSON()).flatMap({ $0 }).map(WorkerGreeting.init) else {
                let end = worker.waitOrKill(seconds: 0.2)
                throw FileError(
                    "start", path: "a worker", code: Self.mayPass(end, worker.status) ? -EAGAIN : 0,
                    reason: end.map { worker.takeWords().last ?? Self.describe($0) } ?? "it gave an answer that is none"
                )
            }
            if greeting.hasListener {
                try openings.listen(worker.channel.receiveDescriptor(), grants: worker.grants)
            } else if settings.hasListener {
                throw OpeningListener.Unavailable(reason: "the kernel doesn't tell")
            }
            log.debug("worker \(worker.process): \(greeting.measures.joined(separator: "; ").inOneLine)")
            return (worker, greeting)
        } catch {
            log.debug("worker \(worker.process): \(worker.takeWords().joined(separator: " | "))")
            throw error
        }
    }

    /// Seconds that a worker has to begin.
    private static let patience = 30.0

    /// Exit status of a program whose libraries the system's loader couldn't load.
    private static let statusOfLoader: Int32 = 127

    /// Whether one that ended before it was ready did so for want of what there may be again, or by somebody.
    static func mayPass(_ ending: WorkerProcess.Ending?, _ status: WorkerStatus) -> Bool {
        switch ending {
        case nil: false
        // The same libraries were loaded when this program began: there is no memory for them now.
        case .exited(let code): [WorkerProgram.statusOfLack, statusOfLoader].contains(code)
        case .signal(SIGSYS): false
        // A fault of its own says so. What ends it before it can tell, for want of memory say, is none.
        case .signal(let number): status[.signal] != Int(number) || status[.outside] != 0
        }
    }

    static func describe(_ ending: WorkerProcess.Ending) -> String {
        switch ending {
        case .exited(let status): "it ended with status \(status)"
        case .signal(let number): "it was ended by signal \(number)"
        }
    }

    /// Ends a worker. Who closes the pool waits until what it had is given back, which takes milliseconds.
    /// - Parameter whenGone: What is to be done then.
    func dismiss(_ worker: WorkerProcess, whenGone: @escaping @Sendable () -> Void = {}) {
        worker.kill()
        @Sendable func wait() {
            _ = worker.wait()
            whenGone()
        }
        leaving.withLock { threads in
            if let thread = try? Worker(wait) {
                threads.append(thread)
            } else {
                wait()
            }
        }
    }

    /// Says that no more workers will be taken.
    public func close() {
        Self.spares.withLock { $0 = [] }
        leaving.withLock { threads in
            threads.forEach { $0.join() }
            threads = []
        }
        finisher.dismiss()
    }

    // MARK: Memory that all have in common

    /// Waits until there is room for one more job like the largest so far, or nobody else has one; who waits for this very one
    /// doesn't count.
    func awaitRoom(_ isCancelled: () -> Bool) {
        guard let share else { return }
        while !isCancelled() {
            let isRoom = state.withLock { state in
                state.waiting.isSuperset(of: state.memory.keys)
                    || state.memory.values.reduce(state.peak, +) <= share
            }
            if isRoom { return }
            sleep(seconds: 0.05)
        }
    }

    /// Notes the memory of a worker with a job.
    /// - Parameter awaitsParts: Whether it may have to wait for others.
    /// - Returns: Whether all together have too much, and this one most of it.
    func isOver(_ process: pid_t, memory: Int, awaitsParts: Bool) -> Bool {
        state.withLock { state in
            state.memory[process] = memory
            if awaitsParts { state.waiting.insert(process) } else { state.waiting.remove(process) }
            state.peak = max(state.peak, memory)
            guard let share, state.memory.values.reduce(0, +) > share else { return false }
            return memory == state.memory.values.max()
        }
    }

    func leave(_ process: pid_t) {
        state.withLock { state in
            state.memory[process] = nil
            state.waiting.remove(process)
        }
    }
}

/// Ends what this process has begun, at once: its workers, and every file that isn't finished.
public func endAtOnce() {
    WorkerProcess.killAll()
    ChildProgram.killAll()
    removeUnfinishedFiles()
    Files.broker?.close()
    BatchRunner.sweepFolders()
}
