import Annotate
import ArgumentParser

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Proves a finished batch: every sidecar fits its schema and agrees with its MP4 frame by frame.",
        discussion: "The video is decoded; frame count, time stamps and size are held against the sidecar.")

    @Argument(help: "An output folder.", completion: .directory)
    var directory: String

    func run() throws {
        let findings: [Verifier.Finding]
        do {
            findings = try Verifier.verify(directory: directory)
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
                Console.out("ok      \(name)\(video): \(plural(finding.frames, "frame"))")
            } else {
                for problem in finding.problems { Console.out("broken  \(name): \(problem)") }
            }
        }
        if findings.contains(where: { !$0.problems.isEmpty }) { throw ExitCode.failure }
    }
}
