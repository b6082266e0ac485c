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

    /// Reads the reports in a batch's output folder.
    /// - Parameter count: How many shards there are.
    /// - Throws: `CancelledError`.
    public init(_ batch: Batch, count: Int, cancellation: Cancellation) throws {
        let earlier = Report.read(batch.output)
        let check = FreshnessCheck(
            ResultFolders(batch.output), earlier: earlier, options: RunOptions(), cancellation: cancellation)
        let orders = batch.jobs
        let freshness = try parallelMap(orders.count, threads: BatchRunner.cores) { check.freshness(of: orders[$0]) }
        shards = Array(repeating: [:], count: count)
        for (order, fresh) in zip(orders, freshness) {
            let now: JobState =
                switch fresh {
                case .upToDate(let outcome) where outcome.isUnstored: .mayPass
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
        }
    }

    /// How many jobs are in a state, in all shards.
    public func count(_ state: JobState) -> Int { shards.reduce(0) { $0 + ($1[state]?.count ?? 0) } }

    /// Numbers of the shards, from 1, with jobs that another run may still do.
    public var toSubmit: [Int] {
        shards.indices.filter { shards[$0][.missing] != nil || shards[$0][.mayPass] != nil }.map { $0 + 1 }
    }
}
