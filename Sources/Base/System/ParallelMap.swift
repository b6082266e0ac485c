internal import Synchronization

/// Calls `body` for 0 ..< count on up to `threads` threads at once and returns the results in order.
///
/// - Throws: the error of the lowest index that failed, whatever the schedule.
public func parallelMap<Result: Sendable>(
    _ count: Int, threads: Int, _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
    guard count > 1, threads > 1 else { return try (0..<max(0, count)).map(body) }
    let next = Atomic<Int>(0)
    let results = Mutex<[Int: Swift.Result<Result, any Error>]>([:])
    let work: @Sendable () -> Void = {
        while true {
            let index = next.add(1, ordering: .relaxed).oldValue
            guard index < count else { return }
            let result = Swift.Result { try body(index) }
            results.withLock { $0[index] = result }
        }
    }
    // The calling thread is one of them.
    try withoutActuallyEscaping(work) { work in
        let workers = try (1..<min(threads, count)).map { _ in try Worker(work) }
        work()
        for worker in workers { worker.join() }
    }
    let done = results.withLock { $0 }
    return try (0..<count).compactMap { try done[$0]?.get() }
}
