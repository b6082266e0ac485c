@testable import Media
import Testing

@testable import Annotate
@testable import TestSupport

/// A range gives the frames of a full run, with their numbers, times and pictures.
@Suite struct RangeTests {
    static let kinds: [(name: String, arguments: [String])] = [
        ("bframes.mp4", ["-c:v", "libx264", "-bf", "3", "-g", "10"]),
        ("bframes.mkv", ["-c:v", "libx264", "-bf", "3", "-g", "10"]),
        ("opengop.mp4", ["-c:v", "libx264", "-bf", "3", "-g", "10", "-x264-params", "open-gop=1"]),
        ("refresh.mkv", ["-c:v", "libx264", "-g", "10", "-x264-params", "intra-refresh=1"]),
        ("late.ts", ["-c:v", "libx264", "-bf", "2", "-g", "10"]),
        ("mpeg2.ts", ["-c:v", "mpeg2video", "-bf", "2", "-g", "9"]),
        ("hevc.mp4", ["-c:v", "libx265", "-x265-params", "log-level=error:keyint=10:min-keyint=10"]),
        ("altref.webm", ["-c:v", "libvpx", "-g", "10", "-auto-alt-ref", "1", "-lag-in-frames", "10", "-b:v", "200k"]),
        ("vp9.webm", ["-c:v", "libvpx-vp9", "-g", "10", "-b:v", "200k"]), ("intra.avi", ["-c:v", "mjpeg"]),
        ("mpeg4.avi", ["-c:v", "mpeg4", "-bf", "2", "-g", "10"]),
        ("palette.avi", ["-c:v", "rawvideo", "-pix_fmt", "pal8"]),
        ("fragments.mp4", ["-c:v", "libx264", "-bf", "2", "-g", "10", "-movflags", "frag_keyframe+empty_moov"]),
    ]

    static func clip(_ name: String, in folder: TemporaryFolder, seconds: Int) throws -> String {
        let arguments = try #require(kinds.first { $0.name == name }).arguments
        let source = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-t", "\(seconds)"]
        try output(of: "ffmpeg", source + arguments + [folder.file(name)])
        return folder.file(name)
    }

    @Test(arguments: kinds.map(\.name))
    func aRangeIsAPartOfTheWhole(name: String) throws {
        let folder = try TemporaryFolder()
        try expectParts(of: try Self.clip(name, in: folder, seconds: 3))
    }

    /// Tables that the first packet brings and others don't are those that all are decoded with.
    @Test func whatComesOnceIsKept() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-t", "3", "-c:v", "mjpeg", "-q:v", "3", "-huffman",
            "default",
            folder.file("a.avi"))
        let (tables, comment): ([UInt8], [UInt8]) = ([0xFF, 0xDB], [0xFF, 0xFE])
        let parts = try Files.read(folder.file("a.avi")).split(separator: tables, omittingEmptySubsequences: false)
        try #require(parts.count == 76)
        let bytes = parts[0] + tables + Array(parts.dropFirst().joined(separator: comment))
        try expectParts(of: try folder.write(Array(bytes), to: "once.avi"))
    }

    @Test(
        arguments: [
            ("a.avi", ["-c:v", "mjpeg"], [.huffmanTables, .quantization], [.huffmanTables, .quantization]),
            ("p.avi", ["-c:v", "rawvideo", "-pix_fmt", "pal8"], .palette, []),
            ("a.mkv", ["-c:v", "mpeg2video"], .sequence, []),
            ("a.ts", ["-c:v", "libx264"], [.sequenceSet, .pictureSet], []), ("a.mp4", ["-c:v", "libx264"], [], []),
            (
                "h.ts", ["-c:v", "libx265", "-x265-params", "log-level=error"], [.videoSet, .sequenceSet, .pictureSet],
                []
            ),
        ] as [(String, [String], CarriedParameters, CarriedParameters)])
    func packetsBringParameters(
        name: String, arguments: [String], first: CarriedParameters, second: CarriedParameters
    ) throws {
        let folder = try TemporaryFolder()
        let source = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "3"]
        try output(of: "ffmpeg", source + arguments + [folder.file(name)])
        let demuxer = try Demuxer(path: folder.file(name))
        let access = RandomAccess(stream: try demuxer.videoStream())
        #expect(try demuxer.next().map(access.parameters) == first)
        #expect(try demuxer.next().map(access.parameters) == second)
    }

    private func expectParts(of clip: String) throws {
        let whole = try readFrames(clip)
        for bounds in [(0.5, 0.9), (1.2, 1.24), (1.61, 9), (2.8, 9)] {
            var options = SourceOptions()
            let first = whole[0].seconds
            options.range = FrameRange(start: first + bounds.0, end: first + bounds.1)
            let part = try readFrames(clip, options)
            let expected = whole.filter { frame in
                let ticks = TickRange(options.range, timeBase: frame.pts.timeBase)
                return frame.pts.ticks >= ticks.start && frame.pts.ticks < ticks.end
            }
            #expect(!expected.isEmpty && part.map(\.ordinal) == expected.map(\.ordinal), "\(bounds)")
            #expect(part.map(\.pts) == expected.map(\.pts))
            #expect(part.map(\.duration) == expected.map(\.duration))
            #expect(part.map(\.planarBytes) == expected.map(\.planarBytes), "\(bounds)")
        }
    }

    @Test(arguments: ["bframes.mp4", "bframes.mkv", "late.ts", "vp9.webm", "intra.avi"])
    func aRangesFramesAreCountedBeforehand(name: String) throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(name, in: folder, seconds: 3)
        let info = try SourceInfo.probe(path: clip)
        let start = try readFrames(clip)[0].seconds
        for (from, to, expected) in [
            (0.5, 0.9, 10), (1.2, 1.24, 1), (2.8, 9, 5), (0, nil, 75), (2, nil, 25), (9, 10, 0),
        ] {
            let range = FrameRange(start: start + from, end: to.map { start + $0 })
            // A container's duration may be off by a frame.
            let count = try #require(info.expectedFrames(in: range))
            #expect(abs(count - expected) <= (to == nil || to == 9 ? 1 : 0), "\(from), \(to ?? 0)")
        }
        #expect(info.expectedFrames(in: nil) == info.expectedFrames)
    }

    /// A gradual refresh is no place to start from: those before the first picture count for nothing.
    @Test(arguments: [
        ("bframes.mp4", 80), ("bframes.mkv", 80), ("refresh.mkv", 0), ("vp9.webm", 80), ("fragments.mp4", 80),
    ])
    func mostOfWhatLiesBeforeIsNotDecoded(name: String, ordinal: Int) throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(name, in: folder, seconds: 4)
        let demuxer = try Demuxer(path: clip)
        let stream = try demuxer.videoStream()
        let tick = MediaTime.ticks(atOrAfter: 3.36, timeBase: try SourceInfo.probe(path: clip).timeBase)
        let preroll = try #require(try Preroll.read(demuxer, stream: stream, upTo: tick, isStrict: false))
        #expect(preroll.ordinal == ordinal)
        #expect(preroll.video.count <= 12 || ordinal == 0)
    }

    @Test(arguments: ["mpeg4.avi"])
    func whatCannotBeCountedIsDecoded(name: String) throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(name, in: folder, seconds: 4)
        let demuxer = try Demuxer(path: clip)
        #expect(
            try Preroll.read(demuxer, stream: try demuxer.videoStream(), upTo: 3360, isStrict: false)?.ordinal == nil)
    }
}
