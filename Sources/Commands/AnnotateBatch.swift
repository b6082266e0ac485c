import Annotate
import ArgumentParser
import Glibc

struct AnnotateBatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: AnnotateCommand.current.name,
        abstract: "Annotates videos in batch: a manifest in, annotated MP4s and track files out.",
        discussion: """
            Exit status: 0 all well; 1 a job failed (the others are done); 2 all jobs ran, but what the manifest \
            expects doesn't hold, or “compare” differs; 64 wrong usage; 65 a file that you wrote \
            (manifest, scene) is invalid, nothing ran; 75 jobs failed, all of them for reasons that may pass (no space, \
            no memory, a worker that somebody killed); 130 or 143 interrupted (129 or 131 by SIGHUP or SIGQUIT).
            """,
        version: generator,
        subcommands: commands,
        defaultSubcommand: Run.self)

    /// The commands, in the order in which they are listed.
    private static let commands: [any ProgramCommand.Type] = [
        Run.self, Validate.self, Init.self, ListStages.self, ListKinds.self, Schema.self, Probe.self,
        Synthesize.self, Verify.self, Export.self, Render.self, Compare.self, Accept.self, Review.self, Merge.self,
        Status.self, Calibrate.self, Frame.self, Pick.self, Markers.self, Doctor.self, Networks.self, Work.self,
    ]

    static func main() {
        openStandardStreams()
        Environment.leaveOutRelativeFolders()
        // Before all commands are made, which takes longer than all else.
        if CommandLine.arguments.dropFirst().elementsEqual(["--version"]) {
            Console.requireOutput()
            Console.out(generator)
            Glibc.exit(EXIT_SUCCESS)
        }
        // The system tells a program's words there alone.
        guard !CommandLine.arguments.isEmpty else {
            Console.error(
                "annotate-batch: there is no /proc here, where a program reads how it was called; "
                    + "mount it: mount -t proc proc /proc")
            Glibc.exit(EXIT_FAILURE)
        }
        tellOfFaults()
        // A file that grows over the limit is an error like any other.
        signal(SIGXFSZ, SIG_IGN)
        initializeMedia()
        let arguments = Array(CommandLine.arguments.dropFirst())
        // Our own words, not anybody's: parsing them would take as long as a worker's whole start.
        if WorkerProgram.isMeant(by: arguments) { WorkerProgram.run(catalog: catalog) }
        Run.startAhead(for: arguments)
        if CommandWords.asksForEvents(arguments) { Console.speakJSON() }
        do {
            try CommandWords.check(arguments)
            var command = try parse(arguments)
            if (command as? any ProgramCommand)?.printsResults ?? true { Console.requireOutput() }
            do {
                try CommandAccess.confine(command)
                try command.run()
            } catch let error as ValidationError {
                throw UsageError(error.message, type(of: command))
            }
            tellOfRefusedCall()
            Console.conclude(EXIT_SUCCESS)
        } catch {
            tellOfRefusedCall()
            end(error)
        }
    }

    private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        do {
            return try parseAsRoot(arguments)
        } catch {
            // What is missing, or doesn't go together, is told of before what is too much: a mistyped option is both.
            if exitCode(for: error) == .validationFailure, let slip = CommandWords.unknownOption(arguments) {
                throw slip
            }
            throw error
        }
    }

    private static func tellOfRefusedCall() {
        guard let call = CommandConfinement.refusedCall else { return }
        Console.error("annotate-batch: this command was refused the system call “\(call)”")
    }

    private static func end(_ error: any Error) -> Never {
        let usage = error as? UsageError
        if let error = error as? FileError {
            // What no command told of: that there is no thread to be had, say.
            let status = ExitCode.of(error)
            Console.problem("annotate-batch: \(error)")
            Console.conclude(status.rawValue)
            Glibc.exit(status.rawValue)
        }
        let status = usage == nil ? exitCode(for: error) : .validationFailure
        if status == .success {
            // Help, or a completion script: the parser, which would print it, doesn't see that a disk is full.
            let text = CompletionScript.completing(fullMessage(for: error), CommandLine.arguments)
            if !text.isEmpty {
                Console.requireOutput()
                Console.out(Array((text + "\n").utf8))
            }
            Console.conclude(EXIT_SUCCESS)
            Glibc.exit(EXIT_SUCCESS)
        }
        guard Console.speaksJSON, status != .success else {
            let text = usage?.text ?? fullMessage(for: error)
            if !text.isEmpty { Console.errorLines(text) }
            Glibc.exit(status.rawValue)
        }
        let message = usage?.message ?? message(for: error)
        if !message.isEmpty { Console.problem(message) }
        Console.conclude(status.rawValue)
        Glibc.exit(status.rawValue)
    }
}

extension ExitCode {
    /// Every job ran, but not everything is as the manifest expects.
    static let unexpected = ExitCode(2)
    /// A file that the user wrote is invalid (`EX_DATAERR`).
    static let invalidFile = ExitCode(65)
    /// All that failed may go well another time (`EX_TEMPFAIL`).
    static let mayPass = ExitCode(75)

    /// Exit status of an error.
    static func of(_ error: any Error) -> ExitCode { of([error]) }

    /// Exit status of several: of each that may pass another time, so may all.
    static func of(_ errors: [any Error]) -> ExitCode {
        errors.allSatisfy { ($0 as? FileError)?.mayPass == true } ? .mayPass : .failure
    }
}
