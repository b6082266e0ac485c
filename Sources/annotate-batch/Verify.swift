import Annotate
import ArgumentParser

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Proves a finished batch: sidecars fit their schema and agree with MP4 and source frame by frame.",
        discussion: """
            Video and source are decoded; number, time stamps and size of their pictures, and the source's durations, are \
            held against the sidecar. The report names the source; where it is gone, that is said and not compared.
            """)

    @Argument(help: "An output folder.", completion: .directory)
    var directory: String

    @Option(
        help: ArgumentHelp(
            "No source that the report names may lie outside this folder, links followed.", valueName: "dir"),
        completion: .directory)
    var root: String?

    func validate() throws {
        if let root, !Files.isDirectory(root) { throw ValidationError("--root takes a folder; “\(root)” is none.") }
    }

    func run() throws {
        let findings: [Verifier.Verdict]
        do {
            findings = try Verifier.verify(directory: directory, root: root, kinds: kinds)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.failure
        }
        guard !findings.isEmpty else {
            Console.error("annotate-batch: no *.tracks.jsonl in \(directory); expected the output folder of a run")
            throw ExitCode.failure
        }
        for finding in findings {
            let name = Files.name(of: finding.sidecar)
            if finding.problems.isEmpty {
                let video = finding.video.map { " = \(Files.name(of: $0))" } ?? " (no video)"
                let source = finding.source.map { " = source \(Files.name(of: $0))" } ?? ""
                Console.out("ok      \(name)\(video)\(source): \(plural(finding.frames, "frame"))")
                for note in finding.notes { Console.error("annotate-batch: \(name): \(note)") }
            } else {
                for problem in finding.problems { Console.out("broken  \(name): \(problem)") }
            }
        }
        if findings.contains(where: { !$0.problems.isEmpty }) { throw ExitCode.failure }
    }
}
