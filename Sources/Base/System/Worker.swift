internal import CWorker
internal import Glibc

/// A thread of the operating system's. What it had is the system's again once it has ended and was joined, or nobody can any
/// more.
package final class Worker {
    private var thread: pthread_t = 0
    /// Whether nothing is left to be waited for: none was started, or it was waited for.
    private var isJoined = true

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread.
    /// - Parameter role: What it is, for the sentence that tells of a crash: “the decoder”.
    package init(role: String = "", _ body: @escaping @Sendable () -> Void) throws {
        let box = Unmanaged.passRetained(
            Body {
                cwk_use_signal_stack()
                cwk_set_role(role)
                body()
                cwk_drop_signal_stack()
            })
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            throw FileError("start", path: "a thread", code: -code, reason: String(cString: strerror(code)))
        }
        isJoined = false
    }

    deinit {
        if !isJoined { pthread_detach(thread) }
    }

    /// Waits until the thread has ended; at once when it has been waited for.
    package func join() {
        guard !isJoined else { return }
        isJoined = true
        pthread_join(thread, nil)
    }
}

extension Worker {
    /// Why as many threads can't be had now as libraries start, one or two a core and a few; nil where they can.
    package static var lack: FileError? { shortage(of: 2 * Machine.cores + 4) }

    /// Why so many threads can't be had now; nil where they can.
    package static func shortage(of count: Int) -> FileError? {
        let gate = Monitor(false)
        var workers: [Worker] = []
        defer {
            gate.withLock { $0 = true }
            for worker in workers { worker.join() }
        }
        do {
            for _ in 0..<count { workers.append(try Worker { _ = gate.wait { $0 ? true : nil } }) }
            return nil
        } catch {
            return error as? FileError
        }
    }
}

/// A thread that nobody joins.
public enum BackgroundThread {
    /// Starts a thread that runs `body`.
    /// - Throws: `FileError` where the system has no thread to give.
    public static func start(_ body: @escaping @Sendable () -> Void) throws { _ = try Worker(body) }
}

/// Sets the calling thread's role, for the sentence that tells of a crash: “the decoder”.
package func setThreadRole(_ role: String) { cwk_set_role(role) }

/// Has a fault of this process (a crash) end it with one line that says what it was, from now on.
public func tellOfFaults() { cwk_watch_faults(nil) }
