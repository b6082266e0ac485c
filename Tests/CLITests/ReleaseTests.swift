import Annotate
import Foundation
import Testing

/// What is handed out, and what isn't.
@Suite struct ReleaseTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 12)
    }

    private func manifest(
        _ output: String = "{}", job: String = "", graph: String = #"[{"id": "cards", "type": "rectangles"}]"#
    ) throws -> String {
        try workspace.write(
            """
            {"version": 1, "output": \(output), "jobs": [{"input": "a.mp4", "graph": {"stages": \(graph)}\(job)}]}
            """, to: "m.json")
    }

    private func ffmpeg(_ arguments: String...) throws {
        let outcome = try Program.run("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
    }

    /// Bytes of a frame as grey, or in another format of FFmpeg's.
    private func pixels(_ name: String, frame: Int = 0, format: String = "gray") throws -> [UInt8] {
        try ffmpeg(
            "-i", workspace.file(name), "-vf", "select=eq(n\\,\(frame))", "-frames:v", "1", "-pix_fmt", format, "-f",
            "rawvideo", workspace.file("frame.raw"))
        return try Files.read(workspace.file("frame.raw"))
    }

    // MARK: Track files

    private static let apart = #"{"directory": "out", "tracks": "tracks", "formats": ["csv", "ass"]}"#

    @Test(arguments: ["process", "none"])
    func trackFilesInAFolderOfTheirOwn(isolation: String) throws {
        let path = try manifest(Self.apart)
        let outcome = try annotateBatch("run", path, "--isolation", isolation, "--root", workspace.path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names() == ["a.ass", "a.mp4", "report.json"])
        #expect(workspace.names(in: "tracks") == ["a.csv", "a.tracks.jsonl"])
        #expect(
            outcome.outputLines.map { $0.replacing(workspace.path + "/", with: "") }
                == ["out/a.mp4", "tracks/a.csv", "out/a.ass", "tracks/a.tracks.jsonl"])
        let files = try #require(
            try json(try workspace.text("out/report.json"))["jobs"]?.elements?.first?["outputs"]?.elements)
        #expect(files.map { $0["file"]?.string } == ["a.mp4", "../tracks/a.csv", "a.ass", "../tracks/a.tracks.jsonl"])

        #expect(try annotateBatch("run", path).errors.contains("a: up to date"))
        let verified = try annotateBatch("verify", workspace.file("out"), "--root", workspace.path)
        #expect(verified.output == "ok      a.tracks.jsonl = a.mp4 = source a.mp4: 12 frames\n", "\(verified.errors)")
        let exported = try annotateBatch("export", workspace.file("out"), "--format", "mot")
        #expect(exported.status == 0)
        #expect(workspace.names(in: "tracks").contains("a.mot.txt"))
        let pictures = try annotateBatch(
            "export", workspace.file("out"), "--format", "yolo", "--frames", "png", "-o", workspace.file("yolo"))
        #expect(pictures.status == 0, "\(pictures.errors)")
        #expect(try annotateBatch("compare", workspace.file("out"), workspace.file("tracks")).status == 0)
    }

    @Test func theyMove() throws {
        #expect(try annotateBatch("run", try manifest()).status == 0)
        let path = try manifest(Self.apart)
        #expect(try annotateBatch("run", path, "--dry-run").output.contains("nothing would be detected again"))
        #expect(try annotateBatch("run", path).status == 0)
        #expect(workspace.names() == ["a.ass", "a.mp4", "report.json"])
        let reused = try json(try workspace.text("out/report.json"))["jobs"]?.elements?.first?["reused"]?.elements
        #expect(reused?.compactMap(\.string) == ["cards"])

        // To a third place: what lies at a place that the manifest names no longer stays, and is told of.
        let third = try manifest(
            Self.apart.replacing(#""tracks""#, with: #""tracks""#).replacing(
                #": "tracks""#, with: #": "out/inner""#))
        let moved = try annotateBatch("run", third)
        #expect(moved.status == 0)
        #expect(
            moved.errors.contains(
                "/out/../tracks, where an earlier run wrote a.csv, is no folder that the manifest names now"),
            "\(moved.errors)")
        #expect(workspace.names(in: "tracks") == ["a.csv", "a.tracks.jsonl"])
        #expect(workspace.names(in: "out/inner") == ["a.csv", "a.tracks.jsonl"])
        // Who moves them himself keeps what was detected.
        for name in ["a.csv", "a.tracks.jsonl"] {
            try FileManager.default.removeItem(atPath: workspace.file("tracks/" + name))
            try FileManager.default.moveItem(
                atPath: workspace.file("out/inner/" + name), toPath: workspace.file("tracks/" + name))
        }
        let back = try annotateBatch("run", try manifest(Self.apart), "--dry-run")
        #expect(back.output == "a: would write ../tracks/a.csv from the track file: there is no ../tracks/a.csv yet\n")
    }

    /// Somebody's own file of the same name isn't removed because a report says so.
    @Test func whatWasChangedStays() throws {
        #expect(try annotateBatch("run", try manifest(Self.apart)).status == 0)
        try workspace.write("mine", to: "tracks/a.csv")
        #expect(try annotateBatch("run", try manifest()).status == 0)
        #expect(workspace.names(in: "tracks") == ["a.csv", "a.tracks.jsonl"])
        #expect(try workspace.text("tracks/a.csv") == "mine")
    }

    @Test func pruningAndFailing() throws {
        let path = try manifest(Self.apart)
        #expect(try annotateBatch("run", path).status == 0)
        try Data("no video".utf8).write(to: URL(fileURLWithPath: workspace.file("a.mp4")))
        #expect(try annotateBatch("run", path).status == 1)
        #expect(workspace.names(in: "tracks") == [])

        try workspace.clip("a.mp4", frames: 5)
        #expect(try annotateBatch("run", path).status == 0)
        try workspace.clip("b.mp4", frames: 5)
        try workspace.write(try workspace.text("m.json").replacing("a.mp4", with: "b.mp4"), to: "m.json")
        #expect(try annotateBatch("run", path, "--prune").status == 0)
        #expect(workspace.names(in: "tracks") == ["b.csv", "b.tracks.jsonl"])
    }

    @Test func aMissingTrackFileIsTold() throws {
        #expect(try annotateBatch("run", try manifest(Self.apart)).status == 0)
        try FileManager.default.removeItem(atPath: workspace.file("tracks/a.tracks.jsonl"))
        let outcome = try annotateBatch("verify", workspace.file("out"))
        #expect(outcome.status == 1)
        #expect(
            outcome.output
                == "broken  a.tracks.jsonl: ../tracks/a.tracks.jsonl is missing: the report lists it among the results of “a”\n"
        )
    }

    @Test func aFolderThatIsNone() throws {
        try workspace.write("x", to: "tracks")
        let outcome = try annotateBatch("validate", try manifest(Self.apart))
        #expect(outcome.status == 65)
        #expect(
            outcome.errors.contains(
                "/output/tracks: “\(workspace.path)/tracks” is a file; expected a folder or nothing there"))
        let outside = try manifest(#"{"tracks": "../elsewhere"}"#)
        #expect(
            try annotateBatch("validate", outside, "--root", workspace.path).errors.contains(
                "/output/tracks: “../elsewhere” leads out of the folder that --root allows; expected a path inside it"))
    }

    // MARK: Covers

    private static let covered =
        #", "encode": {"codec": "ffv1"}, "cover": [{"box": [21, 11, 60, 40], "start": 0.12, "end": 0.2, "style": "pixelate"}]"#

    @Test(arguments: ["process", "none"])
    func aPlaceHiddenByHand(isolation: String) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25", "-frames:v", "12", "-pix_fmt", "yuv420p",
            workspace.file("a.mp4"))
        let path = try manifest(job: Self.covered, graph: "[]")
        let outcome = try annotateBatch("run", path, "--isolation", isolation)
        #expect(outcome.status == 0, "\(outcome.errors)")
        for frame in 0..<12 {
            let (before, after) = (
                try pixels("a.mp4", frame: frame, format: "yuv420p"),
                try pixels("out/a.mkv", frame: frame, format: "yuv420p")
            )
            guard (3...5).contains(frame) else {
                #expect(before == after, "frame \(frame)")
                continue
            }
            // Whole chroma samples: 20…81 by 10…51, in squares of 14.
            var values: Set<UInt8> = []
            for index in 0..<160 * 120 {
                let (x, y) = (index % 160, index / 160)
                if (20..<82).contains(x), (10..<52).contains(y) {
                    values.insert(after[index])
                } else {
                    #expect(before[index] == after[index], "frame \(frame), \(x), \(y)")
                }
            }
            #expect(values.count <= 15, "frame \(frame)")
            for plane in 0..<2 {
                let start = 160 * 120 + plane * 80 * 60
                let colors = Set((5..<26).flatMap { y in (10..<41).map { after[start + y * 80 + $0] } })
                #expect(colors.count <= 15)
            }
        }
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    @Test func anotherPlaceIsOnlyDrawnAgain() throws {
        #expect(try annotateBatch("run", try manifest(job: Self.covered)).status == 0)
        let path = try manifest(job: Self.covered.replacing("pixelate", with: "blur"))
        let preview = try annotateBatch("run", path, "--dry-run").output
        #expect(preview == "a: would run: “cover” changed; nothing would be detected again\n", "\(preview)")
        #expect(try annotateBatch("run", path).status == 0)
        let files = try ["a.mkv", "a.tracks.jsonl"].map { try Files.read(workspace.file("out/\($0)")) }
        #expect(try annotateBatch("run", path, "--force").status == 0)
        #expect(try ["a.mkv", "a.tracks.jsonl"].map { try Files.read(workspace.file("out/\($0)")) } == files)
    }

    /// A rendered track file hides what the job did, whatever else is drawn.
    @Test func renderingHidesTheSame() throws {
        let drawn = #"[{"id": "cards", "type": "rectangles", "draw": {"cover": "blur", "coverGap": 0.1}}]"#
        #expect(try annotateBatch("run", try manifest(job: Self.covered, graph: drawn)).status == 0)
        let tracks = workspace.file("out/a.tracks.jsonl")
        func render(_ arguments: String...) throws -> Outcome {
            try Program.run(
                Program.annotateBatch,
                ["render", tracks, "--input", workspace.file("a.mp4"), "-o", workspace.file("again.mkv")] + arguments)
        }
        #expect(try render().status == 0)
        for frame in [0, 4, 11] {
            #expect(try pixels("again.mkv", frame: frame) == pixels("out/a.mkv", frame: frame), "frame \(frame)")
        }
        try workspace.write("{\"cards\": false}", to: "none.json")
        #expect(try render("--draw", workspace.file("none.json")).status == 0)
        #expect(try pixels("again.mkv", frame: 4) == pixels("out/a.mkv", frame: 4))
        let refused = try render("--codec", "copy")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("hides places by hand"))
    }

    @Test(arguments: [
        (
            #"[{}]"#,
            "/jobs/0/cover/0: no place; expected exactly one of “box”, “polygon”, “zone”, “track” and “region”, or “audio”"
        ),
        (
            #"[{"box": [1, 1, 2, 2], "polygon": [[0, 0], [9, 0], [9, 9]]}]"#,
            "/jobs/0/cover/0: “box”, “polygon”; expected exactly one of “box”, “polygon”, “zone”, “track” and “region”, or a “box” "
                + "that follows a “track” or a “region”"
        ),
        (
            #"[{"box": [1, 1, 0, 2]}]"#,
            "/jobs/0/cover/0/box: a box of 0×2; expected [left, top, width, height] with a width and height over 0"
        ),
        (
            #"[{"box": [0.1, 0.1, 0.2, 0.2]}]"#,
            "/jobs/0/cover/0: a cover no larger than a pixel; expected pixels, or “units”: “normalized” for shares of the picture"
        ),
        (
            #"[{"box": [1, 1, 2, 2], "start": 2, "end": 2}]"#,
            "/jobs/0/cover/0/end: the cover ends at 2 s and starts at 2 s; expected an end after the start"
        ),
        (
            #"[{"box": [400, 1, 2, 2]}]"#,
            "/jobs/0/cover/0: the cover lies outside the picture of a.mp4; expected it within 160×120 pixels"
        ),
        (
            #"[{"polygon": [[1, 1], [2, 1], [3, 1]]}]"#,
            "/jobs/0/cover/0/polygon: a polygon without area; expected three corners or more around the place"
        ),
        (
            #"[{"box": [1, 1, 2, 2], "style": "black"}]"#,
            "/jobs/0/cover/0/style: “black”; expected one of “blur”, “fill”, “pixelate”"
        ),
        (
            #"[{"box": [1, 1, 2, 2]}], "encode": {"codec": "copy"}"#,
            "/jobs/0/cover: a cover with “copy”: an overlay takes no pixel away, and what is covered would be seen; "
                + "expected another codec"
        ),
    ])
    func whatIsNoCover(cover: String, expected: String) throws {
        let outcome = try annotateBatch("validate", try manifest(job: ", \"cover\": \(cover)", graph: "[]"))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(expected), "\(outcome.errors)")
    }

    /// What moves is in two places in an interlaced picture: it is made whole before it is looked at and hidden.
    @Test func interlacedPicturesAreMadeWhole() throws {
        let workspace = try Workspace()
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i",
                "color=gray:s=320x240:r=50[a];color=white:s=90x60:r=50[b];[a][b]overlay=x=20+4*n:y=90,tinterlace=mode=4",
                "-frames:v", "15", "-c:v", "libx264", "-preset", "ultrafast", "-flags", "+ildct+ilme", "-x264opts",
                "tff=1", "-pix_fmt", "yuv420p", workspace.file("a.mp4"),
            ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let path = try workspace.write(
            #"{"version": 1, "graphs": {"g": {"stages": [{"id": "r", "type": "rectangles", "draw": {"cover": "fill"}}]}}, "jobs": [{"input": "a.mp4", "graph": "g"}, {"id": "kept", "input": "a.mp4", "graph": "g", "deinterlace": false}]}"#,
            to: "m.json")
        // A cover that follows by hand what a stage finds goes by what it sees.
        let seed = #""regions": [{"id": "r", "time": 0, "box": [20, 90, 90, 60]}]"#
        let byHand = try workspace.write(
            #"{"version": 1, "graphs": {"g": {"stages": [{"id": "t", "type": "track"}]}}, "jobs": [{"id": "b", "input": "a.mp4", "graph": "g", \#(seed), "cover": [{"region": "r"}]}, {"id": "still", "input": "a.mp4", "graph": "g", \#(seed), "cover": [{"box": [0, 0, 64, 64]}]}], "output": {"directory": "by-hand"}}"#,
            to: "hand.json")
        let hidden = try Program.run(Program.annotateBatch, ["run", byHand, "--progress", "plain"])
        #expect(hidden.status == 0, "\(hidden.errors)")
        #expect(try workspace.text("by-hand/b.tracks.jsonl").contains(#""deinterlaced":true"#))
        #expect(!(try workspace.text("by-hand/still.tracks.jsonl").contains("deinterlaced")))
        for words in [[], ["--ranges", "2", "--force"]] {
            let run = try Program.run(Program.annotateBatch, ["run", path, "--progress", "plain"] + words)
            #expect(run.status == 0, "\(run.errors)")
            #expect(
                run.errors.contains(
                    "interlaced pictures were made whole ones, since something in them is hidden; “deinterlace”: false keeps them"
                ), "\(run.errors)")
            #expect(try workspace.text("out/a.tracks.jsonl").contains(#""deinterlaced":true"#))
            #expect(!(try workspace.text("out/kept.tracks.jsonl").contains("deinterlaced")))
            #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        }
    }

    /// A picture file has colours as fine as its pixels: a cover ends at any of them there.
    @Test(arguments: ["[108, 68, 147, 182]", "[31, 33, 64, 95]", "[40, 40, 88, 72]"])
    func edgesInAPicture(box: String) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "nullsrc=s=200x150", "-vf",
            "geq='random(1)*255':128:128,scale=400:300:flags=neighbor,format=rgb24",
            "-frames:v", "1", workspace.file("p.png"))
        let path = try workspace.write(
            ##"{"version": 1, "jobs": [{"input": "p.png", "graph": {"stages": []}, "cover": [{"box": \##(box), "color": "#ff0000"}]}]}"##,
            to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
        // What lies under it is told there as anywhere.
        try ffmpeg("-i", workspace.file("p.png"), workspace.file("q.png"))
        try workspace.write(try workspace.bytes("q.png"), to: "out/p.png")
        #expect(try annotateBatch("verify", workspace.file("out")).status == 1)
    }

    /// Videos of more bits, whose colours are as coarse as others' or finer by half.
    @Test(arguments: ["yuv420p10le", "yuv422p10le", "yuv444p10le"], ["blur", "pixelate"])
    func edgesInVideosOfMoreBits(format: String, style: String) throws {
        try ffmpeg(
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-frames:v", "2", "-c:v", "ffv1", "-pix_fmt", format,
            workspace.file("t.mkv"))
        let path = try workspace.write(
            #"{"version": 1, "jobs": [{"input": "t.mkv", "graph": {"stages": []}, "cover": [{"box": [41, 40, 96, 48], "style": "\#(style)"}, {"box": [150, 101, 49, 48], "style": "\#(style)"}], "encode": {"codec": "ffv1", "pixelFormat": "source"}}]}"#,
            to: "m.json")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let verified = try annotateBatch("verify", workspace.file("out"))
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test(arguments: [
        (
            #"{"region": "p", "style": "fill"}"#, "",
            "the job's point “p”, which has no extent; expected one of its regions, or a place of its own"
        ),
        (
            #"{"region": "r", "box": [9, 9, 9, 9]}"#, #", "range": {"start": 0.2}"#,
            "a box that moves with region “r” from 0 s on, where the job's range, which begins at 0.2 s, sees nothing"
        ),
    ])
    func whatCannotBeFollowed(cover: String, job: String, complaint: String) throws {
        let path = try workspace.write(
            #"{"version": 1, "jobs": [{"input": "a.mp4", "graph": {"stages": [{"id": "t", "type": "track"}, {"id": "l", "type": "labels"}]}, "points": [{"id": "p", "point": [50, 50]}], "regions": [{"id": "r", "box": [20, 30, 60, 44]}], "cover": [\#(cover)]\#(job)}]}"#,
            to: "m.json")
        let outcome = try annotateBatch("validate", path)
        #expect(outcome.status == 65 && (outcome.errors + outcome.output).contains(complaint), "\(outcome.errors)")
    }

    /// Pictures made of the video show what a cover hides.
    @Test(arguments: [#", "cover": [{"box": [9, 9, 9, 9]}]"#, ""])
    func nothingAlteredBesideCovers(job: String) throws {
        let stages =
            #"[{"id": "cards", "type": "rectangles"\#(job.isEmpty ? #", "draw": {"cover": true}"# : "")}, {"id": "new", "type": "alter", "inputs": ["cards"]}]"#
        let outcome = try annotateBatch("validate", try manifest(job: job, graph: stages))
        #expect(outcome.status == 65)
        #expect(
            (outcome.errors + outcome.output).contains(
                "“alter” lays pictures made of the video on it, and something in that is covered"),
            "\(outcome.errors)")
        let sound = try annotateBatch(
            "validate",
            try manifest(
                job: #", "cover": [{"audio": "mute"}]"#,
                graph: #"[{"id": "cards", "type": "rectangles"}, {"id": "new", "type": "alter", "inputs": ["cards"]}]"#)
        )
        #expect(sound.status == 0, "\(sound.errors)")
    }
}
