import Foundation
import Testing

@testable import Annotate
@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Which words of a network's map are one line.
@Suite struct TextMapTests {
    private static let (width, height) = (320, 160)

    /// The regions of two words, 80 × 16 pixels as the map has them, the second one turned by so much about its beginning.
    private static func regions(turned degrees: Double) throws -> Int {
        var map = [Float](repeating: 0, count: width * height)
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (Double(x) - 142, Double(y) - 80)
                let turned = (c * u + s * v, c * v - s * u)
                let isFirst = (40..<120).contains(x) && abs(v) < 8
                if isFirst || (0..<80).contains(turned.0) && abs(turned.1) < 8 { map[y * width + x] = 0.9 }
            }
        }
        let options = ocv_text_region_options(threshold: 0.3, leastScore: 0.5, leastSide: 3, unclip: 1.6)
        var room = [ocv_text_region](repeating: ocv_text_region(), count: 8)
        var count: Int32 = 0
        try check(
            ocv_text_regions(map, Int32(width), Int32(height), options, &room, 8, &count), "look for text")
        return Int(count)
    }

    @Test func wordsOfOneLineRunTheSameWay() throws {
        for degrees in [0.0, 1, -1, 2] { #expect(try Self.regions(turned: degrees) == 1, "\(degrees)°") }
        for degrees in [4.0, -4, 6, 9] { #expect(try Self.regions(turned: degrees) == 2, "\(degrees)°") }
    }

    /// Soft patches read as a letter that isn't seen whole; a large letter that is, and a small one, are letters.
    @Test func patchesAreNoLetters() {
        let picture = PictureSize(width: 1280, height: 720)
        func isPatch(_ width: Double, _ height: Double, _ text: String, _ confidence: Double) -> Bool {
            let region = TextRegion(
                polygon: Box(x: 10, y: 10, width: width, height: height).corners, score: 0.9)
            return region.isPatch(saying: text, confidence, in: picture)
        }
        #expect(isPatch(454, 285, "1", 0.75) && isPatch(285, 454, "1", 0.75))
        #expect(!isPatch(454, 285, "1", 0.9) && !isPatch(454, 285, "AB", 0.75))
        #expect(!isPatch(200, 285, "1", 0.75) && !isPatch(454, 120, "1", 0.75))
        #expect(isPatch(700, 500, "AB", 0.99) && !isPatch(700, 500, "ABC", 0.99))
    }
}
