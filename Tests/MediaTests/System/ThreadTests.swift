import Synchronization
import Testing

@testable import Base

/// Threads of the program's own.
@Suite struct ThreadTests {
    /// Where the system has no more threads to give, those that there are do the work.
    @Test(arguments: [0, 1, 2]) func fewerThreadsDoTheSame(given: Int) throws {
        struct NoThread: Error {}
        var left = given
        let squares = try parallelMap(100, threads: 4, { $0 * $0 }) { work in
            guard left > 0 else { throw NoThread() }
            left -= 1
            return try Worker(work)
        }
        #expect(squares == (0..<100).map { $0 * $0 })
        #expect(left == 0)
    }

    /// Threads that nobody waits for give back their stacks, 8 MiB of addresses each, once they have ended.
    @Test func whatNobodyJoinsIsGivenBack() throws {
        let before = try addresses()
        for _ in 0..<200 {
            let hasRun = Monitor(false)
            try BackgroundThread.start { hasRun.withLock { $0 = true } }
            hasRun.wait { $0 ? () : nil }
        }
        // Other tests run beside it: a quarter of what would be kept is theirs.
        #expect(try addresses() - before < 400 << 20)
    }

    /// Mappings that the size of a thread's stack gives away, bytes in all.
    private func addresses() throws -> Int {
        String(decoding: try Files.read("/proc/self/maps"), as: UTF8.self).split(separator: "\n").reduce(0) {
            sum, line in
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            guard ends.count == 2, ends[1] - ends[0] == 8 << 20 else { return sum }
            return sum + (8 << 20)
        }
    }
}
