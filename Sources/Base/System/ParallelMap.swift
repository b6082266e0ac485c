internal import Synchronization

/// Calls `body` for 0 ..< count on up to `threads` threads at once and returns the results in order.
///
/// - Throws: the error of the lowest index that failed, whatever the schedule.
public func parallelMap<Result: Sendable>(
    _ count: Int, threads: Int, _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
    try parallelMap(count, threads: threads, body) { try Worker($0) }
}

/// The same with threads that `start` starts. Where it can't, those that there are do the work: what comes of it is the same.
package func parallelMap<Result: Sendable>(
    _ count: Int, threads: Int, _ body: @escaping @Sendable (Int) throws -> Result,
    start: (@escaping @Sendable () -> Void) throws -> Worker
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
    withoutActuallyEscaping(work) { work in
        var workers: [Worker] = []
        while workers.count < min(threads, count) - 1, let worker = try? start(work) { workers.append(worker) }
        work()
        for worker in workers { worker.join() }
    }
    let done = results.withLock { $0 }
    return try (0..<count).compactMap { try done[$0]?.get() }
}
