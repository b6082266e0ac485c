import Annotate
import Testing

/// Jobs that are held against the accepted results of the same job.
@Suite struct AcceptedTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 4)
    }

    private func manifest(_ expect: String = #"{"against": "accepted/"}"#, stage: String = "") throws -> String {
        try workspace.manifest(
            [#""input": "a.mp4", "expect": [\#(expect)]"#],
            stages: #"{"id": "cards", "type": "rectangles"\#(stage)}"#, encode: #"{"codec": "none"}"#)
    }

    /// Moves the accepted results' first corner by 1000 pixels in the first frame.
    private func spoil() throws {
        let text = try workspace.text("accepted/a.tracks.jsonl").replacing(
            #""polygon":[["#, with: #""polygon":[[1"#, maxReplacements: 1)
        try workspace.write(text, to: "accepted/a.tracks.jsonl")
    }

    @Test(arguments: ["process", "none"])
    func resultsAreHeldAgainstTheAccepted(isolation: String) throws {
        let path = try manifest(), out = workspace.file("out")
        let first = try annotateBatch("run", path, "--isolation", isolation)
        #expect(first.status == 2)
        let sentence =
            "nothing was accepted yet that it could be held against: accepted/ has no a.tracks.jsonl; where the results "
            + "are right, annotate-batch accept \(out) --to \(workspace.file("accepted/")) takes them"
        #expect(first.errors.contains("a: unexpected: \(sentence)"), "\(first.errors)")
        #expect(try annotateBatch("accept", out).status == 0)
        #expect(
            try annotateBatch("run", path, "--dry-run").outputLines == [
                "a: up to date; what was accepted, or may differ, changed, and it would be held against that anew"
            ])
        #expect(try annotateBatch("run", path, "--isolation", isolation).status == 0)
        #expect(try annotateBatch("run", path, "--dry-run").outputLines == ["a: up to date"])
        // A job that runs is judged as one that doesn't.
        #expect(try annotateBatch("run", path, "--isolation", isolation, "--force").status == 0)
        try spoil()
        for force in [[], ["--force"]] {
            let junit = workspace.file("j.xml")
            let red = try Program.run(
                Program.annotateBatch, ["run", path, "--isolation", isolation, "--junit", junit] + force)
            #expect(red.status == 2)
            let sentence = "expected what was accepted in accepted/, and it differs: 1 thing, moved by "
            #expect(red.errors.contains("a: unexpected: \(sentence)"), "\(red.errors)")
            let xml = try workspace.text("j.xml")
            #expect(xml.contains(#"tests="2" failures="1" errors="0""#))
            #expect(xml.contains("name=\"a: as accepted in accepted/\""))
            #expect(xml.contains("look at frame 0 (0 s)"))
        }
        // What differs is accepted where somebody says so, and nothing else that isn't right.
        #expect(try annotateBatch("accept", out).outputLines.count == 1)
        #expect(try annotateBatch("run", path).status == 0)
        let both = try manifest(#"{"against": "accepted/"}, {"stage": "cards", "frames": {"min": 99}}"#)
        #expect(try annotateBatch("run", both).status == 2)
        try spoil()
        #expect(try annotateBatch("run", both).status == 2)
        let refused = try annotateBatch("accept", out)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("not accepted: a: expected “cards” in at least 99 frames"), "\(refused.errors)")
    }

    @Test func whatMayDifferIsSaidInPlaceOrInAFile() throws {
        #expect(try annotateBatch("run", try manifest()).status == 2)
        #expect(try annotateBatch("accept", workspace.file("out")).status == 0)
        try spoil()
        let strict = #"{"against": "accepted/", "tolerances": [{"px": 0.5}]}"#
        #expect(try annotateBatch("run", try manifest(strict)).status == 2)
        let mild = #"{"against": "accepted/", "tolerances": [{"px": 0.5}, {"kind": "rectangle", "px": 5000}]}"#
        #expect(try annotateBatch("run", try manifest(mild)).status == 0)
        let named = try manifest(#"{"against": "accepted/", "tolerances": "may.json"}"#)
        for (px, status) in [("5000", 0), ("0.5", 2)] as [(String, Int32)] {
            try workspace.write(#"{"tolerances": [{"px": \#(px)}]}"#, to: "may.json")
            #expect(try annotateBatch("run", named).status == status)
            // A worker may read what it is held against, wherever it lies.
            #expect(try annotateBatch("run", named, "--force").status == status)
        }
    }

    @Test func whatIsAcceptedMayBeBroken() throws {
        #expect(try annotateBatch("run", try manifest()).status == 2)
        #expect(try annotateBatch("accept", workspace.file("out")).status == 0)
        try workspace.write("no track file\n", to: "accepted/a.tracks.jsonl")
        let broken = try annotateBatch("run", try manifest())
        #expect(broken.status == 2)
        #expect(broken.errors.contains("a: unexpected: what was accepted can't be read, "), "\(broken.errors)")
        #expect(broken.errors.contains("expected a whole track file, as annotate-batch accept takes it"))
    }

    @Test(arguments: [
        (
            #"{"against": "accepted", "stage": "cards"}"#,
            "“stage” beside “against”; expected “tolerances” alone beside it, since it is about all results"
        ),
        (
            #"{"stage": "cards", "frames": {"min": 1}, "tolerances": []}"#,
            "“tolerances” without “against”; expected the folder of accepted results that they are about"
        ),
        (
            #"{"against": "a.mp4"}"#,
            "“a.mp4” is a file; expected a folder of accepted results, as accept makes it"
        ),
        (
            #"{"against": "out"}"#,
            "“out” is the folder of the results themselves; expected another one, as accept makes it"
        ),
        (
            #"{"against": "accepted", "tolerances": "mai.json"}"#,
            "no file “mai.json”; expected a file of tolerances, as compare takes it; did you mean “may.json”?"
        ),
        (#"{"against": "accepted", "tolerances": "may.json"}"#, "unknown key “pixels”"),
    ])
    func whatCannotBeIsRefused(expect: String, sentence: String) throws {
        try Files.makeDirectory(workspace.file("out"))
        try workspace.write(#"{"tolerances": [{"pixels": 1}]}"#, to: "may.json")
        let outcome = try annotateBatch("validate", try manifest(expect))
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }
}
