import Annotate
import Testing

/// `copy` of codecs of which a container's four letters tell what their packets don't.
@Suite struct CopiedCodecTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func output(_ program: String, _ arguments: [String]) throws -> String {
        let outcome = try Program.run(program, arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
        return outcome.output
    }

    private func told(_ name: String) throws -> String {
        try output(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=codec_name,profile,pix_fmt", "-of",
                "csv=p=0", workspace.file(name),
            ])
    }

    private func pictures(_ name: String) throws -> [Substring] {
        try output(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", workspace.file(name), "-map", "0:v:0", "-f", "framemd5", "-"]
        )
        .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }

    @Test(arguments: [
        ("a.mov", ["-c:v", "prores_ks", "-profile:v", "4", "-pix_fmt", "yuva444p10"]),
        ("b.mov", ["-c:v", "prores_ks", "-profile:v", "3"]),
        ("c.avi", ["-c:v", "rawvideo", "-pix_fmt", "uyvy422"]),
        ("d.avi", ["-c:v", "utvideo", "-pix_fmt", "yuv420p"]),
        // Whose pixels have one form by the codec, and another by the container.
        ("e.avi", ["-c:v", "h263"]),
    ])
    func picturesAreTheSame(name: String, codec: [String]) throws {
        _ = try output(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=176x144:d=0.5:r=10"] + codec + [
                workspace.file(name)
            ])
        let manifest = try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "r", "input": "\(name)", "graph": {"stages": []},
             "encode": {"codec": "copy"}}]}
            """, to: "m.json")
        let run = try annotateBatch("run", manifest)
        #expect(run.status == 0, "\(run.errors)")
        #expect(try told("out/r.mkv") == told(name))
        #expect(try pictures("out/r.mkv") == pictures(name))
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    /// What goes into no MP4 stays as it is in Matroska.
    @Test(arguments: ["pcm_s16le", "pcm_s24le", "libvorbis", "flac"]) func soundOfALosslessVideo(codec: String) throws {
        _ = try output(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.5:r=10", "-f", "lavfi",
                "-i",
                "sine=d=0.5", "-c:a", codec, workspace.file("a.mkv"),
            ])
        let manifest = try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "r", "input": "a.mkv", "graph": {"stages": []}, "encode": {"codec": "ffv1"}}]}
            """, to: "m.json")
        let run = try annotateBatch("run", manifest)
        #expect(run.status == 0 && !run.errors.contains("transcoded"), "\(run.errors)")
        func packets(_ name: String) throws -> String {
            try output(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", workspace.file(name), "-map", "0:a", "-c", "copy", "-f", "md5", "-"])
        }
        #expect(try packets("out/r.mkv") == packets("a.mkv"))
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    }

    /// Packets of 0.83 ms, which Matroska's thousandths give the same time now and then.
    @Test(arguments: ["ffv1", "h264"]) func soundOfPacketsShorterThanTicks(codec: String) throws {
        _ = try output(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x64:d=0.5:r=10", "-f", "lavfi",
                "-i",
                "sine=d=0.5:sample_rate=48000", "-ac", "2", "-c:a", "truehd", "-strict", "-2", workspace.file("a.mkv"),
            ])
        let manifest = try workspace.write(
            """
            {"version": 1, "jobs": [{"id": "r", "input": "a.mkv", "graph": {"stages": []}, "encode": {"codec": "\(codec)"}}]}
            """, to: "m.json")
        let run = try annotateBatch("run", manifest)
        #expect(run.status == 0 && !run.errors.contains("earlier than"), "\(run.errors)")
        func times(_ name: String) throws -> [Double] {
            try output(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
                    workspace.file(name),
                ]
            ).split(separator: "\n").compactMap { Double($0.filter { $0 != "," }) }
        }
        let (source, result) = (try times("a.mkv"), try times(codec == "ffv1" ? "out/r.mkv" : "out/r.mp4"))
        #expect(source.count > 500 && source.count == result.count)
        #expect(zip(source, result).allSatisfy { abs($0 - $1) < 0.0025 })
    }
}
