import Testing

@testable import StageParts
@testable import Recognition
@testable import Stages

/// Looks for text in pictures that have had none for some time.
@Suite struct BareLooksTests {
    /// Every other one is quick after two that found nothing; none is after one that found something.
    @Test func everyOtherOneIsQuick() {
        var bare = BareLooks()
        func look(finds: Bool) -> Bool {
            let isQuick = bare.takesQuickOne()
            if !isQuick || finds { bare.saw(!finds) }
            return isQuick
        }
        #expect((0..<6).map { _ in look(finds: false) } == [false, false, true, false, true, false])
        #expect([true, false, false, false].map { look(finds: $0) } == [true, false, false, true])
    }

    /// A look is one of routine where its turn has come, not where the picture is another, or something has come and stays.
    @Test func whatHappensIsNoRoutine() throws {
        func frame(_ shift: Int, spot: Bool = false) throws -> VideoFrame {
            var pixels = (0..<320 * 240).map { UInt8(($0 % 320 + shift) % 64 * 3 + 20) }
            if spot { for y in 100..<140 { for x in 100..<200 { pixels[y * 320 + x] = 250 } } }
            return try grayFrame(pixels, width: 320, height: 240)
        }
        var cadence = TextCadence(pixels: 1280 * 736)
        func looks(_ frames: Int, _ frame: (Int) throws -> VideoFrame) throws -> [Bool] {
            try (0..<frames).compactMap { number in
                cadence.isDue(in: try frame(number), hasLost: false) ? cadence.isRoutine : nil
            }
        }
        #expect(try looks(1) { try frame($0) } == [false], "the first")
        #expect(try looks(70) { try frame($0) } == [true, true], "one that moves")
        #expect(
            try looks(12) { _ in try frame(69, spot: true) }.first == false, "one in which something comes and stays")
        #expect(
            try looks(1) { _ in try grayFrame([UInt8](repeating: 255, count: 320 * 240), width: 320, height: 240) }
                == [false], "a cut")
    }
}
