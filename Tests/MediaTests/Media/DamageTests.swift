import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct DamageTests {
    /// A clip in which every byte of the given pictures' packets is noise.
    private static func damaged(
        _ folder: TemporaryFolder, pictures: [Int], container: String = "mp4"
    ) throws -> String {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "20", "-c:v", "libx264", "-preset", "ultrafast",
            "-g", "5", folder.file("a.mp4"))
        let chosen = pictures.map { "eq(n,\($0))" }.joined(separator: "+")
        let clip = folder.file("damaged.\(container)")
        try ffmpeg("-i", folder.file("a.mp4"), "-c", "copy", "-bsf:v", "noise=amount='\(chosen)'", clip)
        return clip
    }

    @Test func theJobFailsAtDamage() throws {
        let folder = try TemporaryFolder()
        let clip = try Self.damaged(folder, pictures: [7])
        let error = #expect(throws: FileError.self) { try readFrames(clip) }
        #expect(error?.description.hasPrefix("could not decode \(clip): ") == true)
        #expect(
            error?.description.contains("damaged packet at frame 7") == true
                || error?.description.contains("frame 7 is lost") == true)
        #expect(error?.description.hasSuffix("“onError”: “skip-frame” goes on past damage") == true)
    }

    /// AVI's packets don't say when they are shown.
    @Test(arguments: ["mp4", "mkv", "avi"])
    func damageIsLeftOutAndCounted(container: String) throws {
        let folder = try TemporaryFolder()
        let clip = try Self.damaged(folder, pictures: [7, 12], container: container)
        #expect(throws: FileError.self) { try readFrames(clip) }
        let result = try transcode(clip, into: folder) { $0.onError = .skipFrame }
        #expect(result.skipped == 2)
        #expect(result.frames == 18)
        #expect(
            result.notes.contains("2 damaged packets in the input, the first near frame 7: their pictures are left out")
        )
        let summary = String(decoding: try Files.read(folder.file("clip.tracks.jsonl")), as: UTF8.self)
            .split(separator: "\n").last
        #expect(summary?.contains("\"concealed\":\(result.concealed),\"skipped\":2") == true)
        let finding = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: folder.file("clip.mp4"), source: clip,
            kinds: TestFindings.catalog)
        #expect(finding.problems == [])
        #expect(finding.source == clip)
    }

    /// A library behind FFmpeg refuses it, zlib here, and FFmpeg says no more than that.
    @Test func whatALibraryRefusesIsDamageToo() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "12", "-c:v", "png", folder.file("a.mov"))
        var bytes = try Files.read(folder.file("a.mov"))
        let mark = Array("IDAT".utf8)
        let pictures = bytes.indices.dropLast(4).filter { bytes[$0] == mark[0] && Array(bytes[$0..<$0 + 4]) == mark }
        try #require(pictures.count == 12)
        for index in pictures[7] + 8..<pictures[7] + 40 { bytes[index] = 0xFF }
        let clip = try folder.write(bytes, to: "damaged.mov")
        let error = #expect(throws: FileError.self) { try readFrames(clip) }
        #expect(
            error?.description.contains("a damaged packet at frame 7: its decoder can't make it out; “onError”")
                == true,
            "\(String(describing: error))")
        let result = try transcode(clip, into: folder) { $0.onError = .skipFrame }
        #expect(result.skipped == 1 && result.frames == 11)
    }

    /// A picture that is decoded with tables of the one before it, which nothing tells: a job that goes on past damage begins
    /// with the file, one that doesn't shortly before its range.
    @Test(arguments: DamagePolicy.allCases, ["mp4", "mkv"])
    func whatADecoderKeepsIsTheSameForVerify(policy: DamagePolicy, container: String) throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "20", "-c:v", "mjpeg", "-q:v", "3",
            folder.file("a.avi"))
        let mark: [UInt8] = [0xFF, 0xDB]
        var parts = try Files.read(folder.file("a.avi")).split(separator: mark, omittingEmptySubsequences: false)
            .map(Array.init)
        try #require(parts.count == 21)
        // Behind the length: the number of the table, which no component uses then.
        parts[11][parts[11].startIndex + 2] |= 3
        let clip = try folder.write(Array(parts.joined(separator: mark)), to: "damaged.avi")
        var settings = EncodeSettings()
        if container == "mkv" { settings.codec = .copy }
        let result = try transcode(
            clip, into: folder, range: FrameRange(start: 0.4, end: 0.6), settings: settings
        ) { $0.onError = policy }
        #expect(result.frames == 5 && result.concealed + result.skipped == 0)
        let finding = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: folder.file("clip.\(container)"), source: clip,
            kinds: TestFindings.catalog)
        #expect(finding.problems == [])
        #expect(finding.source == clip)
        let first = String(decoding: try Files.read(folder.file("clip.tracks.jsonl")), as: UTF8.self)
            .split(separator: "\n").first
        #expect(first?.contains("\"onError\":\"skip-frame\"") == (policy == .skipFrame))
        #expect(first?.contains("\"decodedFrom\":10") == (policy == .fail))
    }

    /// Containers that are read up to wherever they stop.
    @Test(arguments: [("ogv", "libtheora"), ("gif", "gif"), ("mkv", "libxvid")])
    func aFileThatIsCutOff(container: String, codec: String) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("whole.\(container)")
        try ffmpeg("-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "14", "-c:v", codec, clip)
        #expect(try readFrames(clip).count == 14)
        let bytes = try Files.read(clip)
        let cut = try folder.write(Array(bytes.prefix(bytes.count * 3 / 5)), to: "cut.\(container)")
        #expect(throws: FileError.self) { try readFrames(cut) }
        let result = try transcode(cut, into: folder) { $0.onError = .skipFrame }
        #expect(result.frames < 14)
        let summary = String(decoding: try Files.read(folder.file("clip.tracks.jsonl")), as: UTF8.self)
            .split(separator: "\n").last
        #expect(result.skipped > 0 || summary?.contains("\"cutOff\":true") == true)
        let finding = Verifier.verify(
            trackFile: folder.file("clip.tracks.jsonl"), video: folder.file("clip.mp4"), source: cut,
            kinds: TestFindings.catalog)
        #expect(finding.problems == [])
    }

    /// A few wrong bytes within slices: the picture is there, but not as it was, whatever the threads.
    @Test(arguments: [1, 2]) func damagedSlices(threads: Int) throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mkv")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-vf", "noise=alls=20:allf=t", "-frames:v", "30", "-c:v",
            "libx264", "-pix_fmt", "yuv420p", clip)
        var bytes = try Files.read(clip)
        for index in stride(from: bytes.count / 2, to: bytes.count / 2 + 4000, by: 37) { bytes[index] ^= 0x55 }
        let damaged = try folder.write(bytes, to: "b.mkv")
        var options = SourceOptions()
        options.threads = threads
        #expect(throws: FileError.self) { try readFrames(damaged, options) }
    }

    /// MXF's packets say their place in the file for their time, also where pictures come in another order.
    @Test func timesThatAreNone() throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mxf")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25", "-frames:v", "16", "-c:v", "libx264", "-pix_fmt",
            "yuv422p10le",
            clip)
        #expect(try readFrames(clip).count == 16)
    }

    @Test func aMatroskaFileThatEndsEarly() throws {
        let folder = try TemporaryFolder()
        let clip = folder.file("a.mkv")
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-f", "lavfi", "-i", "sine", "-t", "2", "-c:v", "libx264",
            "-preset", "ultrafast", clip)
        #expect(try readFrames(clip).count == 50)
        let bytes = try Files.read(clip)
        let cut = try folder.write(Array(bytes.prefix(bytes.count / 2)), to: "cut.mkv")
        let error = #expect(throws: FileError.self) { try readFrames(cut) }
        #expect(
            error?.description.contains("it is cut off or damaged: it should last 2") == true,
            "\(error?.description ?? "")")
        var options = SourceOptions()
        options.onError = .skipFrame
        #expect((5..<45).contains(try readFrames(cut, options).count))
    }

    @Test func aFileThatWasCutOff() throws {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25", "-frames:v", "20", "-c:v", "libx264", "-preset", "ultrafast",
            "-movflags", "+faststart", folder.file("a.mp4"))
        let bytes = try Files.read(folder.file("a.mp4"))
        let clip = try folder.write(Array(bytes.prefix(bytes.count * 2 / 3)), to: "cut.mp4")
        let error = #expect(throws: FileError.self) { try readFrames(clip) }
        #expect(error?.description.contains("“onError”: “skip-frame”") == true)
        var options = SourceOptions()
        options.onError = .skipFrame
        let count = try readFrames(clip, options).count
        #expect((1..<20).contains(count))
    }
}
