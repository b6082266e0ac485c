import Testing

@testable import Base

/// Threads that wait for each other's changes.
@Suite struct MonitorTests {
    /// Each of several threads waits for its turn, thousands of times: a wake-up that is lost hangs it.
    @Test(arguments: [2, 3, 8])
    func everyChangeWakesWhoWaits(count: Int) throws {
        let turns = 20_000
        let monitor = Monitor(0)
        let workers = try (0..<count).map { number in
            try Worker {
                for _ in 0..<turns / count { monitor.wait { $0 % count == number ? ($0 += 1) : nil } }
            }
        }
        for worker in workers { worker.join() }
        #expect(monitor.withLock { $0 } == turns / count * count)
    }

    /// What fails within lets go of the lock, and wakes the others.
    @Test func anErrorWakesToo() throws {
        struct Failure: Error {}
        let monitor = Monitor(0)
        let worker = try Worker { monitor.wait { $0 == 1 ? () : nil } }
        #expect(throws: Failure.self) {
            try monitor.withLock {
                $0 = 1
                throw Failure()
            }
        }
        worker.join()
        #expect(throws: Failure.self) { try monitor.wait { _ -> Void? in throw Failure() } }
    }
}
