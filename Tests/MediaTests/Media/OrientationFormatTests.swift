import CFFmpeg
import Testing

@testable import Annotate

/// Pictures of any format are turned pixel by pixel.
@Suite struct OrientationFormatTests {
    private static let orientations: [Orientation] = (1..<8).map { bits in
        var orientation = Orientation()
        (orientation.transposed, orientation.flipX, orientation.flipY) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
        return orientation
    }

    private static func format(_ name: String) -> AVPixelFormat { av_get_pix_fmt(name) }

    /// A picture whose every byte differs from its neighbours.
    private func picture(_ format: AVPixelFormat) throws -> FrameBuffer {
        let frame = try FrameBuffer(width: 37, height: 21, format: format)
        var seed: UInt32 = 1
        for plane in frame.planes() {
            for y in 0..<plane.height {
                for x in 0..<plane.width * plane.pixelSize {
                    seed = seed &* 1_664_525 &+ 1_013_904_223
                    plane.base[y * plane.stride + x] = UInt8(seed >> 24)
                }
            }
        }
        return frame
    }

    private func pixel(_ plane: FrameBuffer.Plane, _ x: Int, _ y: Int) -> [UInt8] {
        let base = plane.base + y * plane.stride + x * plane.pixelSize
        return Array(UnsafeBufferPointer(start: base, count: plane.pixelSize))
    }

    @Test(
        arguments: [
            ("yuv420p", "yuv420p", [1, 1, 1]), ("yuv420p10le", "yuv420p10le", [2, 2, 2]),
            ("yuv422p10le", "yuv440p10le", [2, 2, 2]), ("yuv440p12le", "yuv422p12le", [2, 2, 2]),
            ("yuv444p12le", "yuv444p12le", [2, 2, 2]), ("nv12", "nv12", [1, 2]), ("p010le", "p010le", [2, 4]),
            ("gray16le", "gray16le", [2]), ("bgr24", "bgr24", [3]), ("rgba", "rgba", [4]), ("rgb48be", "rgb48be", [6]),
            ("rgba64le", "rgba64le", [8]), ("gbrp", "gbrp", [1, 1, 1]), ("gbrap10le", "gbrap10le", [2, 2, 2, 2]),
        ] as [(String, String, [Int])])
    func everyPixelMovesWhole(name: String, transposedName: String, sizes: [Int]) throws {
        let source = try picture(Self.format(name))
        #expect(source.planes().map(\.pixelSize) == sizes)
        for orientation in Self.orientations {
            #expect(orientation.canTurn(source.format))
            let turned = try orientation.apply(to: source)
            #expect(turned.format == Self.format(orientation.transposed ? transposedName : name))
            let (before, after) = (source.planes(), turned.planes())
            #expect(after.map(\.pixelSize) == sizes)
            for (from, to) in zip(before, after) {
                #expect(
                    [to.width, to.height]
                        == (orientation.transposed ? [from.height, from.width] : [from.width, from.height]))
                for y in 0..<to.height {
                    for x in 0..<to.width {
                        let (u, v) = (
                            orientation.flipX ? to.width - 1 - x : x, orientation.flipY ? to.height - 1 - y : y
                        )
                        let old = orientation.transposed ? pixel(from, v, u) : pixel(from, u, v)
                        guard pixel(to, x, y) != old else { continue }
                        Issue.record("\(name), \(orientation): plane \(to.index), \(x), \(y)")
                        return
                    }
                }
            }
        }
    }

    @Test func aPaletteStays() throws {
        let source = try picture(AV_PIX_FMT_PAL8)
        let palette = try #require(source.av.pointee.data.1)
        for index in 0..<1024 { palette[index] = UInt8(truncatingIfNeeded: index * 3) }
        let turned = try Self.orientations[0].apply(to: source)
        let other = try #require(turned.av.pointee.data.1)
        #expect((0..<1024).allSatisfy { other[$0] == palette[$0] })
        #expect(turned.planes().count == 1)
    }

    @Test(arguments: ["monob", "yuyv422", "uyvy422", "bayer_rggb8"])
    func pixelsThatShareBytesAreNotTurned(name: String) throws {
        let source = try FrameBuffer(width: 36, height: 20, format: Self.format(name))
        for orientation in Self.orientations {
            #expect(!orientation.canTurn(source.format))
            #expect(throws: FileError.self) { try orientation.apply(to: source) }
        }
        #expect(Orientation.upright.canTurn(source.format))
        #expect(try Orientation.upright.apply(to: source) === source)
    }

    @Test func chromaThatCannotLieTheOtherWay() throws {
        var quarter = Orientation()
        (quarter.transposed, quarter.flipX) = (true, true)
        var half = Orientation()
        (half.flipX, half.flipY) = (true, true)
        #expect(!quarter.canTurn(AV_PIX_FMT_YUV411P))
        #expect(half.canTurn(AV_PIX_FMT_YUV411P))
    }

    /// Drawing knows the samples' depth from the format.
    @Test(arguments: [("yuv420p", 8), ("yuv420p10le", 10), ("yuv444p12le", 12)])
    func canvases(name: String, depth: Int) throws {
        let frame = try picture(Self.format(name))
        frame.av.pointee.colorspace = AVCOL_SPC_BT709
        try frame.withCanvas { canvas in
            #expect(canvas.bitDepth == depth)
            #expect(canvas.chroma?.cr.bitDepth == depth)
            Painter().fill(Box(x: 0, y: 0, width: 37, height: 21), color: RGB(255, 255, 255), onto: canvas)
        }
        let white = ColorSpace(matrix: .bt709, fullRange: false).codes(of: RGB(255, 255, 255), bitDepth: depth)
        let expected = [white.y, white.cb, white.cr]
        for (plane, code) in zip(frame.planes(), expected) {
            let bytes = [UInt8(truncatingIfNeeded: code), UInt8(code >> 8)].prefix(plane.pixelSize)
            #expect(pixel(plane, plane.width - 1, plane.height - 1) == Array(bytes))
            #expect(pixel(plane, 0, 3) == Array(bytes))
        }
    }
}
