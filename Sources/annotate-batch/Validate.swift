import Annotate
import ArgumentParser

struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a manifest and prints every problem; runs nothing.")

    @Argument(help: "The manifest, a JSON file.", completion: .file(extensions: ["json"]))
    var manifest: String

    @OptionGroup(title: "Limits")
    var limits: ManifestLimits

    func run() throws {
        let manifest = try readManifest(manifest, root: limits.root, limits: limits.media)
        Console.out(
            "\(self.manifest): valid, \(plural(manifest.jobs.count, "job")), results go to \(manifest.outputDirectory)")
    }
}
