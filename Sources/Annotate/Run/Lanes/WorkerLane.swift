internal import Glibc
internal import Synchronization

/// Runs jobs in a worker process, which a job may take with it: the next one gets another.
final class WorkerLane: JobLane {
    private let pool: WorkerPool
    private let options: RunOptions
    private let batch: Batch
    private let cancellation: Cancellation
    private let worker = Mutex<Assigned?>(nil)

    /// A worker with the folders that it writes in.
    private struct Assigned {
        var worker: WorkerProcess
        var folders: WorkFolders
    }

    /// Whether the worker had a job, where no other job may have the same worker.
    private let isUsed = Atomic<Bool>(false)

    /// Seconds that a worker has to do what it was told.
    private static let patience = 0.5

    init(pool: WorkerPool, options: RunOptions, batch: Batch, cancellation: Cancellation) {
        (self.pool, self.options, self.batch, self.cancellation) = (pool, options, batch, cancellation)
    }

    func run(_ order: JobOrder, _ task: JobTask, threads: Int, progress: JobProgress) -> JobEnd {
        do {
            pool.awaitRoom { cancellation.isCancelled }
            let assigned = try start(order, task, threads: threads)
            let worker = assigned.worker
            // The next job's worker starts while this one works; but not by a thread that ends with this job.
            if options.isolatesJobs, task.parts.isEmpty { WorkerPool.startAhead(jobs: 1) }
            defer {
                pool.leave(worker.process)
                worker.grants.revoke()
                if options.isolatesJobs { isUsed.store(true, ordering: .relaxed) }
            }
            var watch = Watch(worker: worker, options, awaitsParts: task.awaitsParts)
            // Who sends a stream may take any time.
            if MediaInput(path: order.input) == .standardInput { watch.idle = nil }
            while !worker.poll(milliseconds: 50) {
                progress.follow(worker.status)
                if watch.awaitsParts { watch.look(at: task, options) }
                look(after: &watch)
            }
            progress.follow(worker.status)
            return try end(of: order, task, watch, assigned.folders)
        } catch {
            discard()
            return cancellation.isCancelled ? .interrupted : .failed(JobFailure(.worker, "\(error)", mayPass: true))
        }
    }

    func close() {
        guard let gone = release() else { return }
        pool.dismiss(gone.worker) { [batch] in ResultFolders(batch.output).sweep(process: gone.worker.process) }
    }

    /// Gives the job to a worker. One that was ended while it had nothing to do, or before it was ready, costs nobody anything.
    private func start(_ order: JobOrder, _ task: JobTask, threads: Int) throws -> Assigned {
        let isUsed = isUsed.exchange(false, ordering: .relaxed)
        if let idle = worker.withLock({ $0?.worker }), isUsed || idle.poll(milliseconds: 0) { discard() }
        var attempts = 3
        while true {
            do {
                let assigned = try worker.withLock { $0 } ?? take()
                assigned.worker.status.clear()
                assigned.worker.grants.set(
                    order, task, in: batch.output, root: pool.settings.root, compiled: batch.compiledFiles(for: order))
                try assigned.worker.channel.send { WorkerRequest.run(order, task, threads: threads).write(into: &$0) }
                if MediaInput(path: order.input) == .standardInput {
                    try assigned.worker.channel.send(descriptor: STDIN_FILENO)
                }
                return assigned
            } catch {
                discard()
                attempts -= 1
                if attempts == 0 || cancellation.isCancelled { throw error }
            }
        }
    }

    private func take() throws -> Assigned {
        let folders = try WorkFolders(in: batch.output.folders)
        let taken = try pool.take(in: folders) {
            $0.directory = batch.directory
            $0.tracks = batch.output.tracks
            $0.formats = batch.formats
        }
        let assigned = Assigned(worker: taken, folders: folders)
        worker.withLock { $0 = assigned }
        return assigned
    }

    private func release() -> Assigned? {
        worker.withLock { worker in
            defer { worker = nil }
            return worker
        }
    }

