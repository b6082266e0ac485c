import CFFmpeg
@testable import Drawing
@testable import Media
import Testing

/// What a picture looks like in a few numbers.
@Suite struct PictureSignatureTests {
    private static let width = 320, height = 180

    private func frame(_ format: AVPixelFormat, _ value: (_ plane: Int, _ x: Int, _ y: Int) -> UInt8) throws
        -> VideoFrame
    {
        let buffer = try FrameBuffer(width: Self.width, height: Self.height, format: format)
        for (index, plane) in buffer.planes().enumerated() {
            for y in 0..<plane.height {
                for x in 0..<plane.width { plane.base[y * plane.stride + x] = value(index, x, y) }
            }
        }
        return VideoFrame(
            ordinal: 0, pts: MediaTime(ticks: 0, timeBase: Rational(1, 25)), duration: 1, picture: buffer, original: nil
        )
    }

    /// A dark one of more colour than RGB can hold is bright in a PNG of it.
    @Test func coloursThatRGBCannotSay() throws {
        // Columns of 40 luma with all chroma that there is, and of 80 with none.
        let source = try frame(AV_PIX_FMT_YUV420P) { plane, x, _ in
            let isColored = x * (plane == 0 ? 1 : 2) / 40 % 2 == 0
            return plane == 0 ? (isColored ? 40 : 80) : (isColored ? 255 : 128)
        }
        let bright = try source.bgr().withPixels { pixels in
            try frame(AV_PIX_FMT_GRAY8) { _, x, y in
                let pixel = pixels.base + y * pixels.stride + 3 * x
                let (blue, green, red) = (Int(pixel[0]), Int(pixel[1]), Int(pixel[2]))
                return UInt8((29 * blue + 150 * green + 77 * red) / 256)
            }
        }
        let none = PictureSignature.Blocks(of: [], hiding: [], in: PictureSize(width: Self.width, height: Self.height))
        #expect(!PictureSignature(bright).isOther(than: source, besides: none))
        #expect(!PictureSignature(source).isOther(than: source, besides: none))
        // Its luma alone says the contrary.
        let luma = try frame(AV_PIX_FMT_GRAY8) { _, x, _ in x / 40 % 2 == 0 ? 40 : 80 }
        #expect(PictureSignature(bright).isOther(than: luma, besides: none))
        let other = try frame(AV_PIX_FMT_GRAY8) { _, _, y in y / 20 % 2 == 0 ? 40 : 90 }
        #expect(PictureSignature(other).isOther(than: source, besides: none))
    }
}
