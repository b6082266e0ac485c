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
        try frames.add(try finished(0, [[], [emission("a")]]))
        #expect(take(&frames) == ["0 a"])
    }

    @Test func whatIsSaidLaterGoesToItsFrame() throws {
        var frames = LateFrames(late: [1])
        try frames.add(try finished(7, [[emission("x")], [emission("a", of: 7)]]))
        #expect(take(&frames) == ["7 a"])
        try frames.add(try finished(8, [[], []]))
        try frames.add(try finished(9, [[], []]))
        #expect(take(&frames) == [])
        try frames.add(try finished(10, [[], [emission("b", of: 8), emission("c", of: 8), emission("d", of: 9)]]))
        #expect(take(&frames) == ["8 b c", "9 d"])
        // Of a frame that has gone: the first that waits gets it.
        try frames.add(try finished(11, [[], [emission("e", of: 8), emission("f", of: 10)]]))
        #expect(take(&frames) == ["10 e f"])
        try frames.add([emission("g", of: 11)], of: 1)
        #expect(take(&frames) == ["11 g"])
    }

    /// What stages of other packages may not do: what they say would be of other frames, or of none.
    @Test func answersOutOfOrder() throws {
        func frames(_ count: Int) throws -> LateFrames {
            var frames = LateFrames(late: [1], checked: [1])
            for frame in 0..<count { try frames.add(try finished(frame, [[], []])) }
            return frames
        }
        var right = try frames(3)
        try right.add([emission("a", of: 0), emission("b", of: 0), emission("c", of: 1)], of: 1)
        #expect(take(&right) == ["0 a b", "1 c"])
        try right.add([emission("d", of: 2)], of: 1)
        for wrong in [[999], [1], [0, 2], [0, 1, 0]] {
            var late = try frames(3)
            #expect(throws: LateFrames.OutOfOrder.self, "\(wrong)") {
                try late.add(wrong.map { emission("x", of: $0) }, of: 1)
            }
        }
    }

    @Test func theEnd() throws {
        var frames = LateFrames(late: [1])
        try frames.add(try finished(0, [[], []]))
        try frames.add(try finished(1, [[], []]))
        try frames.add([emission("a", of: 1)], of: 1)
        #expect(take(&frames, isEnd: true) == ["0 ", "1 a"])
    }
}
