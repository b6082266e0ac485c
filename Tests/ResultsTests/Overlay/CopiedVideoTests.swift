import Testing

@testable import Annotate
@testable import TestSupport

/// Copies with an overlay.
@Suite struct CopiedVideoTests {
    private static let copy: EncodeSettings = {
        var settings = EncodeSettings()
        settings.codec = .copy
        return settings
    }()

    /// Two seconds with B-frames and, where it is asked for, an AAC encoder's lead-in before zero.
    private func source(_ name: String, in folder: TemporaryFolder, _ more: String...) throws -> String {
        let words =
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=30000/1001:d=2"] + more
            + ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-pix_fmt", "yuv420p", folder.file(name)]
        try output(of: "ffmpeg", words)
        return folder.file(name)
    }

    /// What ffprobe says of each packet of some streams.
    private func sums(_ path: String, _ streams: String) throws -> [String] {
        let text = try output(
            of: "ffprobe",
            [
                "-v", "error", "-select_streams", streams, "-show_packets", "-show_data_hash", "md5", "-show_entries",
                "packet=data_hash", "-of", "csv=p=0", path,
            ])
        // Before the sum or behind it, it tells of samples that are to be skipped.
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { $0.contains("MD5:") }.compactMap {
            $0.split(separator: "MD5:").last.map { String($0.prefix(32)) }
        }
    }

