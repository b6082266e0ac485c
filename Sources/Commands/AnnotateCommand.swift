public import Annotate
internal import Glibc
internal import Stages
internal import Synchronization
internal import Synth

/// A program with all commands of `annotate-batch`, on stages and sinks of its own beside those that there are.
///
/// ```swift
/// AnnotateCommand(stages: .standard.adding([BrightnessBlueprint.self]), sinks: [BrightnessSink.self]).main()
/// ```
public struct AnnotateCommand: Sendable {
    /// The program's name, as its usage has it.
    public let name: String
    /// The program's name and version, as track files and reports carry them.
    public let version: String
    let stages: StageCatalog
    let sinks: [any Sink.Type]
    /// Kinds of results that it reads: the stages' and those of rendered clips' truth.
    let kinds: FindingCatalog

    /// A program's commands.
    /// - Parameters:
    ///   - stages: All of the program's stage types; nil for the standard ones.
    ///   - sinks: Forms of results beside the standard ones.
    ///   - name: As the usage has it.
    ///   - version: Name and version, `annotate-batch 0.1.0`; part of what tells whether results are up to date.
    public init(
        stages: StageCatalog? = nil, sinks: [any Sink.Type] = [], name: String = "annotate-batch",
        version: String = "annotate-batch 0.1.0"
    ) {
        self.name = name
        self.version = version
        self.stages = stages ?? .standard
        self.sinks = sinks
        kinds = self.stages.findings.adding(
            SceneRenderer.truthType, SceneRenderer.truthKinds, traits: .init(places: true, searches: true))
    }

    /// The program of this process.
    private static let program = Mutex(AnnotateCommand())

    static var current: AnnotateCommand { program.withLock { $0 } }

    /// The fault of a program whose own parts don't go together.
    private struct ProgramFault: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs the command that the process was called with. Once, before anything else: workers are made of a process of one
    /// thread, and are told by their words.
    public func main() {
        Self.program.withLock { $0 = self }
        do {
            // A worker's program is that of who started it, who has looked.
            if !WorkerProgram.isMeant(by: Array(CommandLine.arguments.dropFirst())), let fault = stages.fault {
                throw ProgramFault(description: fault)
            }
            for sink in sinks { try SinkCatalog.register(sink) }
        } catch {
            Console.error("\(name): \(error)")
            exit(EX_SOFTWARE)
        }
        AnnotateBatch.main()
    }
}

var generator: String { AnnotateCommand.current.version }

/// The stage types of this program.
var catalog: StageCatalog { AnnotateCommand.current.stages }

/// The kinds of results that this program reads.
var kinds: FindingCatalog { AnnotateCommand.current.kinds }
