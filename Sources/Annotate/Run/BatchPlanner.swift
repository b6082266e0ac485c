internal import Glibc
internal import Synchronization

/// Reads a manifest in a worker: what it names may be anything. A video that takes the reader with it, all of its time or of
/// its memory is left out of the reading, and fails as the job that it is; jobs whose graphs name such a model fail.
public final class BatchPlanner: Sendable {
    private let pool: WorkerPool
    private let cancellation: Cancellation
    /// Seconds that one input, or the files of one stage, may take to be read; nil for `patience`.
    private let timeout: Double?
    /// Seconds for which the reader may do nothing; nil for as long as one input may take.
    private let idleTimeout: Double?
    /// Whether the reader stays for the next manifest, with all that it knows.
    private let keepsReader: Bool
    private let reader = Mutex<WorkerProcess?>(nil)
    /// Who has networks compiled; nil for nobody.
    private let stock: ModelStock?
    /// Who compiled those that are kept; nil for nobody.
    private let compiler: (any ModelCompiler.Type)?
    /// Seconds where no limit is given. A model of 100 MB takes a few.
    private static let patience = 60.0
    /// Readers that may be killed before what they were at is blamed.
    private static let mostKilled = 2

    /// A planner.
    /// - Parameters:
    ///   - pool: Where the worker that reads comes from.
    ///   - timeout: Seconds that one input, or the files of one stage, may take to be read; nil for a minute.
    ///   - idleTimeout: Seconds for which the reader may do nothing at all; nil for as long as one input may take.
    ///   - keepsReader: Whether that worker stays for the next manifest, with all that it knows.
    ///   - stages: Those whose networks, kept of earlier runs, the reader uses; nil for none.
    ///   - catalog: The stages whose networks are compiled ahead, for jobs that will run; nil for none.
    ///   - cancellation: Ends the reading, with `CancelledError`.
    public init(
        pool: WorkerPool, timeout: Double?, idleTimeout: Double? = nil, keepsReader: Bool = false,
        stages: StageCatalog? = nil, compiling catalog: StageCatalog? = nil, cancellation: Cancellation
    ) {
        (self.pool, self.timeout, self.cancellation) = (pool, timeout, cancellation)
        self.idleTimeout = idleTimeout
        self.keepsReader = keepsReader
        compiler = (stages ?? catalog)?.compiler
        stock = catalog.flatMap { ModelStock(pool: pool, compiler: $0.compiler, cancellation: cancellation) }
    }

    /// A manifest's problems, as sentences: the first ones, and how many there are.
    public struct Problems: Error {
        /// The first problems, a sentence each.
        public var sentences: [String]
        /// The same without the file and the place in it, but for the JSON Pointer.
        var complaints: [String] = []
        /// How many problems there are.
        public var count: Int
    }

    /// Reads a manifest.
    /// - Parameter path: The manifest's.
    /// - Throws: `Problems`; `ManifestFileError` where there is nothing to be read; `FileError` where the reading
    ///   itself failed; `CancelledError`.
    public func plan(_ path: String) throws -> Batch {
        // Read once, by a process that does nothing with it: it may be a stream.
        try plan(path, try ManifestFile.read(path))
    }

    /// Reads a manifest whose text is known.
    /// - Parameter mayLackJobs: Whether it need not have a job.
    func plan(_ path: String, _ bytes: [UInt8], mayLackJobs: Bool = false) throws -> Batch {
        do {
            return try look(at: path, bytes, mayLackJobs: mayLackJobs)
        } catch let error as FileError {
            throw isEnding() ? CancelledError() : error
        }
    }

    /// Whether who killed a worker means all of this program: the signal may come here a little later.
    private func isEnding() -> Bool {
        for _ in 0..<20 where !cancellation.isCancelled { sleep(seconds: 0.01) }
        return cancellation.isCancelled
    }

    /// A reader, which goes with whoever has it.
    private func takeReader() throws -> WorkerProcess {
        let kept = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        if let kept, !kept.poll(milliseconds: 0) { return kept }
        return try pool.take { $0.isPlanning = true }
    }

    private func keep(_ worker: WorkerProcess) {
        guard keepsReader else { return pool.dismiss(worker) }
        worker.grants.revoke()
        reader.withLock { $0 = worker }
    }

    private func look(at path: String, _ bytes: [UInt8], mayLackJobs: Bool) throws -> Batch {
        /// Why, by what it is.
        var skipped: [String: String] = [:]
        /// How many readers somebody killed, or want of memory.
        var killed = 0
        let meaning = ManifestMeaning(path, bytes, output: pool.settings.directory)
        let kept = keptNetworks(for: meaning.grants)
        while true {
            let worker: WorkerProcess
            do {
                worker = try takeReader()
            } catch let error as FileError where error.mayPass && killed < Self.mostKilled && !cancellation.isCancelled
            {
                killed += 1
                continue
            }
            worker.grants.set(meaning.grants, root: pool.settings.root, compiled: kept)
            do {
                try worker.channel.sendToLiving {
                    try worker.channel.send {
                        WorkerRequest.plan(skipped: skipped.keys.sorted(), mayLackJobs: mayLackJobs).write(into: &$0)
                    }
                    try worker.channel.send(bytes)
                }
            } catch let error as FileError where error.mayPass && killed < Self.mostKilled && !cancellation.isCancelled
            {
                // One that takes nothing in stands still.
                killed += 1
                continue
            }
            switch try ask(worker, path, meaning, skipping: skipped) {
            case .batch(let batch):
                keep(worker)
                return batch
            case .problems(let problems):
                keep(worker)
                throw problems
            case .died(let failure, let input):
                if failure.mayPass {
                    if isEnding() { throw CancelledError() }
                    // What it was at just then may have no part in it.
                    killed += 1
                    if killed <= Self.mostKilled {
                        pool.log.debug("the reader of manifests is started again: \(failure.reason)")
                        continue
                    }
                }
                guard !input.isEmpty, skipped[input] == nil else {
                    throw FileError(
                        "read the manifest", path: path, code: failure.mayPass ? -EAGAIN : 0, reason: failure.reason)
                }
                pool.log.warning("\(input) can't be looked at: \(failure.reason)")
                skipped[input] = failure.reason
            }
        }
    }