    @Test func packetsAreTheSources() throws {
        let folder = try TemporaryFolder()
        let path = try source("a.mp4", in: folder, "-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac")
        let result = try transcode(path, into: folder, settings: Self.copy)
        #expect(result.frames == 60)
        #expect(result.notes == [])
        for stream in ["v:0", "a:0"] {
            let theirs = try sums(path, stream)
            #expect(!theirs.isEmpty)
            #expect(try sums(folder.file("clip.mkv"), stream) == theirs)
        }
        let track = try probe(
            folder.file("clip.mkv"), stream: "s:0", "codec_name:stream_tags=title:stream_disposition=default")
        #expect(
            track["codec_name"] == "ass" && track["TAG:title"] == "annotate-batch"
                && track["DISPOSITION:default"] == "1")
        let found = try Verifier.verify(directory: folder.path, kinds: TestFindings.catalog).first
        #expect(found?.problems == [] && found?.frames == 60)
    }

    @Test func theTrackFileSaysHowFarStampsLieBehind() throws {
        let folder = try TemporaryFolder()
        let path = try source("a.mp4", in: folder, "-f", "lavfi", "-i", "sine=d=2", "-c:a", "aac")
        try transcode(path, into: folder, settings: Self.copy)
        let header = try TrackFileReader(path: folder.file("clip.tracks.jsonl"), kinds: TestFindings.catalog).header
        let offset = header.source.videoOffset
        #expect(offset > 0)
        let theirs = try packetTimes(path).map { time in
            SourceCopy.milliseconds(time.pts, offset: Int64(offset), timeBase: header.source.timeBase)
        }
        #expect(try packetTimes(folder.file("clip.mkv")).map(\.pts) == theirs)
    }

    @Test func verifyTellsAForeignPacket() throws {
        let folder = try TemporaryFolder()
        let path = try source("a.mp4", in: folder)
        try transcode(path, into: folder, settings: Self.copy)
        try folder.write(
            #"{"version":1,"jobs":[{"id":"clip","status":"done","source":"a.mp4","frames":60}]}"#, to: "report.json")
        // A copy of the same pictures encoded otherwise.
        try ffmpeg("-i", path, "-c:v", "libx264", "-crf", "40", folder.file("other.mp4"))
        let other = try TemporaryFolder()
        try transcode(folder.file("other.mp4"), into: other, settings: Self.copy)
        let verdict = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: other.file("clip.mkv"), source: path,
            kinds: TestFindings.catalog)
        #expect(verdict.problems == ["packet 0 of the video is not the source's"])
        let right = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: folder.file("clip.mkv"), source: path,
            kinds: TestFindings.catalog)
        #expect(right.problems == [])
    }

    @Test func aRangeKeepsTheWholeVideo() throws {
        let folder = try TemporaryFolder()
        let path = try source("a.mp4", in: folder)
        let result = try transcode(path, into: folder, range: FrameRange(start: 0.5, end: 1), settings: Self.copy)
        #expect(result.frames == 15)
        #expect(try sums(folder.file("clip.mkv"), "v:0").count == 60)
        let verdict = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: folder.file("clip.mkv"), source: path,
            kinds: TestFindings.catalog)
        #expect(verdict.problems == [] && verdict.frames == 15)
    }

    /// An MP4 whose first track is shown turned by a quarter against the clock, by its display matrix: each release of ffmpeg
    /// has another way of writing one.
    private func turned(_ clip: [UInt8]) throws -> [UInt8] {
        let header = try #require(clip.indices.dropLast(88).first { clip[$0..<$0 + 4].elementsEqual("tkhd".utf8) })
        let at = header + 44
        let plain: [UInt8] = [0, 1, 0, 0] + [UInt8](repeating: 0, count: 12) + [0, 1, 0, 0]
        try #require(clip[at..<at + 20].elementsEqual(plain))
        func fixed(_ value: Int32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: (value << 16) >> (24 - 8 * $0)) }
        }
        let width = Int32(clip[at + 36]) << 8 | Int32(clip[at + 37])
        return clip[..<at] + [0, -1, 0, 1, 0, 0, 0, width].flatMap(fixed) + clip[(at + 32)...]
    }

    /// Turned by a quarter: Matroska has it as a projection's roll.
    @Test func turnedVideos() throws {
        let folder = try TemporaryFolder()
        let upright = try source("a.mp4", in: folder)
        try folder.write(try turned(try Files.read(upright)), to: "b.mp4")
        try transcode(folder.file("b.mp4"), into: folder, settings: Self.copy)
        let bytes = try Files.read(folder.file("clip.mkv"))
        // ProjectionType 0, what was its private part, and ProjectionPoseRoll as a float of eight bytes: 90.
        let flat: [UInt8] = [0x76, 0x71, 0x81, 0x00, 0xEC]
        let roll: [UInt8] = [0x76, 0x75, 0x88, 0x40, 0x56, 0x80, 0, 0, 0, 0, 0]
        func holds(_ part: [UInt8]) -> Bool {
            (0..<min(bytes.count, 1 << 16) - part.count).contains {
                bytes[$0] == part[0] && bytes[$0..<$0 + part.count].elementsEqual(part)
            }
        }
        #expect(holds(flat) && holds(roll))
        let verdict = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: folder.file("clip.mkv"), source: folder.file("b.mp4"),
            kinds: TestFindings.catalog)
        #expect(verdict.problems == [])
    }

    @Test func chaptersMetadataAndMore() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            ";FFMETADATA1\ntitle=A title\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1500\ntitle=One\n", to: "m.txt")
        try folder.write("1\n00:00:00,200 --> 00:00:01,000\nwords\n", to: "s.srt")
        try folder.write("a note", to: "n.txt")
        let path = try source(
            "a.mkv", in: folder, "-i", folder.file("s.srt"), "-i", folder.file("m.txt"), "-map", "0", "-map", "1",
            "-map_metadata", "2", "-map_chapters", "2", "-metadata:s:s:0", "language=fra", "-c:s", "srt", "-attach",
            folder.file("n.txt"),
            "-metadata:s:t", "mimetype=text/plain")
        try transcode(path, into: folder, settings: Self.copy)
        let copy = folder.file("clip.mkv")
        #expect(
            try probe(copy, stream: "s:0", "codec_name:stream_tags=language") == [
                "codec_name": "subrip", "TAG:language": "fra",
            ])
        #expect(try probe(copy, stream: "t:0", "index:stream_tags=filename")["TAG:filename"] == "n.txt")
        #expect(try sums(path, "s:0") == (try sums(copy, "s:0")))
        let text = String(
            decoding: try output(
                of: "ffprobe", ["-v", "error", "-show_chapters", "-show_format", "-of", "compact", copy]), as: UTF8.self
        )
        #expect(text.contains("start=500000000|") && text.contains("tag:title=One"))
        #expect(text.contains("tag:title=A title"))
    }

    @Test func packetsWithoutTimes() throws {
        let folder = try TemporaryFolder()
        let path = try source("a.h264", in: folder)
        let error = try #require(throws: FileError.self) { try transcode(path, into: folder, settings: Self.copy) }
        #expect(
            error.reason
                == "its packets say no times of their pictures, which Matroska needs; encode it, or remux it first")
        #expect(try folder.names == ["a.h264"])
    }

    @Test func theSameBytesEveryTime() throws {
        let folder = try TemporaryFolder()
        let path = try source("a.mp4", in: folder)
        try transcode(path, into: folder, id: "one", settings: Self.copy)
        try transcode(path, into: folder, id: "two", settings: Self.copy)
        #expect(try Files.read(folder.file("one.mkv")) == (try Files.read(folder.file("two.mkv"))))
    }
}
