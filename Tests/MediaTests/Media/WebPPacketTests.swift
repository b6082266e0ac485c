@testable import Media
import Foundation
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct WebPPacketTests {
    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let size = UInt32(bytes.count)
        return Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + bytes
            + (bytes.count % 2 == 1 ? [0] : [])
    }

    private static func file(_ chunks: [[UInt8]]) -> [UInt8] {
        let body = Array("WEBP".utf8) + chunks.flatMap(\.self)
        return chunk("RIFF", body)
    }

    private func end(_ bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes { WebPPacket.end(of: $0) } }

    @Test func thePictureEndsWithItsChunk() {
        #expect(end(Self.file([Self.chunk("VP8 ", [1, 2, 3])])) == 24)
        #expect(end(Self.file([Self.chunk("VP8X", [0, 0]), Self.chunk("VP8L", [1, 2])]) + [1, 2, 3]) == 32)
        let held = Self.file([Self.chunk("VP8 ", [1, 2]), Self.chunk("XMP ", [1]), Self.chunk("EXIF", [1, 2])])
        #expect(end(held + [1, 2, 3]) == held.count)
        #expect(end(Array(held.dropLast())) == 22)
    }

    @Test(arguments: [
        [], Array("RIFF".utf8), file([]), file([chunk("EXIF", [1])]),
        Array(file([chunk("VP8 ", [1, 2, 3])]).dropLast(2)),
        Array("RIFFxxxxWEBPVP8 ".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0],
    ]) func whatHoldsNoWholePictureIsLeftAlone(_ bytes: [UInt8]) {
        #expect(end(bytes) == nil)
    }

    @Test func aDamagedChunkBehindThePictureDoesNoHarm() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.webp")
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", "-c:v", "libwebp", path)
        let whole = try readFrames(path)
        try folder.write(try Files.read(path) + [UInt8](repeating: 0xFF, count: 4000), to: "b.webp")
        var options = SourceOptions()
        options.threads = 2
        let frames = try readFrames(folder.file("b.webp"), options)
        #expect(frames.count == 1 && frames.map(\.planarBytes) == whole.map(\.planarBytes))
    }

    /// What EXIF says of how a camera was held is told in a chunk behind the picture.
    @Test(arguments: [
        (1, "null"), (2, "hflip"), (3, "hflip,vflip"), (4, "vflip"), (5, "transpose=cclock_flip"),
        (6, "transpose=clock"),
        (7, "transpose=clock_flip"), (8, "transpose=cclock"),
    ])
    func picturesAreShownAsTheCameraWasHeld(number: Int, filter: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.webp")
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", "-c:v", "libwebp", path)
        let picture = Array(try Files.read(path).dropFirst(12))
        // Little-endian TIFF of one entry: 0x0112, a short.
        let exif: [UInt8] = [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(number), 0, 0, 0, 0, 0, 0, 0,
        ]
        let head = Self.chunk("VP8X", [8, 0, 0, 0, 63, 0, 0, 47, 0, 0])
        try folder.write(Self.file([head, picture, Self.chunk("EXIF", exif)]), to: "b.webp")
        try ffmpeg("-i", path, "-vf", filter, "-pix_fmt", "yuv420p", "-f", "rawvideo", folder.file("turned"))
        let frame = try #require(try readFrames(folder.file("b.webp")).first)
        #expect((frame.width, frame.height) == (number < 5 ? (64, 48) : (48, 64)))
        #expect(frame.planarBytes == (try Files.read(folder.file("turned"))))
    }
}
