import Foundation
import Testing

@testable import Annotate
@testable import CVision
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

@Suite struct HorizonTests {
    /// A sky over something darker with a texture, both with noise, the border tilted: planes of a 4:2:0 picture.
    private func horizon(
        angle: Double, offset: Double, contrast: Double = 90, hidden: ClosedRange<Double>? = nil, seed: UInt64 = 1
    ) throws -> ocv_horizon {
        let (width, height) = (640, 360)
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        var state = seed
        func noise() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31) - 0.5
        }
        var luma = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (Double(x) - 319.5, Double(y) - 179.5)
                let below = v * cosine - u * sine - offset
                var value = 170 - contrast * min(max(below + 0.5, 0), 1)
                if below > 0 { value += 8 * sin(0.31 * u) * cos(0.23 * v) }
                if let hidden, hidden.contains(u) { value = 40 }
                luma[y * width + x] = UInt8(min(max(value + 20 * noise(), 0), 255))
            }
        }
        return try horizon(in: luma, width: width, height: height)
    }

    private func horizon(in luma: [UInt8], width: Int, height: Int) throws -> ocv_horizon {
        var found = ocv_horizon()
        try luma.withUnsafeBufferPointer { buffer in
            var picture = ocv_picture()
            picture.format = OCV_PICTURE_GRAY
            picture.planes.0 = ocv_plane(
                data: buffer.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width))
            try check(ocv_find_horizon(&picture, &found), "horizon")
        }
        return found
    }

    @Test(arguments: [-30.0, -12.5, -3, 0, 1.5, 8, 21, 30], [-70.0, 0, 55])
    func angleAndOffset(angle: Double, offset: Double) throws {
        let found = try horizon(angle: angle, offset: offset)
        #expect(found.kind != OCV_HORIZON_NONE)
        #expect(abs(found.angle - angle) < 0.5 && abs(found.offset - offset) < 2, "\(found)")
    }

    @Test func aHazyAndPartlyHiddenOne() throws {
        let hazy = try horizon(angle: 6, offset: 20, contrast: 30)
        #expect(abs(hazy.angle - 6) < 1)
        let hidden = try horizon(angle: -9, offset: -20, hidden: 0...130)
        #expect(abs(hidden.angle + 9) < 1 && abs(hidden.offset + 20) < 3)
    }

    /// Hills before an even sky, and a lake below that shows both again, darker: the shore is the horizon.
    @Test(arguments: [-11.0, 0, 7], [-40.0, 30])
    func theShoreOfALakeUnderHills(angle: Double, offset: Double) throws {
        let (width, height) = (640, 360)
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        var luma = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (u, v) = (Double(x) - 319.5, Double(y) - 179.5)
                let (along, below) = (u * cosine + v * sine, v * cosine - u * sine - offset)
                let hill = 26 + 11 * sin(0.031 * along + 1) + 6 * sin(0.083 * along)
                let texture = 6 * sin(0.21 * along) * sin(0.37 * abs(below))
                let value = abs(below) > hill ? 205 - 0.1 * abs(below) : 70 + texture
                luma[y * width + x] = UInt8(below > 0 ? 0.75 * value : value)
            }
        }
        let found = try horizon(in: luma, width: width, height: height)
        #expect(found.kind == OCV_HORIZON_LINE)
        #expect(abs(found.angle - angle) < 0.5 && abs(found.offset - offset) < 3, "\(found)")
    }

    /// A ceiling or a wall gets darker away from its lamp; a sky is brightest low down.
    @Test(arguments: [(-1.0, false), (0, true), (0.25, true)]) func aSkyDoesNotDarkenDownwards(
        rise: Double, isSky: Bool
    ) throws {
        let (width, height) = (640, 360)
        var luma = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let texture = 6 * sin(0.31 * Double(x)) * cos(0.23 * Double(y))
                luma[y * width + x] = UInt8(y < 180 ? 190 + rise * (Double(y) - 90) / 1.6 : 60 + texture)
            }
        }
        #expect(try (horizon(in: luma, width: width, height: height).kind != OCV_HORIZON_NONE) == isSky)
    }

    /// Dark above a line and bright again above that is a shore, but a line of text is dark with gaps.
    @Test func aLineOfTextIsNoShore() throws {
        let (width, height) = (640, 360)
        var luma = [UInt8](repeating: 200, count: width * height)
        for y in 100..<114 {
            for x in 0..<width where x % 64 >= 14 { luma[y * width + x] = 150 + UInt8(x % 7) }
        }
        #expect(try horizon(in: luma, width: width, height: height).kind == OCV_HORIZON_NONE)
    }

    /// Something with a dark window in it, as a car, isn't the sky over what is darker still.
    @Test func aSkyHasNoSecondBorderInIt() throws {
        let (width, height) = (640, 360)
        let luma = (0..<width * height).map { index -> UInt8 in
            let (x, y) = (index % width, index / width)
            let value: UInt8 = y < 60 ? 200 : y < 160 ? 62 : y < 260 ? 180 : 25
            return value + UInt8(x * 7 % 5)
        }
        let found = try horizon(in: luma, width: width, height: height)
        #expect(found.kind == OCV_HORIZON_NONE || abs(found.offset - 80) > 10, "\(found)")
    }

    /// No ground is of a glaring colour.
    @Test(arguments: [((128, 128), true), ((200, 75), false)] as [((UInt8, UInt8), Bool)])
    func groundHasGroundsColours(colour: (UInt8, UInt8), isGround: Bool) throws {
        let (width, height) = (640, 360)
        var state: UInt64 = 3
        let luma = (0..<width * height).map { index -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (index / width < 180 ? 170 : 90) + UInt8(state >> 62)
        }
        let chroma = [colour.0, colour.1].map { value in
            (0..<width * height / 4).map { $0 / (width / 2) < 90 ? 128 : value }
        }
        var found = ocv_horizon()
        try luma.withUnsafeBufferPointer { y in
            try chroma[0].withUnsafeBufferPointer { cb in
                try chroma[1].withUnsafeBufferPointer { cr in
                    var picture = ocv_picture()
                    picture.format = OCV_PICTURE_YUV
                    picture.planes.0 = ocv_plane(
                        data: y.baseAddress, width: Int32(width), height: Int32(height), stride: Int64(width))
                    for (plane, path) in zip([cb, cr], [\ocv_picture.planes.1, \ocv_picture.planes.2]) {
                        picture[keyPath: path] = ocv_plane(
                            data: plane.baseAddress, width: Int32(width / 2), height: Int32(height / 2),
                            stride: Int64(width / 2))
                    }
                    try check(ocv_find_horizon(&picture, &found), "horizon")
                }
            }
        }
        #expect((found.kind != OCV_HORIZON_NONE) == isGround, "\(found)")
    }

    @Test func nothingWhereThereIsNone() throws {
        #expect(try horizon(angle: 0, offset: 0, contrast: 0).kind == OCV_HORIZON_NONE)
        #expect(try horizon(angle: 0, offset: 900).kind == OCV_HORIZON_NONE)
    }

    /// The beginnings of clips: those without a horizon have none; the far shore of the lake is one.
    @Test(
        .enabled(if: RealData.isThere, RealData.reason),
        arguments: [
            ("tracking/boat1/boat1.mp4", nil), ("tracking/human3/human3.mp4", nil),
            ("video/car-detection.mp4", nil), ("video/bottle-detection.mp4", nil),
            ("tracking/wakeboard7/wakeboard7.mp4", 8.0),
        ] as [(String, Double?)])
    func realClips(name: String, limit: Double?) throws {
        let reader = try SourceReader(path: RealData.folder + "/" + name)
        var stage: Stage?
        var angles: [Double] = []
        for ordinal in 0..<60 {
            let frame = try #require(try reader.next(), "\(name) ends at frame \(ordinal)")
            let running =
                try stage
                ?? HorizonBlueprint(options: try stageOptions()).makeStage(
                    StageContext(id: "h", width: frame.width, height: frame.height))
            stage = running
            angles += try observations(running, in: frame).compactMap {
                $0.finding(as: HorizonFinding.self)?.line.angle
            }
        }
        if let limit {
            #expect(angles.count > 3 && angles.allSatisfy { abs($0) < limit })
        } else {
            #expect(angles.isEmpty)
        }
    }

    // MARK: Over time

    @Test func aSteadyTiltDoesNotLag() {
        var filter = HorizonFilter(height: 720)
        var last: HorizonFilter.Horizon?
        for frame in 0..<75 {
            let line = HorizonLine(angle: Double(frame) * 0.4, offset: Double(frame))
            last = filter.update((line, 0.9), at: Double(frame) / 25)
        }
        #expect(abs((last?.line.angle ?? 0) - 29.6) < 0.3)
    }

    @Test func oneWrongFrameIsLeftOutAndAGapIsHeld() {
        var filter = HorizonFilter(height: 720)
        for frame in 0..<20 {
            let angle = frame == 12 ? 25.0 : 2
            let found = filter.update((HorizonLine(angle: angle, offset: 10), 0.9), at: Double(frame) / 25)
            #expect(found.map { abs($0.line.angle - 2) < 1e-9 } ?? (frame < 3))
            #expect(found?.isSeen != false || frame == 12)
        }
        #expect(filter.update(nil, at: 1)?.isSeen == false)
        #expect(filter.update(nil, at: 1.5) == nil)
    }

    /// What isn't seen any more is believed less and less, and goes below what the options ask for.
    @Test func confidenceFallsWhilePredicted() {
        var filter = HorizonFilter(height: 720)
        for frame in 0..<10 { _ = filter.update((HorizonLine(angle: 2, offset: 10), 0.9), at: Double(frame) / 25) }
        let later = (10..<25).map { filter.update(nil, at: Double($0) / 25)?.confidence }
        let told = later.compactMap { $0 }
        #expect(told.count > 3 && told[0] < 0.9 && zip(told, told.dropFirst()).allSatisfy { $0 > $1 })
        #expect(told.allSatisfy { $0 >= 0.35 } && later.last == .some(nil))
    }

    @Test func endsOfTheLine() throws {
        let level = try #require(HorizonLine(angle: 0, offset: 10).ends(width: 100, height: 50))
        #expect(level.0 == Point(-0.5, 34.5) && level.1 == Point(99.5, 34.5))
        #expect(HorizonLine(angle: 0, offset: 40).ends(width: 100, height: 50) == nil)
        let falling = try #require(HorizonLine(angle: 45, offset: 0).ends(width: 100, height: 50))
        #expect(falling.0.y < falling.1.y && falling.0.x < falling.1.x)
    }
}
