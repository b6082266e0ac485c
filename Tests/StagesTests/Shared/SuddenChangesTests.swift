import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct SuddenChangesTests {
    private func frame(_ ordinal: Int, spot: Int?, grey: UInt8 = 40) throws -> VideoFrame {
        var pixels = [UInt8](repeating: grey, count: 320 * 240)
        if let spot { for y in 100..<140 { for x in spot..<spot + 60 { pixels[y * 320 + x] = 200 } } }
        return try grayFrame(pixels, width: 320, height: 240, ordinal: ordinal)
    }

    private func come(_ frames: [VideoFrame]) -> [Int: Box] {
        var changes = SuddenChanges()
        return frames.enumerated().reduce(into: [:]) { found, frame in
            if let box = changes.come(in: frame.element) { found[frame.offset] = box }
        }
    }

    /// Where something comes, and where it goes again, and nothing else.
    @Test func whatComesAtOnce() throws {
        let found = try come((0..<30).map { try frame($0, spot: (12..<20).contains($0) ? 100 : nil) })
        #expect(found.keys.sorted() == [12, 20])
        let box = try #require(found[12])
        #expect(box.x <= 100 && box.right >= 160 && box.y <= 100 && box.bottom >= 140)
        #expect(box.width <= 80 && box.height <= 60)
    }

    @Test func aCutIsEverywhere() throws {
        let found = try come((0..<8).map { try frame($0, spot: nil, grey: $0 < 4 ? 40 : 120) })
        #expect(found.keys.sorted() == [4])
        #expect(found[4].map { $0.width >= 320 && $0.height >= 240 } == true)
    }

    /// What moves changes as much every time, also where each picture is there twice, as in a video of half the rate.
    @Test(arguments: [1, 2]) func whatMoves(pictures: Int) throws {
        let found = try come((0..<40).map { try frame($0, spot: 10 + 5 * ($0 / pictures)) })
        #expect(found.keys.allSatisfy { $0 <= 2 * pictures }, "\(found.keys.sorted())")
    }
}
