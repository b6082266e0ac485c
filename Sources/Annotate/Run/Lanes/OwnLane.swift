internal import Synchronization

/// Runs jobs in this process.
final class OwnLane: JobLane {
    private let jobs: [String: Job]
    private let options: RunOptions
    private let generator: String
    private let cancellation: Cancellation
    private let memory: MemoryGuard
    /// The last job's files: they keep their locks until they have their names.
    private let files = Mutex<[OutputFile]>([])

    init(
        jobs: [String: Job], options: RunOptions, generator: String, memory: MemoryGuard, cancellation: Cancellation
    ) {
        self.jobs = jobs
        self.options = options
        self.generator = generator
        self.memory = memory
        self.cancellation = cancellation
    }

    func run(_ order: JobOrder, _ task: JobTask, threads: Int, progress: JobProgress) -> JobEnd {
        close()
        guard var job = jobs[order.id] else { return .failed(JobFailure(.other, "there is no such job")) }
        // What lies elsewhere has been fetched.
        job.input = order.input
        let own = Cancellation()
        let registration = cancellation.onCancel { own.cancel() }
        // Its time counts from where it need not wait for its parts any more.
        let deadline = options.timeout.map { timeout in
            Deadline(seconds: timeout, whileNot: { task.awaitsParts }) {
                own.cancel(because: RunOptions.tookTooLong(timeout))
            }
        }
        memory.enter(own)
        defer {
            cancellation.forget(registration)
            deadline?.disarm()
            memory.leave(own)
        }
        let runner = JobRunner(
            job: job, task: task, generator: generator, threads: threads, limits: options.limits, cancellation: own,
            progress: progress, onFrame: options.onFrame.map { tell in { tell(job.id, $0) } })
        do {
            let finished = try runner.run()
            files.withLock { $0 = finished.files }
            return .whole(finished.result, files: finished.files.map(\.pending))
        } catch {
            if cancellation.isCancelled { return .interrupted }
            return .failed(own.reason.map { JobFailure(.limit, $0) } ?? JobFailure(error))
        }
    }

    func close() { files.withLock { $0 = [] } }
}

extension RunOptions {
    static func tookTooLong(_ seconds: Double) -> String {
        "took longer than the \(plain(seconds)) s that --timeout allows"
    }
}
