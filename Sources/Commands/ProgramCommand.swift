import Annotate
import ArgumentParser

/// A command of this program. It says, by its arguments, what it opens, before it opens anything; it can open nothing else.
protocol ProgramCommand: ParsableCommand {
    /// What it opens.
    var access: CommandAccess { get }
    /// Whether what it prints is what it was asked for, and would be lost where nobody reads it.
    var printsResults: Bool { get }
}

extension ProgramCommand {
    var printsResults: Bool { true }
}

/// What a command opens of people's files.
enum CommandAccess {
    /// These, in its own process, which gives up the rest.
    case files(FileAccess)
    /// What others that it starts are asked to; it decodes nothing itself.
    case everything(because: Reason)

    /// Why a command's own process isn't confined.
    enum Reason {
        /// Workers decode, each confined by itself, and this process opens files for them and gives theirs their names.
        case startsWorkers
        /// It starts who fetches from the web.
        case fetches
    }

    /// Has the process give up what the command doesn't need. One that says nothing, of the parser's own, needs nothing.
    static func confine(_ command: any ParsableCommand) throws {
        do {
            switch (command as? any ProgramCommand)?.access ?? .files(FileAccess()) {
            case .everything: break
            case .files(let access):
                for sentence in try CommandConfinement.begin(access, stages: catalog) {
                    Console.error("annotate-batch: \(sentence)")
                }
            }
        } catch let error as FileError {
            Console.error("annotate-batch: \(error)")
            throw ExitCode.of(error)
        }
    }
}
