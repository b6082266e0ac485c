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

    @Option(help: ArgumentHelp("Jobs at once.", valueName: "n"))
    var jobs = 1

    @Option(
        help: ArgumentHelp("Run only jobs whose id matches this shell pattern; may be repeated.", valueName: "glob"))
    var only: [String] = []

    @Option(help: ArgumentHelp("Output folder instead of the manifest's.", valueName: "dir"), completion: .directory)
    var output: String?

    @Flag(help: "Run jobs that are up to date all the same.")
    var force = false

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
        guard (1...64).contains(jobs) else { throw ValidationError("--jobs takes 1 to 64, not \(jobs).") }
        if let threads, !(1...64).contains(threads) {
            throw ValidationError("--threads takes 1 to 64, not \(threads).")
        }
        if output?.isEmpty == true { throw ValidationError("--output takes a folder, not an empty text.") }
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes seconds over 0, not \(timeout).") }
    }

    func run() throws {
        let logger = makeLogger(logLevel)
        let cancellation = Cancellation()
        let interruption = Interruption(cancellation)
        try interruption.watch()
        let manifest = try readManifest(manifest, outputDirectory: output, root: limits.root, limits: limits.media)
        let chosen = try choose(manifest)
        for job in manifest.jobs where job.graph.takesSeeds && job.regions.isEmpty {
            logger.warning("job “\(job.id)”: its graph tracks regions, and it has none")
        }

        for job in manifest.jobs where job.graph.takesPoints && job.points.isEmpty {
            logger.warning("job “\(job.id)”: its graph labels points, and it has none")
        }

        var options = RunOptions()
        options.jobs = jobs
        options.threads = threads
        options.failsFast = failure == .failFast
        options.timeout = timeout
        options.force = force
        options.limits = limits.media
        options.memory = limits.memory
        let earlier = Report.read(directory: manifest.outputDirectory)
        let runner = BatchRunner(
            manifest: manifest, only: chosen, options: options, generator: generator, earlier: earlier,
            cancellation: cancellation)
        let reporter = ProgressReporter(jobs: runner.progress, style: progress)
        try reporter.start()
        let outcomes: [(job: Job, outcome: JobOutcome)]
        do {
            outcomes = try runner.run()
            reporter.stop()
        } catch {
            reporter.stop()
            Console.error("annotate-batch: \(error)")
            throw ExitCode.failure
        }
        try conclude(outcomes, directory: manifest.outputDirectory, signal: interruption.received)
    }

    private func choose(_ manifest: Manifest) throws -> Set<String>? {
        guard !only.isEmpty else { return nil }
        let ids = manifest.jobs.map(\.id)
        let chosen = ids.filter { id in only.contains { Files.matches(id, $0) } }
        guard !chosen.isEmpty else {
            let asked = only.joined(separator: ", ")
            throw ValidationError("--only \(asked) matches no job; there are \(ids.joined(separator: ", ")).")
        }
        return Set(chosen)
    }

    private func conclude(
        _ outcomes: [(job: Job, outcome: JobOutcome)], directory: String, signal: Int32?
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
            throw ExitCode.failure
        }
    }
}

/// Problems that are told one by one: who has more mends these first.
private let mostProblems = 200

/// The manifest, or its problems on standard error and exit status 65.
func readManifest(
    _ path: String, outputDirectory: String? = nil, root: String?, limits: MediaLimits
) throws -> Manifest {
    do {
        return try ManifestReader(catalog: catalog, outputDirectory: outputDirectory, root: root, limits: limits)
            .read(path)
    } catch let error as InvalidFileError {
        for problem in error.problems.prefix(mostProblems) { Console.error("\(problem)") }
        if error.problems.count > mostProblems {
            Console.error("… and \(error.problems.count - mostProblems) more")
        }
        Console.error("annotate-batch: \(plural(error.problems.count, "problem")) in \(path); nothing was run")
        throw ExitCode.invalidFile
    }
}
