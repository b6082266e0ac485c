import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct OrientationTests {
    struct Turn: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// a, b, c and d of ISO/IEC 14496-12's matrix: shown x = a·x + c·y, shown y = b·x + d·y.
        var matrix: [Int32]
        var degrees: Int
        var isMirrored: Bool
        /// What FFmpeg's filters do for it.
        var filter: String
    }

    static let turns = [
        Turn(testDescription: "upright", matrix: [1, 0, 0, 1], degrees: 0, isMirrored: false, filter: "null"),
        Turn(testDescription: "90", matrix: [0, 1, -1, 0], degrees: 90, isMirrored: false, filter: "transpose=clock"),
        Turn(testDescription: "180", matrix: [-1, 0, 0, -1], degrees: 180, isMirrored: false, filter: "hflip,vflip"),
        Turn(
            testDescription: "270", matrix: [0, -1, 1, 0], degrees: 270, isMirrored: false, filter: "transpose=cclock"),
        Turn(
            testDescription: "flipped left to right", matrix: [-1, 0, 0, 1], degrees: 0, isMirrored: true,
            filter: "hflip"),
        Turn(testDescription: "upside down", matrix: [1, 0, 0, -1], degrees: 0, isMirrored: true, filter: "vflip"),
        Turn(
            testDescription: "transposed", matrix: [0, 1, 1, 0], degrees: 0, isMirrored: true,
            filter: "transpose=cclock_flip"),
        Turn(
            testDescription: "anti-transposed", matrix: [0, -1, -1, 0], degrees: 0, isMirrored: true,
            filter: "transpose=clock_flip"),
    ]

    private static func displayMatrix(_ turn: Turn) -> [Int32] {
        let m = turn.matrix.map { $0 << 16 }
        return [m[0], m[1], 0, m[2], m[3], 0, 0, 0, 1 << 30]
    }

    @Test(arguments: turns)
    func displayMatrices(turn: Turn) {
        let orientation = Orientation(displayMatrix: Self.displayMatrix(turn))
        #expect(orientation.degrees == turn.degrees)
        #expect(orientation.isMirrored == turn.isMirrored)
        #expect(orientation.transposed == (turn.matrix[0] == 0))
        #expect((orientation == .upright) == (turn.testDescription == "upright"))
    }

    @Test func anAngleBetweenIsTakenToTheNearest() {
        // 80° and 10°, as 16.16 numbers.
        let (cosine, sine) = (Int32(0.17364817766693041 * 65536), Int32(0.98480775301220802 * 65536))
        #expect(Orientation(displayMatrix: [cosine, sine, 0, -sine, cosine, 0, 0, 0, 1 << 30]).degrees == 90)
        #expect(Orientation(displayMatrix: [sine, cosine, 0, -cosine, sine, 0, 0, 0, 1 << 30]) == .upright)
    }

    /// Writes a display matrix into an MP4's first track header, big-endian.
    private static func turn(_ path: String, by turn: Turn, in folder: TemporaryFolder) throws -> String {
        var bytes = try Files.read(path)
        let name = Array("tkhd".utf8)
        let header = try #require(bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == name })
        for (index, number) in displayMatrix(turn).enumerated() {
            for byte in 0..<4 {
                bytes[header + 44 + index * 4 + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * Int32(byte)))
            }
        }
        return try folder.write(bytes, to: "turned.mp4")
    }

    @Test(arguments: turns, ["yuv420p", "yuv422p"])
    func picturesAreTurnedAsFFmpegTurnsThem(turn: Turn, format: String) throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=48x20:r=25", "-frames:v", "2", "-pix_fmt", format, "-c:v", "libx264",
            "-preset",
            "ultrafast", folder.file("clip.mp4"))
        let turned = try Self.turn(folder.file("clip.mp4"), by: turn, in: folder)
        let isTransposed = turn.matrix[0] == 0
        let info = try SourceInfo.probe(path: turned)
        #expect([info.width, info.height] == (isTransposed ? [20, 48] : [48, 20]))
        #expect(info.rotation == turn.degrees)
        #expect(info.isMirrored == turn.isMirrored)

        let frames = try readFrames(turned)
        #expect(frames.count == 2)
        // Plane by plane: FFmpeg's transpose doesn't take 4:2:2 as a whole.
        let planes = ["y", "u", "v"]
        let filters = planes.map { "[\($0)0]extractplanes=\($0),\(turn.filter)[\($0)]" }.joined(separator: ";")
        let outputs = planes.flatMap { ["-map", "[\($0)]", "-pix_fmt", "gray", "-f", "rawvideo", folder.file($0)] }
        try output(
            of: "ffmpeg",
            [
                "-nostdin", "-v", "error", "-noautorotate", "-i", turned, "-filter_complex",
                "split=3[y0][u0][v0];\(filters)",
            ] + outputs)
        for (index, plane) in planes.enumerated() {
            #expect(frames.flatMap { $0.planeBytes(index) } == (try Files.read(folder.file(plane))))
        }
    }

    @Test(arguments: turns.prefix(4))
    func framesAreShownAsPlayersShowThem(turn: Turn) throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=48x20:r=25", "-frames:v", "1", "-pix_fmt", "yuv420p", "-c:v", "libx264",
            "-preset",
            "ultrafast", folder.file("clip.mp4"))
        let turned = try Self.turn(folder.file("clip.mp4"), by: turn, in: folder)
        let autorotated = try ffmpeg("-i", turned, "-pix_fmt", "yuv420p", "-f", "rawvideo", "-")
        #expect(try readFrames(turned).flatMap(\.planarBytes) == autorotated)

        // The result is upright by itself and says in the track file what was done.
        try transcode(turned, into: folder)
        let result = try SourceInfo.probe(path: folder.file("clip.mp4"))
        #expect(result.rotation == 0)
        #expect([result.width, result.height] == (turn.degrees % 180 == 90 ? [20, 48] : [48, 20]))
        let reader = try TrackFileReader(path: folder.file("clip.tracks.jsonl"), kinds: TestFindings.catalog)
        #expect(reader.header.source.rotation == turn.degrees)
    }
}
