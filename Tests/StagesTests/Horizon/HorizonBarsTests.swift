import Foundation
import Testing

@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Pictures with uniform bars along their edges.
@Suite struct HorizonBarsTests {
    /// The lines that a bar takes at each edge.
    struct Bars: Sendable, CustomTestStringConvertible {
        var top = 0
        var bottom = 0
        var left = 0
        var right = 0
        var value = 16
        var testDescription: String { "\(value): \(top), \(bottom), \(left), \(right)" }
    }

    private struct Noise {
        var state: UInt64 = 7
        /// −0.5…0.5.
        mutating func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31) - 0.5
        }
    }

    private static let (width, height) = (640, 360)

    /// A picture within bars. Coding makes a level more or less of a bar's value here and there.
    /// - Parameters:
    ///   - picture: the value at a place, from the picture's middle.
    ///   - grain: of the picture, grey levels from end to end.
    private func find(
        in bars: Bars, color: Bool = false, grain: Double = 10, _ picture: (_ u: Double, _ v: Double) -> Double
    ) throws -> ocv_horizon {
        let (width, height) = (Self.width + bars.left + bars.right, Self.height + bars.top + bars.bottom)
        var noise = Noise()
        var luma = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (i, j) = (x - bars.left, y - bars.top)
                let isShown = (0..<Self.width).contains(i) && (0..<Self.height).contains(j)
                let coding: Double = noise.next() > 0.48 ? 1 : 0
                let value =
                    isShown
                    ? picture(Double(i) - Double(Self.width - 1) / 2, Double(j) - Double(Self.height - 1) / 2)
                        + grain * noise.next() : Double(bars.value) + coding
                luma[y * width + x] = UInt8(min(max(value.rounded(), 0), 255))
            }
        }
        let half = ((width + 1) / 2, (height + 1) / 2)
        let chroma = [UInt8](repeating: 128, count: half.0 * half.1)
        var found = ocv_horizon()
        try luma.withUnsafeBufferPointer { luma in
            try chroma.withUnsafeBufferPointer { chroma in
                var picture = ocv_picture()
                picture.format = color ? OCV_PICTURE_YUV : OCV_PICTURE_GRAY
                picture.planes.0 = ocv_plane(
                    data: luma.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width))
                let plane = ocv_plane(
                    data: chroma.baseAddress, width: Int32(half.0), height: Int32(half.1), stride: Int64(half.0))
                picture.planes.1 = plane
                picture.planes.2 = plane
                try check(ocv_find_horizon(&picture, &found), "horizon")
            }
        }
        return found
    }

    /// A sky over a sea with waves.
    private func sea(angle: Double, offset: Double) -> (Double, Double) -> Double {
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        return { u, v in
            let below = v * cosine - u * sine - offset
            return 190 - 110 * min(max(below + 0.5, 0), 1)
                + (below > 0 ? 8 * sin(0.31 * u) * cos(0.23 * v) : 0.05 * below)
        }
    }

    @Test(arguments: [
        Bars(top: 60, bottom: 60), Bars(left: 140, right: 140),
        Bars(top: 60, bottom: 60, left: 80, right: 80, value: 255),
        Bars(top: 24, bottom: 95, value: 0), Bars(top: 41, bottom: 33, left: 65, right: 97, value: 128),
        Bars(bottom: 80),
        Bars(top: 50), Bars(left: 120, value: 235), Bars(left: 440, right: 440),
    ])
    func theHorizonBetweenBars(bars: Bars) throws {
        for (angle, offset, color) in [(0.0, 50.0, false), (7, -45, true), (-12, 0, true)] {
            let found = try find(in: bars, color: color, sea(angle: angle, offset: offset))
            // From the whole picture's middle.
            let (x, y) = (Double(bars.left - bars.right) / 2, Double(bars.top - bars.bottom) / 2)
            let expected = offset + y * cos(angle * .pi / 180) - x * sin(angle * .pi / 180)
            #expect(found.kind != OCV_HORIZON_NONE, "\(angle)°")
            #expect(
                abs(found.angle - angle) < 0.3 && abs(found.offset - expected) < 1, "\(angle)°, \(expected): \(found)")
        }
    }

    @Test(arguments: [
        Bars(top: 60, bottom: 60), Bars(top: 60, bottom: 60, value: 255), Bars(top: 20, bottom: 90), Bars(bottom: 70),
        Bars(top: 50, bottom: 50, left: 90, right: 90, value: 250),
    ])
    func theEdgeOfABarIsNone(bars: Bars) throws {
        #expect(try find(in: bars) { _, _ in 150 }.kind == OCV_HORIZON_NONE)
        #expect(
            try find(in: bars) { u, v in 110 + 0.2 * v + 20 * sin(0.11 * u) * cos(0.17 * v) }.kind == OCV_HORIZON_NONE)
    }

    /// A black ground, tilted a little, level under a soft border, or higher than captions are.
    @Test(arguments: [(0.4, 120.0, 1.0), (0, 120, 5), (0, 50, 1), (9, 30, 1)])
    func aFlatGroundIsNoBar(angle: Double, offset: Double, soft: Double) throws {
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        var noise = Noise()
        let found = try find(in: Bars(), grain: 0) { u, v in
            let below = v * cosine - u * sine - offset
            let sky = 150 + 0.2 * v + 4 * noise.next()
            return 16 + (sky - 16) * (1 - min(max(below / soft + 0.5, 0), 1))
        }
        #expect(found.kind != OCV_HORIZON_NONE)
        #expect(abs(found.angle - angle) < 0.3 && abs(found.offset - offset) < 1, "\(found)")
    }

    /// Letterboxed, with a ground of the bars' value: the bar above tells where the one below ends.
    @Test(arguments: [(5.0, 60.0), (0, 20)])
    func aFlatGroundAboveABar(angle: Double, offset: Double) throws {
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        var noise = Noise()
        let found = try find(in: Bars(top: 45, bottom: 45), grain: 0) { u, v in
            v * cosine - u * sine < offset ? 150 + 0.2 * v + 4 * noise.next() : 16
        }
        #expect(abs(found.angle - angle) < 0.3 && abs(found.offset - offset) < 1, "\(found)")
    }

    @Test func steepOnesAreNotFound() throws {
        #expect(try find(in: Bars(), sea(angle: 40, offset: 0)).kind != OCV_HORIZON_NONE)
        for angle in [-75.0, 65, 90] {
            #expect(try find(in: Bars(), sea(angle: angle, offset: 0)).kind == OCV_HORIZON_NONE)
        }
    }
}
