import Annotate
import Testing

@Suite struct InitTests {
    private static let types = [
        "markers", "rectangles", "track", "images", "labels", "text", "barcodes", "horizon", "alter",
    ]

    /// What needs no file runs as it is.
    @Test(arguments: types)
    func whatIsWrittenRuns(type: String) throws {
        let workspace = try Workspace()
        try workspace.clip("clips/a.mp4".replacing("clips/", with: ""), frames: 3)
        let path = workspace.file("m.json")
        let outcome = try annotateBatch("init", workspace.file("a.mp4"), "--stage", type, "-o", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == path + "\n")
        let run = try annotateBatch("run", path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(!run.errors.contains("warning"), "\(run.errors)")
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "report.json"])
    }

    /// Files of one name with other endings are jobs of their own.
    @Test func aGlobOfFilesWithOneName() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        try workspace.clip("a.mkv", frames: 2)
        let path = workspace.file("m.json")
        #expect(try annotateBatch("init", workspace.file("a.*"), "-o", path).status == 0)
        let valid = try annotateBatch("validate", path)
        #expect(valid.status == 0 && valid.output.contains("2 jobs"), "\(valid.errors)")
    }

    @Test func regionsFitTheClip() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2, size: "320x200")
        let outcome = try annotateBatch("init", workspace.file("a.mp4"), "--stage", "track")
        let job = try json(outcome.output)["jobs"]?.elements?.first
        #expect(job?["regions"]?.elements?.first?["box"]?.elements?.compactMap(\.integer) == [80, 50, 160, 100])
        #expect(
            outcome.errors
                == "annotate-batch: the region “thing” is the middle of the picture; put the box of what is to be "
                + "followed there\n")
    }

    @Test func pathsAreFromTheManifestsFolder() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        try Files.makeDirectory(workspace.file("other/x"))
        for name in ["other/x/a.mp4", "other/b.mp4"] {
            _ = try Program.run("cp", [workspace.file("a.mp4"), workspace.file(name)])
        }
        let path = workspace.file("other/m.json")
        let outcome = try annotateBatch(
            "init", workspace.file("a.mp4"), workspace.file("other/x/a.mp4"), workspace.file("other/b.mp4"), "-o", path)
        #expect(outcome.status == 0)
        let jobs = try json(workspace.text("other/m.json"))["jobs"]?.elements ?? []
        #expect(jobs.compactMap { $0["input"]?.string } == ["../a.mp4", "x/a.mp4", "b.mp4"])
        #expect(jobs.map { $0["id"]?.string } == [nil, "a-2", nil])
        #expect(try annotateBatch("validate", path).status == 0)
    }

    @Test func whatIsThereStays() throws {
        let workspace = try Workspace()
        let clip = try workspace.clip("a.mp4", frames: 2)
        let path = try workspace.write("mine", to: "m.json")
        let outcome = try annotateBatch("init", clip, "-o", path)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors
                == "annotate-batch: could not write \(path): it is there already; expected another name, or --force\n")
        #expect(try workspace.text("m.json") == "mine")
        // What is no manifest stays with --force, too.
        #expect(try annotateBatch("init", clip, "-o", path, "--force").status == 64)
        #expect(try workspace.text("m.json") == "mine")
        // One with a slip in it was a manifest all the same.
        try workspace.write(#"{"version": 1, "jobs": [}"#, to: "m.json")
        #expect(try annotateBatch("init", clip, "-o", path, "--force").status == 0)
        #expect(try annotateBatch("validate", path).status == 0)
    }

    @Test func whatIsStillToBeFilledIn() throws {
        let workspace = try Workspace()
        let clip = try workspace.clip("a.mp4", frames: 2)
        let classify = try annotateBatch("init", clip, "--stage", "classify")
        #expect(classify.status == 0)
        #expect(
            classify.errors
                == "annotate-batch: stage “classify” needs what “model” names; put its path there: an ONNX file "
                + "with one picture as input and one score a class.\n")
        let none = try annotateBatch("init")
        #expect(none.status == 0)
        #expect(
            none.errors
                == "annotate-batch: no clip was given; put the path of yours in the place of “videos/*.mp4”\n")
        #expect(try json(none.output)["jobs"]?.elements?.count == 1)
    }

    @Test func wrongUse() throws {
        let workspace = try Workspace()
        let clip = try workspace.clip("clip.mp4", frames: 2)
        let type = try annotateBatch("init", clip, "--stage", "marker")
        #expect(type.status == 64)
        #expect(
            type.errors.hasPrefix("Error: There is no stage type “marker”. Did you mean “markers”? There are markers, ")
        )
        let missing = try annotateBatch("init", workspace.file("clp.mp4"))
        #expect(missing.status == 1)
        #expect(
            missing.errors
                == "annotate-batch: could not use \(workspace.file("clp.mp4")): there is no such file; did you mean “clip.mp4”?\n"
        )
        #expect(missing.output == "")
        let folder = try annotateBatch("init", workspace.path)
        #expect(
            folder.errors
                == "annotate-batch: could not use \(workspace.path): it is a folder; expected clips, or a glob in quotes such as '\(workspace.path)/*.mp4'\n"
        )
    }

    /// What no decoder can open is told of, and left out.
    /// A shell makes a list of a glob: what is none of it keeps no other from its manifest.
    @Test func aListWithFilesThatCannotBeUsed() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        try workspace.write("text", to: "b.mp4")
        let words = ["a.mp4", "b.mp4", "c.mp4"].map(workspace.file)
        let outcome = try Program.run(
            Program.annotateBatch, ["init", "--stage", "markers", "-o", workspace.file("m.json")] + words)
        #expect(outcome.status == 1)
        for word in words.dropFirst() { #expect(outcome.errors.contains(word), "\(outcome.errors)") }
        #expect(
            try json(try workspace.text("m.json"))["jobs"]?.elements?.compactMap { $0["input"]?.string } == ["a.mp4"])
        let none = try Program.run(Program.annotateBatch, ["init", "--stage", "markers"] + words.dropFirst())
        #expect(none.status != 0 && none.output.isEmpty)
    }

    @Test func filesThatAreNoClips() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.write("junk", to: "b.mp4")
        try workspace.write("", to: "c.mp4")
        let path = workspace.file("m.json")
        let outcome = try annotateBatch("init", workspace.file("*.mp4"), "-o", path)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("b.mp4: it is text, no video; expected"), "\(outcome.errors)")
        #expect(
            outcome.errors.contains(
                "c.mp4: it is empty; expected a video or photo; “*.mp4” matches it, and it is left out"))
        #expect(try workspace.text("m.json").contains(#""exclude": ["b.mp4", "c.mp4"]"#))
        #expect(try annotateBatch("validate", path).errors == "")
        try workspace.write(
            try workspace.text("m.json").replacing(#""exclude": ["b.mp4", "c.mp4"]"#, with: #""exclude": ["b.mp4"]"#),
            to: "m.json")
        let told = try annotateBatch("validate", path)
        #expect(told.status == 0)
        #expect(
            told.errors.contains("warning: could not open \(workspace.file("c.mp4")): it is empty")
                && told.errors.contains("; its job will fail"),
            "\(told.errors)")
        let none = try annotateBatch("init", workspace.file("[bc].mp4"))
        #expect(none.status == 1 && none.errors.contains("no decoder can open any of the files that it matches"))
    }
}
