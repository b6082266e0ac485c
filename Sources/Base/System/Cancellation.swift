internal import Synchronization

/// A flag that every loop and every blocking wait of a run looks at.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let actions = Mutex<(next: Int, pending: [Int: @Sendable () -> Void])>((0, [:]))
    private let cause = Mutex<String?>(nil)

    /// A flag that isn't set.
    public init() {}

    /// Whether the flag is set.
    public var isCancelled: Bool { flag.load(ordering: .acquiring) }

    /// The reason, where whoever cancelled gave one.
    public var reason: String? { cause.withLock { $0 } }

    /// Sets the flag and runs what was registered, once.
    public func cancel(because reason: String? = nil) {
        if let reason { cause.withLock { $0 = $0 ?? reason } }
        guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
        let pending = actions.withLock { actions in
            defer { actions.pending = [:] }
            return actions.pending
        }
        for (_, action) in pending.sorted(by: { $0.key < $1.key }) { action() }
    }

    /// Runs `action` when the flag is set; at once where it is already.
    /// - Returns: A handle for `forget`. Until then the action, and all that it holds, stays.
    @discardableResult
    public func onCancel(_ action: @escaping @Sendable () -> Void) -> Int {
        let number: Int? = actions.withLock { actions in
            if isCancelled { return nil }
            actions.next += 1
            actions.pending[actions.next] = action
            return actions.next
        }
        guard let number else {
            action()
            return 0
        }
        return number
    }

    /// Removes an action that was registered.
    /// - Parameter action: What `onCancel` returned.
    public func forget(_ action: Int) { _ = actions.withLock { $0.pending.removeValue(forKey: action) } }
}

/// The error of a job that was told to stop: by a signal, a timeout or another job's failure.
public struct CancelledError: Error, Sendable {
    /// The error without a reason, which the `Cancellation` has.
    public init() {}
}
