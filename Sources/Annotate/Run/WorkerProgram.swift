internal import CFFmpeg
internal import CLate
internal import CWorker
internal import Glibc
internal import Synchronization

/// The program of a worker: it gives up what it doesn't need, and works on what it is sent until the other side closes.
public enum WorkerProgram {
    /// Exit status of one that couldn't go on for want of what there may be again: threads, descriptors.
    static let statusOfLack = Int32(CWK_STATUS_OF_LACK)

    /// The first of the words that the program starts itself with where it wants a worker.
    static let word = "worker"
    /// The second where it will have jobs.
    static let forJobs = "jobs"

    /// Whether a process was started to be a worker.
    /// - Parameter words: What it was started with, without its name.
    public static func isMeant(by words: [String]) -> Bool { words.first == word }

    /// Runs it, in a process that was started to be a worker.
    /// - Parameter catalog: The program's stages.
    public static func run(catalog: StageCatalog) -> Never {
        var link = cwk_link()
        guard cwk_adopt(&link) == 0 else {
            let words = "annotate-batch: a worker is started by the program itself\n"
            _ = write(STDERR_FILENO, words, words.utf8.count)
            _exit(64)
        }
        run(Channel(descriptor: link.channel), WorkerStatus(link.status), catalog: catalog)
    }

    static func run(_ channel: Channel, _ status: WorkerStatus, catalog: StageCatalog) -> Never {
        cwk_watch_faults(status.page)
        // A terminal's signals go to all processes at once: whoever started this one decides.
        for number in [SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        // Where memory runs out, this process goes rather than the one that started it.
        if let score = try? ByteWriter(path: "/proc/self/oom_score_adj") {
            try? score.write(Array("500".utf8))
            try? score.finish()
        }
        var ending: Int32 = 0
        do {
            // While they can be read as any file, and the other side has things to do of its own.
            late_open(LATE_format)
            late_open(LATE_codec)
            late_open_elsewhere()
            if CommandLine.arguments.last == forJobs { late_open_common() }
            guard let first = try channel.receiveJSON() else { _exit(0) }
            let settings = WorkerSettings(first)
            if !settings.isPlanning, !settings.isCompiling { late_open_common() }
            // Looked up while that can be read.
            _ = Machine.cores
            // Half as much again, and what threads and libraries set aside: jobs end at the limit itself, in words.
            let work = try settings.workFolders.map {
                HeldFolder($0, descriptor: try channel.receiveDescriptor())
            }
            for folder in work { folder.pin() }
            OutputFile.work(in: settings.places)
            let confinement = try Confinement(
                writable: work,
                readable: settings.hasListener || settings.root != nil
                    ? (settings.hasListener ? [] : [settings.root].compactMap(\.self)) + catalog.resources
                        + Confinement.system : nil,
                memory: settings.memory.map { $0 / 2 * 3 + 512 << 20 }, status: status, channel: channel.descriptor,
                hasListener: settings.hasListener, means: settings.means)
            try channel.send { WorkerGreeting(confinement).write(into: &$0) }
            if let listener = confinement.listener {
                try channel.send(descriptor: listener)
                // Who has it answers: nobody in this process may.
                close(listener)
                _ = open(OpeningListener.trial, O_RDONLY | O_CLOEXEC)
            }
            if settings.isCompiling {
                try CompileWorker(settings, channel, catalog: catalog).run()
            } else if settings.isPlanning {
                try PlanWorker(settings, channel, status, catalog: catalog).run()
            } else {
                try JobWorker(settings, channel, status, catalog: catalog).run()
            }
        } catch {
            // Where the other side is gone nobody is left to be told.
            let words = "\(error)\n"
            _ = write(STDERR_FILENO, words, words.utf8.count)
            ending = (error as? FileError)?.mayPass == true ? Self.statusOfLack : 0
        }
        removeUnfinishedFiles()
        _exit(ending)
    }
}

/// Reads manifests for another process.
private struct PlanWorker {
    /// Manifests that are to be read.
    private typealias Requests = Monitor<[(request: WorkerRequest, bytes: [UInt8])]>

    /// What is known from manifests that were read before.
    private struct Known {
        var stages = KnownStages()
        /// Files that the stages depend on.
        var files = FileVersions()
    }

    private let settings: WorkerSettings
    private let channel: Channel
    private let status: WorkerStatus
    private let catalog: StageCatalog
    private static let mostProblems = 200

    init(_ settings: WorkerSettings, _ channel: Channel, _ status: WorkerStatus, catalog: StageCatalog) {
        (self.settings, self.channel, self.status, self.catalog) = (settings, channel, status, catalog)
    }

    func run() throws {
        let (requests, channel) = (Requests([]), channel)
        try BackgroundThread.start {
            while let request = (try? channel.receiveJSON()).flatMap({ $0 }).flatMap(WorkerRequest.init),
                let bytes = (try? channel.receive()).flatMap({ $0 })
            {
                requests.withLock { $0.append((request, bytes)) }
            }
            // Whoever waits may go before the answer is there: nothing has been written.
            _exit(0)
        }
        setThreadRole("the reader of manifests")
        var known = Known()
        while true {
            let (request, bytes) = requests.wait { $0.isEmpty ? nil : $0.removeFirst() }
            guard case .plan(let skipped, let mayLackJobs) = request else { continue }
            if !known.files.areCurrent { known = Known() }
            try read(bytes, skipping: skipped, mayLackJobs: mayLackJobs, &known)
        }
    }

