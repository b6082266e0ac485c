internal import Glibc

/// Reads a manifest in a worker: what it names may be anything, and a video that takes the reader with it is left out of
/// the reading, and fails as the job that it is.
public struct BatchPlanner {
    private let pool: WorkerPool
    private let cancellation: Cancellation
    /// Seconds that one input may be looked at; nil for no limit.
    private let timeout: Double?

    public init(pool: WorkerPool, timeout: Double?, cancellation: Cancellation) {
        (self.pool, self.timeout, self.cancellation) = (pool, timeout, cancellation)
    }

    /// A manifest's problems, as sentences: the first ones, and how many there are.
    public struct Problems: Error {
        public var sentences: [String]
        public var count: Int
    }

    /// - Parameter path: The manifest's.
    /// - Throws: `Problems`; `ManifestFileError` where there is nothing to be read; `FileError` where the reading itself failed; `CancelledError`.
    public func plan(_ path: String) throws -> Batch {
        // Read once, by a process that does nothing with it: it may be a stream.
        let bytes = try ManifestFile.read(path)
        do {
            return try plan(path, bytes)
        } catch let error as FileError {
            throw isEnding() ? CancelledError() : error
        }
    }

    /// Whether who killed a worker means all of this program: the signal may come here a little later.
    private func isEnding() -> Bool {
        for _ in 0..<20 where !cancellation.isCancelled { sleep(seconds: 0.01) }
        return cancellation.isCancelled
    }

    private func plan(_ path: String, _ bytes: [UInt8]) throws -> Batch {
        var skipped: [String] = []
        while true {
            let worker = try pool.take { $0.isPlanning = true }
            switch try ask(worker, path, bytes, skipping: skipped) {
            case .batch(let batch): return batch
            case .died(let failure, let input):
                if failure.mayPass, isEnding() { throw CancelledError() }
                guard !input.isEmpty, !skipped.contains(input) else {
                    throw FileError(
                        "read the manifest", path: path, code: failure.mayPass ? -EAGAIN : 0, reason: failure.reason)
                }
                pool.log.warning("\(input) can't be looked at: \(failure.reason)")
                skipped.append(input)
            }
        }
    }

    private enum Answer {
        case batch(Batch)
        /// The reader was at this input; empty for none.
        case died(JobFailure, at: String)
    }

    private func ask(_ worker: WorkerProcess, _ path: String, _ bytes: [UInt8], skipping: [String]) throws -> Answer {
        try worker.channel.send { WorkerRequest.plan(skipped: skipping).write(into: &$0) }
        try worker.channel.send(bytes)
        var batch = Batch(manifest: path, output: OutputPlaces(""), jobs: [])
        // Many jobs have one graph and one entry: each text is kept once.
        var texts: Set<String> = []
        func kept(_ text: String) -> String { texts.insert(text).memberAfterInsert }
        var (input, since) = ("", monotonicSeconds())
        /// The last input that it was seen at.
        var suspect = ""
        var tookTooLong: JobFailure?
        while true {
            while !worker.poll(milliseconds: 50) {
                if cancellation.isCancelled { throw CancelledError() }
                let now = worker.status.activity
                if !now.isEmpty { suspect = now }
                if now != input { (input, since) = (now, monotonicSeconds()) }
                if let timeout, !input.isEmpty, monotonicSeconds() > since + timeout {
                    tookTooLong = JobFailure("it " + RunOptions.tookTooLong(timeout))
                    worker.kill()
                }
            }
            // A reader that dies in the middle of an answer has died.
            guard let node = try? worker.channel.receiveJSON() else {
                let failure = WorkerLane.failure(
                    worker.waitOrKill(seconds: 0.2), worker.status, said: worker.takeWords().last, isJob: false)
                let activity = worker.status.activity
                return .died(tookTooLong ?? failure, at: activity.isEmpty ? suspect : activity)
            }
            var reply = PlanReply(node)
            if var order = reply.order.take() {
                order.entry = kept(order.entry)
                order.graph = kept(order.graph)
                order.recipe = order.recipe.map(kept)
                order.fingerprint = order.fingerprint.map(kept)
                order.expect = order.expect.map(kept)
                order.dependencies = order.dependencies.map(kept)
                order.warnings = order.warnings.map(kept)
                batch.jobs.append(order)
                continue
            }
            guard reply.problemCount == 0 else {
                throw Problems(sentences: reply.problems, count: reply.problemCount)
            }
            batch.output = OutputPlaces(reply.directory, tracks: reply.tracks)
            // The reader of manifests is believed about jobs, not about anybody's files.
            for order in batch.jobs where !order.results.allSatisfy({ batch.output.has($0, of: order.id) }) {
                throw FileError("read the manifest", path: path, reason: "its reader gave an answer that is none")
            }
            batch.formats = reply.formats
            return .batch(batch)
        }
    }
}
