internal import Glibc
internal import Synchronization

/// How a batch is run.
public struct RunOptions: Sendable {
    /// Jobs at once; nil for as many as fill the machine's cores.
    public var jobs: Int? = 1
    /// Threads for the decoder and the stages of each job; nil for what the cores allow.
    public var threads: Int?
    /// Ends the batch at the first failure.
    public var failsFast = false
    /// Wall seconds that a job may take; nil for no limit.
    public var timeout: Double?
    /// Runs jobs that are up to date all the same.
    public var force = false
    /// Runs jobs again that crashed a worker the last time, although nothing has changed.
    public var retriesCrashed = false
    /// What an input may ask for.
    public var limits = MediaLimits()
    /// Bytes of memory that a process with jobs may take; nil for nine tenths of the machine's, by all of them together.
    public var memory: Int?

    public init() {}
}

/// Runs a manifest's jobs, several at once, and goes on past those that fail.
///
/// A job's files get their names here, one right after the other, when all of them are whole and on the disk; what the
/// report says is true at any moment in between, see `ReportLedger`.
public final class BatchRunner: Sendable {
    public let progress: [JobProgress]
    private let batch: Batch
    private let jobs: [JobOrder]
    private let options: RunOptions
    private let cancellation: Cancellation
    private let earlier: [String: JobOutcome]
    private let makeLane: @Sendable () throws -> any JobLane
    private let atEnd: @Sendable () -> Void
    private let ledger: ReportLedger
    private let next = Atomic<Int>(0)
    private let hasFailed = Atomic<Bool>(false)

