/// The state of the shards of a batch: how their jobs ended, and which are missing.
public struct ShardStatus: Sendable {
    /// The state of a job.
    public enum JobState: String, Sendable, CaseIterable {
        /// Whole, and as the manifest expects.
        case done
        /// Whole, but not what the manifest expects.
        case unexpected
        /// It failed, and would again.
        case failed = "failed for good"
        /// It failed for a reason that may pass by itself.
        case mayPass = "failed for a passing reason"
        /// It has not been run, or not with what it depends on now.
        case missing
    }

    /// Ids of the jobs of each shard, from the first on, by their states.
    public private(set) var shards: [[JobState: [String]]]
    /// Jobs that failed for good, and why.
    public private(set) var errors: [(id: String, error: String)] = []
    /// Jobs that another run may still do, of which parts are stored: how many of how many are as they should be.
    public private(set) var parts: [(id: String, found: Int, of: Int)] = []
    /// Numbers of the shards, from 1, with jobs or parts that another run may still do.
    public private(set) var toSubmit: [Int] = []

    /// Reads the reports in a batch's output folder, and the parts that are stored there. No server is asked for an
    /// input that lies elsewhere: what was made of it counts, as far as the report tells.
    /// - Parameters:
    ///   - batch: All of its jobs are looked at, whatever its shard.
    ///   - count: How many shards there are.
    ///   - ranges: Into how many parts videos are divided.
    ///   - generator: The program and its version.
    ///   - cancellation: Ends the reading of files.
    /// - Throws: `CancelledError`.
    public init(
        _ batch: Batch, count: Int, ranges: Int = 1, generator: String, cancellation: Cancellation
    ) throws {
        let earlier = Report.read(batch.output)
        let folders = ResultFolders(batch.output)
        let check = FreshnessCheck(
            folders, earlier: earlier, options: RunOptions(), cancellation: cancellation, believesReport: true)
        let orders = batch.jobs
        let freshness = try parallelMap(orders.count, threads: BatchRunner.cores) { check.freshness(of: orders[$0]) }
        shards = Array(repeating: [:], count: count)
        var left: Set<Int> = []
        for (order, fresh) in zip(orders, freshness) {
            let now: JobState =
                switch fresh {
                // What was made before is there, and what it was made of couldn't be had, or it couldn't be stored.
                case .upToDate(let outcome) where outcome.isUnfetched || outcome.isUnstored:
                    earlier[order.id]?.mayPass ?? true ? .mayPass : .failed
                case .upToDate(let outcome): outcome.status == .unexpected ? .unexpected : .done
                case .toBeReread: .missing
                case .crashes: .failed
                case .outdated:
                    switch earlier[order.id] {
                    case let outcome? where outcome.status == .failed: outcome.mayPass ? .mayPass : .failed
                    default: .missing
                    }
                }
            shards[Shard.index(of: order.id, among: count) - 1][now, default: []].append(order.id)
            if now == .failed { errors.append((order.id, earlier[order.id]?.error ?? "it crashed")) }
            guard now == .missing || now == .mayPass else { continue }
            let own = Shard.index(of: order.id, among: count)
            guard ranges > 1, case .outdated(_, let task) = fresh, order.canBeDivided(task) else {
                left.insert(own)
                continue
            }
            // Until something is stored nobody knows whether it can be divided, and into how many parts.
            var missing = Array(0..<ranges)
            if let stored = Self.stored(order, task, folders, generator: generator) {
                missing = stored.missing
                parts.append((order.id, stored.count - missing.count, stored.count))
            }
            left.formUnion(missing.map { Shard.index(ofPart: $0, of: order.id, among: count) })
            if missing.isEmpty { left.insert(own) }
        }
        toSubmit = left.sorted()
    }

    /// What is stored of a job's parts.
    /// - Returns: How many parts there are, and those that aren't as they should be; nil where none is.
    private static func stored(
        _ order: JobOrder, _ task: JobTask, _ folders: ResultFolders, generator: String
    ) -> (count: Int, missing: [Int])? {
        guard let folder = order.results.last.flatMap(folders.folder) else { return nil }
        return StoredParts.counts(of: order, in: folder).map { count in
            let stored = StoredParts(
                PartHead.of(order, task, nil, count: count, program: generator), of: order, in: folder)
            return (count, (0..<count).filter { !stored.state(of: $0, wholly: true).isThere })
        }.filter { $0.missing.count < $0.count }.min { $0.missing.count < $1.missing.count }
    }

    /// How many jobs are in a state, in all shards.
    public func count(_ state: JobState) -> Int { shards.reduce(0) { $0 + ($1[state]?.count ?? 0) } }
}
