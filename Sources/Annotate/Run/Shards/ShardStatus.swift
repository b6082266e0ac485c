/// The state of the shards of a batch: how their jobs ended, and which are missing.
public struct ShardStatus: Sendable {
    /// The state of a job.
    public enum Standing: String, Sendable, CaseIterable {
        case done
        case unexpected
        case failed = "failed for good"
        case mayPass = "failed for a passing reason"
        case missing
    }

    /// Ids of the jobs of each shard, from the first on, by their states.
    public private(set) var shards: [[Standing: [String]]]
    /// Jobs that failed for good, and why.
    public private(set) var errors: [(id: String, error: String)] = []

    /// Reads the reports in a batch's output folder.
    /// - Parameter count: How many shards there are.
    /// - Throws: `CancelledError`.
    public init(_ batch: Batch, count: Int, cancellation: Cancellation) throws {
        let earlier = Report.read(batch.output)
        let reader = StandingReader(
            ResultFolders(batch.output), earlier: earlier, options: RunOptions(), cancellation: cancellation)
        let orders = batch.jobs
        let standings = try parallelMap(orders.count, threads: BatchRunner.cores) { reader.standing(of: orders[$0]) }
        shards = Array(repeating: [:], count: count)
        for (order, standing) in zip(orders, standings) {
            let now: Standing =
                switch standing {
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
    public func count(_ standing: Standing) -> Int { shards.reduce(0) { $0 + ($1[standing]?.count ?? 0) } }

    /// Numbers of the shards, from 1, with jobs that another run may still do.
    public var toSubmit: [Int] {
        shards.indices.filter { shards[$0][.missing] != nil || shards[$0][.mayPass] != nil }.map { $0 + 1 }
    }
}
