import Annotate
import ArgumentParser
import Glibc
import Logging

/// A manifest as a command line names it.
struct ManifestSource {
    var path: String
    /// Output folder in place of the manifest's own; nil for that.
    var output: String?
    /// The folder that no path may leave; nil for no such bound.
    var root: String?
    var limits = MediaLimits()
    /// Whether an input that isn't there fails as a job.
    var allowsMissing = false
    /// Whether each input is looked at, and told of where no decoder can open it.
    var looksAtInputs = false

    /// Settings of workers for it.
    func settings(memory: Int?) -> WorkerSettings {
        var settings = WorkerSettings()
        settings.generator = generator
        settings.manifest = path
        settings.directory = output
        settings.root = root
        settings.limits = limits
        settings.memory = memory
        settings.allowsMissing = allowsMissing
        settings.looksAtInputs = looksAtInputs
        return settings
    }

    /// Reads it in this process; its problems go to standard error, and the exit status is 65.
    func read(_ github: GitHub? = nil) throws -> Manifest {
        do {
            return try ManifestReader(
                catalog: catalog, outputDirectory: output, root: root, limits: limits, allowsMissing: allowsMissing
            )
            .read(path)
        } catch let error as InvalidFileError {
            throw refuse(error.problems.map(\.description), of: error.problems.count, github)
        } catch let error as ManifestFileError {
            throw refuse(error)
        }
    }

    /// Reads it in a worker; its problems go to standard error, and the exit status is 65.
    /// - Parameter willRun: Whether its jobs will run, whose networks are compiled ahead then.
    func read(
        by workers: WorkerPool, timeout: Double? = nil, willRun: Bool = false, _ interruption: Interruption,
        _ github: GitHub? = nil
    ) throws -> Batch {
        try telling(interruption, github) {
            try BatchPlanner(
                pool: workers, timeout: timeout, stages: catalog, compiling: willRun ? catalog : nil,
                cancellation: interruption.cancellation
            ).plan(path)
        }
    }

    /// Does something with it by workers; its problems go to standard error, and the exit status is 65.
    func telling<Result>(
        _ interruption: Interruption, _ github: GitHub? = nil, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let problems as BatchPlanner.Problems {
            throw refuse(problems.sentences, of: problems.count, github)
        } catch let error as ManifestFileError {
            throw refuse(error)
        } catch is CancelledError {
            throw ExitCode(128 + (interruption.received ?? SIGINT))
        } catch let error as FileError {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    /// Has the output folders, under a root, be those that are there now, whatever becomes of their paths.
    func hold(_ places: OutputPlaces) throws {
        guard let root else { return }
        try held(places) { folder, isFree in
            // The one that the command line names may lie anywhere.
            isFree ? try HeldFolder.existing(folder, inside: "/") : try HeldFolder.existing(folder, inside: root)
        }
    }

    /// Keeps this process, under a root, from writing anywhere but in the output folders, which are made first.
    /// - Parameter others: Folders that are written in besides, which lie under the root.
    func confine(to places: OutputPlaces, and others: [String] = [], _ logger: Logger) throws {
        guard let root else { return }
        let folders =
            try held(places) { folder, isFree in
                try HeldFolder.made(folder, inside: isFree ? nil : root)
            } + others.map { try HeldFolder.made($0, inside: root) }
        // Before the log decides whether it wants to know.
        let measure = confineWriting(to: folders)
        logger.debug("this process: \(measure)")
    }

    @discardableResult
    private func held(
        _ places: OutputPlaces, _ open: (_ folder: String, _ isFree: Bool) throws -> HeldFolder?
    ) throws -> [HeldFolder] {
        do {
            let folders = try places.folders.compactMap { try open($0, output != nil && $0 == places.directory) }
            for folder in folders { folder.pin() }
            return folders
        } catch {
            Console.problem("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }

    /// The most problems that are told one by one: who has more mends these first.
    private static let mostProblems = 200

    private func refuse(_ error: ManifestFileError) -> ExitCode {
        Console.problem("annotate-batch: \(error)")
        return ExitCode.invalidFile
    }

    private func refuse(_ problems: [String], of count: Int, _ github: GitHub?) -> ExitCode {
        for problem in problems.prefix(Self.mostProblems) { github?.annotate(problem: problem, manifest: path) }
        for problem in problems.prefix(Self.mostProblems) { Console.problem(problem) }
        if count > Self.mostProblems { Console.problem("… and \(count - Self.mostProblems) more") }
        Console.problem("annotate-batch: \(plural(count, "problem")) in \(path); nothing was run")
        return ExitCode.invalidFile
    }
}

/// Prepares workers. Call it before any thread.
func startWorkers(memory: Int? = nil) throws -> WorkerPool {
    do {
        return try WorkerPool(memory: memory)
    } catch {
        Console.problem("annotate-batch: \(error)")
        throw ExitCode.of(error)
    }
}
