import Annotate
import ArgumentParser

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a manifest and prints every problem; runs nothing.")

    @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
    var manifest: String

    @Option(help: Limits.rootHelp, completion: .directory)
    var root: String?

    func run() throws {
        let manifest = try readManifest(manifest, root: root)
        Console.out(
            "\(self.manifest): valid, \(plural(manifest.jobs.count, "job")), results go to \(manifest.outputDirectory)")
    }
}
