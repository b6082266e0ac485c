import Annotate
import ArgumentParser

struct Init: ProgramCommand {
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
        help: ArgumentHelp(
            "Instead: hide what these stages find, faces,text say, in all photos and clips of the one folder that is named and of those below.",
            valueName: "types"))
    var release: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write, instead of standard output.", valueName: "manifest.json"),
        completion: .file(extensions: ["json"]))
    var output: String?

    @Flag(help: "Write over a file that is there.")
    var force = false

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("-o takes a path, not an empty text.") }
        if release != nil {
            _ = try hidden()
            guard clips.count == 1, Files.isDirectory(clips[0]) else {
                throw ValidationError("--release takes one folder with photos and clips.")
            }
            return
        }
        let types = catalog.contracts.map(\.type)
        guard types.contains(stage) else {
            let guess = nearest(to: stage, among: types).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError(
                "There is no stage type “\(stage)”.\(guess) There are \(types.joined(separator: ", ")).")
        }
    }

    /// Stage types whose finds are hidden, each once.
    private func hidden() throws -> [String] {
        let known = ReleaseManifest.types(of: catalog)
        var types: [String] = []
        for type in (release ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
            guard known.contains(type) else {
                let guess = nearest(to: type, among: known).map { " Did you mean “\($0)”?" } ?? ""
                throw ValidationError(
                    "--release can't hide what “\(type)” finds by itself.\(guess) It can of \(known.joined(separator: ", "))."
                )
            }
            if !types.contains(type) { types.append(type) }
        }
        return types
    }

    /// The manifest, and sentences about it.
    private func manifest() throws -> (json: JSONValue, hints: [String], leftOut: [String]) {
        let folder = output.map(Files.parent(of:)) ?? "."
        if release != nil {
            let manifest = try ReleaseManifest(hiding: try hidden(), in: clips[0], folder: folder)
            return (manifest.json, manifest.hints, [])
        }
        let manifest = try FirstManifest(stage: stage, clips: clips, folder: folder, catalog: catalog)
        return (manifest.json, manifest.gaps, manifest.leftOut)
    }

    var access: CommandAccess {
        var access = FileAccess()
        if release != nil {
            for clip in clips { access.list(clip) }
        } else {
            for clip in clips {
                access.list(Files.parent(of: clip))
                if Files.exists(clip) { access.read(media: clip) } else { access.read(glob: clip) }
            }
        }
        access.write(output)
        return .files(access)
    }

    func run() throws {
        do {
            let (json, hints, leftOut) = try manifest()
            let text = prettyJSON(json) + "\n"
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
            for hint in hints + leftOut { Console.error("annotate-batch: \(hint)") }
            if !leftOut.isEmpty { throw ExitCode.failure }
        } catch let code as ExitCode {
            throw code
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }
}
