import Annotate
import Testing

/// Accepted results, and what CI needs of runs.
@Suite struct BaselineTests {
    private func workspace() throws -> (Workspace, String) {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 4)
        for name in ["b", "c"] { _ = try Program.run("cp", [workspace.file("a.mp4"), workspace.file(name + ".mp4")]) }
        let path = try workspace.manifest(
            [
                #""input": "a.mp4""#, #""input": "b.mp4""#,
                #""input": "c.mp4", "expect": [{"stage": "cards", "frames": {"min": 99}}]"#,
            ],
            encode: #"{"codec": "none"}"#)
        return (workspace, path)
    }

    @Test func acceptTakesWhatIsRight() throws {
        let (workspace, path) = try workspace()
        #expect(try annotateBatch("run", path).status == 2)
        let (out, accepted) = (workspace.file("out"), workspace.file("accepted"))
        let first = try annotateBatch("accept", out)
        #expect(first.status == 1)
        #expect(first.outputLines == ["a", "b"].map { "\(accepted)/\($0).tracks.jsonl" })
        #expect(first.errors.contains("annotate-batch: 2 track files accepted, 0 the same\n"))
        #expect(first.errors.contains("not accepted: c: expected “cards” in at least 99 frames"))
        #expect(workspace.names(in: "accepted") == ["a.tracks.jsonl", "b.tracks.jsonl"])
        let again = try annotateBatch("accept", out)
        #expect(again.output == "")
        #expect(again.errors.contains("0 track files accepted, 2 the same"))
        // What isn't among the results stays, and nobody's folder is taken for one of accepted results.
        try Files.makeDirectory(workspace.file("other"))
        try workspace.write("mine", to: "other/notes.txt")
        let foreign = try annotateBatch("accept", out, "--to", workspace.file("other"))
        #expect(foreign.errors.contains("it holds “notes.txt”, which is no track file"))
        #expect(try workspace.text("other/notes.txt") == "mine")
    }

    @Test func whatDiffersComesFirst() throws {
        let (workspace, path) = try workspace()
        _ = try annotateBatch("run", path)
        _ = try annotateBatch("run", path, "--output", workspace.file("old"))
        let text = try workspace.text("out/b.tracks.jsonl").replacing(
            #""polygon":[["#, with: #""polygon":[[1"#, maxReplacements: 1)
        try workspace.write(text, to: "out/b.tracks.jsonl")
        for _ in 0..<2 {
            let outcome = try annotateBatch(
                "compare", workspace.file("old"), workspace.file("out"), "--junit", workspace.file("j.xml"), "--html",
                workspace.file("p.html"))
            #expect(outcome.status == 2)
            #expect(outcome.outputLines.first == "1 of 3 track files differs, 2 equal")
            #expect(outcome.outputLines[1].hasPrefix("  b.tracks.jsonl: 1 thing, moved by "))
        }
        let report = try workspace.text("j.xml")
        #expect(report.contains("tests=\"3\" failures=\"1\""))
        let first = report.split(separator: "<testcase").dropFirst().first
        #expect(first?.contains("b.tracks.jsonl") == true && first?.contains("<failure") == true)
        // The source is beside the results: its picture is in the page, twice.
        let page = try workspace.text("p.html")
        #expect(page.split(separator: "data:image/jpeg;base64,").count - 1 == 2)
        #expect(page.contains("blink"))
    }

    @Test func theStampIsThereAfterSuccessAlone() throws {
        let (workspace, path) = try workspace()
        let stamp = workspace.file("out/m.ok")
        for _ in 0..<2 {
            #expect(try annotateBatch("run", path, "--stamp", stamp).status == 2)
            #expect(!Files.exists(stamp))
        }
        let depfile = workspace.file("m.d")
        #expect(
            try annotateBatch("run", path, "--stamp", stamp, "--only", "[ab]", "--depfile", depfile).status == 0)
        #expect(Files.exists(stamp))
        #expect(try workspace.text("m.d").contains("\n\(stamp): "))
        #expect(try annotateBatch("run", path, "--stamp", stamp).status == 2)
        #expect(!Files.exists(stamp))
        try workspace.write("mine", to: "own.txt")
        let other = try annotateBatch("run", path, "--stamp", workspace.file("own.txt"))
        #expect(other.status == 1)
        #expect(try workspace.text("own.txt") == "mine")
    }

