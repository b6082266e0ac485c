internal import Synchronization

/// Parts of one job's video that several shards look at: each stores what it finds, and the one that finds all of them there
/// runs the job on the whole.
extension BatchRunner {
    /// Whether other shards look at parts of these jobs, too.
    var sharesParts: Bool { options.ranges > 1 && batch.shard != nil }

    /// The jobs of which the batch's shard has something to do: its own, and those that aren't up to date and of which parts
    /// may be its own.
    /// - Parameters:
    ///   - batch: With its shard; without one all of its jobs are its own.
    ///   - only: Ids of jobs; nil for all.
    ///   - options: Of the run; its `ranges` say into how many parts videos are divided.
    ///   - earlier: How jobs ended last time, by their ids.
    ///   - cancellation: Ends the reading of files that tells what is up to date.
    public static func share(
        of batch: Batch, only: Set<String>?, options: RunOptions, earlier: [String: JobOutcome],
        cancellation: Cancellation
    ) throws -> Set<String> {
        let orders = batch.jobs.filter { only?.contains($0.id) ?? true }
        guard options.ranges > 1, let shard = batch.shard else {
            return Set(orders.map(\.id).filter(batch.owns))
        }
        let check = FreshnessCheck(
            ResultFolders(batch.output), earlier: earlier, options: options, cancellation: cancellation)
        let hasShare = try parallelMap(orders.count, threads: cores) { index in
            let order = orders[index]
            guard !shard.contains(order.id) else { return true }
            guard !shard.parts(of: order.id, among: options.ranges).isEmpty,
                case .outdated(_, let task) = check.freshness(of: order)
            else { return false }
            return order.canBeDivided(task)
        }
        return Set(zip(orders, hasShare).filter(\.1).map(\.0.id))
    }

    /// Whether another shard has run a job meanwhile.
    func isDoneElsewhere(_ order: JobOrder) -> Bool {
        guard let folders else { return false }
        let check = FreshnessCheck(
            folders, earlier: Report.read(batch.output), options: options, cancellation: cancellation)
        if case .outdated = check.freshness(of: order) { return false }
        return true
    }

    /// Takes the whole of a job whose parts are all there.
    /// - Returns: What became of this shard's parts, where another one is to run the whole; nil where this one is.
    /// - Throws: `FileError`.
    func share(
        of divided: DividedJob, threads: Int, _ lane: () throws -> any JobLane
    ) throws -> String? {
        let (order, count) = (divided.order, divided.parts.count)
        if isDoneElsewhere(order) {
            // One of these that came late is nobody's any more.
            removeStored(of: order)
            return "another shard has run it"
        }
        let own = "\(divided.left.count) of \(count) parts looked at here; "
        let missing = divided.missing
        guard missing.isEmpty else {
            let shards = Set(missing.map { Shard.index(ofPart: $0, of: order.id, among: divided.shard?.count ?? 1) })
            let numbers = shards.sorted().prefix(10).map(String.init).joined(separator: ", ")
            return own + "waits for shard\(shards.count > 1 ? "s" : "") \(numbers)\(shards.count > 10 ? ", …" : "")"
        }
        guard divided.claim() else { return own + "another shard runs the whole" }
        for (part, reason) in try divided.load() {
            options.onDivision?(order.id, "part \(part + 1) of \(count) is looked at anew: \(reason)")
            detect(part, of: divided, threads: threads, lane)
        }
        return nil
    }

    // MARK: Parts that are stored

    /// The folders of results; nil until it runs.
    var folders: ResultFolders? { held.withLock { $0 } }

    /// The folder that parts of a job are stored in.
    func folder(of order: JobOrder) -> HeldFolder? { order.results.last.flatMap { folders?.folder(of: $0) } }

    /// Whether parts of a job may be stored.
    func hasStored(_ order: JobOrder) -> Bool {
        tracksWithParts.withLock { $0.contains(StoredParts.track(of: order)) }
    }

    /// Notes that parts of a job will be stored.
    func noteStored(_ order: JobOrder) {
        _ = tracksWithParts.withLock { $0.insert(StoredParts.track(of: order)) }
    }

    /// Removes what is stored of a job's parts, which nobody needs any more.
    func removeStored(of order: JobOrder) {
        guard hasStored(order), let folder = folder(of: order) else { return }
        StoredParts.remove(of: order, in: folder)
    }

    // MARK: Jobs of other shards

    /// The report of the shard that a job is in, which says now that it will run.
    /// - Throws: `FileError`.
    func openReport(of order: JobOrder, _ shard: Shard) throws -> ReportLedger {
        var batch = batch
        batch.shard = Shard(index: Shard.index(of: order.id, among: shard.count), count: shard.count)
        let ledger = ReportLedger(batch, generator: generator)
        try ledger.open(known: [], toRun: [(order, earlier[order.id])])
        return ledger
    }

    /// Writes the report of another shard.
    func close(_ ledger: ReportLedger, _ order: JobOrder, _ outcome: JobOutcome) throws {
        try ledger.close(untouched: isUntouched(outcome) ? [(order, outcome, earlier[order.id])] : [])
    }

    /// Leaves a job to another shard.
    func leave(_ work: Work, _ share: String) { leave(work.place, share) }

    func leave(_ place: Int, _ share: String) {
        ledger.leave(jobs[place])
        var outcome = JobOutcome(.notRun)
        outcome.share = share
        progress[place].finish(outcome)
    }

    /// Ends a job of which a part couldn't be looked at, for a reason that need not hold elsewhere: this shard is to run again.
    func fail(_ work: Work, _ failure: JobFailure) {
        let order = jobs[work.place]
        var outcome = JobOutcome(failure)
        if let earlier = earlier[order.id] {
            outcome.replaces = earlier.files
            outcome.keepSaved(of: earlier)
        }
        hasFailed.store(true, ordering: .releasing)
        if batch.owns(order.id) { ledger.note(order, outcome) }
        progress[work.place].finish(outcome)
    }
}

extension Batch {
    /// Whether a job is one of the part of the jobs that is run here.
    func owns(_ id: String) -> Bool { shard?.contains(id) ?? true }
}

extension JobOrder {
    /// Whether it may lead anywhere to divide its video, as far as is known without a look at it.
    func canBeDivided(_ task: JobTask) -> Bool {
        guard task.kind == .annotate, task.reused.count < stages.count, obstacle == nil, address == nil,
            case .file = MediaInput(path: input)
        else { return false }
        return true
    }
}
