import Annotate
import ArgumentParser

/// The command of a worker: the program starts itself with it, where it needs one more worker than it began with.
struct WorkerCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: Self.name, abstract: "A process that the program starts for its own jobs.", shouldDisplay: false)

    static let name = "worker"

    var access: CommandAccess {
        .everything(because: .isWorker)
    }

    func run() { WorkerProgram.run(catalog: catalog) }
}