    private func discard() {
        guard let gone = release() else { return }
        gone.worker.kill()
        // Its folders go with it.
        _ = gone.worker.wait()
        // And what it had handed over.
        ResultFolders(batch.output).sweep(process: gone.worker.process)
    }

    // MARK: While it works

    /// The state of a worker with a job, and what it has been told.
    private struct Watch {
        let worker: WorkerProcess
        let limit: Int?
        /// Time at which the job has to end; nil for no limit.
        private(set) var deadline: Double?
        /// Whether it may have to wait for others.
        private(set) var awaitsParts: Bool
        /// Whether it does anything; nil where that is no matter.
        var idle: IdleWatch?
        /// Why the job ends before its time; nil within for a batch that is interrupted.
        var reason: JobFailure??
        /// Time at which the worker was told to end it.
        var told = 0.0
        var overSince: Double?
        var isKilled = false
        /// The most memory that the worker had, bytes.
        var memory = 0

        init(worker: WorkerProcess, _ options: RunOptions, awaitsParts: Bool) {
            (self.worker, limit, self.awaitsParts) = (worker, options.memory, awaitsParts)
            deadline = awaitsParts ? nil : options.timeout.map { monotonicSeconds() + $0 }
            idle = awaitsParts ? nil : Self.idle(worker, options)
        }

        private static func idle(_ worker: WorkerProcess, _ options: RunOptions) -> IdleWatch? {
            options.idleTimeout.map { IdleWatch(worker, patience: $0) }
        }

        /// Its time counts from where it need not wait any more.
        mutating func look(at task: JobTask, _ options: RunOptions) {
            guard !task.awaitsParts else { return }
            awaitsParts = false
            deadline = options.timeout.map { monotonicSeconds() + $0 }
            idle = Self.idle(worker, options)
        }
    }

    private func look(after watch: inout Watch) {
        let now = monotonicSeconds()
        if watch.reason != nil {
            guard !watch.isKilled, now > watch.told + Self.patience else { return }
            watch.worker.kill()
            watch.isKilled = true
            return
        }
        if cancellation.isCancelled {
            tell(&watch, nil)
        } else if let deadline = watch.deadline, now > deadline {
            tell(&watch, JobFailure(.limit, RunOptions.tookTooLong(options.timeout ?? 0)))
        } else if watch.idle?.isOver(at: now) == true {
            let frame = max(watch.worker.status[.decoded], watch.worker.status[.written])
            pool.log.warning(
                watch.worker.standsStill
                    ? "worker \(watch.worker.process) stands still: a signal or a debugger stopped it"
                    : "worker \(watch.worker.process) does nothing any more; please report where its threads wait: "
                        + "\(ThreadStances(watch.worker.process))")
            tell(&watch, RunOptions.didNothing(options.idleTimeout ?? 0, frame: frame))
        } else {
            lookAtMemory(&watch, now)
        }
    }

    /// A worker ends a job that grows over its limit by itself, unless it is stuck.
    private func lookAtMemory(_ watch: inout Watch, _ now: Double) {
        let memory = watch.worker.memory
        watch.memory = max(watch.memory, memory)
        if pool.isOver(watch.worker.process, memory: memory, awaitsParts: watch.awaitsParts) {
            tell(&watch, JobFailure(.limit, MemoryGuard.reason(MemoryGuard.share)))
        }
        guard let limit = watch.limit, memory > limit else {
            watch.overSince = nil
            return
        }
        let since = watch.overSince ?? now
        watch.overSince = since
        if now > since + 1 || memory > limit / 4 * 5 {
            tell(&watch, JobFailure(.limit, MemoryGuard.reason(limit)))
        }
    }

    private func tell(_ watch: inout Watch, _ reason: JobFailure?) {
        watch.reason = .some(reason)
        watch.told = monotonicSeconds()
        // A worker that doesn't listen is ended a moment later.
        try? watch.worker.channel.send { WorkerRequest.cancel(reason?.reason ?? "interrupted").write(into: &$0) }
    }

