import Annotate
import ArgumentParser
import Glibc
import Logging
import Synchronization

struct Work: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs jobs that come one a line on standard input, and prints one result a line.",
        discussion: """
            A line is a job as under the manifest's “jobs”, an object, or the id of one of its jobs, a text. The manifest's \
            “graphs”, “defaults” and “output” hold for all of them; it may lack jobs of its own. Each is answered by a line as in \
            report.json, with the number of the line that asked for it, as soon as it has ended. A line that can't be used is \
            answered by a “failed” one with its “error”.

            Models stay loaded from job to job. No more lines are read than there are jobs at once, and one.

            Exit status: 0 where standard input has ended and all jobs are answered, however they went; 1 where nobody reads the \
            answers; 64 wrong usage; 65 the manifest is invalid; 130 or 143 interrupted (129 or 131 by SIGHUP or \
            SIGQUIT).
            """)

    @Argument(help: "The manifest, a JSON file.", completion: .manifest)
    var manifest: String

    @Option(
        help: ArgumentHelp(
            "Jobs at once: a number, or auto for as many as fill the cores. Default: auto.", valueName: "n"),
        transform: { try JobCount($0) })
    var jobs = JobCount.auto

    @Option(help: ArgumentHelp("Output folder instead of the manifest's.", valueName: "dir"), completion: .directory)
    var output: String?

    @Flag(help: "Run jobs that are up to date all the same.")
    var force = false

    @Flag(help: "Run jobs again that crashed their worker the last time, although nothing has changed.")
    var retryCrashed = false

    @Option(
        help: ArgumentHelp("Wall seconds that a job may take, and one input or model while it is read.", valueName: "s")
    )
    var timeout: Double?

    @OptionGroup
    var idle: IdleLimit

    @Option(help: ArgumentHelp("Threads per job. Default: the cores, shared by the jobs.", valueName: "n"))
    var threads: Int?

    @OptionGroup(title: "Limits")
    var limits: Limits

    @OptionGroup(title: "Inputs that lie elsewhere")
    var fetching: Fetching

    @Option(help: ArgumentHelp("trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = Logger.Level.info

    func validate() throws {
        if let threads, !(1...64).contains(threads) {
            throw ValidationError("--threads takes 1 to 64, not \(threads).")
        }
        try OutputGuard.checkFolder("--output", output)
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes seconds over 0, not \(timeout).") }
    }

    var access: CommandAccess {
        .everything(because: .startsWorkers)
    }

    func run() throws {
        guard !Console.outputWasClosed.load(ordering: .relaxed) else {
            Console.problem(
                "annotate-batch: standard output is closed; expected a reader of it, since each job's result is a line there"
            )
            throw ExitCode.failure
        }
        let options = try fetching.apply(to: options)
        // While this process has one thread.
        let workers = try startWorkers(memory: limits.memory)
        defer { workers.close() }
        let logger = makeLogger(logLevel)
        let interruption = Interruption(Cancellation())
        try interruption.watch()
        let source = ManifestSource(path: manifest, output: output, root: limits.root, limits: limits.media)
        workers.set(
            source.settings(memory: limits.memory),
            log: .init(debug: { logger.debug("\($0)") }, warning: { logger.warning("\($0)") }))
        let lost = Mutex<String?>(nil)
        let stream = try source.telling(interruption) {
            try JobStream(
                manifest: manifest, workers: workers, options: options, generator: generator, compiling: catalog,
                cancellation: interruption.cancellation
            ) { line in
                guard let reason = Console.deliver(line) else { return true }
                lost.withLock { $0 = reason }
                return false
            }
        }
        try source.hold(stream.batch.output)
        try source.confine(to: stream.batch.output, logger)
        do {
            try stream.run(reading: STDIN_FILENO)
        } catch {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
        if let reason = lost.withLock({ $0 }) {
            Console.problem("annotate-batch: could not write the results to standard output: \(reason)")
            throw ExitCode.failure
        }
        if let signal = interruption.received { throw ExitCode(128 + signal) }
    }

    private var options: RunOptions {
        var options = RunOptions()
        options.jobs = jobs.number
        options.threads = threads
        options.timeout = timeout
        options.idleTimeout = idle.seconds
        options.force = force
        options.retriesCrashed = retryCrashed
        options.limits = limits.media
        options.memory = limits.memory
        return options
    }
}
