import Annotate
import Testing

/// Words typed wrongly: one sentence, the usage of the command that was meant, and where help is.
@Suite struct CommandWordsTests {
    @Test(arguments: [
        (["valdate", "m.json"], "valdate", "validate"), (["rnu", "m.json"], "rnu", "run"),
        (["verfy"], "verfy", "verify"),
        (["stage", "markers"], "stage", "stages"), (["help", "exprt"], "exprt", "export"),
        (["Probe", "a.mp4"], "Probe", "probe"),
    ])
    func aMistypedCommandIsNoManifest(arguments: [String], typed: String, meant: String) throws {
        let outcome = try Program.run(Program.annotateBatch, arguments)
        #expect(outcome.status == 64)
        #expect(outcome.output == "")
        #expect(
            outcome.errorLines == [
                "Error: there is no command “\(typed)”; did you mean “\(meant)”?",
                "Usage: annotate-batch <subcommand>", "  See 'annotate-batch --help' for more information.",
            ])
    }

    @Test func aWordThatIsNearNoCommand() throws {
        let errors = try annotateBatch("frobnicate", "m.json").errors
        #expect(errors.hasPrefix("Error: there is no command “frobnicate”; there are run, validate, init, stages, "))
        #expect(!errors.contains("worker"))
    }

    @Test func aManifestMayHaveAnyName() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let path = try workspace.manifest([#""input": "a.mp4""#], name: "verfy")
        #expect(try Program.run("sh", ["-c", "cd \(workspace.path) && \(Program.annotateBatch) verfy"]).status == 0)
        #expect(try annotateBatch(path).status == 0)
        let missing = try annotateBatch("rnu.json")
        #expect(missing.status == 65)
        #expect(missing.errors.hasPrefix("annotate-batch: no file “rnu.json”; expected a manifest, such as "))
    }

    @Test(arguments: [
        (["export", "--formt", "csv"], "export", "Unknown option '--formt'. Did you mean '--format'?"),
        (["export", "out", "--format", "cvs"], "export", "There is no format “cvs”. Did you mean “csv”?"),
        (
            ["run", "--jobs", "0", "m.json"], "run",
            "The value '0' is invalid for '--jobs <n>': expected a number from 1 to 64, or auto."
        ),
        (
            ["run", "--shard", "3/2", "m.json"], "run",
            "The value '3/2' is invalid for '--shard <i/n|auto>': expected I/N, shard I of 1 to N, or auto, or auto/N."
        ),
        (["--jobs", "x", "m.json"], "run", "The value 'x' is invalid for '--jobs <n>'"),
        (["--jbos", "2"], "run", "Unknown option '--jbos'. Did you mean '--jobs'?"),
        (
            ["calibrate", "a.mp4", "--colums=9"], "calibrate",
            "Unknown option '--colums'. Did you mean '--columns'?"
        ),
        (["calibrate", "a.mp4", "-p", "charuco"], "calibrate", "Unknown option '-p'"),
        (["compare", "--nosuchflag"], "compare", "Unknown option '--nosuchflag'"),
        (["accept", "out", "--to", "", "--nosuchflag"], "accept", "Unknown option '--nosuchflag'"),
        (["networks", "get", "nosuch"], "networks get", "There is no network “nosuch”."),
        (["networks", "get", "--frm", "x"], "networks get", "Unknown option '--frm'. Did you mean '--from'?"),
        (["stages", "marker"], "stages", "There is no stage type “marker”. Did you mean “markers”?"),
        (["stages", "mark"], "stages", "There is no stage type “mark”. Did you mean “markers”?"),
        (["kinds", "makrer"], "kinds", "There is no kind of result “makrer”. Did you mean “marker”?"),
        (
            ["markers", "--ids", "1", "-o", "a.svg", "--dictionary", "aruco-4x4"], "markers",
            "--dictionary takes one of aruco-original, "
        ),
    ])
    func aFailedOptionShowsTheUsageOfItsCommand(arguments: [String], command: String, expected: String) throws {
        let outcome = try Program.run(Program.annotateBatch, arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("Error: \(expected)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("\nUsage: annotate-batch \(command) "), "\(outcome.errors)")
        #expect(outcome.errors.hasSuffix("\n  See 'annotate-batch \(command) --help' for more information.\n"))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsKnowTheWords(shell: String) throws {
        let script = try annotateBatch("--generate-completion-script", shell).output
        for word in [
            "rectangles", "apriltag-36h11", "classification", "progress", "csv", "letter", "charuco", "critical",
        ] {
            #expect(script.contains(word), "\(word)")
        }
        if shell == "bash" {
            #expect(try Program.run("bash", ["-n", "-c", script]).status == 0)
        }
    }

    @Test func wrongPlaces() throws {
        let workspace = try Workspace()
        let file = try workspace.write("x", to: "a.txt")
        func said(_ arguments: String...) throws -> String {
            let outcome = try Program.run(Program.annotateBatch, arguments)
            #expect(outcome.status == 1)
            return outcome.errors
        }
        #expect(
            try said("verify", file) == "annotate-batch: \(file) is a file; expected the output folder of a run\n")
        #expect(
            try said("probe", workspace.path)
                == "annotate-batch: \(workspace.path) is a folder; expected a video or photo\n")
    }
}
