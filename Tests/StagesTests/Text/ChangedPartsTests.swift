import Testing

@testable import Recognition
@testable import StageParts
@testable import Annotate

/// Where text that is to be hidden is looked for in a picture of which only a part has changed.
@Suite struct ChangedPartsTests {
    private static let (width, height) = (1280, 720)
    private static let scale = 0.68

    /// Grey, with signs and other things in it.
    private static func frame(_ ordinal: Int = 0, _ draw: (inout [UInt8]) -> Void = { _ in }) throws -> VideoFrame {
        var pixels = [UInt8](repeating: 120, count: width * height)
        draw(&pixels)
        return try grayFrame(pixels, width: width, height: height, ordinal: ordinal)
    }

    private static func fill(_ box: FramePart, _ grey: UInt8, in pixels: inout [UInt8]) {
        for y in box.y..<box.y + box.height {
            for x in box.x..<box.x + box.width { pixels[y * width + x] = grey }
        }
    }

    private func parts(
        _ changed: ChangedParts, _ frame: VideoFrame, lines: [TextRegion] = []
    ) -> [FramePart]? {
        changed.parts(of: .fine(frame), lines: lines, in: frame, scale: Self.scale)
    }

    @Test func whatHasChangedAlone() throws {
        var changed = ChangedParts()
        let (plain, noisy) = (
            try Self.frame(),
            try Self.frame { pixels in
                for index in stride(from: 0, to: pixels.count, by: 3) { pixels[index] += 2 }
            }
        )
        #expect(parts(changed, plain) == nil, "nothing was searched yet")
        changed.searchedAll(of: .fine(plain))
        #expect(parts(changed, plain) == [])
        #expect(parts(changed, noisy) == [], "noise")
        let spot = FramePart(x: 900, y: 400, width: 60, height: 12)
        let found = try #require(parts(changed, try Self.frame { Self.fill(spot, 105, in: &$0) }))
        let part = try #require(found.count == 1 ? found.first : nil)
        #expect(part.x <= 880 && part.y <= 380 && part.x + part.width >= 980 && part.y + part.height >= 432, "\(part)")
        #expect(part.width * part.height < Self.width * Self.height / 4, "\(part)")
        // All that the camera shows is another, a light that goes on: nothing can be left out.
        #expect(parts(changed, try Self.frame { pixels in pixels = pixels.map { $0 + 9 } }) == nil)
    }

    /// A line comes so slowly that no two looks tell it apart: it is held against what was searched last, not against the
    /// picture before.
    @Test func whatComesSlowly() throws {
        var changed = ChangedParts()
        changed.searchedAll(of: .fine(try Self.frame()))
        let other = FramePart(x: 100, y: 100, width: 40, height: 40),
            slow = FramePart(x: 900, y: 400, width: 80, height: 20)
        var looks = 0
        for step in 1...20 {
            let frame = try Self.frame {
                Self.fill(other, step % 2 == 0 ? 200 : 40, in: &$0)
                Self.fill(slow, UInt8(120 + step), in: &$0)
            }
            let found = try #require(parts(changed, frame))
            changed.searched(found, of: .fine(frame))
            #expect(found.contains { $0.contains(Point(120, 120)) })
            if found.contains(where: { $0.contains(Point(940, 410)) }) { looks += 1 }
        }
        #expect((2...10).contains(looks), "\(looks)")
    }

    @Test func aKnownLineIsSearchedAsAWhole() throws {
        var changed = ChangedParts()
        changed.searchedAll(of: .fine(try Self.frame()))
        let frame = try Self.frame { Self.fill(FramePart(x: 600, y: 300, width: 30, height: 30), 20, in: &$0) }
        let line = TextRegion(
            polygon: [Point(300, 295), Point(640, 295), Point(640, 330), Point(300, 330)], score: 1)
        let found = try #require(parts(changed, frame, lines: [line]))
        #expect(found.count == 1 && line.polygon.allSatisfy(found[0].contains), "\(found)")
    }

    /// A second sign comes while something else moves: it is told as soon as ever, and the first one stays what it was.
    @Test func aSignThatComes() throws {
        let signs = try ["sign-exit", "sign-library"].map {
            try photo(RealData.repository + "/manifests/scenes/images/\($0).png")
        }
        func draw(_ sign: VideoFrame, at place: (x: Int, y: Int), in pixels: inout [UInt8]) {
            let step = sign.width / 300
            sign.withLuma { luma in
                for y in 0..<luma.height / step {
                    for x in 0..<luma.width / step {
                        pixels[(place.y + y) * Self.width + place.x + x] = luma.base[y * step * luma.stride + x * step]
                    }
                }
            }
        }
        var tracking = NetworkTextTracking(networks: try TextNetworks(), hides: true)
        var came: Int?
        for ordinal in 0..<32 {
            let frame = try Self.frame(ordinal) {
                draw(signs[0], at: (80, 60), in: &$0)
                if ordinal >= 12 { draw(signs[1], at: (820, 500), in: &$0) }
                Self.fill(FramePart(x: 500 + 8 * ordinal, y: 300, width: 60, height: 60), 30, in: &$0)
            }
            let told = try tracking.update(frame)
            #expect(
                told.contains { $0.track == 1 && $0.state.isInSight && $0.reading.text.hasPrefix("EXIT") }, "\(ordinal)"
            )
            if came == nil, told.contains(where: { $0.reading.text.hasPrefix("Library") }) { came = ordinal }
        }
        #expect((12...20).contains(came ?? 0), "\(came ?? 0)")
    }
}
