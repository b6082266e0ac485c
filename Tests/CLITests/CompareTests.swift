import Annotate
import Testing

@Suite struct CompareTests {
    /// Two runs of one manifest.
    private func runs() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 5)
        let manifest = try workspace.manifest([#""input": "a.mp4""#])
        for folder in ["old", "new"] {
            let outcome = try annotateBatch("run", manifest, "--output", workspace.file(folder))
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        return workspace
    }

    private func change(_ workspace: Workspace, _ text: String, _ other: String) throws {
        let before = try workspace.text("new/a.tracks.jsonl")
        let after = before.replacing(text, with: other, maxReplacements: 1)
        #expect(before != after)
        try workspace.write(after, to: "new/a.tracks.jsonl")
    }

    @Test func twoRunsOfTheSame() throws {
        let workspace = try runs()
        let (old, new) = (workspace.file("old"), workspace.file("new"))
        let files = try annotateBatch("compare", old + "/a.tracks.jsonl", new + "/a.tracks.jsonl")
        #expect(files.status == 0)
        #expect(files.output == "a.tracks.jsonl: equal (5 frames, 1 track)\n")
        let folders = try annotateBatch("compare", old, new)
        #expect(folders.status == 0)
        #expect(folders.output == "1 track file: equal\n")
        #expect(try json(try annotateBatch("compare", "--json", old, new).output)["result"]?.string == "equal")
    }

    @Test func aDifferenceEndsWithTwo() throws {
        let workspace = try runs()
        let (old, new) = (workspace.file("old"), workspace.file("new"))
        try change(workspace, #""polygon":[["#, #""polygon":[[1"#)
        let page = workspace.file("page.html")
        let outcome = try annotateBatch("compare", old, new, "--html", page)
        #expect(outcome.status == 2)
        #expect(outcome.errors == "")
        #expect(outcome.outputLines.first == "a.tracks.jsonl: differs (5 frames, 1 track)")
        #expect(try workspace.text("page.html").hasPrefix("<!DOCTYPE html>"))
        #expect(try annotateBatch("compare", old, new, "--tolerance", "5000").status == 0)
    }

    @Test func whatIsWrong() throws {
        let workspace = try runs()
        let (old, new) = (workspace.file("old"), workspace.file("new"))
        func check(_ arguments: [String], _ status: Int32, _ message: String) throws {
            let outcome = try Program.run(Program.annotateBatch, ["compare"] + arguments)
            #expect(outcome.status == status)
            #expect(outcome.errors.split(separator: "\n").first.map(String.init) == message)
            #expect(outcome.output == "")
        }
        try check(
            [old, new + "/a.tracks.jsonl"], 64,
            "Error: \(old) is a folder and \(new)/a.tracks.jsonl a file; expected two folders or two track files.")
        try check([old, old + "/"], 64, "Error: \(old) and \(old)/ are the same; expected two to compare.")
        try check(
            [old, new, "--tolerance=-1"], 64, "Error: --tolerance takes a number of pixels from 0, not -1.0.")
        try check(
            [old, new + "x"], 1, "annotate-batch: no file “\(new)x”; expected a track file, or a folder with such files"
        )
        try Files.makeDirectory(workspace.file("empty"))
        try check(
            [old, workspace.file("empty")], 1,
            "annotate-batch: could not compare \(workspace.file("empty")): it has no *.tracks.jsonl; expected the output folder of a run"
        )
        try check(
            [old, new, "--html", old + "/a.tracks.jsonl"], 64,
            "Error: The page would take the place of a track file, \(old)/a.tracks.jsonl; name another file with --html."
        )
        try workspace.write("{}", to: "new/a.tracks.jsonl")
        try check(
            [old, new], 1,
            "annotate-batch: \(new)/a.tracks.jsonl:1: /: “format” is missing; expected \"annotate-tracks\"")
    }
}