    // MARK: When it ends

    private func end(
        of order: JobOrder, _ task: JobTask, _ watch: Watch, _ folders: WorkFolders
    ) throws -> JobEnd {
        let worker = watch.worker
        let reply = watch.isKilled ? nil : try? worker.channel.receiveJSON()
        let words = worker.takeWords()
        for line in words { pool.log.debug("\(order.id): \(line)") }
        tellOfRefusals(order, worker.status)
        var end: JobEnd
        if let reply {
            end = JobReply(reply).end(of: order, task, in: batch.output)
            if case .whole(var result, let files) = end {
                result.memory = watch.memory
                try folders.handOver(files)
                end = .whole(result, files: files)
            }
            if case .failed(let failure) = end, failure.isCrash { discard() }
        } else {
            let failure = Self.failure(worker.waitOrKill(seconds: 2), worker.status, said: words.last)
            end = failure.mayPass && isEnding() ? .interrupted : .failed(failure)
            discard()
        }
        switch watch.reason {
        case .none: return end
        case .some(.none): return .interrupted
        case .some(.some(let reason)):
            // It may have been done before it heard.
            if case .whole = end { return end }
            // Nobody knows what one that did nothing has left undone.
            if reason.code == .worker { discard() }
            return .failed(reason)
        }
    }

    /// Whether who killed the worker means all of this program: the signal may come here a little later.
    private func isEnding() -> Bool {
        for _ in 0..<20 where !cancellation.isCancelled { sleep(seconds: 0.01) }
        return cancellation.isCancelled
    }

    private func tellOfRefusals(_ order: JobOrder, _ status: WorkerStatus) {
        guard status[.refusals] > 0 else { return }
        let count = status[.refusals]
        pool.log.warning(
            "job “\(order.id)”: its worker was refused the system call “\(status.refused)”"
                + (count > 1 ? " and \(count - 1) more" : ""))
    }

    /// The sentence about a worker that died.
    /// - Parameters:
    ///   - ending: nil where it went astray and had to be ended.
    ///   - isJob: False for one that had no job, and so no frames.
    static func failure(
        _ ending: WorkerProcess.Ending?, _ status: WorkerStatus, said: String?, isJob: Bool = true
    ) -> JobFailure {
        let frame = max(status[.decoded], status[.written])
        let place = !isJob ? "" : frame > 0 ? " near frame \(frame)" : " before the first frame"
        let words = said.map { ": \($0)" } ?? ""
        switch ending {
        case nil: return JobFailure(.crash, "its worker gave an answer that is none\(place)")
        case .signal(let number)? where status[.signal] == Int(number) && status[.outside] == 0:
            let role = status.role.isEmpty ? "the program" : status.role
            // What an assertion or a trap has to say comes before it.
            let tells = number == SIGABRT || number == SIGILL || number == SIGTRAP
            return JobFailure(.crash, "\(role) crashed (signal \(number))\(place)\(tells ? words : "")")
        case .signal(let number)? where [SIGKILL, SIGTERM].contains(number) || status[.outside] != 0:
            return JobFailure(
                .worker, "its worker was killed (signal \(number))\(place), by somebody or for want of memory",
                mayPass: true)
        case .signal(SIGSYS)?:
            // The filter tells of a call, but where all signals are blocked, as they are while a program is started.
            return JobFailure(
                .crash,
                "its worker made a system call that it is refused (signal \(SIGSYS))\(place), such as to start a program"
            )
        case .signal(let number)?:
            return JobFailure(.crash, "its worker crashed (signal \(number))\(place)\(words)")
        case .exited(WorkerProgram.statusOfLack)?:
            return JobFailure(.worker, "its worker couldn't go on\(place)\(words)", mayPass: true)
        case .exited(let code)?:
            return JobFailure(.crash, "its worker ended by itself (status \(code))\(place)\(words)")
        }
    }
}
