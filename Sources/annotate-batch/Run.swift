import Annotate
public import ArgumentParser
public import Logging

extension Logger.Level: @retroactive ExpressibleByArgument {}

struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a manifest: annotates every job's video. The default command.",
        discussion: """
            Each job writes <id>.mp4, <id>.tracks.jsonl and what the manifest's “output” asks for under “formats” into the \
            output folder; the batch writes report.json there. \
            A job whose outputs exist and whose input, graph, models and options have not changed is skipped.
            """)

    @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
    var manifest: String

    @Option(
        help: ArgumentHelp(
            "Jobs at once: a number, or auto for as many as fill the machine's cores and stay within its memory.",
            valueName: "n"))
    var jobs = JobCount.auto

    @Option(
        help: ArgumentHelp(
            "process runs jobs in worker processes, so that a video that crashes or hangs a decoder costs one job; none "
                + "runs them in this one, for debugging."))
    var isolation = Isolation.process

    @Option(
        help: ArgumentHelp(
            "Run only the job with this id, or those whose id matches this shell pattern; may be repeated.",
            valueName: "glob"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Output folder instead of the manifest's.", valueName: "dir"), completion: .directory)
    var output: String?

    @Flag(help: "Run jobs that are up to date all the same.")
    var force = false

    @Flag(help: "Run jobs again that crashed their worker the last time, although nothing has changed.")
    var retryCrashed = false

    @Flag(exclusivity: .exclusive, help: "Go on past a failed job (default), or end the batch at the first.")
    var failure = Failure.keepGoing

    @Option(help: ArgumentHelp("Wall seconds that a job may take.", valueName: "s"))
    var timeout: Double?

    @Option(help: "How progress is shown on standard error: auto, bars, plain, json or none.")
    var progress = ProgressStyle.auto

    @Option(
        help: ArgumentHelp(
            "Threads a job for decoding and for the stages. Default: the cores, shared by the jobs.", valueName: "n"))
    var threads: Int?

    @OptionGroup(title: "Limits")
    var limits: Limits

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = Logger.Level.info

    enum Failure: String, EnumerableFlag {
        case keepGoing, failFast
    }

    func validate() throws {
        if let threads, !(1...64).contains(threads) {
            throw ValidationError("--threads takes 1 to 64, not \(threads).")
        }
        if output?.isEmpty == true { throw ValidationError("--output takes a folder, not an empty text.") }
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes seconds over 0, not \(timeout).") }
    }

    func run() throws {
        // Workers are copies of this process, made while it has one thread.
        let workers = isolation == .process ? try startWorkers(jobs.number, memory: limits.memory) : nil
        defer { workers?.close() }
        let logger = makeLogger(logLevel)
        let cancellation = Cancellation()
        let interruption = Interruption(cancellation)
        try interruption.watch()
        let source = ManifestSource(path: manifest, output: output, root: limits.root, limits: limits.media)
        let runner: BatchRunner
        let batch: Batch
        if let workers {
            workers.set(
                source.settings(memory: limits.memory),
                log: .init(debug: { logger.debug("\($0)") }, warning: { logger.warning("\($0)") }))
            batch = try source.read(by: workers, timeout: timeout, interruption)
            runner = BatchRunner(
                batch: batch, workers: workers, only: try choose(batch), options: options, generator: generator,
                earlier: Report.read(directory: batch.directory), cancellation: cancellation)
        } else {
            let manifest = try source.read()
            batch = Batch(manifest, generator: generator)
            runner = try BatchRunner(
                manifest: manifest, only: try choose(batch), options: options, generator: generator,
                earlier: Report.read(directory: batch.directory), cancellation: cancellation)
        }
        try source.confine(to: batch.directory, logger)
        for warning in batch.warnings { logger.warning("\(warning)") }
        let reporter = ProgressReporter(jobs: runner.progress, style: progress)
        try reporter.start()
        let outcomes: [(job: JobOrder, outcome: JobOutcome)]
        do {
            outcomes = try runner.run()
            reporter.stop()
        } catch {
            reporter.stop()
            Console.error("annotate-batch: \(error)")
            throw (error as? FileError)?.mayPass == true ? ExitCode.mayPass : ExitCode.failure
        }
        try conclude(outcomes, directory: batch.directory, signal: interruption.received)
    }

    private var options: RunOptions {
        var options = RunOptions()
        options.jobs = jobs.number
        options.threads = threads
        options.failsFast = failure == .failFast
        options.timeout = timeout
        options.force = force
        options.retriesCrashed = retryCrashed
        options.limits = limits.media
        options.memory = limits.memory
        return options
    }

    private func choose(_ batch: Batch) throws -> Set<String>? {
        guard !only.isEmpty else { return nil }
        let ids = batch.jobs.map(\.id)
        let known = Set(ids)
        var chosen: Set<String> = []
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
        return chosen
    }

    private func conclude(
        _ outcomes: [(job: JobOrder, outcome: JobOutcome)], directory: String, signal: Int32?
    ) throws {
        for (_, outcome) in outcomes where outcome.status == .done || outcome.status == .upToDate {
            for output in outcome.outputs { Console.out(directory + "/" + output.file) }
        }
        if let signal { throw ExitCode(128 + signal) }
        let failed = outcomes.filter { $0.outcome.status == .failed }
        let left = outcomes.filter { $0.outcome.status == .notRun }
        guard failed.isEmpty, left.isEmpty else {
            var text = "annotate-batch: \(failed.count) of \(plural(outcomes.count, "job")) failed: "
            text += failed.map(\.job.id).joined(separator: ", ")
            if !left.isEmpty { text += "; \(left.count) not run" }
            Console.error(text)
            if progress == .none {
                for (job, outcome) in failed { Console.error("\(job.id): \(outcome.error ?? "")") }
            }
            throw left.isEmpty && failed.allSatisfy(\.outcome.mayPass) ? ExitCode.mayPass : ExitCode.failure
        }
    }
}

/// How many jobs run at once.
enum JobCount: ExpressibleByArgument {
    case auto
    case exactly(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else {
            guard let number = Int(argument), (1...64).contains(number) else { return nil }
            self = .exactly(number)
        }
    }

    /// nil for as many as the machine bears.
    var number: Int? { if case .exactly(let number) = self { number } else { nil } }

    var defaultValueDescription: String { number.map(String.init) ?? "auto" }
}

/// Where jobs run.
enum Isolation: String, ExpressibleByArgument, CaseIterable {
    case process, none
}
