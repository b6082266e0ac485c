import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

/// A job's frames before they stream, forwards and backwards.
@Suite struct FootageTests {
    private static let frames = 60
    /// What a small picture counts.
    private static let frameBytes = 1 << 16

    private func clip(_ name: String, in folder: TemporaryFolder) throws -> String {
        _ = try output(
            of: "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "\(Self.frames)",
                "-c:v",
                "libx264", "-g", "7", "-bf", "2", folder.file(name),
            ])
        return folder.file(name)
    }

    private func footage(
        _ path: String, range: FrameRange? = nil, rate: Double? = nil, chunk: Int = 10
    ) -> Footage {
        var options = SourceOptions()
        options.range = range
        return Footage(path: path, options: options, rate: rate, mostBytes: chunk * Self.frameBytes)
    }

    @Test(arguments: ["a.mp4", "a.ts", "a.avi", "a.h264"], [1, 10, 1000])
    func backwardsItGivesTheSameFrames(name: String, chunk: Int) throws {
        let folder = try TemporaryFolder()
        let path = try clip(name, in: folder)
        let whole = try readFrames(path)
        let footage = footage(path, chunk: chunk)
        var there: [Int] = []
        try footage.forwards { frame, runs in
            there.append(frame.ordinal)
            return runs
        }
        #expect(there == Array(0..<Self.frames))
        var back: [VideoFrame] = []
        try footage.backwards(over: [3...12, 8...20, 40...59]) { back.append($0) }
        let expected = (Array(3...20) + Array(40...59)).reversed().map { whole[$0] }
        #expect(back.map(\.ordinal) == expected.map(\.ordinal))
        #expect(back.map(\.pts) == expected.map(\.pts))
        #expect(back.map(\.planarBytes) == expected.map(\.planarBytes))
    }

    /// A picture without a table of its own has the one of the picture before, and nothing says that it is damaged.
    @Test func backwardsItGivesTheSameOfADamagedFile() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.avi")
        _ = try output(
            of: "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "\(Self.frames)"]
                + ["-c:v", "mjpeg", "-q:v", "3", path])
        var bytes = try Files.read(path)
        func places(of sign: [UInt8]) -> [Int] {
            bytes.indices.dropLast(sign.count).filter { bytes[$0..<$0 + sign.count].elementsEqual(sign) }
        }
        // The first pictures of chunks: their tables are under a number that nobody asks for.
        for frame in [20, 40] {
            let start = places(of: Array("00dc".utf8))[frame]
            let table = try #require(places(of: [0xFF, 0xDB]).first { $0 > start })
            #expect(bytes[table + 4] == 0)
            bytes[table + 4] = 2
        }
        try Files.write(bytes, to: path)
        let whole = try readFrames(path)
        let footage = footage(path)
        try footage.forwards { _, _ in true }
        var back: [VideoFrame] = []
        try footage.backwards(over: [0...Self.frames - 1]) { back.append($0) }
        #expect(back.map(\.ordinal) == Array(0..<Self.frames).reversed())
        #expect(back.map(\.planarBytes) == whole.reversed().map(\.planarBytes))
    }

    @Test func ofARangeItGivesThat() throws {
        let folder = try TemporaryFolder()
        let footage = footage(try clip("a.mp4", in: folder), range: FrameRange(start: 0.4, end: 1.2), rate: 12.5)
        var there: [Int] = []
        try footage.forwards { frame, runs in
            if runs { there.append(frame.ordinal) }
            return true
        }
        #expect(there == Array(stride(from: 10, to: 30, by: 2)))
        var back: [Int] = []
        try footage.backwards(over: [0...29]) { back.append($0.ordinal) }
        #expect(back == (10..<30).reversed())
    }

    @Test func itEndsWhereEnoughWasSeen() throws {
        let folder = try TemporaryFolder()
        let footage = footage(try clip("a.mp4", in: folder))
        var count = 0
        try footage.forwards { frame, _ in
            count += 1
            return frame.ordinal < 5
        }
        #expect(count == 6)
        try footage.backwards(over: []) { _ in count += 1 }
        #expect(count == 6)
    }

    @Test func aFileThatChangesMeanwhile() throws {
        let folder = try TemporaryFolder()
        let path = try clip("a.mp4", in: folder)
        let footage = footage(path)
        try footage.forwards { _, _ in true }
        _ = try output(
            of: "ffmpeg", ["-nostdin", "-v", "error", "-y", "-i", path, "-r", "50", path + ".mp4"])
        try #require(rename(path + ".mp4", path) == 0)
        #expect { try footage.backwards(over: [30...40]) { _ in } } throws: {
            "\($0)" == "could not decode \(path): its pictures are others when it is read once more"
        }
    }

    @Test func cancelled() throws {
        let folder = try TemporaryFolder()
        let cancellation = Cancellation()
        let footage = Footage(
            path: try clip("a.mp4", in: folder), options: SourceOptions(), cancellation: cancellation)
        #expect(throws: CancelledError.self) {
            try footage.forwards { _, _ in
                cancellation.cancel()
                return true
            }
        }
    }
}
