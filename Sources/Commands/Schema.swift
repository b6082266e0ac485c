import Annotate
import ArgumentParser
import Synth

struct Schema: ProgramCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints a JSON Schema (draft 2020-12), made from the stages' contracts.")

    enum Subject: String, ExpressibleByArgument, CaseIterable {
        case manifest, tracks, report, scene, progress
    }

    @Argument(
        help:
            "manifest, tracks (one line of a track file), report, scene or progress (one line of run --progress json).")
    var subject: Subject

    var access: CommandAccess {
        .files(FileAccess())
    }

    func run() throws { Console.out(prettyJSON(Self.document(subject))) }

    static func document(_ subject: Subject) -> JSONValue {
        switch subject {
        case .manifest:
            JSONSchema.document(
                title: "annotate-batch manifest", doc: "What to run on which videos.",
                shape: ManifestShape.shape(catalog: catalog))
        case .tracks:
            JSONSchema.document(
                title: "annotate-batch tracks", doc: "One line of a track file, <id>.tracks.jsonl.",
                shape: TrackFileShape(kinds).line)
        case .report:
            JSONSchema.document(
                title: "annotate-batch report", doc: "How each job of a batch ended.", shape: Report.shape)
        case .scene:
            JSONSchema.document(
                title: "annotate-batch scene", doc: "A clip to be rendered by synth.", shape: SceneShape.shape)
        case .progress:
            JSONSchema.document(
                title: "annotate-batch progress", doc: "One line of what run --progress json writes to standard error.",
                shape: ProgressEvents.shape)
        }
    }
}
