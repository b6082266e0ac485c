import Annotate
import ArgumentParser

struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says what differs between two track files, or all of two folders: what came, went and moved.",
        discussion: """
            Tracks are the same by their region, by the number that they carry, or by how they lie on one another; their own \
            numbers don't matter. Ends with 0 where nothing differs, or no more than --tolerance forgives, with 2 where \
            something does, with 1 where a file can't be read.
            """)

    @Argument(help: "A track file (*.tracks.jsonl), or a folder with such files.", completion: .file())
    var old: String

    @Argument(help: "Another one.", completion: .file())
    var new: String

    @Option(
        help: ArgumentHelp(
            """
            Pixels that corners, edges and points may be apart. Over 0, numbers that follow from places \
            (confidences, angles, poses) don't count either; what came, went or has another label or state does.
            """, valueName: "px"))
    var tolerance = 0.0

    @Option(help: ArgumentHelp("Write a page about it.", valueName: "file"), completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard tolerance.isFinite, tolerance >= 0 else {
            throw ValidationError("--tolerance takes a number of pixels from 0, not \(tolerance).")
        }
        if html?.isEmpty == true { throw ValidationError("--html takes a path, not an empty text.") }
        if Files.exists(old), Files.exists(new), Files.isDirectory(old) != Files.isDirectory(new) {
            let (folder, file) = Files.isDirectory(old) ? (old, new) : (new, old)
            throw ValidationError("\(folder) is a folder and \(file) a file; expected two folders or two track files.")
        }
        if Files.areTheSame(old, new) {
            throw ValidationError("\(old) and \(new) are the same; expected two to compare.")
        }
        if let html, html.hasSuffix(".tracks.jsonl") || [old, new].contains(where: { Files.areTheSame(html, $0) }) {
            throw ValidationError(
                "The page would take the place of a track file, \(html); name another file with --html.")
        }
    }

    func run() throws {
        for path in [old, new] where !Files.exists(path) {
            Console.error("annotate-batch: no file “\(path)”; expected a track file, or a folder with such files")
            throw ExitCode.failure
        }
        let comparison: Comparison
        do {
            if Files.isDirectory(old), Files.isDirectory(new) {
                comparison = try Comparison(folder: old, new, tolerance: tolerance, kinds: kinds)
            } else {
                comparison = Comparison(file: old, new, tolerance: tolerance, kinds: kinds)
            }
            if let html { try Files.write(comparison.html, to: html) }
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
        if json { Console.out(prettyJSON(comparison.json)) }
        if !json, !comparison.lines.isEmpty { Console.out(comparison.lines.joined(separator: "\n")) }
        for failure in comparison.failures { Console.error("annotate-batch: \(failure)") }
        if !comparison.failures.isEmpty { throw ExitCode.failure }
        if comparison.verdict == .differs { throw ExitCode.unexpected }
    }
}
