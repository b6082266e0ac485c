import Annotate
import ArgumentParser

/// Runs a command's work, so that Ctrl-C ends it in order. An error is told in one sentence and gives the exit status.
func attempt(_ body: (Cancellation) throws -> Void) throws {
    let cancellation = Cancellation()
    let interruption = Interruption(cancellation)
    try interruption.watch()
    do {
        try body(cancellation)
    } catch let error as ValidationError {
        throw error
    } catch let error as ExitCode {
        throw error
    } catch let error as InvalidFileError {
        Console.errorLines("annotate-batch: \(error)")
        throw ExitCode.invalidFile
    } catch is CancelledError {
        throw ExitCode(128 + (interruption.received ?? 2))
    } catch {
        Console.error("annotate-batch: \(error)")
        throw ExitCode.of(error)
    }
}
