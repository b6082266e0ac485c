import Annotate
import Testing

@Suite struct VerifyTests {
    private func finished(_ encode: String = "{}") throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 6)
        _ = try annotateBatch("run", try workspace.manifest([#""input": "a.mp4""#], encode: encode))
        return workspace
    }

    @Test func aFinishedBatch() throws {
        let workspace = try finished()
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 0)
        #expect(outcome.output == "ok      a.tracks.jsonl = a.mp4 = source a.mp4: 6 frames\n")
        #expect(outcome.errors == "")
    }

    @Test func aBatchWithoutVideos() throws {
        let workspace = try finished(#"{"codec": "none"}"#)
        #expect(workspace.names() == ["a.tracks.jsonl", "report.json"])
        #expect(
            try annotateBatch("verify", workspace.file("out")).output
                == "ok      a.tracks.jsonl (no video) = source a.mp4: 6 frames\n"
        )
    }

    @Test(arguments: [
        (
            "\"pts\":1024", "\"pts\":1025",
            "broken  a.tracks.jsonl: frame 2: the track file says 0.080078125 s, the video 0.08 s"
        ),
        ("\"complete\":true", "\"complete\":false", "/summary/complete: false; expected true"),
        ("\"timeBase\":[1,12800]", "\"timeBase\":[0,0]", "broken  a.tracks.jsonl: "),
        ("\"timeBase\":[1,12800]", "\"timeBase\":[9007199254740992,9007199254740992]", "broken  a.tracks.jsonl: "),
    ])
    func aTamperedTrackFile(text: String, tampered: String, expected: String) throws {
        let workspace = try finished()
        let trackFile = try workspace.text("out/a.tracks.jsonl")
        try #require(trackFile.contains(text))
        try workspace.write(trackFile.replacing(text, with: tampered), to: "out/a.tracks.jsonl")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains(expected), "\(outcome.output) \(outcome.errors.prefix(300))")
    }

    @Test(arguments: [
        ("\"rotation\":0", "\"rotation\":90", "the source is turned by 0°, the track file says 90°"),
        ("\"time\":0.08,", "\"time\":1.08,", "frame 2: its time 1.08 s isn't that of pts 1024"),
    ])
    func aTamperedFact(text: String, tampered: String, expected: String) throws {
        try aTamperedTrackFile(text: text, tampered: tampered, expected: expected)
    }

    @Test func aVideoOfOtherPictures() throws {
        let workspace = try Workspace()
        _ = try Program.run(
            "ffmpeg",
            ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-frames:v", "6", workspace.file("a.mp4")])
        // Nothing is drawn: where something is, pictures may differ.
        _ = try annotateBatch("run", try workspace.manifest([#""input": "a.mp4""#], stages: ""))
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        let (video, other) = (workspace.file("out/a.mp4"), workspace.file("other.mp4"))
        _ = try Program.run(
            "ffmpeg",
            ["-v", "error", "-i", video, "-vf", "negate", "-c:v", "libx264", "-video_track_timescale", "12800", other])
        _ = try Program.run("mv", [other, video])
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("frame 1: the video shows another picture than the source"), "\(outcome.output)")
    }

    @Test func aMissingLineAndAMissingVideo() throws {
        let workspace = try finished()
        var lines = try workspace.text("out/a.tracks.jsonl").split(separator: "\n")
        lines.remove(at: 6)
        try workspace.write(lines.joined(separator: "\n") + "\n", to: "out/a.tracks.jsonl")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("broken  a.tracks.jsonl: the video has 6 frames, the track file 5\n"))
        _ = try Program.run("rm", [workspace.file("out/a.tracks.jsonl")])
        let alone = try annotateBatch("verify", workspace.file("out"))
        #expect(alone.status == 1)
        #expect(alone.output == "broken  a.tracks.jsonl: there is no track file beside the video a.mp4\n")
    }

    /// A folder of links, as of data that lies elsewhere under other names.
    @Test func aSourceThatIsALink() throws {
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("store"))
        try workspace.clip("store/0001.mp4", frames: 4)
        _ = try Program.run("ln", ["-s", "store/0001.mp4", workspace.file("monday.mp4")])
        try workspace.manifest([#""id": "m", "input": "monday.mp4""#], name: "m.json")
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.output == "ok      m.tracks.jsonl = m.mp4 = source monday.mp4: 4 frames\n", "\(outcome.errors)")
    }

    // MARK: What lies in the folder besides

    @Test(arguments: ["a.mp4", "sub/../a.mp4", "../out/a.mp4"])
    func anInputThatLiesHereIsNoOrphan(path: String) throws {
        let workspace = try Workspace()
        try Files.makeDirectory(workspace.file("out/sub"))
        try workspace.clip("out/a.mp4", frames: 4)
        try workspace.manifest(
            [#""id": "b", "input": "out/a.mp4""#], name: "m.json")
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
        let report = try workspace.text("out/report.json")
        try #require(report.contains(#""source": "a.mp4""#))
        try workspace.write(
            report.replacing(#""source": "a.mp4""#, with: "\"source\": \"\(path)\""), to: "out/report.json")
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.output == "ok      b.tracks.jsonl = b.mp4 = source a.mp4: 4 frames\n")
        #expect(outcome.status == 0)
        // Without a report the track file's header tells.
        _ = try Program.run("rm", [workspace.file("out/report.json")])
        #expect(
            try annotateBatch("verify", workspace.file("out")).output == "ok      b.tracks.jsonl = b.mp4: 4 frames\n")
        // A video that nothing names is one still.
        try workspace.clip("out/c.mp4", frames: 4)
        let other = try annotateBatch("verify", workspace.file("out"))
        #expect(other.status == 1)
        #expect(other.outputLines.count == 2 && other.output.contains("broken  c.tracks.jsonl: "))
    }

    @Test func aResultThatIsNamedLikeASourceIsNoInput() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 4)
        try workspace.manifest([#""input": "a.mp4""#, #""id": "b", "input": "a.mp4""#])
        #expect(try annotateBatch("run", workspace.file("m.json")).status == 0)
        _ = try Program.run("rm", [workspace.file("out/a.tracks.jsonl")])
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("broken  a.tracks.jsonl: there is no "), "\(outcome.output)")
    }

    @Test func jobsThatCameToNothing() throws {
        let workspace = try Workspace()
        for name in ["a.mp4", "c.mp4"] { try workspace.clip(name, frames: 4) }
        try workspace.write("no video", to: "b.mp4")
        let path = try workspace.manifest([#""input": "*.mp4""#])
        #expect(try annotateBatch("run", path, "--jobs", "1", "--fail-fast").status == 1)
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(
            outcome.outputLines == [
                "ok      a.tracks.jsonl = a.mp4 = source a.mp4: 4 frames",
                "failed  b: could not open \(workspace.file("b.mp4")): it is text, no video; expected a video "
                    + "or a picture that FFmpeg reads",
                "failed  c: the report says that it wasn't run; run the batch again",
            ])
        let allowed = try annotateBatch("verify", "--allow-failed", workspace.file("out"))
        #expect(allowed.status == 0)
        #expect(allowed.outputLines.count == 1)
        #expect(allowed.errorLines.count == 2)
        // All of them, and nothing else.
        let alone = try workspace.manifest([#""input": "b.mp4""#], name: "alone/m.json")
        try workspace.write("no video", to: "alone/b.mp4")
        _ = try annotateBatch("run", alone)
        let none = try annotateBatch("verify", workspace.file("alone/out"))
        #expect(none.status == 1)
        #expect(none.output.hasPrefix("failed  b: could not open ") && none.outputLines.count == 1)
    }

    @Test(arguments: [
        ("a.tracks.jsonl", "/a.tracks.jsonl: it is empty; expected a track file with its header line\n"),
        ("a.mp4", "a.tracks.jsonl: the video a.mp4 is empty\n"),
    ])
    func anEmptyFile(name: String, expected: String) throws {
        let workspace = try finished()
        try workspace.write("", to: "out/" + name)
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(outcome.outputLines.count == 1 && outcome.output.hasSuffix(expected), "\(outcome.output)")
    }

    @Test func whatIsNoOutputFolder() throws {
        let workspace = try Workspace()
        let empty = try annotateBatch("verify", workspace.path)
        #expect(empty.status == 1)
        #expect(
            empty.errors
                == "annotate-batch: no *.tracks.jsonl in \(workspace.path); expected the output folder of a run\n")
        let missing = try annotateBatch("verify", workspace.file("no"))
        #expect(missing.status == 1)
        #expect(
            missing.errors
                == "annotate-batch: could not open the folder \(workspace.path)/no: No such file or directory\n")
    }
}
