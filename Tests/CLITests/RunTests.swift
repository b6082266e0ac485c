import Annotate
import Testing

@Suite struct RunTests {
    @Test(arguments: [[], ["run"]])
    func resultsGoToStandardOutputAndTheRestElsewhere(command: [String]) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#])
        let outcome = try Program.run(Program.annotateBatch, command + [path])
        #expect(outcome.status == 0)
        #expect(outcome.outputLines == [workspace.file("out/a.mp4"), workspace.file("out/a.tracks.jsonl")])
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "report.json"])
        #expect(outcome.errorLines.last?.hasPrefix("[1/1] a: done, 25 frames: 1 rectangle in ") == true)
        // A rate is told of what took half a second.
        #expect(outcome.errorLines.last?.hasSuffix("s)") == true || outcome.errorLines.last?.hasSuffix("%") == true)
        let trackFile = try workspace.text("out/a.tracks.jsonl").split(separator: "\n")
        #expect(trackFile.count == 27)
        let report = try json(try workspace.text("out/report.json"))
        #expect(report["jobs"]?.elements?[0]["status"]?.string == "done")
        #expect(report["jobs"]?.elements?[0]["frames"]?.integer == 25)
    }

    @Test(arguments: ["auto", "plain", "json", "none"])
    func noEscapesWhereThereIsNoTerminal(progress: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 5)
        let outcome = try annotateBatch("run", try workspace.manifest([#""input": "a.mp4""#]), "--progress", progress)
        #expect(outcome.status == 0)
        #expect(!(outcome.output + outcome.errors).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\r" })
        if progress == "none" { #expect(outcome.errors == "") }
    }

    @Test func progressAsJSONLines() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4")
        try workspace.write("no video", to: "bad.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#, #""input": "bad.mp4""#])
        let outcome = try annotateBatch("run", path, "--progress", "json", "--jobs", "1")
        #expect(outcome.status == 1)
        let events = try outcome.errorLines.filter { $0.hasPrefix("{") }.map(json)
        let kinds = Set(events.compactMap { $0["event"]?.string })
        #expect(kinds.contains("start") && kinds.contains("end"))
        let ends = events.filter { $0["event"]?.string == "end" }
        #expect(ends.compactMap { $0["job"]?.string } == ["a", "bad"])
        #expect(ends.compactMap { $0["status"]?.string } == ["done", "failed"])
        #expect(ends[0]["frames"]?.integer == 25)
        #expect(ends[1]["error"]?.string?.hasPrefix("could not open ") == true)
    }

    @Test(arguments: ["1", "2"])
    func aBadJobDoesNotStopTheOthers(jobs: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 5)
        try workspace.clip("z.mp4", frames: 5)
        try workspace.write("no video", to: "bad.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#, #""input": "bad.mp4""#, #""input": "z.mp4""#])
        let outcome = try annotateBatch("run", path, "--jobs", jobs)
        #expect(outcome.status == 1)
        #expect(outcome.outputLines.map(Files.name(of:)) == ["a.mp4", "a.tracks.jsonl", "z.mp4", "z.tracks.jsonl"])
        #expect(
            outcome.errors.contains(
                "[2/3] bad: failed: could not open \(workspace.file("bad.mp4")): it is text, no video; expected a video"
            ))
        #expect(outcome.errorLines.last == "annotate-batch: 1 of 3 jobs failed: bad")
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "report.json", "z.mp4", "z.tracks.jsonl"])
    }

    @Test func aBadJobEndsTheBatchWhereAskedTo() throws {
        let workspace = try Workspace()
        try workspace.write("no video", to: "bad.mp4")
        try workspace.clip("z.mp4", frames: 5)
        let path = try workspace.manifest([#""input": "bad.mp4""#, #""input": "z.mp4""#])
        let outcome = try annotateBatch("run", path, "--fail-fast", "--jobs", "1")
        #expect(outcome.status == 1)
        #expect(outcome.errorLines.last == "annotate-batch: 1 of 2 jobs failed: bad; 1 not run")
        #expect(workspace.names() == ["report.json"])
    }

    @Test func whatIsUpToDateIsSkipped() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 5)
        let path = try workspace.manifest([#""input": "a.mp4""#])
        func changed() throws -> Int64 { try #require(Files.status(workspace.file("out/a.mp4"))?.modified) }
        _ = try annotateBatch("run", path)
        let first = try changed()
        let again = try annotateBatch("run", path)
        #expect(again.status == 0)
        #expect(again.errors == "[1/1] a: up to date (--force runs it all the same)\n")
        #expect(again.outputLines.map(Files.name(of:)) == ["a.mp4", "a.tracks.jsonl"])
        #expect(try changed() == first)

        _ = try annotateBatch("run", path, "--force")
        let forced = try changed()
        #expect(forced > first)

        // Another option, another input, a missing result: each is reason enough.
        try workspace.manifest(
            [#""input": "a.mp4""#], stages: #"{"id": "cards", "type": "rectangles", "minimumSize": 0.1}"#)
        _ = try annotateBatch("run", path)
        let changedOption = try changed()
        #expect(changedOption > forced)
        try workspace.clip("a.mp4", frames: 6)
        _ = try annotateBatch("run", path)
        let changedInput = try changed()
        #expect(changedInput > changedOption)
        _ = try Program.run("rm", [workspace.file("out/a.tracks.jsonl")])
        _ = try annotateBatch("run", path)
        #expect(try changed() > changedInput)
        #expect(workspace.names() == ["a.mp4", "a.tracks.jsonl", "report.json"])
    }

    @Test func someOfTheJobs() throws {
        let workspace = try Workspace()
        for name in ["a1.mp4", "a2.mp4", "b1.mp4"] { try workspace.clip(name, frames: 3) }
        let path = try workspace.manifest([#""input": "*.mp4""#])
        _ = try annotateBatch("run", path, "--only", "a*")
        #expect(workspace.names() == ["a1.mp4", "a1.tracks.jsonl", "a2.mp4", "a2.tracks.jsonl", "report.json"])
        // The report keeps what it knows of the others.
        _ = try annotateBatch("run", path, "--only", "b1")
        let jobs = try json(try workspace.text("out/report.json"))["jobs"]?.elements ?? []
        #expect(jobs.compactMap { $0["id"]?.string } == ["a1", "a2", "b1"])
        let none = try annotateBatch("run", path, "--only", "c*")
        #expect(none.status == 64)
        #expect(none.errors.hasPrefix("Error: --only c* matches no job. There are a1, a2, b1."))
        let slip = try annotateBatch("run", path, "--only", "a1", "--only", "b11")
        #expect(slip.status == 64)
        #expect(slip.errors.hasPrefix("Error: --only b11 matches no job. Did you mean “b1”? There are a1, a2, b1."))
    }

    /// An id is a name before it is a pattern.
    @Test func aNameWithBracketsIsChosenAlone() throws {
        let workspace = try Workspace()
        for name in ["a[1].mp4", "a1.mp4"] { try workspace.clip(name, frames: 2) }
        let path = try workspace.manifest([#""input": "*.mp4""#])
        _ = try annotateBatch("run", path, "--only", "a[1]")
        #expect(workspace.names() == ["a[1].mp4", "a[1].tracks.jsonl", "report.json"])
        _ = try annotateBatch("run", path, "--only", "a[0-9]")
        #expect(workspace.names().contains("a1.mp4"))
    }

    @Test func anEmptyClip() throws {
        let workspace = try Workspace()
        try workspace.write("", to: "a.mp4")
        let outcome = try annotateBatch("run", try workspace.manifest([#""input": "a.mp4""#]))
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("could not open \(workspace.file("a.mp4")): it is empty; expected a video or photo")
        )
    }

    @Test func theSameBytesOnAnyNumberOfThreads() throws {
        let workspace = try Workspace()
        // 16 macroblocks wide: x264's AVX-512 code reads memory that nobody wrote where their number is no multiple of 16.
        for name in ["a.mp4", "b.mp4", "c.mp4"] { try workspace.clip(name, frames: 30, size: "256x128") }
        let stages = """
            {"id": "cards", "type": "rectangles"}, {"id": "slow", "type": "rectangles", "rate": 7, "maximumObservations": 0},
            {"id": "tags", "type": "markers", "rate": 10}
            """
        let path = try workspace.manifest([#""input": "*.mp4""#], stages: stages)
        for (folder, options) in [
            ("one", ["--threads", "1"]), ("two", ["--threads", "2"]), ("many", ["--threads", "5"]),
            ("jobs", ["--jobs", "2"]), ("more", ["--jobs", "3", "--threads", "2"]),
        ] {
            let outcome = try Program.run(
                Program.annotateBatch, ["run", path, "--output", workspace.file(folder)] + options)
            #expect(outcome.status == 0)
            for id in ["a", "b", "c"] {
                for suffix in [".tracks.jsonl", ".mp4"] {
                    let (found, first) = (
                        workspace.file("\(folder)/\(id)\(suffix)"), workspace.file("one/\(id)\(suffix)")
                    )
                    #expect(try Files.read(found) == Files.read(first), "\(folder)/\(id)\(suffix)")
                }
            }
        }
        #expect(try workspace.text("one/a.tracks.jsonl").contains("\"held\":true"))
    }

    @Test func aFolderThatCannotBeMade() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        let path = try workspace.manifest([#""input": "a.mp4""#])
        let outcome = try annotateBatch("run", path, "--output", path + "/out")
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        #expect(outcome.errors == "annotate-batch: could not create the folder \(path): File exists\n")
        let file = try annotateBatch("run", path, "--output", path)
        #expect(file.status == 64)
        #expect(file.errors.hasPrefix("Error: --output: “\(path)” is a file; expected a folder or nothing there.\n"))
    }

    @Test(.enabled(if: Program.isUnprivileged, "the superuser may write everywhere"))
    func aFolderThatCannotBeWritten() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 3)
        try Files.makeDirectory(workspace.file("out"))
        _ = try Program.run("chmod", ["a-w", workspace.file("out")])
        let outcome = try annotateBatch("run", try workspace.manifest([#""input": "a.mp4""#]))
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Permission denied"))
    }
}
