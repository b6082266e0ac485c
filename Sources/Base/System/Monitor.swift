internal import CWorker
internal import Glibc

/// A lock with a condition: state that several threads of a pipeline share, and a way to wait for it to change.
///
/// `Mutex` of the standard library has no condition variable, and blocking Swift's cooperative threads would stall them;
/// the pipeline's threads are its own.
///
/// Whoever waits sleeps until a count of changes is another one, which the kernel compares. glibc's condition variable,
/// which does the same, may lose a single wake-up from 2.27 to 2.40 (sourceware.org, bug 25847); here all are woken, so that this isn't known
/// to have mattered.
///
/// `@unchecked Sendable`: everything but the count is touched with the lock held, and only there; the count is changed with
/// it held.
package final class Monitor<State>: @unchecked Sendable {
    private var state: State
    /// How many threads wait, or are about to.
    private var waiting = 0
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// How often the state may have changed while somebody waited, modulo 2³².
    private let changes = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        changes.initialize(to: 0)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        changes.deallocate()
    }

    /// Reads or changes the state, and wakes whoever waits for a change.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { unlockAndWake() }
        return try body(&state)
    }

    /// Waits until `body` returns a value; it is called again after every change.
    package func wait<Result>(_ body: (inout State) throws -> Result?) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer { unlockAndWake() }
        while true {
            if let result = try body(&state) { return result }
            awaitChange(seconds: .infinity)
        }
    }

    /// Waits until `body` is true, which is called again after every change, but not for longer than that many seconds.
    package func wait(seconds: Double, until body: (State) -> Bool) {
        let end = monotonicSeconds() + seconds
        pthread_mutex_lock(mutex)
        defer { unlockAndWake() }
        while !body(state) {
            let left = end - monotonicSeconds()
            guard left > 0 else { return }
            awaitChange(seconds: left)
        }
    }

    /// Gives the lock up until somebody has had it, or the time is over.
    private func awaitChange(seconds: Double) {
        let seen = cwk_changes(changes)
        waiting += 1
        pthread_mutex_unlock(mutex)
        cwk_await_change(changes, seen, seconds)
        pthread_mutex_lock(mutex)
        waiting -= 1
    }

    /// Counts before it unlocks: whoever reads the count later has seen the change as well.
    private func unlockAndWake() {
        let isAwaited = waiting > 0
        if isAwaited { cwk_count_change(changes) }
        pthread_mutex_unlock(mutex)
        if isAwaited { cwk_wake_all(changes) }
    }
}
