import Annotate
import ArgumentParser

/// How long a job's worker may do nothing.
struct IdleLimit: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Seconds for which a job's worker may do nothing at all; then it is ended, and its job tried again once. 0 for any.",
            valueName: "s"))
    var idleTimeout = RunOptions().idleTimeout ?? 0

    /// nil for any time.
    var seconds: Double? { idleTimeout > 0 ? idleTimeout : nil }

    func validate() throws {
        guard idleTimeout >= 0, idleTimeout.isFinite else {
            throw ValidationError("--idle-timeout takes seconds, or 0 for any time, not \(idleTimeout).")
        }
    }
}
