import CFFmpeg
import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Quads that the tests draw themselves, so that their corners are known.
struct RectangleTests {
    private static let width = 640, height = 360
    /// Clockwise from the top left.
    private static let quad = [Point(190, 62), Point(455, 95), Point(430, 300), Point(160, 268)]

    private func find(
        _ frame: VideoFrame, _ options: String = #"{"maximumObservations": 0}"#, hides: Bool = false
    ) throws -> [Observation] {
        var context = StageContext(id: "r", width: frame.width, height: frame.height, isStill: true)
        context.hides = hides
        let stage = try RectanglesBlueprint(options: try stageOptions(options)).makeStage(context)
        return try observations(stage, in: frame)
    }

    private func off(_ found: [Observation], _ corners: [Point]) -> Double {
        found.map { distance($0.polygon ?? [], corners, turning: true) }.min() ?? .infinity
    }

    /// How far a place is inside of a convex polygon, clockwise; negative outside.
    private func depth(_ x: Double, _ y: Double, in corners: [Point]) -> Double {
        corners.indices.map { i in
            let (a, b) = (corners[i], corners[(i + 1) % corners.count])
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            return ((y - a.y) * dx - (x - a.x) * dy) / (dx * dx + dy * dy).squareRoot()
        }.min() ?? 0
    }

