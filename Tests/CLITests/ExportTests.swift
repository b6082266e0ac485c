import Annotate
import Foundation
import Testing

/// Results in other forms: while a manifest runs, and from its track files.
@Suite struct ExportTests {
    /// A folder in which one job has been run with all formats.
    private func ran(_ formats: [String] = SinkCatalog.standard.formats.map(\.name).filter { $0 != "tracks" }) throws
        -> Workspace
    {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 12)
        try write(workspace, formats)
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        return workspace
    }

    private func write(_ workspace: Workspace, _ formats: [String]) throws {
        let words = formats.map { "\"\($0)\"" }.joined(separator: ", ")
        try workspace.write(
            """
            {"version": 1, "output": {"directory": "out", "formats": [\(words)]},
             "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}},
             "jobs": [{"id": "a", "input": "a.mp4", "graph": "g", "encode": {"codec": "none"}}]}
            """, to: "m.json")
    }

    /// Who names another file is told what it is and what was expected.
    @Test func whatIsNoTrackFile() throws {
        let workspace = try Workspace()
        let clip = try workspace.clip("a.mp4", frames: 3)
        let table = try workspace.write("clip,frame\na,0\n", to: "b.csv")
        let expected = "expected a track file that run wrote, *.tracks.jsonl"
        let video = try annotateBatch("export", clip, "--format", "csv")
        #expect(video.status == 1)
        #expect(video.errors == "annotate-batch: \(clip): it is a video, no track file; \(expected)\n")
        let text = try annotateBatch("export", table, "--format", "mot")
        #expect(text.errors == "annotate-batch: \(table): it is text, no track file; \(expected)\n")
        let merged = try annotateBatch("merge", clip)
        #expect(
            merged.errors == "annotate-batch: \(clip): it is a video, no report; expected a report as run writes it\n")
    }

    @Test func whileItRuns() throws {
        let workspace = try ran()
        #expect(
            workspace.names() == [
                "a.ass", "a.coco.json", "a.csv", "a.cvat-images.xml", "a.cvat.xml", "a.labelstudio-images.json",
                "a.labelstudio.json", "a.mot.txt", "a.parquet", "a.tracks.jsonl", "a.vtt", "a.yolo", "a.yolo-obb",
                "a.yolo-pose", "a.yolo-seg", "report.json",
            ])
        let report = try json(try workspace.text("out/report.json"))
        let outputs = try #require(report["jobs"]?.elements?.first?["outputs"]?.elements)
        let folder = try #require(outputs.first { $0["file"]?.string == "a.yolo" })
        var bytes = 0
        for name in workspace.names(in: "out/a.yolo/labels") {
            bytes += try workspace.text("out/a.yolo/labels/\(name)").utf8.count
        }
        #expect(workspace.names(in: "out/a.yolo/labels").count == 12)
        #expect(bytes > 0 && (folder["bytes"]?.integer ?? 0) > 2 * bytes)
        let notes = report["jobs"]?.elements?.first?["notes"]?.elements?.compactMap(\.string) ?? []
        #expect(notes.contains("MOT has no outlines; written as the boxes around them: 12 of stage “cards”"))
        // Nothing has changed, and what has been changed is made anew.
        #expect(try annotateBatch("run", workspace.file("m.json"), "--dry-run").output.contains("up to date"))
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        try workspace.write("0 0.5 0.5 0.1 0.1\n", to: "out/a.yolo/labels/a_000003.txt")
        let verdict = try annotateBatch("verify", workspace.file("out"))
        #expect(verdict.status == 1 && verdict.output.contains("a.yolo has "), "\(verdict.output)")
        #expect(
            try annotateBatch("run", workspace.file("m.json"), "--dry-run").output.contains("a.yolo was changed since"))
        try #expect(annotateBatch("run", workspace.file("m.json")).status == 0)
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        // Without the format its folder goes.
        try write(workspace, ["csv"])
        try #expect(annotateBatch("run", workspace.file("m.json")).status == 0)
        #expect(workspace.names() == ["a.csv", "a.tracks.jsonl", "report.json"])
    }

    @Test func pruning() throws {
        let workspace = try ran(["yolo"])
        try workspace.write(
            try workspace.text("m.json").replacing("\"id\": \"a\"", with: "\"id\": \"b\""), to: "m.json")
        let outcome = try annotateBatch("run", workspace.file("m.json"), "--prune")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(workspace.names() == ["b.tracks.jsonl", "b.yolo", "report.json"])
    }

    /// What stands where a folder should go fails the job before it begins, and stays.
    @Test(
        arguments: [
            ("file", "it is a file; expected a folder, or nothing there"),
            ("link", "it is a link; expected a folder, or nothing there"),
            (
                "folder",
                "the folder holds “mine.txt”, which this program didn't put there; move that away, or name another place"
            ),
            (
                "deeper",
                "the folder holds “labels/more/mine.txt”, which this program didn't put there; move that away, or name another "
                    + "place"
            ),
        ])
    func somethingInTheWay(what: String, reason: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try write(workspace, ["yolo"])
        try workspace.write("mine", to: "else/mine.txt")
        switch what {
        case "file": try workspace.write("mine", to: "out/a.yolo")
        case "folder": try workspace.write("mine", to: "out/a.yolo/mine.txt")
        case "deeper": try workspace.write("mine", to: "out/a.yolo/labels/more/mine.txt")
        default:
            try Files.makeDirectory(workspace.file("out"))
            try FileManager.default.createSymbolicLink(
                atPath: workspace.file("out/a.yolo"), withDestinationPath: workspace.file("else"))
        }
        let outcome = try annotateBatch("run", workspace.file("m.json"))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("a.yolo: \(reason)"), "\(outcome.errors)")
        if what != "file" {
            let places = ["link": "else/mine.txt", "folder": "out/a.yolo/mine.txt"]
            let mine = places[what] ?? "out/a.yolo/labels/more/mine.txt"
            #expect(try workspace.text(mine) == "mine")
        }
    }

    @Test func pictures() throws {
        let workspace = try ran([])
        let tracks = workspace.file("out/a.tracks.jsonl")
        for (format, folder) in [("yolo", "out/a.yolo/images"), ("coco", "out/a.coco.frames")] {
            for kind in ["jpg", "png"] {
                let outcome = try annotateBatch("export", tracks, "--format", format, "--frames", kind)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(
                    workspace.names(in: folder) == (0..<12).map { "a_0000\($0 < 10 ? "0" : "")\($0).\(kind)" })
                let picture = try ImageFile(path: workspace.file("\(folder)/a_000003.\(kind)"))
                let frame = try Self.frame(3, of: workspace.file("a.mp4"))
                #expect(picture.width == 160 && picture.height == 120)
                let differences = zip(picture.pixels, frame).map { abs(Int($0) - Int($1)) }
                #expect(
                    differences.count == 160 * 120 * 3
                        && differences.reduce(0, +) < (kind == "png" ? 2 : 3) * frame.count)
            }
        }
        let coco = try json(try workspace.text("out/a.coco.json"))
        #expect(coco["images"]?.elements?.first?["file_name"]?.string == "a_000000.png")
        // Another video is told from the right one.
        try workspace.clip("b.mp4", frames: 11)
        let other = try annotateBatch(
            "export", tracks, "--format", "yolo", "--frames", "jpg", "--input", workspace.file("b.mp4"))
        #expect(other.status == 1)
        #expect(
            other.errors
                == "annotate-batch: could not take frames from \(workspace.file("b.mp4")): it isn't the track file's video: it "
                + "ends before frame 11\n")
        // The old one is there still.
        #expect(workspace.names(in: "out/a.yolo/images").count == 12)
        #expect(workspace.names() == ["a.coco.frames", "a.coco.json", "a.tracks.jsonl", "a.yolo", "report.json"])
        try FileManager.default.moveItem(atPath: workspace.file("a.mp4"), toPath: workspace.file("c.mp4"))
        let gone = try annotateBatch("export", tracks, "--format", "yolo", "--frames", "jpg")
        #expect(gone.status == 1)
        #expect(gone.errors.contains("which is no file; name it with --input\n"), "\(gone.errors)")
        let named = try annotateBatch(
            "export", tracks, "--format", "yolo", "--frames", "jpg", "--input", workspace.file("c.mp4"))
        #expect(named.status == 0, "\(named.errors)")
        // A job that reads what its own result would replace.
        try workspace.write(
            """
            {"version": 1, "output": {"directory": "out", "formats": ["yolo"]},
             "jobs": [{"id": "a", "input": "out/a.yolo/images/a_%06d.jpg", "frameRate": [25, 1], "graph": {"stages": []}}]}
            """, to: "circle.json")
        let circle = try annotateBatch("validate", workspace.file("circle.json"))
        #expect(circle.status == 65)
        #expect(
            circle.errors.contains("a.yolo would take the place of a folder with a job's input"), "\(circle.errors)")
    }

    /// A frame's red, green and blue as FFmpeg has them.
    private static func frame(_ number: Int, of video: String) throws -> [UInt8] {
        let workspace = try Workspace()
        let outcome = try Program.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-i", video, "-vf", "select=eq(n\\,\(number))", "-frames:v", "1", "-f",
                "rawvideo", "-pix_fmt", "rgb24", workspace.file("raw"),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
        return try Files.read(workspace.file("raw"))
    }

    @Test func oneFolderOfSeveral() throws {
        let workspace = try ran([])
        let outcome = try annotateBatch(
            "export", workspace.file("out"), "--format", "mot", "--kind", "rectangle", "-o", workspace.file("mot"))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == workspace.file("mot") + "/a.mot.txt\n")
        #expect(try workspace.text("mot/a.mot.txt").split(separator: "\n").count == 12)
        let streamed = try annotateBatch("export", workspace.file("out/a.tracks.jsonl"), "--format", "mot", "-o", "-")
        #expect(try streamed.output == workspace.text("mot/a.mot.txt"))
        let none = try annotateBatch(
            "export", workspace.file("out"), "--format", "mot", "--kind", "rectangl", "-o", workspace.file("no"))
        #expect(none.status == 1)
        #expect(
            none.errors.hasSuffix(
                "/out: no track file in it has the kind “rectangl”; expected one of “rectangle”; did you mean “rectangle”?\n"
            ))
    }

    private static let wrong: [([String], String)] = [
        (
            ["x", "--format", "mot", "--frames", "jpg"],
            "--frames doesn't go with the format “mot”, whose readers need no pictures; it goes with coco and cvat-images and label-studio-images and yolo and yolo-seg and yolo-pose and yolo-obb."
        ),
        (["x", "--format", "yolo", "--frames", "gif"], "--frames takes jpg or png, not “gif”."),
        (
            ["x", "--format", "yolo", "--input", "a.mp4"],
            "--input names the video that --frames takes pictures from; it goes with --frames."
        ),
        (["x", "--format", "yolo", "-o", "-"], "-o - doesn't go with the format “yolo”, which is a folder of files."),
        (
            ["x", "--format", "coco", "--frames", "png", "-o", "-"],
            "-o - doesn't go with --frames, which writes many files."
        ),
        (["x", "--format", "mot", "--minimum-confidence", "1.5"], "--minimum-confidence takes 0 to 1, not 1.5."),
        (
            ["x", "--format", "tracks", "--kind", "face"],
            "--kind doesn't go with the format “tracks”, which holds everything."
        ),
        (
            ["x", "--format", "tracks", "--stage", "s"],
            "--stage doesn't go with the format “tracks”, which holds all stages."
        ),
        (
            ["x", "--format", "cocoa"],
            "There is no format “cocoa”. Did you mean “coco”? There are tracks, csv, parquet, mot, coco, cvat, cvat-images, label-studio, label-studio-images, yolo, yolo-seg, yolo-pose, yolo-obb, vtt, ass."
        ),
        (
            ["/", "--format", "yolo", "--frames", "jpg", "--input", "a.mp4"],
            "--input is one video, and / is a folder; the report in it names the videos."
        ),
    ]

    @Test(arguments: wrong)
    func wrongUsage(arguments: [String], message: String) throws {
        let outcome = try Program.run(Program.annotateBatch, ["export"] + arguments)
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("Error: \(message)\n"), "\(outcome.errors)")
    }
}