    /// Runs jobs in this process.
    ///
    /// - Parameters:
    ///   - only: ids of the jobs to run; nil for all.
    ///   - earlier: how jobs ended last time, to tell what is up to date.
    public convenience init(
        manifest: Manifest, only: Set<String>? = nil, options: RunOptions, generator: String,
        earlier: [String: JobOutcome] = [:], cancellation: Cancellation
    ) throws {
        let jobs = Dictionary(manifest.jobs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let memory = MemoryGuard(limit: options.memory)
        try memory.start()
        self.init(
            batch: Batch(manifest, generator: generator), only: only, options: options, generator: generator,
            earlier: earlier, cancellation: cancellation,
            lane: {
                OwnLane(jobs: jobs, options: options, generator: generator, memory: memory, cancellation: cancellation)
            }, atEnd: memory.stop)
    }

    /// Runs jobs in workers.
    public convenience init(
        batch: Batch, workers: WorkerPool, only: Set<String>? = nil, options: RunOptions, generator: String,
        earlier: [String: JobOutcome] = [:], cancellation: Cancellation
    ) {
        self.init(
            batch: batch, only: only, options: options, generator: generator, earlier: earlier,
            cancellation: cancellation,
            lane: { WorkerLane(pool: workers, options: options, batch: batch, cancellation: cancellation) },
            atEnd: {})
    }

    private init(
        batch: Batch, only: Set<String>?, options: RunOptions, generator: String, earlier: [String: JobOutcome],
        cancellation: Cancellation, lane: @escaping @Sendable () throws -> any JobLane,
        atEnd: @escaping @Sendable () -> Void
    ) {
        self.atEnd = atEnd
        self.batch = batch
        self.options = options
        self.earlier = earlier
        self.cancellation = cancellation
        makeLane = lane
        jobs = batch.jobs.filter { only?.contains($0.id) ?? true }
        progress = jobs.map { JobProgress(id: $0.id) }
        ledger = ReportLedger(batch, generator: generator)
    }

    /// Runs everything and returns when the last job has ended.
    /// - Returns: how each job ended, in the manifest's order.
    /// - Throws: `FileError` when the output folder can't be made or the report not be written.
    public func run() throws -> [(job: JobOrder, outcome: JobOutcome)] {
        try Files.makeDirectory(batch.directory)
        OutputFile.sweep(batch.directory)
        Self.folders.withLock { _ = $0.insert(batch.directory) }
        let left = jobs.indices.filter { index in
            guard let known = known(jobs[index]) else { return true }
            if known.status == .failed { hasFailed.store(true, ordering: .releasing) }
            progress[index].finish(known)
            return false
        }
        try ledger.open(
            known: left.count < jobs.count ? outcomes.filter { $0.outcome.status != .notRun } : [],
            toRun: left.map { (jobs[$0], earlier[jobs[$0].id]) })
        defer { atEnd() }
        let atOnce = max(1, min(options.jobs ?? Self.cores, left.count))
        let threads = options.threads ?? Self.threads(of: atOnce)
        let queue = options.jobs == nil && atOnce > 1 ? longestFirst(left) : left
        let runners = try (0..<(left.isEmpty ? 0 : atOnce)).map { _ in try Worker { self.work(queue, threads: threads) }
        }
        for runner in runners { runner.join() }
        let outcomes = outcomes
        try ledger.close(
            untouched: outcomes.filter { isUntouched($0.outcome) }.map { ($0.job, $0.outcome, earlier[$0.job.id]) })
        return outcomes
    }

    /// Where this process writes.
    private static let folders = Mutex<Set<String>>([])

    /// Removes what dead workers left, for a process that is about to be ended.
    static func sweepFolders() { for folder in folders.withLock({ $0 }) { OutputFile.sweep(folder) } }

    /// Threads of each of several jobs: twice what would fill the cores, for the jobs that are left when others have ended.
    private static func threads(of jobs: Int) -> Int {
        jobs == 1 ? cores : min(cores, 2 * max(1, (cores + jobs - 1) / jobs))
    }

    /// Large files first, so that no long job is left alone at the end. What can't be told from a file, a stream or numbered
    /// pictures, goes before them.
    private func longestFirst(_ places: [Int]) -> [Int] {
        let sizes = places.map { Files.status(jobs[$0].input)?.size ?? .max }
        return zip(places, sizes).sorted { $0.1 > $1.1 || $0.1 == $1.1 && $0.0 < $1.0 }.map(\.0)
    }

    private static let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    private var outcomes: [(job: JobOrder, outcome: JobOutcome)] {
        zip(jobs, progress).map { ($0, $1.outcome ?? JobOutcome(.notRun)) }
    }

    /// Where the files of an earlier run are still what that run said of them.
    private func isUntouched(_ outcome: JobOutcome) -> Bool {
        outcome.status == .notRun || outcome.status == .interrupted
    }

    private func work(_ left: [Int], threads: Int) {
        var lane: (any JobLane)?
        defer { lane?.close() }
        while true {
            let place = next.add(1, ordering: .relaxed).oldValue
            guard place < left.count else { return }
            let (order, progress) = (jobs[left[place]], progress[left[place]])
            guard !cancellation.isCancelled, !options.failsFast || !hasFailed.load(ordering: .acquiring) else {
                progress.finish(JobOutcome(.notRun))
                continue
            }
            let outcome: JobOutcome
            do {
                let chosen = try lane ?? makeLane()
                lane = chosen
                outcome = run(order, progress, chosen, threads: threads)
            } catch {
                outcome = JobOutcome(.failed, error: "\(error)")
            }
            if outcome.status == .failed { hasFailed.store(true, ordering: .releasing) }
            if !isUntouched(outcome) { ledger.note(order, outcome) }
            progress.finish(outcome)
        }
    }

    /// How a job ended that need not run: it is up to date, or known to crash.
    private func known(_ order: JobOrder) -> JobOutcome? {
        guard !options.force, let fingerprint = order.fingerprint, var outcome = earlier[order.id],
            outcome.fingerprint == fingerprint
        else { return nil }
        switch outcome.status {
        case .done, .upToDate:
            guard areThere(outcome.outputs), Set(outcome.outputs.map(\.file)) == Set(order.results) else { return nil }
            outcome.status = .upToDate
        case .failed:
            guard outcome.isCrash, !options.retriesCrashed else { return nil }
            outcome.notes = ["not tried again, since nothing has changed (--retry-crashed does)"]
        default: return nil
        }
        return outcome
    }

    private func areThere(_ outputs: [JobOutcome.Output]) -> Bool {
        !outputs.isEmpty && outputs.allSatisfy { Files.status(path($0.file))?.size == $0.bytes }
    }

    private func path(_ name: String) -> String { batch.directory + "/" + name }

    private func run(_ order: JobOrder, _ progress: JobProgress, _ lane: any JobLane, threads: Int) -> JobOutcome {
        progress.start()
        let started = monotonicSeconds()
        var outcome: JobOutcome
        switch lane.run(order, threads: threads, progress: progress) {
        case .whole(let result):
            do {
                outcome = try name(result, order)
            } catch {
                for file in result.files { Files.remove(file.temporary) }
                outcome = fail(order, JobFailure(error))
            }
        case .failed(let failure): outcome = fail(order, failure)
        case .interrupted: outcome = JobOutcome(.interrupted)
        }
        outcome.seconds = monotonicSeconds() - started
        return outcome
    }

    /// Gives a job's files their names, in place of an earlier run's; the track file's comes last: with it the job is whole.
    /// Where this process is ended in between, the worker that made them does the rest.
    private func name(_ result: JobResult, _ order: JobOrder) throws -> JobOutcome {
        var outcome = JobOutcome(.done)
        outcome.frames = result.frames
        outcome.tracks = result.tracks
        outcome.concealed = result.concealed
        outcome.skipped = result.skipped
        outcome.notes = result.notes
        outcome.outputs = result.files.map {
            .init(file: Files.name(of: $0.target), bytes: Files.status($0.temporary)?.size ?? 0)
        }
        outcome.fingerprint = order.fingerprint
        for file in result.files { try file.commit() }
        removeOutdated(order)
        return outcome
    }

    /// Removes what an earlier run wrote under other names, with another codec say.
    private func removeOutdated(_ order: JobOrder) {
        for file in earlier[order.id]?.files ?? [] where !order.results.contains(file) { Files.remove(path(file)) }
    }

    /// What an earlier run left must not pass for this one's.
    private func fail(_ order: JobOrder, _ failure: JobFailure) -> JobOutcome {
        removeOutdated(order)
        for name in order.results where Files.isRegular(path(name)) { Files.remove(path(name)) }
        var outcome = JobOutcome(.failed, error: failure.reason)
        outcome.isCrash = failure.isCrash
        outcome.mayPass = failure.mayPass
        if failure.isCrash { outcome.fingerprint = order.fingerprint }
        return outcome
    }
}
