import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct DeinterlacerTests {
    private static func clip(_ folder: TemporaryFolder, top: Bool) throws -> String {
        let clip = folder.file("i.mkv")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=50", "-vf", "tinterlace=mode=\(top ? 4 : 5)", "-frames:v", "9",
            "-c:v", "libx264", "-preset", "ultrafast", "-flags", "+ildct+ilme", "-x264opts", top ? "tff=1" : "bff=1",
            clip)
        return clip
    }

    @Test(arguments: [true, false])
    func wholePicturesOneForOne(top: Bool) throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(folder, top: top)
        var options = SourceOptions()
        options.deinterlacing = .always
        let (combed, whole) = (try readFrames(clip), try readFrames(clip, options))
        #expect(whole.map(\.pts) == combed.map(\.pts))
        #expect(whole.map(\.duration) == combed.map(\.duration))
        #expect(whole.map(\.ordinal) == Array(0..<9))
        // What FFmpeg's filter makes of it.
        let expected = try ffmpeg(
            "-i", clip, "-vf", "bwdif=mode=send_frame:deint=interlaced", "-fps_mode", "passthrough", "-f", "rawvideo",
            "-")
        #expect(whole.flatMap(\.planarBytes) == expected)
        #expect(combed.flatMap(\.planarBytes) != expected)
    }

    @Test func fieldsAreToldOf() throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(folder, top: false)
        let plain = try transcode(clip, into: folder)
        #expect(
            plain.notes == ["the pictures are interlaced, bottom field first; “deinterlace”: true makes whole ones"])
        func header() throws -> Substring? {
            String(decoding: try Files.read(folder.file("clip.tracks.jsonl")), as: UTF8.self).split(separator: "\n")
                .first
        }
        #expect(try header()?.contains(#""fieldOrder":"bottomFirst","timeBase""#) == true)
        let whole = try transcode(clip, into: folder) { $0.deinterlacing = .always }
        #expect(whole.notes == [])
        #expect(try header()?.contains(#""fieldOrder":"bottomFirst","deinterlaced":true"#) == true)
    }

    @Test func aRangeIsAPartOfTheWhole() throws {
        let folder = try TemporaryFolder()
        let clip = try Self.clip(folder, top: true)
        var options = SourceOptions()
        options.deinterlacing = .always
        let whole = try readFrames(clip, options)
        options.range = FrameRange(start: 0.16, end: 0.28)
        let part = try readFrames(clip, options)
        #expect(part.map(\.ordinal) == [4, 5, 6])
        #expect(part.map(\.planarBytes) == whole[4...6].map(\.planarBytes))
    }

    /// From the first interlaced picture on, whatever the file says at its beginning: the same pictures as from the start on.
    @Test func fromTheFirstOneOn() throws {
        let folder = try TemporaryFolder()
        for (name, interlaced) in [("a", false), ("b", true)] {
            try ffmpeg(
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=50", "-vf", interlaced ? "tinterlace=mode=4" : "fps=25",
                "-frames:v", "7",
                "-c:v", "mpeg2video", "-q:v", "2", "-bf", "0", "-flags", interlaced ? "+ildct+ilme" : "0", "-f",
                "mpeg2video",
                folder.file(name))
        }
        let joined = try Files.read(folder.file("a")) + Files.read(folder.file("b"))
        let clip = folder.file("c.m2v")
        try Files.write(joined, to: clip)
        var options = SourceOptions()
        // Where they are joined a packet is lost.
        options.onError = .skipFrame
        let plain = try readFrames(clip, options)
        options.deinterlacing = .always
        let always = try readFrames(clip, options)
        options.deinterlacing = .ifNeeded
        let needed = try readFrames(clip, options)
        try #require(plain.count > 11)
        #expect(needed.map(\.pts) == plain.map(\.pts))
        #expect(needed.map(\.planarBytes) == always.map(\.planarBytes))
        let first = zip(needed, plain).prefix { $0.planarBytes == $1.planarBytes }.count
        #expect((5...7).contains(first), "\(first)")
        #expect(needed[(first + 1)...].map(\.planarBytes) != plain[(first + 1)...].map(\.planarBytes))
    }
}
