internal import Glibc

/// Seconds of a clock that only goes forward.
package func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Waits; returns at once for less than 0.
package func sleep(seconds: Double) { usleep(UInt32(max(0, seconds) * 1e6)) }

/// Runs an action after some seconds unless disarmed before.
package final class Deadline: Sendable {
    private let monitor = Monitor(false)

    /// - Parameter isHeld: Whether the seconds don't count yet.
    package init(
        seconds: Double, whileNot isHeld: @escaping @Sendable () -> Bool = { false },
        _ action: @escaping @Sendable () -> Void
    ) {
        let monitor = monitor
        // A thread that can't be started leaves the job without its limit; the batch still runs.
        _ = try? Worker {
            while !monitor.withLock({ $0 }), isHeld() { monitor.wait(seconds: 0.05) { $0 } }
            monitor.wait(seconds: seconds) { $0 }
            if !monitor.withLock({ $0 }) { action() }
        }
    }

    /// Gives up the action, unless it has begun.
    package func disarm() { monitor.withLock { $0 = true } }
}
