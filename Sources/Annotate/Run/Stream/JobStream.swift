internal import Glibc
internal import Synchronization

/// Runs jobs that come one a line, and tells of each in a line how it ended: for schedulers that hand out work as they go.
///
/// Workers live on from job to job, so that models stay loaded. No more lines are read than can be taken; what came to nothing,
/// a line that names no job too, is a line of the answer.
public final class JobStream: Sendable {
    /// A job that a line asked for.
    private struct Asked {
        var line: Int
        var order: JobOrder
    }

    private struct State {
        var waiting: [Asked] = []
        /// The lines of jobs that wait or run, by their ids.
        var underWay: [String: Int] = [:]
        var isClosed = false
        var earlier: [String: JobOutcome] = [:]
        /// Jobs that came to nothing, with what was known of them before.
        var untouched: [(job: JobOrder, outcome: JobOutcome, earlier: JobOutcome?)] = []
    }

    private let reading: Mutex<LineReading>
    /// The manifest, as it was when all began.
    public let batch: Batch
    private let pool: WorkerPool
    private let options: RunOptions
    private let ledger: ReportLedger
    private let cancellation: Cancellation
    private let tell: @Sendable (String) -> Bool
    private let monitor: Monitor<State>
    private let fetcher: Fetcher
    private let store: ResultStore?

    /// Jobs that are read before one of those that run has ended, besides these.
    private static let ahead = 1

    /// A stream of jobs of a manifest, which is read here; it may lack jobs of its own.
    /// - Parameters:
    ///   - manifest: Its path.
    ///   - workers: Where the workers come from that read the manifest and run the jobs.
    ///   - options: How many jobs run at once, and within which limits.
    ///   - generator: The program and its version.
    ///   - catalog: The stages whose networks are compiled ahead; nil for none.
    ///   - cancellation: Ends the jobs and the reading of lines.
    ///   - tell: Gets each line of the answer, on any thread; false ends everything, since nobody reads.
    /// - Throws: What `BatchPlanner.plan` does.
    public init(
        manifest: String, workers: WorkerPool, options: RunOptions, generator: String,
        compiling catalog: StageCatalog? = nil, cancellation: Cancellation, tell: @escaping @Sendable (String) -> Bool
    ) throws {
        let planner = BatchPlanner(
            pool: workers, timeout: options.timeout, idleTimeout: options.idleTimeout, keepsReader: true,
            compiling: catalog, cancellation: cancellation)
        let reading = try LineReading(manifest, planner: planner)
        batch = reading.batch
        self.reading = Mutex(reading)
        pool = workers
        self.options = options
        self.cancellation = cancellation
        self.tell = tell
        ledger = ReportLedger(batch, generator: generator)
        store = ResultStore(batch, options, cancellation: cancellation)
        fetcher = Fetcher(
            options.fetching(batch), in: batch.directory, timeout: options.timeout, cancellation: cancellation)
        monitor = Monitor(State(earlier: Report.read(batch.output)))
    }

    /// Runs what comes, until nothing more does and all of it has ended.
    /// - Parameter descriptor: Where lines come from.
    /// - Throws: `FileError` where the output folder can't be made, a report not be written, or the lines not be read.
    public func run(reading descriptor: Int32) throws {
        let folders = try ResultFolders(making: batch.output)
        folders.sweep()
        BatchRunner.note(folders)
        pool.finisher.watch(folders.held)
        try ledger.open(known: [], toRun: [])
        let count = options.jobs ?? BatchRunner.cores
        let threads = options.threads ?? BatchRunner.threads(of: count)
        let lanes = try (0..<count).map { _ in try Worker { self.work(in: folders, threads: threads) } }
        var source = LineSource(descriptor: descriptor)
        let result = Result { try read(&source, atOnce: count) }
        monitor.withLock { $0.isClosed = true }
        for lane in lanes { lane.join() }
        fetcher.close()
        try ledger.close(untouched: monitor.withLock { $0.untouched })
        try result.get()
    }

