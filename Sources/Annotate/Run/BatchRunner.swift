internal import Glibc
internal import Synchronization

/// How a batch is run.
public struct RunOptions: Sendable {
    /// Jobs at once.
    public var jobs = 1
    /// Threads for the decoder and the stages of each job; nil for the cores divided by the jobs.
    public var threads: Int?
    /// Ends the batch at the first failure.
    public var failsFast = false
    /// Wall seconds that a job may take; nil for no limit.
    public var timeout: Double?
    /// Runs jobs that are up to date all the same.
    public var force = false
    /// What an input may ask for.
    public var limits = MediaLimits()
    /// Bytes of memory that the process may take; nil for nine tenths of the machine's.
    public var memory: Int?

    public init() {}
}

/// Runs a manifest's jobs, several at once, and goes on past those that fail.
public final class BatchRunner: Sendable {
    public let progress: [JobProgress]
    private let manifest: Manifest
    private let jobs: [Job]
    private let options: RunOptions
    private let generator: String
    private let cancellation: Cancellation
    private let earlier: [String: JobOutcome]
    private let next = Atomic<Int>(0)
    private let hasFailed = Atomic<Bool>(false)
    private let memory: MemoryGuard
    /// Held while the report is written, which each finished job does.
    private let reporting = Mutex<(any Error)?>(nil)

    /// - Parameters:
    ///   - only: ids of the jobs to run; nil for all.
    ///   - earlier: how jobs ended last time, to tell what is up to date.
    public init(
        manifest: Manifest, only: Set<String>? = nil, options: RunOptions, generator: String,
        earlier: [String: JobOutcome] = [:], cancellation: Cancellation
    ) {
        self.manifest = manifest
        self.options = options
        self.generator = generator
        self.earlier = earlier
        self.cancellation = cancellation
        memory = MemoryGuard(limit: options.memory)
        jobs = manifest.jobs.filter { only?.contains($0.id) ?? true }
        progress = jobs.map { JobProgress(id: $0.id) }
    }

    /// Runs everything and returns when the last job has ended. The report is written anew as each job ends, so that a
    /// process that is killed leaves a true one.
    /// - Returns: how each job ended, in the manifest's order.
    /// - Throws: `FileError` when the output folder can't be made or the report not be written.
    public func run() throws -> [(job: Job, outcome: JobOutcome)] {
        try Files.makeDirectory(manifest.outputDirectory)
        OutputFile.sweep(manifest.outputDirectory)
        try memory.start()
        defer { memory.stop() }
        let atOnce = max(1, min(options.jobs, jobs.count))
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        let threads = options.threads ?? max(1, cores / atOnce)
        let runners = try (0..<atOnce).map { _ in try Worker { self.work(threads: threads) } }
        for runner in runners { runner.join() }
        report()
        if let error = reporting.withLock({ $0 }) { throw error }
        return outcomes
    }

    private var outcomes: [(job: Job, outcome: JobOutcome)] {
        zip(jobs, progress).map { ($0, $1.outcome ?? JobOutcome(.notRun)) }
    }

    private func report() {
        reporting.withLock { failure in
            do {
                try Report.write(
                    directory: manifest.outputDirectory, generator: generator, manifest: manifest, outcomes: outcomes)
                failure = nil
            } catch {
                failure = error
            }
        }
    }

    private func work(threads: Int) {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < jobs.count else { return }
            let outcome = run(jobs[index], progress[index], threads: threads)
            if outcome.status == .failed { hasFailed.store(true, ordering: .releasing) }
            progress[index].finish(outcome)
            if outcome.status == .done || outcome.status == .failed { report() }
        }
    }

    private func run(_ job: Job, _ progress: JobProgress, threads: Int) -> JobOutcome {
        if cancellation.isCancelled || options.failsFast && hasFailed.load(ordering: .acquiring) {
            return JobOutcome(.notRun)
        }
        let fingerprint = Fingerprint.of(job, generator: generator)
        if !options.force, fingerprint != nil, let earlier = earlier[job.id], earlier.fingerprint == fingerprint,
            areThere(earlier.outputs)
        {
            var outcome = earlier
            outcome.status = .upToDate
            return outcome
        }
        progress.start()
        let started = monotonicSeconds()
        let own = Cancellation()
        let registration = cancellation.onCancel { own.cancel() }
        let deadline = options.timeout.map { timeout in
            Deadline(seconds: timeout) {
                own.cancel(because: "took longer than the \(plain(timeout)) s that --timeout allows")
            }
        }
        memory.enter(job.id, own)
        defer {
            cancellation.forget(registration)
            deadline?.disarm()
            memory.leave(job.id)
        }
        var outcome: JobOutcome
        do {
            let runner = JobRunner(
                job: job, generator: generator, threads: threads,
                limits: options.limits, cancellation: own, progress: progress)
            let result = try runner.run()
            outcome = JobOutcome(.done)
            outcome.frames = result.frames
            outcome.tracks = result.tracks
            outcome.concealed = result.damage.concealed
            outcome.skipped = result.damage.skipped
            outcome.notes = result.notes
            outcome.outputs = result.outputs.map {
                .init(file: Files.name(of: $0), bytes: Files.status($0)?.size ?? 0)
            }
            outcome.fingerprint = fingerprint
            removeOutdated(earlier[job.id]?.outputs ?? [], besides: outcome.outputs)
        } catch {
            if cancellation.isCancelled {
                outcome = JobOutcome(.interrupted)
            } else if let reason = own.reason {
                outcome = JobOutcome(.failed, error: reason)
            } else {
                outcome = JobOutcome(.failed, error: "\(error)")
            }
        }
        outcome.seconds = monotonicSeconds() - started
        return outcome
    }

    /// Removes what an earlier run of a job wrote under other names, with another codec say.
    private func removeOutdated(_ earlier: [JobOutcome.Output], besides now: [JobOutcome.Output]) {
        for output in earlier where !now.contains(where: { $0.file == output.file }) && areThere([output]) {
            Files.remove(manifest.outputDirectory + "/" + output.file)
        }
    }

    private func areThere(_ outputs: [JobOutcome.Output]) -> Bool {
        !outputs.isEmpty
            && outputs.allSatisfy { Files.status(manifest.outputDirectory + "/" + $0.file)?.size == $0.bytes }
    }
}