    private func read(_ bytes: [UInt8], skipping skipped: [String], mayLackJobs: Bool, _ known: inout Known) throws {
        let status = status
        var reader = ManifestReader(
            catalog: catalog, outputDirectory: settings.directory, root: settings.root, limits: settings.limits,
            skipped: Set(skipped), allowsMissing: settings.allowsMissing,
            lookingAt: {
                status.activity = $0
                // Whoever watches tells one look from the next of the same by it.
                status.add(1, to: .decoded)
            })
        (reader.stages, reader.mayLackJobs) = (known.stages, mayLackJobs)
        reader.looksAtInputs = settings.looksAtInputs
        var last = PlanReply()
        do {
            let batch = Batch(
                try reader.read(settings.manifest, bytes), generator: settings.generator, attention: reader.attention)
            // What wasn't looked at may be the next time.
            if !skipped.isEmpty { known = Known() }
            last.models = catalog.compiler?.takeOrders() ?? []
            for job in batch.jobs {
                known.files.add(job.dependencies)
                var reply = PlanReply()
                reply.order = job
                try channel.send { reply.write(into: &$0) }
            }
            (last.formats, last.remarks) = (batch.formats, batch.remarks)
        } catch let error as InvalidFileError {
            // What a machine without threads says of a manifest needn't hold.
            if let lack = Worker.lack { throw lack }
            last.problems = error.problems.prefix(Self.mostProblems).map(\.description)
            last.complaints = error.problems.prefix(Self.mostProblems).map { "\(jsonPointer($0.path)): \($0.message)" }
            last.problemCount = error.problems.count
        }
        try channel.send { last.write(into: &$0) }
    }
}

/// Runs jobs for another process.
private final class JobWorker: Sendable {
    private struct State {
        var requests: [Request] = []
        /// Cancellation of the job under way, or the next one.
        var cancellation = Cancellation()
    }

    private enum Request {
        case job(JobRequest)
        case dataSet(DataSetOrder)
    }

    private struct JobRequest {
        var order: JobOrder
        var task: JobTask
        var threads: Int
    }

    private let settings: WorkerSettings
    private let channel: Channel
    private let status: WorkerStatus
    private let catalog: StageCatalog
    private let memory: MemoryGuard
    private let monitor = Monitor(State())
    /// The last job's files: they keep their locks until the next job comes, by which time they have their names.
    private let files = Mutex<[OutputFile]>([])

    init(_ settings: WorkerSettings, _ channel: Channel, _ status: WorkerStatus, catalog: StageCatalog) {
        (self.settings, self.channel, self.status, self.catalog) = (settings, channel, status, catalog)
        memory = MemoryGuard(limit: settings.memory)
    }

    func run() throws {
        try memory.start()
        // Whoever read the manifest has seen that they can be.
        ModelChecks.areWanted = false
        try BackgroundThread.start { [self] in listen() }
        let orders = OrderReader(
            catalog: catalog, paths: ManifestPaths(directory: Files.parent(of: settings.manifest), root: settings.root),
            output: OutputPlaces(settings.directory ?? ".", tracks: settings.tracks), formats: settings.formats)
        while true {
            let (request, cancellation) = monitor.wait { state in
                state.requests.isEmpty ? nil : (state.requests.removeFirst(), state.cancellation)
            }
            files.withLock { $0 = [] }
            let write: (inout JSONWriter) -> Void
            switch request {
            case .dataSet(let order):
                let reply = reply(to: order, cancellation)
                write = { reply.write(into: &$0) }
            case .job(let request):
                let reply: JobReply
                do {
                    let finished = try work(on: request, orders, cancellation)
                    files.withLock { $0 = finished.files }
                    reply = JobReply(finished)
                } catch {
                    reply = JobReply(cancellation.reason.map { JobFailure(.limit, $0) } ?? JobFailure(error))
                }
                write = { reply.write(into: &$0) }
            }
            monitor.withLock { $0.cancellation = Cancellation() }
            // What a large job took is given back, since other workers may need it.
            if residentMemory() > 512 << 20 { cff_trim_memory() }
            try channel.send(write)
        }
    }

    private func reply(to order: DataSetOrder, _ cancellation: Cancellation) -> DataSetReply {
        setThreadRole("the writer of the data set")
        do {
            return try order.write(kinds: catalog.findings, generator: settings.generator, cancellation)
        } catch {
            var reply = DataSetReply()
            reply.failure = JobFailure(error)
            return reply
        }
    }

    private func work(
        on request: JobRequest, _ orders: OrderReader, _ cancellation: Cancellation
    ) throws -> JobRunner.Finished {
        status.clear()
        let order = request.order
        memory.enter(cancellation)
        defer { memory.leave(cancellation) }
        setThreadRole("the reader of manifests")
        let job = try orders.job(
            id: order.id, input: order.input, entry: order.entry, graph: order.graph, codec: order.codec)
        return try JobRunner(
            job: job, task: request.task, generator: settings.generator, threads: request.threads,
            limits: settings.limits,
            cancellation: cancellation, progress: JobProgress(id: order.id, status: status)
        ).run()
    }

    /// Takes requests in while jobs run. When the other side has closed, nobody waits for anything any more.
    private func listen() {
        while let node = try? channel.receiveJSON() {
            switch WorkerRequest(node) {
            case .run(let order, let task, let threads)?:
                if MediaInput(path: order.input) == .standardInput { takeStandardInput() }
                monitor.withLock {
                    $0.requests.append(.job(JobRequest(order: order, task: task, threads: threads)))
                }
            case .dataSet(let order)?: monitor.withLock { $0.requests.append(.dataSet(order)) }
            case .cancel(let reason)?: monitor.withLock { $0.cancellation }.cancel(because: reason)
            case .plan?, .compile?, nil: break
            }
        }
        removeUnfinishedFiles()
        _exit(0)
    }

    /// The stream that is this job's input; without it there is none.
    private func takeStandardInput() {
        guard let stream = try? channel.receiveDescriptor() else { return }
        dup2(stream, STDIN_FILENO)
        close(stream)
    }
}
