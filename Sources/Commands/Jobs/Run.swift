internal import Annotate
public import ArgumentParser
public import Logging

extension Logger.Level: @retroactive ExpressibleByArgument {}

struct Run: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a manifest: annotates every job's video. The default command.",
        discussion: """
            Each job writes <id>.mp4, <id>.tracks.jsonl and what the manifest's “output” asks for under “formats” into the \
            output folder; the batch writes report.json there. \
            A job whose outputs exist and whose input, graph, models and options have not changed is skipped.
            """)

    @Argument(help: "The manifest, a JSON file.", completion: .manifest)
    var manifest: String

    @Option(
        help: ArgumentHelp(
            "Jobs at once: a number, or auto (default) for as many as fill the cores and stay within memory.",
            valueName: "n"), transform: { try JobCount($0) })
    var jobs = JobCount.auto

    @Option(
        help: ArgumentHelp(
            "process runs jobs in worker processes, so that a video that crashes or hangs a decoder costs one job; job "
                + "starts a new one for each job, so that nothing of one is seen by the next; none runs them in this one, "
                + "for debugging."))
    var isolation = Isolation.process

    @Option(
        help: ArgumentHelp(
            "Run only the job with this id, or those whose id matches this shell pattern; may be repeated.",
            valueName: "glob"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Output folder instead of the manifest's.", valueName: "dir"), completion: .directory)
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Run only the jobs of the I-th of N shards, by a hash of their ids; their report is report.I-of-N.json. auto is "
                + "the task of a scheduler's array that this is, auto/N where there are N shards and it doesn't tell how many. With "
                + "--ranges the parts of each video are divided among the shards, too.",
            valueName: "i/n|auto"), transform: { try ShardChoice($0) })
    var shard: ShardChoice?

    @Flag(help: "Say what would run, and why; run nothing.")
    var dryRun = false

    @Flag(help: "Remove results of jobs that the manifest no longer has.")
    var prune = false

    @Option(help: ArgumentHelp("Write a JUnit report, for CI.", valueName: "file"), completion: .file())
    var junit: String?

    @Option(
        help: ArgumentHelp("Write what each result depends on, as make reads it.", valueName: "file"),
        completion: .file())
    var depfile: String?

    @Option(
        help: ArgumentHelp(
            "A file that is written last and only if all went well, and removed before: a target for make.",
            valueName: "file"),
        completion: .file())
    var stamp: String?

    @Option(
        help: ArgumentHelp(
            "Try a job again, up to N times, if it failed for a reason that may pass: no space, no memory, a worker that "
                + "somebody killed.", valueName: "n"))
    var retries = 0

    @Flag(help: "Run jobs that are up to date all the same.")
    var force = false

    @Flag(help: "Run jobs again that crashed their worker the last time, although nothing has changed.")
    var retryCrashed = false

    @Flag(help: "An input that is named and isn't there fails its job, not the manifest.")
    var allowMissing = false

    @Flag(exclusivity: .exclusive, help: "Go on past a failed job (default), or end the batch at the first.")
    var failure = Failure.keepGoing

    @Option(
        help: ArgumentHelp(
            "Wall seconds that a job may take, and one input or model while the manifest is read. Default: no limit, and 60.",
            valueName: "s"))
    var timeout: Double?

    @OptionGroup
    var idle: IdleLimit

    @Option(help: "How progress is shown on standard error: auto, bars, plain, json or none.")
    var progress = ProgressStyle.auto

    @Option(
        help: ArgumentHelp(
            "Threads per job for decoding and for the stages. Default: the cores, shared by the jobs.", valueName: "n"))
    var threads: Int?

    @Option(
        help: ArgumentHelp(
            "Look at each video in N parts at once, as jobs of their own, before its job runs on the whole with what was "
                + "found in them. Results are the same. With --shard each shard looks at its share of the parts and leaves "
                + "what it finds in the output folder; the one that finds all of them there runs the whole.",
            valueName: "n"))
    var ranges = 1

    @OptionGroup(title: "Limits")
    var limits: Limits

    @OptionGroup(title: "Inputs that lie elsewhere")
    var fetching: Fetching

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = Logger.Level.info

    enum Failure: String, EnumerableFlag {
        case keepGoing, failFast
    }

    func validate() throws {
        if let threads, !(1...64).contains(threads) {
            throw ValidationError("--threads takes 1 to 64, not \(threads).")
        }
        try OutputGuard.checkFolder("--output", output)
        if stamp?.isEmpty == true { throw ValidationError("--stamp takes a path, not an empty text.") }
        guard (1...RunOptions.mostRanges).contains(ranges) else {
            throw ValidationError("--ranges takes 1 to \(RunOptions.mostRanges), not \(ranges).")
        }
        guard (0...100).contains(retries) else { throw ValidationError("--retries takes 0 to 100, not \(retries).") }
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes seconds over 0, not \(timeout).") }
    }

    var access: CommandAccess {
        .everything(because: .startsWorkers)
    }

    func run() throws {
        let shard = try shard?.shard()
        var options = try fetching.apply(to: options)
        // While this process has one thread.
        let workers = isolation != .none ? try startWorkers(memory: limits.memory) : nil
        defer { workers?.close() }
        if workers != nil { Self.startAhead(isDry: dryRun) }
        // Who wants no progress wants no remarks either, only what went wrong.
        let logger = makeLogger(progress == .none && logLevel == .info ? .error : logLevel)
        options.onDivision = { job, sentence in logger.info("job “\(job.inOneLine)” \(sentence.inOneLine)") }
        let cancellation = Cancellation()
        let interruption = Interruption(cancellation)
        try interruption.watch()
        if let junit, !dryRun { JUnit.removeOutdated(junit) }
        let success = try dryRun ? nil : openStamp()
        success?.remove()
        let source = ManifestSource(
            path: manifest, output: output, root: limits.root, limits: limits.media, allowsMissing: allowMissing)
        let github = GitHub(annotates: progress != .json)
        var (batch, place) = try read(source, workers, logger, interruption, github)
        batch.shard = shard
        try source.hold(batch.output)
        let earlier = Report.read(batch.output)
        let chosen = try choose(batch, earlier, options, cancellation)
        let dataSet = try BatchDataSet(batch, isAll: chosen == nil)
        if dryRun { return try preview(batch, chosen, earlier, options, cancellation) }
        try checkFiles(batch)
        let junitFile = try open(junit), dependencies = try open(depfile), written = try open(success)
        try source.confine(to: batch.output, and: dataSet?.folders ?? [], logger)
        for (folder, files) in batch.resultsElsewhere(earlier) {
            logger.warning(
                """
                \(folder.inOneLine), where an earlier run wrote \(files.inOneLine), is no folder that the manifest names now: \
                what lies there stays as it is; move it to where the manifest has it, or remove it
                """)
        }
        for warning in batch.warnings(of: chosen) { logger.warning("\(warning)") }
        if prune { removeOutdated(batch) }
        let outcomes: [(job: JobOrder, outcome: JobOutcome)]
        do {
            try dependencies?.write(text(DependencyFile(of: batch, stamp: stamp, only: chosen), logger))
            let runner =
                switch place {
                case .here(let manifest):
                    try BatchRunner(
                        manifest: manifest, batch: batch, only: chosen, options: options, generator: generator,
                        earlier: earlier, cancellation: cancellation)
                case .workers(let pool):
                    BatchRunner(
                        batch: batch, workers: pool, only: chosen, options: options, generator: generator,
                        earlier: earlier, cancellation: cancellation)
                }
            let reporter = ProgressReporter(jobs: runner.progress, style: progress)
            try reporter.start()
            defer { reporter.stop() }
            outcomes = try runner.run()
        } catch {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
        let isWhole =
            try dataSet?.write(
                after: outcomes, by: workers, isQuiet: progress == .none, cancellation) ?? true
        try tell(outcomes, of: batch, junitFile, github)
        for sentence in ReleaseDecisions.sentences(on: batch.directory) { Console.error("annotate-batch: \(sentence)") }
        try conclude(outcomes, output: batch.output, signal: interruption.received)
        if !isWhole { throw ExitCode.failure }
        try write(written)
    }

    private func text(_ dependencies: DependencyFile, _ logger: Logger) -> String {
        for file in dependencies.unnamed {
            logger.warning("\(file.inOneLine): make has no way to name it, so nothing depends on it; rename it")
        }
        return dependencies.text
    }

    private func openStamp() throws -> SuccessStamp? {
        do {
            return try stamp.map { try SuccessStamp($0) }
        } catch {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    private func open(_ stamp: SuccessStamp?) throws -> SuccessStamp.Opened? {
        do {
            return try stamp?.opened()
        } catch {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    private func write(_ stamp: SuccessStamp.Opened?) throws {
        do {
            try stamp?.write()
        } catch {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    /// Where jobs run.
    private enum Place {
        case here(Manifest), workers(WorkerPool)
    }

    private func read(
        _ source: ManifestSource, _ workers: WorkerPool?, _ logger: Logger, _ interruption: Interruption,
        _ github: GitHub?
    ) throws -> (Batch, Place) {
        guard let workers else {
            let manifest = try source.read(github)
            return (Batch(manifest, generator: generator), .here(manifest))
        }
        workers.set(
            source.settings(memory: limits.memory),
            log: .init(debug: { logger.debug("\($0)") }, warning: { logger.warning("\($0)") }))
        return (
            try source.read(by: workers, timeout: timeout, willRun: !dryRun, interruption, github), .workers(workers)
        )
    }

    private func open(_ path: String?) throws -> LateFile? {
        do {
            return try path.map { try LateFile($0) }
        } catch {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    private func preview(
        _ batch: Batch, _ chosen: Set<String>?, _ earlier: [String: JobOutcome], _ options: RunOptions,
        _ cancellation: Cancellation
    ) throws {
        let jobs = try BatchRunner.preview(
            batch, only: chosen, options: options, earlier: earlier, cancellation: cancellation)
        for job in jobs { Console.out("\(job.id): \(job.sentence)".inOneLine) }
        if prune {
            for (id, files) in Pruning(batch).jobs {
                Console.out(
                    "\(id): is no longer in the manifest: would remove \(files.joined(separator: ", "))".inOneLine)
            }
        }
        Console.error("annotate-batch: \(jobs.count(where: \.wouldRun)) of \(plural(jobs.count, "job")) would run")
    }

    private func removeOutdated(_ batch: Batch) {
        for (id, removed, left) in Pruning(batch).run() {
            if !removed.isEmpty {
                Console.error(
                    "annotate-batch: removed \(removed.joined(separator: ", ")): there is no job “\(id)” any more")
            }
            for file in left {
                Console.error(
                    "annotate-batch: could not remove \(file), although there is no job “\(id)” any more; remove it by hand"
                )
            }
        }
    }

    /// Tells CI how it went.
    private func tell(
        _ outcomes: [(job: JobOrder, outcome: JobOutcome)], of batch: Batch, _ junit: LateFile?, _ github: GitHub?
    ) throws {
        github?.annotate(outcomes, of: batch)
        github?.summarize(outcomes, of: batch)
        guard let junit else { return }
        var suite = JUnit(batch.manifest)
        for (job, outcome) in outcomes {
            suite.add(job.id, outcome, expect: job.expect, directory: batch.directory)
        }
        do {
            try junit.write(suite.xml)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    private var options: RunOptions {
        var options = RunOptions()
        options.jobs = jobs.number
        options.threads = threads
        options.failsFast = failure == .failFast
        (options.timeout, options.idleTimeout) = (timeout, idle.seconds)
        options.force = force
        (options.retries, options.retriesCrashed) = (retries, retryCrashed)
        options.ranges = ranges
        options.limits = limits.media
        options.memory = limits.memory
        options.isolatesJobs = isolation == .job
        return options
    }

    private func choose(
        _ batch: Batch, _ earlier: [String: JobOutcome], _ options: RunOptions, _ cancellation: Cancellation
    ) throws -> Set<String>? {
        guard !only.isEmpty || batch.shard != nil else { return nil }
        let ids = batch.jobs.map(\.id)
        let known = Set(ids)
        var chosen = Set(only.isEmpty ? ids : [])
        for asked in only {
            // Brackets may belong to a name.
            let matching = known.contains(asked) ? [asked] : ids.filter { Files.matches($0, asked) }
            guard !matching.isEmpty else {
                let guess = nearest(to: asked, among: ids).map { " Did you mean “\($0)”?" } ?? ""
                let some = ids.prefix(40).joined(separator: ", ") + (ids.count > 40 ? ", …" : "")
                throw ValidationError("--only \(asked) matches no job.\(guess) There are \(some).")
            }
            chosen.formUnion(matching)
        }
        return try BatchRunner.share(
            of: batch, only: chosen, options: options, earlier: earlier, cancellation: cancellation)
    }

    private func conclude(
        _ outcomes: [(job: JobOrder, outcome: JobOutcome)], output places: OutputPlaces, signal: Int32?
    ) throws {
        for (_, outcome) in outcomes where outcome.status.isWhole {
            for output in outcome.outputs { Console.out(places.path(output.file)) }
        }
        if let signal { throw ExitCode(128 + signal) }
        func ids(_ status: JobOutcome.Status) -> [String] {
            outcomes.filter { $0.outcome.status == status }.map(\.job.id)
        }
        let (failed, unexpected, left) = (ids(.failed), ids(.unexpected), ids(.notRun))
        guard !failed.isEmpty || !unexpected.isEmpty || !left.isEmpty else { return }
        var parts: [String] = []
        if !failed.isEmpty || unexpected.isEmpty { parts.append("failed: " + failed.joined(separator: ", ")) }
        if !unexpected.isEmpty {
            let count = parts.isEmpty ? "" : "\(unexpected.count) "
            parts.append("\(count)not as expected: " + unexpected.joined(separator: ", "))
        }
        if !left.isEmpty { parts.append("\(left.count) not run") }
        let first = failed.isEmpty && !unexpected.isEmpty ? unexpected.count : failed.count
        Console.error(
            "annotate-batch: \(first) of \(plural(outcomes.count, "job")) " + parts.joined(separator: "; "))
        if progress == .none {
            for (job, outcome) in outcomes where outcome.status == .failed || outcome.status == .unexpected {
                let reason = outcome.error ?? outcome.complaints.joined(separator: "; ")
                Console.error("\(job.id): \(reason)")
            }
        }
        if failed.isEmpty, left.isEmpty { throw ExitCode.unexpected }
        let mayPass = left.isEmpty && outcomes.allSatisfy { $0.outcome.status != .failed || $0.outcome.mayPass }
        throw mayPass ? ExitCode.mayPass : ExitCode.failure
    }
}

/// Where jobs run.
enum Isolation: String, ExpressibleByArgument, CaseIterable {
    case process, job, none
}
