internal import Synchronization

/// Keeps `report.json` true while a batch runs, also where the process is killed at any moment.
///
/// Before anything is touched the report says of every job that will run that it hasn't yet; a job's files get their names,
/// and then the report says how it ended. So a report may know less than there is, never more. It is written anew as jobs
/// end, by a thread of its own, and with so much time between that large reports don't keep the jobs waiting.
final class ReportLedger: Sendable {
    private struct State {
        /// Each job's entry, as it stands in the file.
        var entries: [String: String] = [:]
        /// Ids of the jobs that this run writes about.
        var own: Set<String> = []
        /// Ids of those of them that haven't ended.
        var waiting: Set<String> = []
        /// Entries of other runs, in the file's order: of other jobs of the manifest, or of another manifest's.
        var others: [String] = []
        /// Ids of jobs that came after it was opened, besides the batch's.
        var added: [String] = []
        var isDirty = false
        var isClosed = false
        var failure: (any Error)?
    }

    private let batch: Batch
    /// Ids of the batch's jobs.
    private let known: Set<String>
    private let generator: String
    private let monitor = Monitor(State())
    private let writer = Monitor<Worker?>(nil)
    /// The file that was written last: another one is somebody else's.
    private let written = Mutex<Files.Version?>(nil)

    init(_ batch: Batch, generator: String) {
        self.batch = batch
        known = Set(batch.jobs.map(\.id))
        self.generator = generator
    }

    /// Writes what is known before anything runs.
    ///
    /// - Parameters:
    ///   - known: jobs that need not run.
    ///   - toRun: the others, with what the last report says of them.
    func open(
        known: [(job: JobOrder, outcome: JobOutcome)], toRun: [(job: JobOrder, earlier: JobOutcome?)]
    ) throws {
        let entries =
            known.map { ($0.job.id, entry($0.job, $0.outcome)) }
            + toRun.map { ($0.job.id, entry($0.job, Self.before($0.job, $0.earlier))) }
        let own = Set(entries.map(\.0))
        monitor.withLock { state in
            state.entries = Dictionary(entries, uniquingKeysWith: { $1 })
            state.own = own
            state.waiting = Set(toRun.map(\.job.id))
        }
        try write()
        let thread = try Worker { self.writeAsNeeded() }
        writer.withLock { $0 = thread }
    }

    /// How a job stands that will run.
    private static func before(_ job: JobOrder, _ earlier: JobOutcome?) -> JobOutcome {
        var outcome = JobOutcome(.notRun)
        // Also what it will write: where it is killed, nobody says any more whether it did.
        outcome.replaces = job.results + (earlier?.files ?? []).filter { !job.results.contains($0) }
        // What is known of the track file stays true while it is there, and its contents tell whether it is.
        if let earlier { outcome.keepSaved(of: earlier) }
        return outcome
    }

    /// Writes that one more job will run, before it does where a report tells of it: that is true no more. Of a new job nothing
    /// is claimed that could be wrong, so it is written soon; otherwise thousands of jobs would each have the whole report
    /// written anew.
    /// - Parameters:
    ///   - earlier: What the last report says of it; nil where none tells of it.
    ///   - known: How it stands where it need not run as a whole.
    func add(_ job: JobOrder, earlier: JobOutcome?, known: JobOutcome? = nil) throws {
        enter(job, known ?? Self.before(job, earlier))
        guard earlier == nil, known == nil else { return try write() }
        monitor.withLock { $0.isDirty = true }
    }

    /// Notes one more job, which need not run.
    func add(_ job: JobOrder, known: JobOutcome) {
        enter(job, known)
        monitor.withLock { $0.isDirty = true }
    }

    private func enter(_ job: JobOrder, _ outcome: JobOutcome) {
        let entry = entry(job, outcome)
        monitor.withLock { state in
            state.entries[job.id] = entry
            guard state.own.insert(job.id).inserted, !known.contains(job.id) else { return }
            state.others.removeAll { $0 == job.id }
            state.added.append(job.id)
        }
    }

    /// Notes how a job ended. It is written soon.
    func note(_ job: JobOrder, _ outcome: JobOutcome) {
        let entry = entry(job, outcome)
        monitor.withLock { state in
            state.entries[job.id] = entry
            state.waiting.remove(job.id)
            state.isDirty = true
        }
    }

    /// Leaves it to another run to say how a job ended.
    func leave(_ job: JobOrder) {
        monitor.withLock { state in
            state.own.remove(job.id)
            state.waiting.remove(job.id)
        }
    }

