import Glibc
import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct VideoWriterTests {
    /// 16 macroblocks wide: x264's AVX-512 code reads memory that nobody wrote where their number is no multiple of 16, and
    /// its bytes then depend on what was there.
    private static func clip(
        _ folder: TemporaryFolder, _ arguments: [String] = [], name: String = "a.mp4", frames: Int = 30
    ) throws -> String {
        try output(
            of: "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=256x128:r=25", "-frames:v",
                "\(frames)", "-c:v", "libx264",
                "-preset", "veryfast", "-pix_fmt", "yuv420p",
            ] + arguments + [folder.file(name)])
        return folder.file(name)
    }

    /// The MD5 of each decoded picture.
    private func pictures(_ path: String) throws -> [Substring] {
        let text = String(
            decoding: try ffmpeg("-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-f", "framemd5", "-"),
            as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").last ?? "" }
    }

    @Test(arguments: [
        [], ["-vf", "select='not(mod(n\\,3))+eq(n\\,7)'", "-fps_mode", "vfr"], ["-output_ts_offset", "3"],
        ["-r", "30000/1001"],
    ])
    func timesAreTheSources(arguments: [String]) throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder, arguments)
        let result = try transcode(source, into: folder)
        let expected = try packetTimes(source)
        #expect(try packetTimes(folder.file("clip.mp4")) == expected)
        #expect(result.frames == expected.count)
        let (a, b) = (
            try probe(source, "time_base,r_frame_rate,width,height"),
            try probe(folder.file("clip.mp4"), "time_base,r_frame_rate,width,height")
        )
        #expect(a == b)
    }

    @Test(arguments: [1, 2])
    func veryShortClips(frames: Int) throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder, frames: frames)
        #expect(try transcode(source, into: folder).frames == frames)
        #expect(try packetTimes(folder.file("clip.mp4")) == (try packetTimes(source)))
    }

    /// Drawing nothing changes nothing: the pictures are those that FFmpeg makes with the same settings.
    @Test func anEmptyGraphIsFFmpegsOwnTranscode() throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder, frames: 60)
        try transcode(source, into: folder)
        try ffmpeg(
            "-i", source, "-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-threads", "3",
            folder.file("reference.mp4"))
        let found = try pictures(folder.file("clip.mp4"))
        #expect(found.count == 60)
        #expect(found == (try pictures(folder.file("reference.mp4"))))
    }

    @Test func sameInputSameBytes() throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder)
        try transcode(source, into: folder, id: "one")
        try transcode(source, into: folder, id: "two")
        for suffix in [".mp4", ".tracks.jsonl"] {
            #expect(try Files.read(folder.file("one\(suffix)")) == Files.read(folder.file("two\(suffix)")))
        }
    }

    @Test func audioIsCopiedAsItIs() throws {
        let folder = try TemporaryFolder()
        let source = folder.file("a.mp4")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1.2", "-f", "lavfi", "-i", "sine=r=48000:d=1.2", "-c:v",
            "libx264",
            "-preset", "ultrafast", "-c:a", "aac", source)
        let result = try transcode(source, into: folder)
        #expect(result.notes == [])
        func audio(_ path: String) throws -> [UInt8] {
            try ffmpeg("-i", path, "-map", "0:a", "-c", "copy", "-f", "framemd5", "-")
        }
        #expect(try audio(folder.file("clip.mp4")) == audio(source))
        var settings = EncodeSettings()
        settings.audio = .drop
        try transcode(source, into: folder, id: "silent", settings: settings)
        #expect(try probe(folder.file("silent.mp4"), stream: "a:0", "codec_name").isEmpty)
    }

    @Test func audioThatMP4CannotHoldIsTranscoded() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4", "-c:v", "libx264",
            "-c:a",
            "pcm_s16le", folder.file("a.mkv"))
        let result = try transcode(folder.file("a.mkv"), into: folder)
        #expect(result.notes == ["audio track 1: “pcm_s16le” doesn't go into an MP4; transcoded to AAC"])
        #expect(try probe(folder.file("clip.mp4"), stream: "a:0", "codec_name")["codec_name"] == "aac")
        #expect(result.frames == 10)
    }

    /// The names of a file's outermost boxes.
    private func boxes(_ path: String) throws -> [String] {
        let bytes = try Files.read(path)
        var names: [String] = []
        var offset = 0
        while offset + 8 <= bytes.count {
            let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            names.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
            guard size >= 8 else { break }
            offset += size
        }
        return names
    }

    @Test(arguments: [true, false])
    func theIndexComesFirstWhereAskedFor(faststart: Bool) throws {
        let folder = try TemporaryFolder()
        var settings = EncodeSettings()
        settings.faststart = faststart
        try transcode(try Self.clip(folder, frames: 5), into: folder, settings: settings)
        let order = try boxes(folder.file("clip.mp4")).filter { ["moov", "mdat"].contains($0) }
        #expect(order == (faststart ? ["moov", "mdat"] : ["mdat", "moov"]))
    }

    @Test(arguments: [("bt709", "tv"), ("bt709", "pc"), ("smpte170m", "tv")])
    func colourTagsAreCarried(matrix: String, range: String) throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(
            folder, ["-colorspace", matrix, "-color_primaries", matrix, "-color_trc", matrix, "-color_range", range],
            frames: 3)
        try transcode(source, into: folder)
        let tags = "color_range,color_space,color_transfer,color_primaries,pix_fmt"
        let found = try probe(folder.file("clip.mp4"), tags)
        #expect(found["color_range"] == range)
        #expect(found["color_space"] == matrix)
        #expect(found == (try probe(source, tags)))
    }

    @Test func oddSizesArePaddedByRepetition() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=s=33x17:r=25", "-frames:v", "3", "-pix_fmt", "yuv420p", "-c:v", "ffv1",
            folder.file("odd.mkv"))
        var settings = EncodeSettings()
        settings.crf = 0
        try transcode(folder.file("odd.mkv"), into: folder, settings: settings)
        let (source, result) = (try readFrames(folder.file("odd.mkv")), try readFrames(folder.file("clip.mp4")))
        #expect(source.count == 3)
        #expect(result.map { [$0.width, $0.height] } == Array(repeating: [34, 18], count: 3))
        for (a, b) in zip(source, result) {
            let (a, b) = (a.planarBytes, b.planarBytes)
            for y in 0..<18 {
                for x in 0..<34 where b[y * 34 + x] != a[min(y, 16) * 33 + min(x, 32)] {
                    Issue.record("luma at \(x), \(y)")
                    return
                }
            }
            // Chroma has 17×9 samples either way.
            #expect(Array(b.suffix(2 * 17 * 9)) == Array(a.suffix(2 * 17 * 9)))
        }
        #expect(
            Verifier.verify(
                trackFile: folder.file("clip.tracks.jsonl"), video: folder.file("clip.mp4"), kinds: TestFindings.catalog
            ).problems == [])
    }

    @Test(arguments: [
        (EncodeSettings.Codec.hevc, "hevc", "hvc1"), (.av1, "av1", "av01"), (.h264, "h264", "avc1"),
    ])
    func codecs(codec: EncodeSettings.Codec, name: String, tag: String) throws {
        let folder = try TemporaryFolder()
        var settings = EncodeSettings()
        settings.codec = codec
        settings.preset = codec == .av1 ? "12" : "ultrafast"
        try #require(EncodeSettings.isAvailable(codec))
        let source = try Self.clip(folder, frames: 8)
        try transcode(source, into: folder, settings: settings)
        // SVT-AV1, as root, would make this thread a real-time one.
        #expect(sched_getscheduler(0) == SCHED_OTHER)
        let found = try probe(folder.file("clip.mp4"), "codec_name,codec_tag_string,pix_fmt")
        #expect(found["codec_name"] == name)
        #expect(found["codec_tag_string"] == tag)
        #expect(try packetTimes(folder.file("clip.mp4")).map(\.pts) == (try packetTimes(source)).map(\.pts))
    }

    @Test(arguments: [("rgb24", "yuv420p"), ("gray", "yuv420p"), ("yuv420p10le", "yuv420p")])
    func everySourceBecomesAVideoThatPlays(format: String, expected: String) throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "2", "-pix_fmt", format, "-c:v", "ffv1",
            folder.file("a.mkv"))
        try transcode(folder.file("a.mkv"), into: folder)
        #expect(try probe(folder.file("clip.mp4"), "pix_fmt")["pix_fmt"] == expected)
        // Luma is near to what FFmpeg makes of it.
        let luma = try ffmpeg(
            "-i", folder.file("clip.mp4"), "-vf", "extractplanes=y", "-frames:v", "1", "-f", "rawvideo", "-")
        let wanted = try ffmpeg(
            "-i", folder.file("a.mkv"), "-vf",
            "scale=out_range=tv:out_color_matrix=bt601,format=yuv420p,extractplanes=y", "-frames:v", "1", "-f",
            "rawvideo", "-")
        try #require(luma.count == wanted.count)
        let error = zip(luma, wanted).map { abs(Int($0) - Int($1)) }.reduce(0, +)
        #expect(Double(error) / Double(luma.count) < 4)
    }

    @Test func aRangeIsCutAndKeepsItsTimes() throws {
        let folder = try TemporaryFolder()
        let source = try Self.clip(folder)
        let result = try transcode(source, into: folder, range: FrameRange(start: 0.4, end: 0.8))
        #expect(result.frames == 10)
        #expect(try packetTimes(folder.file("clip.mp4")) == Array(try packetTimes(source)[10..<20]))
        let lines = String(decoding: try Files.read(folder.file("clip.tracks.jsonl")), as: UTF8.self).split(
            separator: "\n")
        #expect(lines[1].hasPrefix(#"{"frame":10,"pts":5120,"duration":512,"time":0.4,"#))
        let error = #expect(throws: FileError.self) {
            try transcode(source, into: folder, range: FrameRange(start: 9, end: nil))
        }
        #expect(
            error?.description
                == "could not decode \(source): no frame lies in the range from 9 s to the end; "
                + "it has frames from 0 s to 1.2 s"
        )
    }

    @Test func noVideoWhereNoneIsAskedFor() throws {
        let folder = try TemporaryFolder()
        var settings = EncodeSettings()
        settings.codec = .none
        try transcode(try Self.clip(folder, frames: 4), into: folder, settings: settings)
        #expect(try folder.names == ["a.mp4", "clip.tracks.jsonl"])
    }
}
