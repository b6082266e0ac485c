internal import Glibc

/// A lock with a condition: state that several threads of a pipeline share, and a way to wait for it to change.
///
/// `Mutex` of the standard library has no condition variable, and blocking Swift's cooperative threads would stall them;
/// the pipeline's threads are its own.
///
/// `@unchecked Sendable`: `state` is touched with the lock held, and only there.
package final class Monitor<State>: @unchecked Sendable {
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    package init(_ state: State) {
        self.state = state
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Reads or changes the state, and wakes whoever waits for a change.
    package func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Waits until `body` returns a value; it is called again after every change.
    package func wait<Result>(_ body: (inout State) throws -> Result?) rethrows -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(condition)
            pthread_mutex_unlock(mutex)
        }
        while true {
            if let result = try body(&state) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }
}
