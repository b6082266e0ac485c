import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct SourceReaderTests {
    @Test(arguments: ["mp4", "mov"])
    func variableFrameTimesAreKept(container: String) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("vfr.\(container)")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-vf", "select='not(mod(n\\,3))+eq(n\\,7)'", "-fps_mode",
            "vfr",
            "-frames:v", "12", "-c:v", "libx264", "-preset", "ultrafast", clip)
        let frames = try readFrames(clip)
        let packets = try packetTimes(clip)
        #expect(frames.map { PacketTime(pts: $0.pts.ticks, duration: $0.duration) } == packets)
        #expect(frames.map(\.ordinal) == Array(0..<12))
        // Not a constant rate after all.
        #expect(Set(packets.map(\.duration)).count == 3)
    }

    @Test func timesThatDoNotStartAtZero() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "5", "-c:v", "libx264", "-preset", "ultrafast",
            "-output_ts_offset", "10", folder.file("late.ts"))
        let frames = try readFrames(folder.file("late.ts"))
        #expect(frames.map(\.pts.ticks) == (try packetTimes(folder.file("late.ts"))).map(\.pts))
        #expect((frames.first?.seconds ?? 0) > 10)
    }

    @Test func aContainerWithoutDurations() throws {
        let folder = try TemporaryFolder()
        // A raw stream in Matroska with whole-millisecond times and no default duration.
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=30", "-frames:v", "7", "-c:v", "libx264", "-preset", "ultrafast",
            "-default_mode", "passthrough", folder.file("a.mkv"))
        let frames = try readFrames(folder.file("a.mkv"))
        #expect(frames.map(\.pts.ticks) == [0, 33, 67, 100, 133, 167, 200])
        for frame in frames { #expect((33...34).contains(frame.duration)) }
    }

    @Test func picturesAreCountedInPresentationOrderAfterTheEditList() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "20", "-c:v", "libx264", "-preset", "medium",
            "-bf", "3",
            "-g", "10", folder.file("b.mp4"))
        // A stream copy from the middle keeps packets that its edit list hides.
        try ffmpeg("-ss", "0.24", "-i", folder.file("b.mp4"), "-c", "copy", folder.file("cut.mp4"))
        let frames = try readFrames(folder.file("cut.mp4"))
        let shown = try ffmpeg("-i", folder.file("cut.mp4"), "-fps_mode", "passthrough", "-f", "rawvideo", "-")
        #expect(frames.count > 10 && frames.flatMap(\.planarBytes) == shown)
        #expect(frames.map(\.ordinal) == Array(frames.indices))
        #expect(frames.map(\.pts.ticks) == frames.map(\.pts.ticks).sorted())
        #expect(Set(frames.map(\.pts.ticks)).count == frames.count)
    }

    @Test(arguments: ["yuv420p", "yuv422p", "yuv444p", "gray", "yuvj420p"])
    func planesAreTheDecodersOwn(format: String) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mkv")
        let codec = format.hasPrefix("yuvj") ? "mjpeg" : "ffv1"
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc=s=33x17:r=25", "-frames:v", "2", "-pix_fmt", format, "-c:v", codec, clip)
        let frames = try readFrames(clip)
        #expect(frames.map { [$0.width, $0.height] } == [[33, 17], [33, 17]])
        #expect(!frames.contains { $0.hasRicherOriginal })
        #expect(frames[0].withPicture { $0.planes.count } == (format == "gray" ? 1 : 3))
        #expect(frames[0].withPicture { $0.colorSpace.fullRange } == ["gray", "yuvj420p"].contains(format))
        #expect(frames.flatMap(\.planarBytes) == (try ffmpeg("-i", clip, "-pix_fmt", format, "-f", "rawvideo", "-")))
    }

    @Test(arguments: ["rgb24", "rgba", "pal8", "gray16be", "rgb48be"])
    func pngs(format: String) throws {
        let folder = try TemporaryFolder()
        let photo = folder.file("a.png")
        try ffmpeg("-f", "lavfi", "-i", "testsrc=s=33x17:r=25", "-frames:v", "1", "-pix_fmt", format, photo)
        let frames = try readFrames(photo)
        let frame = try #require(frames.first)
        #expect(frames.count == 1)
        #expect(frame.hasRicherOriginal)
        #expect(frame.withPicture { $0.planes.map(\.width) } == [33, 17, 17])
        let image = try frame.bgr()
        #expect([image.width, image.height] == [33, 17])
        guard format == "rgb24" else { return }
        // The picture's own colours, not those of its 4:2:0 copy.
        let expected = try ffmpeg("-i", photo, "-pix_fmt", "bgr24", "-f", "rawvideo", "-")
        let pixels = image.withPixels { plane in
            (0..<plane.height).flatMap {
                Array(UnsafeBufferPointer(start: plane.base + $0 * plane.stride, count: plane.width * 3))
            }
        }
        #expect(pixels == expected)
        #expect(try frame.bgr() === image)
    }

    @Test func tenBits() throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mkv")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "2", "-pix_fmt", "yuv420p10le", "-c:v", "ffv1",
            clip)
        let frames = try readFrames(clip)
        #expect(frames.map(\.hasRicherOriginal) == [true, true])
        let expected = try ffmpeg("-i", clip, "-pix_fmt", "yuv420p", "-f", "rawvideo", "-")
        let found = frames.flatMap(\.planarBytes)
        try #require(found.count == expected.count)
        // Rounded, dithered or cut to 8 bits: never off by more than one.
        #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test func aSizeThatChangesIsAnError() throws {
        let folder = try TemporaryFolder()
        for (name, size) in [("a", "64x48"), ("b", "32x32")] {
            try ffmpeg(
                "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25", "-frames:v", "2", "-c:v", "libx264", "-preset",
                "ultrafast", "-f", "h264", folder.file(name))
        }
        let both = try folder.write(try Files.read(folder.file("a")) + Files.read(folder.file("b")), to: "both.h264")
        let error = #expect(throws: FileError.self) { try readFrames(both) }
        #expect(
            error?.description
                == "could not decode \(both): the picture's size changes from 64×48 to 32×32 at frame 2; a "
                + "video of one size is expected")
    }

    @Test func whatIsNoVideo() throws {
        let folder = try TemporaryFolder()
        let text = try folder.write("no video at all\n", to: "a.mp4")
        let error = #expect(throws: FileError.self) { try readFrames(text) }
        #expect(
            error?.description
                == "could not open \(text): it is text, no video; expected a video or a picture that FFmpeg reads")
        try ffmpeg("-f", "lavfi", "-i", "sine=d=0.1", folder.file("a.wav"))
        try ffmpeg("-i", folder.file("a.wav"), "-c:a", "aac", folder.file("sound.mp4"))
        let silent = #expect(throws: FileError.self) { try readFrames(folder.file("sound.mp4")) }
        #expect(silent?.description == "could not decode \(folder.file("sound.mp4")): it has no video stream")
        let missing = #expect(throws: FileError.self) { try readFrames(folder.file("no.mp4")) }
        #expect(missing?.description == "could not open \(folder.file("no.mp4")): No such file or directory")
    }

    /// It is said what a file is instead, and what to do.
    @Test(
        arguments: [
            (
                Array("{\"a\": 1}".utf8),
                "it is text (JSON), no video; expected a video or a picture that FFmpeg reads"
            ),
            (
                Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 60),
                "it is a ZIP archive, no video; expected a video or a picture that FFmpeg reads"
            ),
            (
                [UInt8](repeating: 0xE7, count: 900),
                "it is no video or picture that FFmpeg knows; expected one: see what the file is, or copy it again"
            ),
        ] as [([UInt8], String)])
    func whatIsAnotherFile(bytes: [UInt8], reason: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "a.mp4")
        let error = #expect(throws: FileError.self) { try readFrames(path) }
        #expect(error?.description == "could not open \(path): \(reason)")
    }

    @Test func anMP4WithoutItsIndex() throws {
        let folder = try TemporaryFolder()
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "9", folder.file("a.mp4"))
        let bytes = try Files.read(folder.file("a.mp4"))
        let path = try folder.write(Array(bytes[..<(bytes.count / 2)]), to: "b.mp4")
        let error = #expect(throws: FileError.self) { try readFrames(path) }
        #expect(
            error?.description
                == "could not open \(path): its index (moov) is missing, as where a copy or a recording was broken off; "
                + "copy it again, or mend it")
    }

    /// Playlists name other files, which a manifest's author did not.
    @Test(arguments: [
        ("a.m3u8", "#EXTM3U\n#EXTINF:1,\nb.ts\n#EXT-X-ENDLIST\n"), ("a.ffconcat", "ffconcat version 1.0\nfile b.ts\n"),
    ])
    func playlistsAreNotFollowed(name: String, text: String) throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "2", "-c:v", "libx264", "-preset", "ultrafast",
            folder.file("b.ts"))
        let path = try folder.write(text, to: name)
        #expect(throws: FileError.self) { try readFrames(path) }
    }
}
