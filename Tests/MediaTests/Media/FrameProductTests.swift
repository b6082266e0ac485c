import Glibc
import Synchronization
import Testing

@testable import Annotate
@testable import TestSupport

/// What several stages want of one frame.
@Suite struct FrameProductTests {
    private static let made = Atomic<Int>(0)

    /// Takes a while to make.
    private struct Slow: FrameProduct {
        let number: Int

        init(of frame: VideoFrame) throws {
            usleep(20_000)
            number = made.add(1, ordering: .relaxed).newValue
        }
    }

    @Test func madeOnceUnderContention() throws {
        for _ in 0..<5 {
            let frame = try emptyFrame(0, pts: 0)
            let before = Self.made.load(ordering: .relaxed)
            let numbers = Mutex<[Int]>([])
            let workers = try (0..<8).map { _ in
                try Worker {
                    let product = try? frame.product(Slow.self)
                    numbers.withLock { $0.append(product?.number ?? -1) }
                }
            }
            for worker in workers { worker.join() }
            #expect(numbers.withLock { $0 } == Array(repeating: before + 1, count: 8))
        }
        // Another frame has its own.
        let number = try emptyFrame(1, pts: 1).product(Slow.self).number
        #expect(number == Self.made.load(ordering: .relaxed))
    }

    // Two that each wait until the other is being made: they would wait for ever if one kept the other out.

    private static let arrivals = Atomic<Int>(0)

    private static func meet() -> Bool {
        arrivals.add(1, ordering: .sequentiallyConsistent)
        for _ in 0..<5_000 {
            if arrivals.load(ordering: .sequentiallyConsistent) >= 2 { return true }
            usleep(1_000)
        }
        return false
    }

    private struct Left: FrameProduct {
        let met: Bool
        init(of frame: VideoFrame) throws { met = meet() }
    }

    private struct Right: FrameProduct {
        let met: Bool
        init(of frame: VideoFrame) throws { met = meet() }
    }

    @Test func oneDoesNotWaitForAnother() throws {
        let frame = try emptyFrame(0, pts: 0)
        let met = Mutex<[Bool]>([])
        let left = try Worker {
            let product = try? frame.product(Left.self)
            met.withLock { $0.append(product?.met ?? false) }
        }
        let right = try Worker {
            let product = try? frame.product(Right.self)
            met.withLock { $0.append(product?.met ?? false) }
        }
        left.join()
        right.join()
        #expect(met.withLock { $0 } == [true, true])
    }

    private struct Failure: Error {}
    private static let attempts = Atomic<Int>(0)

    /// Can be made at the second attempt.
    private struct Fickle: FrameProduct {
        init(of frame: VideoFrame) throws {
            if attempts.add(1, ordering: .relaxed).newValue == 1 { throw Failure() }
        }
    }

    @Test func whatCouldNotBeMadeIsTriedAgain() throws {
        let frame = try emptyFrame(0, pts: 0)
        #expect(throws: Failure.self) { try frame.product(Fickle.self) }
        _ = try frame.product(Fickle.self)
        _ = try frame.product(Fickle.self)
        #expect(Self.attempts.load(ordering: .relaxed) == 2)
    }
}
