import Testing

@testable import Annotate
@testable import TestSupport

/// A copy is held against its source before it gets its name.
@Suite struct CopyCheckTests {
    private static let copy: EncodeSettings = {
        var settings = EncodeSettings()
        settings.codec = .copy
        return settings
    }()

    private func problems(_ folder: TemporaryFolder, _ source: String, _ video: String = "clip.mkv") -> [String] {
        Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: folder.file(video), source: source,
            kinds: TestFindings.catalog
        ).problems
    }

    /// Matroska keeps the packets, not how many bits a pixel has.
    @Test func whatDoesNotDecodeThere() throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mov")
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=48x32:r=10", "-frames:v", "6", "-c:v", "qtrle", clip)
        let error = try #require(throws: FileError.self) { try transcode(clip, into: folder, settings: Self.copy) }
        #expect(
            error.description.hasPrefix("could not copy \(clip): it doesn't come out of a Matroska file as it is ("))
        #expect(error.description.hasSuffix("; expected a codec that encodes it"))
        #expect(try folder.names == ["a.mov"])
    }

    /// What begins a unit of time in AV1 isn't in Matroska, and a length is where a transport stream has a code.
    @Test(arguments: [
        ("ivf", ["-c:v", "libaom-av1", "-cpu-used", "8", "-usage", "realtime"]),
        ("ts", ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"]),
        ("ts", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none"]),
        ("mov", ["-c:v", "prores_ks"]), ("avi", ["-c:v", "mjpeg"]), ("mkv", ["-c:v", "ffv1"]),
        ("asf", ["-c:v", "wmv2"]), ("avi", ["-c:v", "mpeg4"]), ("ts", ["-c:v", "mpeg2video", "-bf", "2"]),
    ])
    func whatIsPutDownOtherwise(container: String, encoder: [String]) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.\(container)")
        try output(
            of: "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "12"] + encoder
                + [clip])
        #expect(try transcode(clip, into: folder, settings: Self.copy).frames == 12)
        #expect(problems(folder, clip) == [])
    }

    /// A unit that differs isn't overlooked, however it is put down.
    @Test func verifyTellsAForeignUnit() throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.ts")
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "12", "-c:v", "libx264", clip)
        try transcode(clip, into: folder, settings: Self.copy)
        #expect(problems(folder, clip) == [])
        var bytes = try Files.read(folder.file("clip.mkv"))
        bytes[bytes.count * 3 / 4] ^= 1
        try folder.write(bytes, to: "other.mkv")
        #expect(problems(folder, clip, "other.mkv").contains { $0.hasSuffix("of the video is not the source's") })
    }

    @Test func damageThatIsCopied() throws {
        let folder = try TemporaryFolder()
        let whole = folder.file("a.mp4")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "40", "-c:v", "libx264", "-preset", "ultrafast",
            "-g", "5", whole)
        let clip = folder.file("damaged.mp4")
        try ffmpeg("-i", whole, "-c", "copy", "-bsf:v", "noise=amount='eq(n,7)+eq(n,32)'", clip)
        let result = try transcode(clip, into: folder, settings: Self.copy) { $0.onError = .skipFrame }
        #expect(result.frames == 38 && result.skipped == 2)
        #expect(problems(folder, clip) == [])
        // Damage outside of the range is copied, and none of the job's business.
        let part = try transcode(clip, into: folder, range: FrameRange(start: 0.4, end: 0.8), settings: Self.copy)
        #expect(part.frames == 10 && part.skipped == 0)
        #expect(problems(folder, clip) == [])
    }

    /// Damage that happens to look like parameters, of which there are none: decoding begins behind it all the same.
    @Test(arguments: [7, 8, 15] as [UInt8]) func damageThatLooksLikeParameters(unit: UInt8) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mp4")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "40", "-c:v", "libx264", "-preset", "ultrafast",
            "-g", "5", clip)
        let words = ["-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", clip]
        let places = String(decoding: try output(of: "ffprobe", words), as: UTF8.self).split(separator: "\n")
        let place = try #require(Int(places[7].filter(\.isNumber)))
        var bytes = try Files.read(clip)
        bytes.replaceSubrange(place..<place + 5, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x60 | unit])
        try folder.write(bytes, to: "damaged.mp4")
        let damaged = folder.file("damaged.mp4")
        let part = try transcode(damaged, into: folder, range: FrameRange(start: 0.4, end: 0.8), settings: Self.copy)
        #expect(part.frames == 10 && part.skipped == 0)
        #expect(problems(folder, damaged) == [])
    }

    /// 4000 pictures a second: the copy and FFV1 are in Matroska, which counts thousandths.
    @Test(arguments: [EncodeSettings.Codec.copy, .ffv1]) func picturesCloserThanAThousandth(
        codec: EncodeSettings.Codec
    ) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mp4")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=4000", "-frames:v", "12", "-c:v", "libx264", "-preset",
            "ultrafast", "-video_track_timescale", "4000", clip)
        var settings = EncodeSettings()
        settings.codec = codec
        let error = try #require(throws: FileError.self) { try transcode(clip, into: folder, settings: settings) }
        #expect(
            error.description
                == "could not write \(folder.file("clip.mkv")): two of the source's pictures, near 0 s, are less than a "
                + "thousandth of a second apart, which is all that Matroska counts in; expected another codec (“h264”, "
                + "“none”), or a “range” without them")
        settings.codec = .h264
        try transcode(clip, into: folder, settings: settings)
        #expect(problems(folder, clip, "clip.mp4") == [])
    }

    /// Matroska doesn't say how long the last picture is shown: that is no sign of a file that was cut off.
    @Test(arguments: [EncodeSettings.Codec.copy, .ffv1]) func aLongLastPicture(codec: EncodeSettings.Codec) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mp4")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10", "-frames:v", "10", "-vf", "setpts='if(lt(N,9),N,0)/10/TB'",
            "-bsf:v", "setts=duration=if(eq(N\\,4)\\,20480\\,1024)", "-frames:v", "5", "-c:v", "libx264", "-bf", "0",
            "-video_track_timescale", "10240", clip)
        var settings = EncodeSettings()
        settings.codec = codec
        #expect(try transcode(clip, into: folder, settings: settings).frames == 5)
        #expect(problems(folder, clip) == [])
    }
}