    /// Writes now what has been noted.
    /// - Throws: `FileError`.
    func flush() throws { try write() }

    /// Writes the last state.
    /// - Parameter untouched: Jobs that did not come to anything, with what the last report says of them: of files that are
    ///   there it is true still.
    func close(untouched: [(job: JobOrder, outcome: JobOutcome, earlier: JobOutcome?)]) throws {
        for (job, outcome, earlier) in untouched {
            var outcome = outcome
            outcome.replaces = earlier?.files ?? []
            if let earlier { outcome.keepSaved(of: earlier) }
            // What the job was before is believed only where it would be the same today.
            let isTheSame =
                earlier?.fingerprint == job.fingerprint && earlier?.stamp == job.stamp
                && earlier?.isJudged(as: job) ?? false
            let isTrueStill = isTheSame && (outcome.status == .notRun || earlier?.outputs.isEmpty == false)
            note(job, earlier.flatMap { isTrueStill ? $0 : nil } ?? outcome)
        }
        monitor.withLock { $0.isClosed = true }
        writer.withLock { $0 }?.join()
        try write()
    }

    private func writeAsNeeded() {
        while true {
            let isClosed = monitor.wait { state -> Bool? in
                if state.isClosed { return true }
                guard state.isDirty else { return nil }
                state.isDirty = false
                return false
            }
            if isClosed { return }
            // What ends a batch is written with its end.
            monitor.wait(seconds: 0.01) { $0.isClosed }
            if monitor.withLock({ $0.isClosed }) { return }
            let started = monotonicSeconds()
            // What can't be written now may be later; if not, the end of the batch says so.
            try? write()
            let pause = max(0.02, 20 * (monotonicSeconds() - started))
            // The batch's end need not wait.
            monitor.wait(seconds: pause) { $0.isClosed }
        }
    }

    private func write() throws {
        try written.withLock { written in
            let lock = try FolderLock(batch.directory)
            defer { lock.release() }
            let (folder, path) = (try HeldFolder(batch.directory), batch.directory + "/" + batch.report)
            func version() -> Files.Version? { folder.entry(batch.report).map(Files.Version.init) }
            // Other runs of the manifest, of other jobs of it, write here too.
            if let there = version(), there != written { takeOthers(isFirst: written == nil) }
            let (entries, others) = monitor.withLock { ($0.entries, $0.added + $0.others) }
            var text = Report.head(batch.manifest, generator: generator)
            var isFirst = true
            for id in batch.jobs.map(\.id) + others {
                guard let entry = entries[id] else { continue }
                text += (isFirst ? "\n    " : ",\n    ") + entry
                isFirst = false
            }
            text += isFirst ? "]\n}\n" : "\n  ]\n}\n"
            try Files.write(text, to: path)
            written = version()
        }
    }

    /// Takes over the file's entries of jobs that aren't this run's, and of those that another shard has run meanwhile.
    private func takeOthers(isFirst: Bool) {
        let own = monitor.withLock { state in
            isFirst || batch.shard == nil ? state.own : state.own.subtracting(state.waiting)
        }
        let manifest = Files.relative(batch.manifest, to: batch.directory)
        var taken: [(id: String, entry: String)] = []
        let folders = ResultFolders(batch.output)
        let entries = folders.output.map { Report.entries(batch.report, in: $0) } ?? []
        for (id, entry) in entries where !own.contains(id) {
            let status = entry["status"]?.string.flatMap(JobOutcome.Status.init(rawValue:))
            if monitor.withLock({ $0.own.contains(id) }), status?.isWhole != true { continue }
            // A job that this manifest no longer has is told of while something of it is there.
            let isGone = !known.contains(id) && (entry["manifest"]?.string ?? manifest) == manifest
            guard !isGone || hasFiles(entry, of: id, folders) else { continue }
            taken.append((id, Report.entry(entry)))
        }
        monitor.withLock { state in
            for id in state.others where !own.contains(id) { state.entries[id] = nil }
            state.others = taken.map(\.id).filter { !known.contains($0) }
            for (id, entry) in taken { state.entries[id] = entry }
        }
    }

    private func hasFiles(_ entry: JSONNode, of id: String, _ folders: ResultFolders) -> Bool {
        (entry["outputs"]?.elements ?? []).contains { output in
            output["file"]?.string.map { batch.output.has($0, of: id) && folders.entry($0) != nil } ?? false
        }
    }

    private func entry(_ job: JobOrder, _ outcome: JobOutcome) -> String {
        Report.entry(job, outcome, manifest: batch.manifest, directory: batch.directory)
    }
}
