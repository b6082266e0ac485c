internal import Glibc
internal import Synchronization

/// Options of running a batch.
public struct RunOptions: Sendable {
    /// The most jobs at once; nil for as many as fill the machine's cores.
    public var jobs: Int? = 1
    /// Threads for the decoder and the stages of each job; nil for what the cores allow.
    public var threads: Int?
    /// Whether the first failure ends the batch.
    public var failsFast = false
    /// Wall time that a job may take, seconds; nil for no limit.
    public var timeout: Double?
    /// Wall time for which a job's worker may do nothing at all, seconds; nil for any. Then it is ended, and the job tried again
    /// once, or as often as `retries` says.
    public var idleTimeout: Double? = 60
    /// Whether jobs run that are up to date.
    public var force = false
    /// Whether jobs run again that crashed a worker the last time, although nothing has changed.
    public var retriesCrashed = false
    /// How often a job is tried again that failed for a reason that may pass.
    public var retries = 0
    /// Into how many parts each job's video is divided, at pictures with which decoding can begin: what stages find in a
    /// frame by itself is found in them by several workers, before the job runs. Results don't depend on it.
    public var ranges = 1
    /// The most parts of a video.
    public static let mostRanges = 1000
    /// How inputs that lie elsewhere are fetched.
    public var fetch = FetchOptions()
    /// Whether the manifest's own commands may be run.
    public var allowsCommands = false
    /// The user's own command that stores results elsewhere; nil for none.
    public var store: [String]?
    /// Limits beyond which an input is refused.
    public var limits = MediaLimits()
    /// Bytes of memory that a process with jobs may take; nil for nine tenths of the machine's, by all of them together.
    public var memory: Int?
    /// Whether every job has a worker of its own: nothing of one can be seen by the next. Costs each its start.
    public var isolatesJobs = false
    /// Gets each frame of each job with its results, in order, as soon as it is written; called on a thread of the
    /// job's. Only for jobs that run in this process: workers hand no frames over.
    public var onFrame: (@Sendable (_ job: String, _ frame: FrameRecord) -> Void)?
    /// Gets a sentence on a job whose video isn't divided, or of which a part has failed.
    public var onDivision: (@Sendable (_ job: String, _ sentence: String) -> Void)?

    /// The options of a run that is told none: one job at a time, within what the machine has.
    public init() {}
}

/// Runs a manifest's jobs, several at once, and goes on past those that fail.
///
/// A job's files get their names here, one right after the other, when all of them are whole and on the disk; what the
/// report says is true at any moment in between, see `ReportLedger`.
public final class BatchRunner: Sendable {
    /// Progress of the jobs, in the manifest's order.
    public let progress: [JobProgress]
    let batch: Batch
    let jobs: [JobOrder]
    let options: RunOptions
    let cancellation: Cancellation
    /// The program and its version.
    let generator: String
    let earlier: [String: JobOutcome]
    let makeLane: @Sendable () throws -> any JobLane
    private let atEnd: @Sendable () -> Void
    /// The process that finishes what this one can't any more; nil where there is none.
    private let finisher: Finisher?
    let ledger: ReportLedger
    private let store: ResultStore?
    let hasFailed = Atomic<Bool>(false)
    /// The folders of results; nil until it runs.
    let held = Mutex<ResultFolders?>(nil)
    /// Names of track files of which parts may be stored beside them.
    let tracksWithParts = Mutex<Set<String>>([])
    /// What is fetched for jobs; nil until it runs.
    private let fetches = Mutex<FetchQueue?>(nil)

