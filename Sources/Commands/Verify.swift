import Annotate
import ArgumentParser

struct Verify: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Proves a finished batch: track files fit their schema and agree with MP4 and source frame by frame.",
        discussion: """
            Video and source are decoded; number, time stamps and size of their pictures, and the source's durations, are \
            held against the track file. The report names the source; where it is gone, or was fetched, that is said and not compared; --sources names a folder with copies. A job \
            that the report says failed, was interrupted or wasn't run is a fault too, and so is anything in an annotated \
            video or photo that the program doesn't put there. Where a job covers something that may be seen elsewhere, a note says so. \
            What covers and can't be held against its source is unproven, and ends with 1 too; so do a picture, a clip, a link or a folder that \
            lies in a folder to hand out and is no result, and a clip there of which “review --release” decided that it stays.
            """)

    @Argument(help: "An output folder.", completion: .directory)
    var directory: String

    @Option(
        help: ArgumentHelp(
            "No source that the report names may lie outside this folder, links followed.", valueName: "dir"),
        completion: .directory)
    var root: String?

    @Option(
        help: ArgumentHelp(
            "A folder with copies of sources that were fetched, or lie no longer where the report says, by their names.",
            valueName: "dir"),
        completion: .directory)
    var sources: String?

    @Flag(
        help: """
            Also look for what was to be covered in the annotated videos themselves, in every picture as in a photo: it takes six \
            times as long as the run for text, twenty for faces.
            """)
    var again = false

    @Flag(help: "Don't fail for jobs that the report says failed, or weren't run.")
    var allowFailed = false

    @Option(help: ArgumentHelp("Write a JUnit report, for CI.", valueName: "file"), completion: .file())
    var junit: String?

    func validate() throws {
        if let root, !Files.isDirectory(root) { throw ValidationError("--root takes a folder; “\(root)” is none.") }
        if let sources, !Files.isDirectory(sources) {
            throw ValidationError("--sources takes a folder; “\(sources)” is none.")
        }
        try OutputGuard.check("--junit", junit, .junit, reading: reading)
    }

    private var reading: FileAccess {
        var access = FileAccess()
        access.read(results: directory, root: root)
        access.read(sources)
        for path in ReleaseDecisions.folder(of: directory).map(ReleaseDecisions.paths(in:)) ?? [] { access.read(path) }
        if again { access.read(stagesOf: directory, root: root) }
        return access
    }

    var access: CommandAccess {
        var access = reading
        access.write(junit)
        return .files(access)
    }

    func run() throws {
        if Files.exists(directory), !Files.isDirectory(directory) {
            Console.error("annotate-batch: \(directory) is a file; expected the output folder of a run")
            throw ExitCode.failure
        }
        let findings: [Verifier.Verdict]
        do {
            findings = try Verifier.verify(
                directory: directory, root: root, sources: sources, kinds: kinds,
                again: again ? AnnotateCommand.current.stages : nil, progress: Console.counter("checked"))
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
        let failures = Verifier.failures(directory: directory)
        guard !findings.isEmpty || !failures.isEmpty && !allowFailed else {
            Console.error("annotate-batch: no *.tracks.jsonl in \(directory); expected the output folder of a run")
            throw ExitCode.failure
        }
        for finding in findings {
            let name = Files.name(of: finding.trackFile)
            if finding.problems.isEmpty, let reason = finding.unproven {
                Console.out("unproven \(name): \(reason)".inOneLine)
                for note in finding.notes { Console.error("annotate-batch: \(name): \(note)") }
            } else if finding.problems.isEmpty {
                let video = finding.video.map { " = \(Files.name(of: $0))" } ?? " (no video)"
                let source = finding.source.map { " = source \(Files.name(of: $0))" } ?? ""
                Console.out("ok      \(name)\(video)\(source): \(plural(finding.frames, "frame"))".inOneLine)
                for note in finding.notes { Console.error("annotate-batch: \(name): \(note)") }
            } else {
                for problem in finding.problems { Console.out("broken  \(name): \(problem)".inOneLine) }
            }
            for warning in finding.warnings { Console.error("annotate-batch: \(name): \(warning)") }
        }
        let strangers = Verifier.strangers(in: directory)
        for stranger in strangers {
            Console.error(
                "annotate-batch: \(stranger.name.inOneLine) is no result of the batch, and lies in the folder that is handed out: move "
                    + "it elsewhere\(stranger.mayShow ? "; it may show what is covered" : "")")
        }
        // Decisions that can't be read are told of below, and withhold all.
        let kept = try? ReleaseDecisions.kept(fromRelease: directory)
        for (file, reason) in kept ?? [] {
            Console.out("kept    \(file): it lies in the folder that is handed out, and \(reason)".inOneLine)
        }
        for sentence in ReleaseDecisions.sentences(on: directory) { Console.error("annotate-batch: \(sentence)") }
        for (id, reason) in failures {
            if allowFailed {
                Console.error("annotate-batch: \(id) failed: \(reason)")
            } else {
                Console.out("failed  \(id): \(reason)".inOneLine)
            }
        }
        try writeJUnit(findings, failures)
        if findings.contains(where: { !$0.problems.isEmpty || $0.unproven != nil }) || !failures.isEmpty && !allowFailed
            || kept?.isEmpty != true || strangers.contains(where: \.mayShow)
        {
            throw ExitCode.failure
        }
    }

    private func writeJUnit(_ findings: [Verifier.Verdict], _ failures: [(id: String, reason: String)]) throws {
        guard let junit else { return }
        var suite = JUnit(directory)
        for finding in findings {
            suite.add(
                Files.name(of: finding.trackFile), problems: finding.problems + [finding.unproven].compactMap(\.self),
                notes: ["\(plural(finding.frames, "frame"))"] + finding.notes + finding.warnings)
        }
        for (id, reason) in failures {
            suite.add(id, problems: allowFailed ? [] : ["the job failed: \(reason)"], notes: [reason])
        }
        do {
            try Files.write(suite.xml, to: junit)
        } catch {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }
}