    /// A plane's samples, `scaleX` × `scaleY` pixels each, from what is at a place of the picture.
    private func fill(_ plane: FramePlane, scaleX: Int, scaleY: Int, _ value: (Double, Double) -> Double) {
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                // Unless a file says otherwise its samples lie on the first column, between the rows.
                let level = value(Double(x * scaleX), Double(y * scaleY) + Double(scaleY - 1) / 2)
                plane.base[y * plane.stride + x] = UInt8(min(max(level.rounded(), 0), 255))
            }
        }
    }

    private func frame(
        _ format: AVPixelFormat, luma: @escaping (Double, Double) -> Double, cb: @escaping (Double, Double) -> Double,
        cr: @escaping (Double, Double) -> Double
    ) throws -> VideoFrame {
        let buffer = try FrameBuffer(width: Self.width, height: Self.height, format: format)
        let planes = buffer.planes()
        for (plane, value) in zip(planes, [luma, cb, cr]) {
            fill(
                FramePlane(base: plane.base, width: plane.width, height: plane.height, stride: plane.stride),
                scaleX: Self.width / plane.width, scaleY: Self.height / plane.height, value)
        }
        return VideoFrame(
            ordinal: 0, pts: MediaTime(ticks: 0, timeBase: Rational(1, 25)), duration: 1, picture: buffer, original: nil
        )
    }

    private func gray(_ value: @escaping (Double, Double) -> Double) throws -> VideoFrame {
        try frame(AV_PIX_FMT_GRAY8, luma: value, cb: { _, _ in 0 }, cr: { _, _ in 0 })
    }

    /// 0 outside, 1 inside, with an edge of `soft` pixels.
    private func inside(_ x: Double, _ y: Double, _ corners: [Point], soft: Double = 1) -> Double {
        min(max(depth(x, y, in: corners) / soft + 0.5, 0), 1)
    }

    @Test(arguments: [AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV440P])
    func sheetOfTheTablesOwnLuma(format: AVPixelFormat) throws {
        let sheet = Self.quad
        let picture = try frame(
            format, luma: { x, y in 120 + 2 * inside(x, y, sheet) },
            cb: { x, y in 110 + 20 * inside(x, y, sheet, soft: 2) },
            cr: { x, y in 150 - 45 * inside(x, y, sheet, soft: 2) })
        let found = try find(picture)
        #expect(found.count == 1)
        #expect(off(found, sheet) < 0.6, "off by \(off(found, sheet)) px")
        // Its luma alone tells nothing.
        #expect(try find(gray { x, y in 120 + 2 * inside(x, y, sheet) }).isEmpty)
    }

    /// A side that motion has smeared lies in the middle of its ramp, and is told with less confidence.
    @Test func smearedSidesLieInTheMiddle() throws {
        let sheet = [Point(170, 80), Point(470, 80), Point(470, 280), Point(170, 280)]
        func smeared(_ x: Double, _ y: Double, by length: Double) -> Double {
            let across = min(max((x - 170) / length + 0.5, 0), 1) * min(max((470 - x) / length + 0.5, 0), 1)
            return 60 + 140 * across * min(max(y - 79.5, 0), 1) * min(max(280.5 - y, 0), 1)
        }
        let sharp = try find(gray { smeared($0, $1, by: 1) })
        let blurred = try find(gray { smeared($0, $1, by: 18) })
        #expect(sharp.count == 1 && off(sharp, sheet) < 0.6)
        #expect(off(blurred, sheet) < 2.5, "off by \(off(blurred, sheet)) px")
        #expect(blurred.allSatisfy { ($0.confidence ?? 1) < 0.8 * (sharp.first?.confidence ?? 0) })
    }

    /// Where the picture ends is no side.
    @Test func thePicturesBorderIsNoSide() throws {
        let sheet = [Point(2, 90), Point(260, 90), Point(260, 260), Point(2, 260)]
        #expect(try find(gray { x, y in 60 + 140 * inside(x, y, sheet) }).isEmpty)
    }

    /// A sheet that goes on beyond the border ends at no streak of its own.
    @Test(arguments: [270.0, 300, 345])
    func aFaintStreakIsNoSide(of streak: Double) throws {
        let sheet = [Point(200, 90), Point(460, 110), Point(440, 700), Point(180, 700)]
        let cut = try gray { x, y in 60 + (y < streak + 0.04 * x ? 112 : 100) * inside(x, y, sheet) }
        let found = try find(cut)
        #expect(found.isEmpty, "\(found.map { $0.polygon ?? [] })")
    }

    @Test func noiseOfChromaIsNoQuad() throws {
        var state: UInt64 = 7
        func noise() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        // In blocks, as hard compression leaves it.
        let blocks = (0..<(80 * 45)).map { _ in 100 + 56 * noise() }
        func block(_ x: Double, _ y: Double) -> Double { blocks[Int(y / 8) * 80 + min(79, Int(x / 8))] }
        let picture = try frame(
            AV_PIX_FMT_YUV420P, luma: { x, _ in 90 + x / 20 }, cb: block, cr: { x, y in 256 - block(y * 1.7, x / 2) })
        #expect(try find(picture).isEmpty)
    }

    /// Offsets of a stroke from its side: no multiple of another, so that they don't cancel at corners.
    private func sway(_ t: Double, _ side: Int) -> Double {
        2.2 * sin(2 * .pi * (2.3 * t + 0.31 * Double(side))) + 1.6 * sin(2 * .pi * (5.2 * t + 0.17 * Double(side)))
    }

    private func drawn(width: Double, sways: Bool, reach: Double = 0) throws -> VideoFrame {
        try gray { x, y in
            var nearest = Double.infinity
            for side in 0..<4 {
                let (a, b) = (Self.quad[side], Self.quad[(side + 1) % 4])
                let (dx, dy) = (b.x - a.x, b.y - a.y)
                let length = (dx * dx + dy * dy).squareRoot()
                let t = ((x - a.x) * dx + (y - a.y) * dy) / (length * length)
                let across = ((y - a.y) * dx - (x - a.x) * dy) / length - (sways ? sway(t, side) : 0)
                let beyond = max(0, max(-reach - t, t - 1 - reach)) * length
                nearest = min(nearest, (across * across + beyond * beyond).squareRoot())
            }
            return 225 - 180 * min(max(width / 2 - nearest + 0.5, 0), 1)
        }
    }

    @Test(arguments: [(4.0, 0.0), (9.0, 0.0), (6.0, -0.03), (6.0, 0.05)])
    func quadDrawnByHand(width: Double, reach: Double) throws {
        let found = try find(try drawn(width: width, sways: true, reach: reach))
        #expect(found.count == 1)
        #expect(off(found, Self.quad) < 3.5, "off by \(off(found, Self.quad)) px")
    }

    @Test func straightLinesAreFoundByTheirOuterEdge() throws {
        let found = try find(try drawn(width: 8, sways: false))
        #expect(found.count == 1)
        let outer = found.first?.polygon ?? []
        // Half a stroke outside of its middle on every side: the middle's corners lie 4 px inside of it.
        for corner in Self.quad { #expect(abs(depth(corner.x, corner.y, in: outer) - 4) < 0.3) }
    }

    /// The most prominent is told by default; where they are hidden every one is, unless fewer are asked for.
    @Test func everyOneIsHidden() throws {
        func sheet(_ left: Double) -> [Point] {
            [Point(left, 90), Point(left + 130, 90), Point(left + 130, 250), Point(left, 250)]
        }
        let frame = try gray { x, y in
            60 + [30.0, 220, 410].reduce(0) { $0 + 160 * inside(x, y, sheet($1)) }
        }
        #expect(try find(frame, "{}").count == 1)
        #expect(try find(frame, "{}", hides: true).count == 3)
        #expect(try find(frame, #"{"maximumObservations": 2}"#, hides: true).count == 2)
    }

    @Test(arguments: [-12.0, -25])
    func frameThatTheBorderCuts(left: Double) throws {
        func box(_ inset: Double) -> [Point] {
            [
                Point(left + inset, 80 + inset), Point(left + 250 - inset, 80 + inset),
                Point(left + 250 - inset, 270 - inset), Point(left + inset, 270 - inset),
            ]
        }
        let found = try find(
            try gray { x, y in
                170 - 110 * inside(x, y, box(0)) + 155 * inside(x, y, box(10)) - 95 * inside(x, y, box(36))
            }, "{}")
        #expect(found.count == 1)
        #expect(off(found, box(0)) < 2, "off by \(off(found, box(0))) px")
        // A quarter of its outline isn't in sight.
        #expect(found.allSatisfy { $0.confidence ?? 1 < 0.8 })
    }
}

/// A plane to write to.
private struct FramePlane {
    var base: UnsafeMutablePointer<UInt8>
    var width: Int
    var height: Int
    var stride: Int
}
