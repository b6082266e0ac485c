import Annotate
import ArgumentParser

struct Validate: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a manifest and prints every problem; runs nothing.")

    @Argument(help: "The manifest, a JSON file.", completion: .manifest)
    var manifest: String

    @OptionGroup(title: "Limits")
    var limits: ManifestLimits

    @Option(
        help: ArgumentHelp(
            "Wall seconds that one input, or the files of one stage, may be looked at. Default: 60.", valueName: "s"))
    var timeout: Double?

    @Flag(help: "An input that is named and isn't there is no problem of the manifest: “run” fails its job.")
    var allowMissing = false

    func validate() throws {
        if let timeout, !(timeout > 0) { throw ValidationError("--timeout takes seconds over 0, not \(timeout).") }
    }

    var access: CommandAccess {
        .everything(because: .startsWorkers)
    }

    func run() throws {
        let workers = try startWorkers()
        defer { workers.close() }
        let interruption = Interruption(Cancellation())
        try interruption.watch()
        let source = ManifestSource(
            path: manifest, root: limits.root, limits: limits.media, allowsMissing: allowMissing, looksAtInputs: true)
        workers.set(
            source.settings(memory: nil),
            log: .init(debug: { _ in }, warning: { Console.error("annotate-batch: \($0)") }))
        let batch = try source.read(by: workers, timeout: timeout, interruption, GitHub())
        // Whose folder it is shows before anything runs.
        _ = try BatchDataSet(batch)
        for warning in batch.warnings() { Console.error("annotate-batch: warning: \(warning)") }
        Console.out(
            "\(manifest): valid, \(plural(batch.jobs.count, "job")), results go to \(batch.directory)"
                + (batch.output.tracks.map { ", track files to \($0)" } ?? ""))
    }
}
