import Testing

@testable import Annotate
@testable import Graph
@testable import TestSupport

/// Frames that wait for what late stages say of them.
@Suite struct LateFramesTests {
    private func emission(_ text: String, of frame: Int? = nil) -> Emission {
        Emission(Observation(ObjectFinding(), stage: "s", label: text), frame: frame)
    }

    private func finished(_ ordinal: Int, _ results: [[Emission]]) throws -> GraphExecutor.Finished {
        GraphExecutor.Finished(frame: try emptyFrame(ordinal, pts: Int64(ordinal)), results: results)
    }

    /// The frames that may go, with what is said of them by the second stage.
    private func take(_ frames: inout LateFrames, isEnd: Bool = false) -> [String] {
        var taken: [String] = []
        while let next = frames.next(isEnd: isEnd) {
            let words = next.results[1].compactMap(\.observation.label)
            taken.append("\(next.frame.ordinal) \(words.joined(separator: " "))")
        }
        return taken
    }

    @Test func nobodyIsLate() throws {
        var frames = LateFrames(late: [])
        frames.add(try finished(0, [[], [emission("a")]]))
        #expect(take(&frames) == ["0 a"])
    }

    @Test func whatIsSaidLaterGoesToItsFrame() throws {
        var frames = LateFrames(late: [1])
        frames.add(try finished(7, [[emission("x")], [emission("a", of: 7)]]))
        #expect(take(&frames) == ["7 a"])
        frames.add(try finished(8, [[], []]))
        frames.add(try finished(9, [[], []]))
        #expect(take(&frames) == [])
        frames.add(try finished(10, [[], [emission("b", of: 8), emission("c", of: 8), emission("d", of: 9)]]))
        #expect(take(&frames) == ["8 b c", "9 d"])
        // Of a frame that has gone: the first that waits gets it.
        frames.add(try finished(11, [[], [emission("e", of: 8), emission("f", of: 10)]]))
        #expect(take(&frames) == ["10 e f"])
        frames.add([emission("g", of: 11)], of: 1)
        #expect(take(&frames) == ["11 g"])
    }

    @Test func theEnd() throws {
        var frames = LateFrames(late: [1])
        frames.add(try finished(0, [[], []]))
        frames.add(try finished(1, [[], []]))
        frames.add([emission("a", of: 1)], of: 1)
        #expect(take(&frames, isEnd: true) == ["0 ", "1 a"])
    }
}
