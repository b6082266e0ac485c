/// Tries again what fails for a reason that may pass, with a longer wait before each further time.
struct Retries: Sendable {
    /// How often.
    let count: Int
    let cancellation: Cancellation

    /// Seconds before the first further try; twice as long before each one behind it, up to a bound.
    private static let firstWait = 1.0
    private static let mostDoubled = 5

    /// Does something until it goes well, fails for good, or has been tried as often as it may be.
    /// - Parameters:
    ///   - body: Gets whether it was tried before.
    ///   - failed: Gets why a try failed before the next one.
    /// - Throws: What the last try did.
    func run<Result>(
        _ body: (_ isAgain: Bool) throws -> Result, failed: (JobFailure) -> Void
    ) throws -> Result {
        var tries = 0
        while true {
            do {
                return try body(tries > 0)
            } catch {
                let failure = (error as? JobFailure) ?? JobFailure(error)
                guard failure.mayPass, tries < count, !(error is CancelledError), !cancellation.isCancelled else {
                    throw error
                }
                failed(failure)
                wait(before: tries)
                tries += 1
            }
        }
    }

    /// Waits before something is tried again; no longer than until all is cancelled.
    /// - Parameter number: Of the further try, from 0.
    func wait(before number: Int) {
        let end = monotonicSeconds() + Self.firstWait * Double(1 << min(number, Self.mostDoubled))
        while monotonicSeconds() < end, !cancellation.isCancelled { sleep(seconds: 0.05) }
    }
}
