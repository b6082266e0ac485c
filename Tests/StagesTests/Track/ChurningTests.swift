import CFFmpeg
import Foundation
import Testing

@testable import Annotate
@testable import Media
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// `track` by filters, of things that stand out by their colours: one never looks the same twice, one goes behind
/// something.
@Suite struct ChurningTests {
    private static let (width, height) = (200, 160)

    private static func texture(_ x: Double, _ y: Double, _ phase: Double) -> Double {
        sin(0.31 * x + 0.12 * y + phase) + sin(0.23 * y - 0.19 * x + 2 * phase) + sin(0.11 * x + 0.37 * y + 3 * phase)
    }

    /// A red ellipse whose pattern flows at a pace, over green ground and behind a grey bar.
    private static func frame(_ ordinal: Int, _ box: Box, pace: Double = 1, bar: Range<Int> = 0..<0) throws
        -> VideoFrame
    {
        let buffer = try FrameBuffer(width: width, height: height, format: AV_PIX_FMT_BGR24)
        let plane = buffer.planes()[0]
        let n = pace * Double(ordinal), middle = Point(box.x + (box.width - 1) / 2, box.y + (box.height - 1) / 2)
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (Double(x) - middle.x, Double(y) - middle.y)
                let isOn = pow(2 * u / box.width, 2) + pow(2 * v / box.height, 2) <= 1
                let wave =
                    isOn
                    ? texture(u + 5 * n, v - 4 * n, 1 + 0.5 * n) : texture(Double(x) * 0.6, Double(y) * 0.6, 5)
                let (blue, green, red) =
                    isOn
                    ? (60 + 12 * wave, 60 + 12 * wave, 170 + 25 * wave)
                    : (90 + 12 * wave, 110 + 20 * wave, 80 + 12 * wave)
                let gray = 120 + 8 * texture(Double(x), Double(y), 9)
                let color = bar.contains(x) ? [gray, gray, gray] : [blue, green, red]
                for (channel, value) in color.enumerated() {
                    plane.base[y * plane.stride + 3 * x + channel] = UInt8(min(max(value, 0), 255))
                }
            }
        }
        return VideoFrame(
            ordinal: ordinal, pts: MediaTime(ticks: Int64(ordinal), timeBase: Rational(1, 25)), duration: 1,
            picture: buffer, original: nil)
    }

    /// The overlaps with the truth, 0 where it is lost.
    private static func overlaps(_ boxes: [Box], _ frame: (Int, Box) throws -> VideoFrame) throws -> [Double] {
        var tracker = try TrackBlueprint(options: try stageOptions(#"{"level": "accurate"}"#)).tracker(
            StageContext(id: "t", width: width, height: height).giving(
                Region.self, [Seed(id: "a", start: .frame(0), end: nil, polygon: boxes[0].corners, keyframes: [])]))
        return try boxes.indices.map { ordinal in
            let box = try tracker.update((), StageInput(frame: try frame(ordinal, boxes[ordinal]))).first?.box
            return box?.intersectionOverUnion(boxes[ordinal]) ?? 0
        }
    }

    /// Up to 2.7 times as wide as high, as high as wide, and back.
    @Test func itsBoxGoesAsFarAsItsColours() throws {
        let boxes = (0..<90).map { ordinal in
            let n = Double(ordinal), grown = exp(0.5 * sin(n / 14))
            let (width, height) = (50 * grown, 50 / grown)
            return Box(x: 45 + 0.8 * n - width / 2, y: 80 + 10 * sin(n / 6) - height / 2, width: width, height: height)
        }
        let overlaps = try Self.overlaps(boxes) { try Self.frame($0, $1) }
        let sum: Double = overlaps.reduce(0, +)
        #expect(sum / Double(overlaps.count) > 0.62)
        #expect(overlaps.min() ?? 0 > 0.38)
    }

    /// What is covered from one side looks ever narrower; it comes out as wide as it went in.
    @Test func whatComesOutFromBehindIsAsLarge() throws {
        let side = 36.0
        let boxes = (0..<141).map { step -> Box in Box(x: 12.5 + Double(step), y: 62.5, width: side, height: side) }
        let overlaps = try Self.overlaps(boxes) { try Self.frame($0, $1, pace: 0, bar: 75..<125) }
        // It is found again some frames after all of it is seen.
        let sum: Double = overlaps.suffix(20).reduce(0, +)
        #expect(sum / 20 > 0.9)
    }
}
