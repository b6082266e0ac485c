/// A preview of a run.
extension BatchRunner {
    /// For each job a sentence: whether it is up to date, and otherwise what would be done and why; and whether it
    /// would run. No server is asked for an input that lies elsewhere.
    public static func preview(
        _ batch: Batch, only: Set<String>?, options: RunOptions, earlier: [String: JobOutcome],
        cancellation: Cancellation
    ) throws -> [(id: String, sentence: String, wouldRun: Bool)] {
        let check = FreshnessCheck(
            ResultFolders(batch.output), earlier: earlier, options: options, cancellation: cancellation,
            believesReport: true)
        let store = ResultStore(batch, options, cancellation: cancellation)
        let orders = batch.jobs.filter { only?.contains($0.id) ?? true }
        let shard = options.ranges > 1 ? batch.shard : nil
        return try parallelMap(orders.count, threads: cores) { index in
            let id = orders[index].id
            return switch check.freshness(of: orders[index]) {
            case .upToDate(let outcome) where outcome.isUnfetched:
                (id, "would be fetched, which failed the last time; what was made before is there", true)
            case .upToDate(let outcome) where store?.has(outcome) == false:
                (id, "up to date, and would be stored", true)
            case .upToDate(let outcome) where outcome.status == .unexpected:
                (id, "up to date, but unexpected: " + outcome.complaints.joined(separator: "; "), false)
            case .upToDate where orders[index].address != nil:
                (id, "up to date, as far as is known without asking its server", false)
            case .upToDate: (id, "up to date", false)
            case .toBeReread(let outcome, _, nil):
                (
                    id,
                    outcome.expect == orders[index].expect
                        ? "up to date; what was accepted, or may differ, changed, and it would be held against that anew"
                        : "up to date; its expectations changed, and would be judged anew", false
                )
            case .toBeReread(let outcome, let task, let reason?):
                (id, "would \(Self.rereading(task, orders[index], outcome)): \(reason)", true)
            case .crashes(let outcome):
                (id, "would not be tried again: \(outcome.error ?? "it crashed"), and nothing has changed", false)
            case .outdated(let reason, let task):
                (
                    id,
                    Self.running(orders[index], task, among: options.ranges, in: shard) + reason
                        + Self.reuse(task, of: orders[index]), true
                )
            }
        }
    }

    /// What would be done of a job that isn't up to date.
    /// - Parameter shard: The one that has a share of its parts; nil for none.
    private static func running(_ order: JobOrder, _ task: JobTask, among ranges: Int, in shard: Shard?) -> String {
        guard let shard, order.canBeDivided(task) else { return "would run: " }
        let parts = shard.parts(of: order.id, among: ranges).map { String($0 + 1) }
        let own = parts.isEmpty ? "none of its" : "\(parts.joined(separator: ", ")) of up to"
        return "would look at \(own) \(ranges) parts, and run where all are there: "
    }

    private static func rereading(_ task: JobTask, _ order: JobOrder, _ earlier: JobOutcome) -> String {
        let files = task.results(of: order)
        let gone = earlier.outputs.map(\.file).filter { !order.results.contains($0) }
        let deeds =
            (files.isEmpty ? [] : ["write \(files.joined(separator: ", ")) from the track file"])
            + (gone.isEmpty ? [] : ["remove \(gone.joined(separator: ", "))"])
        return deeds.isEmpty ? "only be taken down in the report" : deeds.joined(separator: " and ")
    }

    private static func reuse(_ task: JobTask, of order: JobOrder) -> String {
        guard !task.reused.isEmpty else { return "" }
        guard task.reused.count < order.stages.count else { return "; nothing would be detected again" }
        return "; the results of \(list(task.reused)) would be taken from the track file"
    }
}
