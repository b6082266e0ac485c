import Annotate
import ArgumentParser

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a first manifest for some clips.",
        discussion: """
            It has one graph, with the stage and what that needs before it, and a job a clip; paths are relative to where it \
            is written. “annotate-batch stages TYPE” says what else the stage can do.
            """)

    @Argument(help: "Videos or photos; in quotes, a glob makes one entry for all that match.", completion: .file())
    var clips: [String] = []

    @Option(
        help: ArgumentHelp("What is done with them: a stage type, as “stages” lists them.", valueName: "type"),
        completion: .list(catalog.contracts.map(\.type)))
    var stage = "markers"

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, instead of standard output.", valueName: "manifest.json"),
        completion: .file(extensions: ["json"]))
    var output: String?

    @Flag(help: "Write over a file that is there.")
    var force = false

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("-o takes a path, not an empty text.") }
        let types = catalog.contracts.map(\.type)
        guard types.contains(stage) else {
            let guess = nearest(to: stage, among: types).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError(
                "There is no stage type “\(stage)”.\(guess) There are \(types.joined(separator: ", ")).")
        }
    }

    func run() throws {
        do {
            let manifest = try FirstManifest(
                stage: stage, clips: clips, folder: output.map(Files.parent(of:)) ?? ".", catalog: catalog)
            let text = prettyJSON(manifest.json) + "\n"
            if let output {
                guard force || !Files.exists(output) else {
                    throw FileError(
                        "write", path: output, reason: "it is there already; expected another name, or --force")
                }
                try Files.makeDirectory(Files.parent(of: output))
                try Files.write(text, to: output)
                Console.out(output)
            } else {
                Console.out(Array(text.utf8))
            }
            for gap in manifest.gaps { Console.error("annotate-batch: \(gap)") }
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }
}
