import Annotate
import ArgumentParser

struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a track file, or all of a folder, in another format.",
        discussion: """
            Without -o each export goes beside its track file, with -o - to standard output. The same formats can be written while a manifest runs: name \
            them in its “output”, under “formats”.

            \(Sinks.formats.map { "\($0.name): \($0.doc)" }.joined(separator: "\n"))
            """)

    @Argument(help: "A track file (*.tracks.jsonl), or a folder with such files.", completion: .file())
    var tracks: String

    @Option(
        help: ArgumentHelp("\(Sinks.formats.map(\.name).joined(separator: " or ")).", valueName: "format"),
        completion: .exportFormats)
    var format: String

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write: a file for one track file, a folder for several.", valueName: "path"))
    var output: String?

    @Option(help: ArgumentHelp("Only the results of this stage; may be repeated.", valueName: "id"))
    var stage: [String] = []

    @Option(
        help: ArgumentHelp(
            "How results are drawn, for ass: a JSON file with an object as under “draw” in a manifest, for all stages or for each by its id.",
            valueName: "file"), completion: .file())
    var draw: String?

    func validate() throws {
        if output?.isEmpty == true { throw ValidationError("-o takes a path, not an empty text.") }
    }

    func run() throws {
        guard var export = TrackFileExport(format: format, stages: stage, kinds: kinds) else {
            if let known = Sinks.formats.first(where: { $0.name == format }), !known.takesParts {
                throw ValidationError("--stage doesn't go with the format “\(format)”, which holds all stages.")
            }
            let names = Sinks.formats.map(\.name)
            let guess = nearest(to: format, among: names).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError("There is no format “\(format)”.\(guess) There are \(names.joined(separator: ", ")).")
        }
        if let draw {
            guard format == "ass" else {
                throw ValidationError("--draw doesn't go with the format “\(format)”, which draws nothing.")
            }
            let drawing = try Self.drawing(draw)
            export.drawing = { try drawing.styles(for: $0, kinds: $1) }
        }
        if output == "-" { return try print(export) }
        var hasFailed = false
        for (source, target) in try files(export) {
            do {
                guard !Files.areTheSame(source, target) else {
                    throw ValidationError("The export would take the place of \(source); name another file with -o.")
                }
                try Files.makeDirectory(Files.parent(of: target))
                let notes = try export.run(source, to: target)
                Console.out(target)
                tell(notes, of: source)
            } catch let error as ValidationError {
                throw error
            } catch {
                // The other files are written all the same.
                Console.error("annotate-batch: \(error)")
                hasFailed = true
            }
        }
        if hasFailed { throw ExitCode.failure }
    }

    private static func drawing(_ path: String) throws -> DrawingFile {
        do {
            return try DrawingFile(path: path)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.invalidFile
        }
    }

    private func print(_ export: TrackFileExport) throws {
        if Files.isDirectory(tracks) {
            throw ValidationError("-o - takes one track file, and \(tracks) is a folder.")
        }
        do {
            tell(try export.run(tracks) { Console.out($0) }, of: tracks)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.failure
        }
    }

    private func tell(_ notes: [String], of source: String) {
        for note in notes { Console.error("annotate-batch: \(source): \(note)") }
    }

    /// The track files, and where each goes.
    private func files(_ export: TrackFileExport) throws -> [(source: String, target: String)] {
        guard Files.isDirectory(tracks) else {
            let name = export.name(for: tracks)
            guard let output else { return [(tracks, Files.parent(of: tracks) + "/" + name)] }
            return [(tracks, Files.isDirectory(output) || output.hasSuffix("/") ? output + "/" + name : output)]
        }
        let names: [String]
        do {
            names = try Files.list(tracks).filter { $0.hasSuffix(".tracks.jsonl") && !$0.hasPrefix(".") }
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.failure
        }
        guard !names.isEmpty else {
            Console.error("annotate-batch: no *.tracks.jsonl in \(tracks); expected the output folder of a run")
            throw ExitCode.failure
        }
        if let output, Files.exists(output), !Files.isDirectory(output) {
            throw ValidationError("-o \(output) is a file; expected a folder, for the track files of \(tracks).")
        }
        return names.map { ("\(tracks)/\($0)", "\(output ?? tracks)/\(export.name(for: $0))") }
    }
}