    private func keptNetworks(for grants: ManifestGrants) -> [String] {
        guard let compiler, let cache = ModelCache.ofEnvironment else { return [] }
        return KeptNetworks.files(for: grants, root: pool.settings.root, compiler, in: cache)
    }

    private enum Answer {
        case batch(Batch)
        case problems(Problems)
        /// The reader was at this input; empty for none.
        case died(JobFailure, at: String)
    }

    private func ask(
        _ worker: WorkerProcess, _ path: String, _ meaning: ManifestMeaning, skipping: [String: String]
    ) throws -> Answer {
        var batch = Batch(manifest: path, output: meaning.output, dataSet: meaning.dataSet, jobs: [])
        (batch.fetch, batch.store, batch.address) = (meaning.fetch, meaning.store, meaning.address)
        // Many jobs have one graph and one entry: each text is kept once.
        var texts: Set<String> = []
        /// Those that a report takes as they are: JSON objects.
        var recipes: Set<String> = []
        func kept(_ text: String) -> String { texts.insert(text).memberAfterInsert }
        var (input, look, since) = ("", 0, monotonicSeconds())
        /// The last input that it was seen at.
        var suspect = ""
        /// Why it was ended.
        var tookTooMuch: JobFailure?
        let memory = pool.settings.memory
        let patience = timeout ?? Self.patience
        var idle = IdleWatch(worker, patience: min(idleTimeout ?? patience, patience))
        while true {
            while !worker.poll(milliseconds: 50) {
                if cancellation.isCancelled { throw CancelledError() }
                let now = worker.status.activity
                if !now.isEmpty { suspect = now }
                let count = worker.status[.decoded]
                if now != input || count != look { (input, look, since) = (now, count, monotonicSeconds()) }
                // What was being read when somebody stopped the reader has no part in it.
                if !input.isEmpty, monotonicSeconds() > since + patience, !worker.standsStill {
                    tookTooMuch = JobFailure(.limit, Self.tookTooLong(timeout))
                    worker.kill()
                } else if idle.isOver(at: monotonicSeconds()) {
                    // Between two inputs too, where no time is counted.
                    tookTooMuch = JobFailure(
                        .worker, "its reader did nothing for \(plain(idle.patience)) s, and was ended", mayPass: true)
                    worker.kill()
                } else if let memory, worker.memory > memory {
                    tookTooMuch = JobFailure(
                        .limit,
                        "it took more than the \(memory >> 20) MiB of memory that it may; --max-memory allows more")
                    worker.kill()
                }
            }
            // A reader that dies in the middle of an answer has died.
            guard let node = try? worker.channel.receiveJSON() else {
                let ending = worker.waitOrKill(seconds: 0.2)
                let failure = WorkerLane.failure(
                    ending, worker.status, said: worker.takeWords().last, isJob: false)
                // Where the machine has no threads the input isn't to blame.
                if case .exited(WorkerProgram.statusOfLack) = ending { return .died(failure, at: "") }
                let activity = worker.status.activity
                return .died(tookTooMuch ?? failure, at: activity.isEmpty ? suspect : activity)
            }
            var reply = PlanReply(node)
            if var order = reply.order.take() {
                guard meaning.allows(order, worker.grants),
                    order.recipe.map({ recipes.contains($0) || Self.isObject($0) }) ?? true
                else { throw Self.noAnswer(path) }
                if let recipe = order.recipe { recipes.insert(recipe) }
                order.entry = kept(order.entry)
                order.graph = kept(order.graph)
                order.recipe = order.recipe.map(kept)
                order.fingerprint = order.fingerprint.map(kept)
                order.expect = order.expect.map(kept)
                order.accepted = order.accepted.map(kept)
                order.dependencies = order.dependencies.map(kept)
                order.warnings = order.warnings.map { kept($0.inOneLine) }
                order.obstacle = order.obstacle.map { subject in
                    kept("\(subject) can't be looked at: \(skipping[subject] ?? "nobody knows why")".inOneLine)
                }
                batch.jobs.append(order)
                continue
            }
            guard reply.problemCount == 0 else {
                return .problems(
                    Problems(
                        sentences: reply.problems.map(\.inOneLine), complaints: reply.complaints.map(\.inOneLine),
                        count: max(reply.problemCount, 1)))
            }
            (batch.formats, batch.remarks) = (reply.formats, reply.remarks.map(\.inOneLine))
            batch.compiled = stock?.compiled(reply.models, worker.grants) ?? []
            for line in worker.takeWords() { pool.log.debug("the reader of manifests: \(line)") }
            return .batch(batch)
        }
    }

    private static func isObject(_ text: String) -> Bool {
        // What is no JSON is no object either.
        (try? JSONParser.parse(Array(text.utf8)))?.members != nil
    }

    private static func noAnswer(_ path: String) -> FileError {
        FileError("read the manifest", path: path, reason: "its reader gave an answer that is none")
    }

    private static func tookTooLong(_ timeout: Double?) -> String {
        timeout.map { "it " + RunOptions.tookTooLong($0) }
            ?? "it took longer than \(plain(patience)) s; --timeout allows more"
    }
}
