import Annotate
import ArgumentParser

struct Status: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what became of a manifest's shards, and which to run again.",
        discussion: """
            Prints the numbers of the shards with jobs, or parts of videos, that another run may still do, separated by \
            commas, for sbatch --array say; how each shard stands goes to standard error.

            Exit status: 0 all is done; 75 shards are to be run again; 1 none is, and jobs failed for good; 2 all ran, but what \
            the manifest expects doesn't hold.
            """)

    @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
    var manifest: String

    @Option(help: ArgumentHelp("How many shards there are.", valueName: "n"))
    var shards: Int

    @Option(help: ArgumentHelp("The number of parts of each video, as given to run.", valueName: "n"))
    var ranges = 1

    @Option(help: ArgumentHelp("Output folder instead of the manifest's.", valueName: "dir"), completion: .directory)
    var output: String?

    @OptionGroup(title: "Limits")
    var limits: ManifestLimits

    func validate() throws {
        try OutputGuard.checkFolder("--output", output)
        guard (1...1_000_000).contains(shards) else {
            throw ValidationError("--shards takes a number from 1, not \(shards).")
        }
        guard (1...RunOptions.mostRanges).contains(ranges) else {
            throw ValidationError("--ranges takes 1 to \(RunOptions.mostRanges), not \(ranges).")
        }
    }

    var access: CommandAccess {
        .everything(because: .startsWorkers)
    }

    func run() throws {
        let workers = try startWorkers()
        defer { workers.close() }
        let interruption = Interruption(Cancellation())
        try interruption.watch()
        let source = ManifestSource(path: manifest, output: output, root: limits.root, limits: limits.media)
        workers.set(
            source.settings(memory: nil),
            log: .init(debug: { _ in }, warning: { Console.error("annotate-batch: \($0)") }))
        let batch = try source.read(by: workers, interruption)
        let status: ShardStatus
        do {
            status = try ShardStatus(
                batch, count: shards, ranges: ranges, generator: generator, cancellation: interruption.cancellation)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
        tell(status)
        Console.out(status.toSubmit.map(String.init).joined(separator: ","))
        if !status.toSubmit.isEmpty { throw ExitCode.mayPass }
        if status.count(.failed) > 0 { throw ExitCode.failure }
        if status.count(.unexpected) > 0 { throw ExitCode.unexpected }
    }

    private func tell(_ status: ShardStatus) {
        let others = ShardStatus.JobState.allCases.filter { $0 != .done }
        for (index, shard) in status.shards.enumerated() where others.contains(where: { shard[$0] != nil }) {
            let parts = ShardStatus.JobState.allCases.compactMap { state in
                shard[state].map { "\($0.count) \(state.rawValue)" }
            }
            Console.error("shard \(index + 1) of \(shards): \(parts.joined(separator: ", "))")
        }
        for (id, found, count) in status.parts { Console.error("\(id): \(found) of \(count) parts are there") }
        for (id, error) in status.errors { Console.error("\(id): failed: \(error)") }
        let counts = ShardStatus.JobState.allCases.compactMap { state -> String? in
            let count = status.count(state)
            return count > 0 || state == .done ? "\(count) \(state.rawValue)" : nil
        }
        Console.error("annotate-batch: \(counts.joined(separator: ", "))")
    }
}
