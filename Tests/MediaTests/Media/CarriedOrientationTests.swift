import Testing

@testable import Annotate
@testable import Media
@testable import TestSupport

/// Photos whose decoders don't tell how the camera was held.
@Suite struct CarriedOrientationTests {
    private static let filters = [
        (1, "null"), (2, "hflip"), (3, "hflip,vflip"), (4, "vflip"), (5, "transpose=cclock_flip"),
        (6, "transpose=clock"),
        (7, "transpose=clock_flip"), (8, "transpose=cclock"),
    ]

    /// A TIFF of one entry: 0x0112, a short.
    private static func exif(_ number: Int, little: Bool) -> [UInt8] {
        little
            ? [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(number), 0, 0, 0, 0, 0, 0, 0]
            : [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(number), 0, 0, 0, 0, 0, 0]
    }

    /// As the PNG specification has it, annex D.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                let half: UInt32 = sum >> 1
                sum = sum & 1 == 1 ? 0xEDB8_8320 ^ half : half
            }
        }
        return ~sum
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        return big(UInt32(content.count)) + named + big(checksum(named))
    }

    private func source(_ codec: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.file("a.\(codec)")
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", "-pix_fmt", "gray", "-c:v", codec, path)
        return path
    }

    private func expectTurned(
        _ path: String, as number: Int, _ filter: String, of source: String, _ folder: TemporaryFolder
    ) throws {
        let frame = try #require(try readFrames(path).first)
        try ffmpeg("-i", source, "-vf", filter, folder.file("turned.png"))
        let turned = try #require(try readFrames(folder.file("turned.png")).first)
        #expect((frame.width, frame.height) == (number < 5 ? (64, 48) : (48, 64)))
        #expect(frame.planarBytes == turned.planarBytes)
        try expectTold(path, as: number)
    }

    /// What is told before anything is decoded is how the picture will be.
    private func expectTold(_ path: String, as number: Int) throws {
        let (frame, info) = (try #require(try readFrames(path).first), try SourceInfo.probe(path: path))
        #expect((frame.width, frame.height) == (number < 5 ? (64, 48) : (48, 64)))
        #expect((info.width, info.height) == (frame.width, frame.height))
        // By EXIF's own table: mirrored is every other one, and what it is turned by then is of no matter here.
        #expect(info.isMirrored == [2, 4, 5, 7].contains(number))
        if !info.isMirrored { #expect(info.rotation == [1: 0, 3: 180, 6: 90, 8: 270][number]) }
    }

    @Test(arguments: filters.map(\.0)) func aJPEG(number: Int) throws {
        let folder = try TemporaryFolder()
        let file = try Files.read(try source("mjpeg", in: folder))
        let content = Array("Exif\0\0".utf8) + Self.exif(number, little: number % 2 == 0)
        // Behind a comment, and filling.
        let before: [UInt8] = [0xFF, 0xFE, 0, 4, 0x61, 0x62, 0xFF, 0xFF]
        var held = Array(file[..<2]) + before
        held += [0xE1, 0, UInt8(content.count + 2)]
        held += content
        held += file[2...]
        try folder.write(held, to: "b.jpg")
        try expectTold(folder.file("b.jpg"), as: number)
    }

    @Test(arguments: filters.map(\.0)) func aWebP(number: Int) throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48", "-frames:v", "1", "-c:v", "libwebp", folder.file("a.webp"))
        let chunks = try Files.read(folder.file("a.webp"))[12...]
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + Self.big(UInt32(content.count)).reversed() + content
        }
        let body =
            Array("WEBP".utf8) + chunk("VP8X", [8, 0, 0, 0, 63, 0, 0, 47, 0, 0]) + chunks
            + chunk("EXIF", Self.exif(number, little: number % 2 == 0))
        try folder.write(Array("RIFF".utf8) + Self.big(UInt32(body.count)).reversed() + body, to: "b.webp")
        try expectTold(folder.file("b.webp"), as: number)
    }

    @Test(arguments: filters, [true, false])
    func aPNG(_ turn: (number: Int, filter: String), little: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try source("png", in: folder)
        let file = try Files.read(path)
        // Before the pictures' chunks, or behind them.
        let place = little ? 33 : file.count - 12
        let held = file[..<place] + Self.chunk("eXIf", Self.exif(turn.number, little: little)) + file[place...]
        try folder.write(Array(held), to: "b.png")
        try expectTurned(folder.file("b.png"), as: turn.number, turn.filter, of: path, folder)
    }

    @Test(arguments: filters) func aTIFF(_ turn: (number: Int, filter: String)) throws {
        let folder = try TemporaryFolder()
        let path = try source("tiff", in: folder)
        var file = try Files.read(path)
        func long(_ offset: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) } }
        let directory = long(4)
        let count = Int(file[directory]) | Int(file[directory + 1]) << 8
        var entries = (0..<count).map { Array(file[directory + 2 + 12 * $0..<directory + 14 + 12 * $0]) }
        func tag(_ entry: [UInt8]) -> Int { Int(entry[0]) | Int(entry[1]) << 8 }
        entries.removeAll { tag($0) == 274 }
        entries.append([0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(turn.number), 0, 0, 0])
        entries.sort { tag($0) < tag($1) }
        if file.count % 2 == 1 { file.append(0) }
        let start = file.count
        for byte in 0..<4 { file[4 + byte] = UInt8(truncatingIfNeeded: start >> (8 * byte)) }
        file += [UInt8(entries.count), 0] + entries.flatMap(\.self) + [0, 0, 0, 0]
        try folder.write(file, to: "b.tiff")
        try expectTurned(folder.file("b.tiff"), as: turn.number, turn.filter, of: path, folder)
    }

    /// What is cut off or means nothing says nothing, wherever it ends.
    @Test func damage() {
        let exif = Array("Exif\0\0".utf8) + Self.exif(6, little: true)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
        let tiff = Array(exif[6...])
        let webp =
            [UInt8](repeating: 0, count: 12) + Array("EXIF".utf8) + Self.big(UInt32(tiff.count)).reversed() + tiff
        #expect(jpeg.withUnsafeBytes { CarriedOrientation.numberInJPEG($0) } == 6)
        #expect(webp.withUnsafeBytes { CarriedOrientation.numberInWebP($0) } == 6)
        for end in jpeg.indices { #expect(jpeg[..<end].withUnsafeBytes { CarriedOrientation.numberInJPEG($0) } == nil) }
        for end in webp.indices { #expect(webp[..<end].withUnsafeBytes { CarriedOrientation.numberInWebP($0) } == nil) }
        let whole = [UInt8](repeating: 0, count: 8) + Self.chunk("eXIf", Self.exif(6, little: true))
        #expect(whole.withUnsafeBytes { CarriedOrientation.numberInPNG($0) } == 6)
        for end in whole.indices {
            #expect(whole[..<end].withUnsafeBytes { CarriedOrientation.numberInPNG($0) } == nil)
        }
        for little in [true, false] {
            for number in [0, 9, 255] {
                #expect(
                    Self.exif(number, little: little).withUnsafeBytes { CarriedOrientation.numberInTIFF($0) } == nil)
            }
            let exif = Self.exif(3, little: little)
            for end in 0..<22 { #expect(exif[..<end].withUnsafeBytes { CarriedOrientation.numberInTIFF($0) } == nil) }
            var far = exif
            for byte in 4..<8 { far[byte] = 0xFF }
            #expect(far.withUnsafeBytes { CarriedOrientation.numberInTIFF($0) } == nil)
        }
    }
}
