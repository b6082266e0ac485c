import Annotate
import Glibc
import Synchronization

/// Ends the run on Ctrl-C, Ctrl-\ or SIGTERM: asks every job to stop, and ends the process by force where that takes longer than
/// a second's better part.
final class Interruption: Sendable {
    /// The signal that came, 0 for none.
    private let signal = Atomic<Int32>(0)
    let cancellation: Cancellation

    var received: Int32? {
        let value = signal.load(ordering: .acquiring)
        return value == 0 ? nil : value
    }

    /// Call before any thread is started: threads inherit which signals are blocked.
    init(_ cancellation: Cancellation) {
        self.cancellation = cancellation
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGHUP)
        sigaddset(&signals, SIGQUIT)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // A reader that goes away must not kill the batch.
        Glibc.signal(SIGPIPE, SIG_IGN)
        // A file that grows over the limit fails its job, with its reason.
        Glibc.signal(SIGXFSZ, SIG_IGN)
    }

    func watch() throws {
        try BackgroundThread.start { [self] in
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGINT)
            sigaddset(&signals, SIGTERM)
            sigaddset(&signals, SIGHUP)
            sigaddset(&signals, SIGQUIT)
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { return }
            signal.store(number, ordering: .releasing)
            cancellation.cancel()
            usleep(700_000)
            // A stage or the encoder is still busy: what it would write is removed, and the process goes.
            endAtOnce()
            Console.conclude(128 + number)
            _exit(128 + number)
        }
    }
}
