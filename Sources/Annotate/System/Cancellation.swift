internal import Synchronization

/// A flag that every loop and every blocking wait of a run looks at.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let actions = Mutex<[@Sendable () -> Void]>([])
    private let cause = Mutex<String?>(nil)

    public init() {}

    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// Why it was cancelled, where whoever did it said so.
    public var reason: String? { cause.withLock { $0 } }

    /// Sets the flag and runs what was registered, once.
    public func cancel(because reason: String? = nil) {
        if let reason { cause.withLock { $0 = $0 ?? reason } }
        guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let pending = actions.withLock { actions in
            defer { actions = [] }
            return actions
        }
        for action in pending { action() }
    }

    /// Runs `action` when the flag is set; at once where it is already.
    public func onCancel(_ action: @escaping @Sendable () -> Void) {
        let isLate = actions.withLock { actions in
            if isCancelled { return true }
            actions.append(action)
            return false
        }
        if isLate { action() }
    }
}

/// The job was told to stop, by a signal, a timeout or another job's failure.
public struct CancelledError: Error, Sendable {
    public init() {}
}