    private func read(_ source: inout LineSource, atOnce count: Int) throws {
        var number = 0
        while true {
            // Whoever writes waits where nobody is free.
            while monitor.withLock({ $0.underWay.count >= count + Self.ahead }) {
                if cancellation.isCancelled { return }
                sleep(seconds: 0.005)
            }
            guard !cancellation.isCancelled,
                let line = try source.next(isCancelled: { cancellation.isCancelled })
            else { return }
            number += 1
            do {
                switch line {
                case .tooLong:
                    throw LineReading.InvalidLineError(
                        reason: "the line has over \(LineSource.longest >> 20) MiB; expected a shorter one")
                case .text(let bytes):
                    if bytes.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
                    try take(try reading.withLock { try $0.order(bytes) }, number)
                }
            } catch let error as LineReading.InvalidLineError {
                answer(number, error.id.map(Self.short), JobFailure(.other, error.reason))
            } catch is CancelledError {
                return
            } catch {
                answer(number, nil, JobFailure(error))
            }
        }
    }

    private func take(_ order: JobOrder, _ line: Int) throws {
        let other = monitor.withLock { state -> Int? in
            if let other = state.underWay[order.id] { return other }
            state.underWay[order.id] = line
            state.waiting.append(Asked(line: line, order: order))
            return nil
        }
        guard let other else { return }
        throw LineReading.InvalidLineError(
            id: order.id,
            reason: "“\(order.id)” is under way already, for line \(other); expected another id, or its end first")
    }

    /// No more of an id than one may have: a line may be anything.
    static func short(_ id: String) -> String { id.utf8.count <= 200 ? id : id.prefix(60) + "…" }

    /// Tells of a line that came to no job.
    private func answer(_ line: Int, _ id: String?, _ failure: JobFailure) {
        var json = JSONWriter()
        json.object { json in
            json.key("line")
            json.value(line)
            if let id {
                json.key("id")
                json.value(id.inOneLine)
            }
            json.key("status")
            json.value(JobOutcome.Status.failed.rawValue)
            json.key("error")
            json.value(failure.reason.inOneLine)
            if failure.mayPass {
                json.key("mayPass")
                json.value(true)
            }
        }
        deliver(json.text)
    }

    private func deliver(_ line: String) {
        if !tell(line) { cancellation.cancel() }
    }

    private func work(in folders: ResultFolders, threads: Int) {
        let lane = WorkerLane(pool: pool, options: options, batch: batch, cancellation: cancellation)
        defer { lane.close() }
        while true {
            let asked = monitor.wait { state -> Asked?? in
                guard state.waiting.isEmpty else { return .some(state.waiting.removeFirst()) }
                return state.isClosed ? .some(nil) : nil
            }
            guard let asked else { return }
            let order = asked.order
            let earlier = monitor.withLock { $0.earlier[order.id] }
            let outcome: JobOutcome
            do {
                outcome = try run(order, earlier, lane, folders, threads: threads)
            } catch {
                outcome = JobOutcome(JobFailure(error))
            }
            monitor.withLock { state in
                state.underWay[order.id] = nil
                if outcome.status.saysNothing {
                    state.untouched.append((order, outcome, earlier))
                } else {
                    state.earlier[order.id] = outcome
                }
            }
            deliver(Report.line(asked.line, order, outcome, manifest: batch.manifest, directory: batch.directory))
        }
    }

    private func run(
        _ order: JobOrder, _ earlier: JobOutcome?, _ lane: WorkerLane, _ folders: ResultFolders, threads: Int
    ) throws -> JobOutcome {
        guard !cancellation.isCancelled else { return JobOutcome(.notRun) }
        let check = FreshnessCheck(
            folders, earlier: earlier.map { [order.id: $0] } ?? [:], options: options, cancellation: cancellation)
        let course = JobCourse(
            order: order, earlier: earlier, batch: batch, options: options, folders: folders, finisher: pool.finisher,
            cancellation: cancellation)
        func run(_ course: JobCourse) throws -> JobOutcome {
            try course.outcome(check, JobProgress(id: order.id), in: lane, threads: threads) {
                try ledger.add(order, earlier: earlier, known: $0)
            }
        }
        var outcome: JobOutcome
        if let address = order.address {
            do {
                let fetched = try FetchedJob(order, address, by: fetcher, check)
                outcome = fetched.told(try run(course.with(fetched.order)), address)
            } catch is CancelledError {
                return JobOutcome(.interrupted)
            } catch let failure as JobFailure {
                try ledger.add(order, earlier: earlier)
                outcome = course.miss(failure)
            }
        } else {
            outcome = try run(course)
        }
        outcome = store?.store(outcome) ?? outcome
        if !outcome.status.saysNothing { ledger.add(order, known: outcome) }
        return outcome
    }
}
