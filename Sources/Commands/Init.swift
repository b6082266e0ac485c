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
            "Instead: hide what these stages find, for example faces,text, in all photos and clips of the one folder that is named and of those below.",
            valueName: "types"))
    var release: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The file to write; without it, or -, to standard output.", valueName: "manifest.json"),
        completion: .file(extensions: ["json"]))
    var output: String?

    @Flag(help: "Write over a file that is there.")
    var force = false

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("-o takes a path, not an empty text.") }
        // Without --force nothing is written over.
        if force { try OutputGuard.check("-o", file, .manifest, reading: reading) }
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
        let folder = file.map(Files.parent(of:)) ?? "."
        if release != nil {
            let manifest = try ReleaseManifest(hiding: try hidden(), in: clips[0], folder: folder)
            return (manifest.json, manifest.hints, manifest.leftOut)
        }
        let manifest = try FirstManifest(stage: stage, clips: clips, folder: folder, catalog: catalog)
        return (manifest.json, manifest.gaps, manifest.leftOut)
    }

    /// The file to write; nil for standard output.
    var file: String? { output == "-" ? nil : output }

    private var reading: FileAccess {
        var access = FileAccess()
        if release != nil {
            // Each photo and clip is opened once, and reports of earlier runs are read.
            for clip in clips { access.read(clip) }
        } else {
            for clip in clips {
                access.list(Files.parent(of: clip))
                if Files.exists(clip) { access.read(media: clip) } else { access.read(glob: clip) }
            }
        }
        return access
    }

    var access: CommandAccess {
        var access = reading
        access.write(file)
        return .files(access)
    }

    func run() throws {
        do {
            let (json, hints, leftOut) = try manifest()
            let text = prettyJSON(json) + "\n"
            if let file {
                guard force || !Files.exists(file) else {
                    throw FileError(
                        "write", path: file, reason: "it is there already; expected another name, or --force")
                }
                try Files.makeDirectory(Files.parent(of: file))
                try Files.write(text, to: file)
                Console.out(file)
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
