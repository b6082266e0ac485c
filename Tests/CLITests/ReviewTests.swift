import Testing

@Suite struct ReviewTests {
    @Test func writesAPage() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 5)
        try workspace.write("no video", to: "b.mp4")
        let manifest = try workspace.manifest([#""input": "a.mp4""#, #""input": "b.mp4""#])
        _ = try annotateBatch("run", manifest, "--output", workspace.file("out"))
        let outcome = try annotateBatch("review", workspace.file("out"))
        #expect(outcome.status == 0 && outcome.errors == "")
        #expect(outcome.output == "\(workspace.file("out"))/review.html\n")
        let page = try workspace.text("out/review.html")
        #expect(page.utf8.count < 400_000)
        #expect(page.contains(#""videos":{"annotated":"a.mp4","source":"../a.mp4","tracks":"a.tracks.jsonl"}"#))
        #expect(page.contains(#""id":"b","status":"failed""#))
    }

    @Test func whatIsWrong() throws {
        let workspace = try Workspace()
        try workspace.write("x", to: "file")
        try workspace.write("{}", to: "remarks.json")
        try workspace.write("x", to: "empty/x")
        func check(_ arguments: [String], _ status: Int32, _ message: String) throws {
            let outcome = try Program.run(Program.annotateBatch, ["review"] + arguments)
            #expect(outcome.status == status)
            #expect(outcome.errors.split(separator: "\n").first.map(String.init) == message)
            #expect(outcome.output == "")
        }
        let (file, empty) = (workspace.file("file"), workspace.file("empty"))
        try check([file], 1, "annotate-batch: \(file) is no folder; expected the output folder of a run")
        try check(
            [file + "x"], 1, "annotate-batch: \(file)x is not there; expected the output folder of a run")
        try check(
            [empty], 1,
            "annotate-batch: could not review \(empty): there is no report.json that can be read, and no *.tracks.jsonl; "
                + "expected the output folder of a run")
        try check([empty, "--doubtful", "2"], 64, "Error: --doubtful takes 0 to 1, not 2.0.")
        try check(
            [empty, "-o", "page.txt"], 64,
            "Error: -o page.txt doesn't end with .html, by which browsers know a page.")
        let remarks = workspace.file("remarks.json")
        try check(
            [empty, "--remarks", remarks], 1,
            "annotate-batch: could not read the remarks in \(remarks): it has no “format” of “annotate-review”; expected a "
                + "file that a review's page exported")
    }
}
