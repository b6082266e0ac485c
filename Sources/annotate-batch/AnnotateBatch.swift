import Annotate
import ArgumentParser
import Glibc
import Stages
import Synth

/// The program's name and version, as sidecars and reports carry them.
let generator = "annotate-batch 0.1.0"

/// The stage types of this program.
let catalog = StageCatalog.standard

/// The kinds of results that this program reads: the stages' and those of rendered clips' truth.
let kinds = catalog.findings.adding(SceneRenderer.truthType, SceneRenderer.truthKinds)

@main
struct AnnotateBatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "annotate-batch",
        abstract: "Annotates videos in batch: a manifest in, annotated MP4s and track files out.",
        discussion: """
            Exit status: 0 all well; 1 a job failed (the others are done); 64 wrong usage; 65 a file that you wrote \
            (manifest, scene) is invalid, nothing ran; 75 jobs failed, all of them for reasons that may pass (no space, \
            no memory, a worker that somebody killed); 130 or 143 interrupted.
            """,
        version: generator,
        subcommands: [
            Run.self, Validate.self, Init.self, ListStages.self, ListKinds.self, Schema.self, Probe.self,
            Synthesize.self, Verify.self, Export.self, Calibrate.self, Markers.self, Work.self,
        ],
        defaultSubcommand: Run.self)

    static func main() {
        openStandardStreams()
        tellOfFaults()
        // A file that grows over the limit is an error like any other.
        signal(SIGXFSZ, SIG_IGN)
        initializeMedia()
        main(nil)
    }
}

extension ExitCode {
    /// A file that the user wrote is invalid (`EX_DATAERR`).
    static let invalidFile = ExitCode(65)
    /// All that failed may go well another time (`EX_TEMPFAIL`).
    static let mayPass = ExitCode(75)
}