    /// Runs jobs in this process.
    ///
    /// - Parameters:
    ///   - manifest: one that has been read.
    ///   - batch: The manifest's, where it has been made.
    ///   - only: ids of the jobs to run; nil for all.
    ///   - options: how many jobs run at once, and within which limits.
    ///   - generator: the program and its version.
    ///   - earlier: how jobs ended last time, to tell what is up to date.
    ///   - cancellation: ends the jobs; the report tells of them as interrupted, or not run.
    public convenience init(
        manifest: Manifest, batch: Batch? = nil, only: Set<String>? = nil, options: RunOptions, generator: String,
        earlier: [String: JobOutcome] = [:], cancellation: Cancellation
    ) throws {
        let jobs = Dictionary(manifest.jobs.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let memory = MemoryGuard(limit: options.memory)
        try memory.start()
        self.init(
            batch: batch ?? Batch(manifest, generator: generator), only: only, options: options, generator: generator,
            earlier: earlier, cancellation: cancellation,
            finisher: nil,
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
            cancellation: cancellation, finisher: workers.finisher,
            lane: { WorkerLane(pool: workers, options: options, batch: batch, cancellation: cancellation) },
            atEnd: {})
    }

    private init(
        batch: Batch, only: Set<String>?, options: RunOptions, generator: String, earlier: [String: JobOutcome],
        cancellation: Cancellation, finisher: Finisher?, lane: @escaping @Sendable () throws -> any JobLane,
        atEnd: @escaping @Sendable () -> Void
    ) {
        self.atEnd = atEnd
        self.finisher = finisher
        self.batch = batch
        self.options = options
        self.earlier = earlier
        self.generator = generator
        self.cancellation = cancellation
        makeLane = lane
        jobs = batch.jobs.filter { only?.contains($0.id) ?? true }
        progress = jobs.map { JobProgress(id: $0.id) }
        ledger = ReportLedger(batch, generator: generator)
        store = ResultStore(batch, options, cancellation: cancellation)
    }

    /// Runs everything and returns when the last job has ended.
    /// - Returns: how each job ended, in the manifest's order, but those that another shard is to run.
    /// - Throws: `FileError` when the output folder can't be made or the report not be written.
    public func run() throws -> [(job: JobOrder, outcome: JobOutcome)] {
        let folders = try ResultFolders(making: batch.output)
        held.withLock { $0 = folders }
        folders.sweep()
        Self.note(folders)
        let withParts = Set(folders.held.flatMap(StoredParts.tracks))
        tracksWithParts.withLock { $0 = withParts }
        let check = FreshnessCheck(folders, earlier: earlier, options: options, cancellation: cancellation)
        finisher?.watch(folders.held)
        var toRun: [(job: JobOrder, earlier: JobOutcome?)] = []
        var known: [(job: JobOrder, outcome: JobOutcome)] = []
        var left: [Work] = []
        let orders = jobs
        let freshness = try parallelMap(orders.count, threads: Self.cores) { check.freshness(of: orders[$0]) }
        for (index, state) in freshness.enumerated() {
            let order = jobs[index]
            let isOwn = batch.owns(order.id)
            switch state {
            case .upToDate where !isOwn, .crashes where !isOwn, .toBeReread where !isOwn:
                leave(index, "")
            case .upToDate(let outcome):
                course(of: order, in: folders).settle(outcome)
                removeStored(of: order)
                known.append((order, outcome))
                if store?.has(outcome) == false {
                    left.append(Work(place: index, task: JobTask(), done: outcome))
                } else {
                    progress[index].finish(outcome)
                }
            case .crashes(let outcome):
                hasFailed.store(true, ordering: .releasing)
                known.append((order, outcome))
                progress[index].finish(outcome)
            case .toBeReread(let outcome, let task, _):
                var meanwhile = outcome
                meanwhile.replaces += task.results(of: order)
                known.append((order, meanwhile))
                left.append(Work(place: index, task: task, known: outcome))
            case .outdated(_, let task):
                if isOwn { toRun.append((order, earlier[order.id])) }
                left.append(Work(place: index, task: task))
            }
        }
        try ledger.open(known: known, toRun: toRun)
        defer { atEnd() }
        let atOnce = max(1, min(options.jobs ?? Self.cores, left.count * max(1, options.ranges)))
        let threads = options.threads ?? Self.threads(of: atOnce)
        let queue = options.jobs == nil && atOnce > 1 ? longestFirst(left) : left
        let fetcher = Fetcher(
            options.fetching(batch), in: batch.directory, timeout: options.timeout, cancellation: cancellation)
        let remote = queue.indices.filter { queue[$0].done == nil && orders[queue[$0].place].address != nil }
        let fetches = try FetchQueue(remote) { place, makeRoom in
            let order = orders[queue[place].place]
            guard let address = order.address, !self.cancellation.isCancelled else { throw CancelledError() }
            return try FetchedJob(order, address, by: fetcher, check, makeRoom: makeRoom)
        }
        self.fetches.withLock { $0 = fetches }
        let turns = WorkQueue(count: queue.count)
        let runners = try (0..<(left.isEmpty ? 0 : atOnce)).map { _ in
            try Worker { self.work(queue, turns, atOnce: atOnce, threads: threads) }
        }
        for runner in runners { runner.join() }
        fetcher.close()
        fetches.close()
        let outcomes = outcomes
        try ledger.close(
            untouched: outcomes.filter { isUntouched($0.outcome) && $0.outcome.share == nil && batch.owns($0.job.id) }
                .map { ($0.job, $0.outcome, earlier[$0.job.id]) })
        return outcomes.filter { $0.outcome.share == nil }
    }

    /// A job that is left to be done.
    struct Work {
        var place: Int
        var task: JobTask
        /// How it ended before, where its track file stays as it is; nil otherwise.
        var known: JobOutcome?
        /// How it ended before, where its files are only to be stored; nil otherwise.
        var done: JobOutcome?
    }

    /// Folders in which this process writes.
    private static let folders = Mutex<[ResultFolders]>([])

    /// Notes folders in which this process writes.
    static func note(_ folders: ResultFolders) { Self.folders.withLock { $0.append(folders) } }

    /// Removes what dead workers left, for a process that is about to be ended.
    static func sweepFolders() { for folders in folders.withLock({ $0 }) { folders.sweep() } }

    /// Threads of each of several jobs: twice what would fill the cores, for the jobs that are left when others have ended.
    static func threads(of jobs: Int) -> Int {
        jobs == 1 ? cores : min(cores, 2 * max(1, (cores + jobs - 1) / jobs))
    }

    /// Large files first, so that no long job is left alone at the end. What can't be told from a file, a stream or numbered
    /// pictures, goes before them.
    private func longestFirst(_ left: [Work]) -> [Work] {
        let sizes = left.map { Files.status(jobs[$0.place].input)?.size ?? .max }
        return zip(left, sizes).sorted { $0.1 > $1.1 || $0.1 == $1.1 && $0.0.place < $1.0.place }.map(\.0)
    }

    static var cores: Int { Machine.cores }

    private var outcomes: [(job: JobOrder, outcome: JobOutcome)] {
        zip(jobs, progress).map { ($0, $1.outcome ?? JobOutcome(.notRun)) }
    }

    /// Whether the files of an earlier run are still what that run said of them.
    func isUntouched(_ outcome: JobOutcome) -> Bool {
        outcome.status == .notRun || outcome.status == .interrupted
    }

    private func course(of order: JobOrder, in folders: ResultFolders) -> JobCourse {
        JobCourse(
            order: order, earlier: earlier[order.id], batch: batch, options: options, folders: folders,
            finisher: finisher,
            cancellation: cancellation)
    }

    /// Runs a job whose input lies elsewhere.
    private func outcome(
        _ course: JobCourse, _ address: RemoteAddress, _ fetches: FetchQueue, _ place: Int, _ progress: JobProgress,
        _ lane: any JobLane, threads: Int
    ) throws -> JobOutcome {
        do {
            progress.start()
            let fetched: FetchedJob
            var reasons: [String] = []
            do {
                fetched = try Retries(count: options.retries, cancellation: cancellation).run(
                    { try fetches.take(place, isAgain: $0) }, failed: { reasons.append($0.reason) })
            } catch let failure as JobFailure {
                return course.miss(failure)
            }
            let check = FreshnessCheck(
                course.folders, earlier: earlier, options: options, cancellation: cancellation)
            var outcome = try course.with(fetched.order).outcome(check, progress, in: lane, threads: threads)
            if let reason = reasons.last, outcome.status.isWhole, !outcome.isUpToDate {
                outcome.notes.append("it was fetched at try \(reasons.count + 1); before, \(reason)")
            }
            return fetched.told(outcome, address)
        } catch is CancelledError {
            return JobOutcome(.interrupted)
        } catch let failure as JobFailure {
            return course.fail(failure)
        }
    }

    private func work(_ left: [Work], _ turns: WorkQueue, atOnce: Int, threads: Int) {
        var lane: (any JobLane)?
        defer {
            lane?.close()
            turns.awaitEnds()
        }
        func chosenLane() throws -> any JobLane {
            let chosen = try lane ?? makeLane()
            lane = chosen
            return chosen
        }
        while let turn = turns.next() {
            switch turn {
            case .job(let place):
                let work = left[place]
                switch approach(work, at: place, threads: threads, chosenLane) {
                case .divided(let divided):
                    if divided.shard == nil, !divided.left.isEmpty, atOnce > 1 {
                        begin(divided, work, threads: threads)
                    }
                    turns.begun(divided)
                    // Who ends the last part goes on.
                    guard divided.left.isEmpty else { continue }
                    finish(divided, work, threads: threads, chosenLane)
                case .whole:
                    turns.begun(nil)
                    end(work, work.task, at: place, threads: threads, chosenLane)
                case .elsewhere(let share):
                    turns.begun(nil)
                    leave(work, share)
                case .failed(let failure):
                    turns.begun(nil)
                    fail(work, failure)
                }
                turns.ended()
            case .part(let divided, let part):
                detect(part, of: divided, threads: threads, chosenLane)
                // The whole has this one's place at work from here on.
                guard divided.end(part) else { continue }
                finish(divided, left[divided.place], threads: threads, chosenLane)
                turns.ended()
            }
        }
    }

    /// Whether nothing more is begun.
    var isOver: Bool {
        cancellation.isCancelled || options.failsFast && hasFailed.load(ordering: .acquiring)
    }

    /// Does what is left to be done of a job, and tells how it ended.
    /// - Parameters:
    ///   - task: What that is.
    ///   - started: When it began; nil for now.
    ///   - ledger: Of the report that tells of it; nil for this run's.
    func end(
        _ work: Work, _ task: JobTask, at place: Int, since started: Double? = nil, in ledger: ReportLedger? = nil,
        threads: Int, _ lane: () throws -> any JobLane
    ) {
        let ledger = ledger ?? self.ledger
        let (order, progress) = (jobs[work.place], progress[work.place])
        guard !isOver else {
            let isBegun = started != nil && cancellation.isCancelled
            return progress.finish(JobOutcome(isBegun ? .interrupted : .notRun))
        }
        var outcome: JobOutcome
        do {
            let chosen = try lane()
            let folders = try held.withLock { $0 } ?? ResultFolders(making: batch.output)
            let course = course(of: order, in: folders)
            if let done = work.done {
                progress.start()
                outcome = done
            } else if let address = order.address, let fetches = fetches.withLock({ $0 }) {
                outcome = try self.outcome(course, address, fetches, place, progress, chosen, threads: threads)
            } else {
                outcome = course.outcome(task, known: work.known, progress, in: chosen, threads: threads)
            }
        } catch {
            outcome = JobOutcome(JobFailure(error))
        }
        if let started {
            outcome.seconds = monotonicSeconds() - started
            tell(outcome, of: order, in: task)
        }
        outcome = store?.store(outcome) ?? outcome
        if outcome.status == .failed { hasFailed.store(true, ordering: .releasing) }
        if !isUntouched(outcome) { ledger.note(order, outcome) }
        if outcome.status.isWhole, hasStored(order) {
            // A report that can't be written now may be later; whoever is killed until then loses the parts alone.
            try? ledger.flush()
            removeStored(of: order)
        }
        progress.finish(outcome)
    }
}