    /// The run may write among its results alone; its stamp lies where make has those.
    @Test func theStampMayLieOutsideOfTheRoot() throws {
        let (workspace, path) = try workspace()
        let elsewhere = try Workspace()
        let root = Files.parent(of: path), stamp = elsewhere.file("stamps/m.ok")
        let outcome = try annotateBatch("run", path, "--root", root, "--only", "[ab]", "--stamp", stamp)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try elsewhere.text("stamps/m.ok") == "annotate-batch: all went well\n")
        #expect(workspace.names() != [])
    }

    /// What is accepted, and what a data set is made by, are what make waits for; the data set is one of its results.
    @Test func whatJudgementAndDataSetDependOn() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.write("card\n", to: "classes.txt")
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out", "dataset": {"format": "coco", "directory": "set", "classes": "classes.txt", "negatives": true}},
             "defaults": {"encode": {"codec": "none"}, "graph": "g", "expect": [{"against": "accepted"}]},
             "graphs": {"g": {"stages": [{"id": "cards", "type": "rectangles"}]}}, "jobs": [{"input": "a.mp4"}]}
            """, to: "m.json")
        let depfile = workspace.file("m.d")
        _ = try annotateBatch("run", path, "--depfile", depfile, "--stamp", workspace.file("m.ok"))
        let lines = try workspace.text("m.d").split(separator: "\n").map(String.init)
        func rule(_ target: String) -> String { lines.first { $0.hasPrefix("\(workspace.file(target)): ") } ?? "" }
        for target in ["out/report.json", "m.ok"] {
            #expect(rule(target).contains("/accepted/a.tracks.jsonl"), "\(target): \(lines)")
        }
        for target in ["m.ok", "set/dataset.json"] { #expect(rule(target).contains("/classes.txt"), "\(lines)") }
        for target in ["out/a.tracks.jsonl", "set/dataset.json"] { #expect(!rule(target).contains("accepted")) }
        _ = try annotateBatch("run", path, "--only", "a", "--depfile", depfile)
        #expect(try !workspace.text("m.d").contains("/set/"))
    }

    /// A run that finds a data set up to date leaves nothing that make would call it for.
    @Test func makeIsSatisfied() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try workspace.write("frame,label,left,top,width,height\n0,car,1,1,9,9\n", to: "a.csv")
        let path = try workspace.write(
            """
            {"version": 1, "output": {"directory": "out", "dataset": {"format": "csv", "directory": "set"}},
             "defaults": {"encode": {"codec": "none"}, "graph": "g"},
             "graphs": {"g": {"stages": [{"id": "s", "type": "import", "format": "csv", "file": "a.csv"}]}},
             "jobs": [{"input": "a.mp4"}]}
            """, to: "m.json")
        let depfile = workspace.file("m.d")
        let target = workspace.file("set/dataset.json")
        #expect(try annotateBatch("run", path, "--depfile", depfile).status == 0)
        try workspace.write("all: \(target)\n\(target):\n\ttrue\ninclude \(depfile)\n", to: "Makefile")
        func asks() throws -> Int32 {
            try Program.run("make", ["-r", "-q", "-f", workspace.file("Makefile"), target]).status
        }
        #expect(try asks() == 0)
        // The manifest is written anew, as it was.
        try workspace.write(try workspace.text("m.json"), to: "m.json")
        #expect(try asks() == 1)
        let again = try annotateBatch("run", path, "--depfile", depfile)
        #expect(again.status == 0 && again.errors.contains("set: up to date"), "\(again.errors)")
        #expect(try asks() == 0)
    }

    @Test func oneLineACause() throws {
        let workspace = try Workspace()
        for name in ["a", "b", "c"] { try workspace.write("no video", to: name + ".mp4") }
        let path = try workspace.manifest([#""input": "*.mp4""#])
        let outcome = try annotateBatch("run", path, environment: ["GITHUB_ACTIONS": "true"])
        #expect(outcome.status == 1)
        let errors = outcome.errorLines.filter { $0.hasPrefix("::error") }
        #expect(errors.count == 1, "\(outcome.errors)")
        #expect(errors.first?.contains("title=a%2C b%2C c failed::") == true)
        #expect(errors.first?.hasSuffix("(a; the same of 2 more)") == true)
    }
}
