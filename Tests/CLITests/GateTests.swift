import Annotate
import Foundation
import Glibc
import Testing

/// Batches that say what is odd, and fail where it isn't what is expected.
@Suite struct GateTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        for name in ["a.mp4", "b.mp4"] { try workspace.clip(name, frames: 12) }
    }

    private func manifest(_ expect: String, stage: String = #"{"id": "cards", "type": "rectangles"}"#) throws -> String
    {
        try workspace.manifest(
            ["\"input\": \"a.mp4\", \"expect\": [\(expect)]", #""input": "b.mp4""#], stages: stage,
            encode: #"{"preset": "ultrafast"}"#)
    }

    private func report() throws -> [String: JSONNode] {
        let jobs = try json(try workspace.text("out/report.json"))["jobs"]?.elements ?? []
        return Dictionary(uniqueKeysWithValues: jobs.map { ($0["id"]?.string ?? "", $0) })
    }

    @Test(arguments: ["process", "none"])
    func anExpectationThatDoesNotHold(isolation: String) throws {
        let path = try manifest(#"{"stage": "cards", "frames": {"min": 100}}"#)
        let outcome = try annotateBatch("run", path, "--isolation", isolation, "--junit", workspace.file("ci/j.xml"))
        #expect(outcome.status == 2)
        let sentence = "expected “cards” in at least 100 frames, seen in "
        #expect(outcome.errors.contains("a: unexpected: \(sentence)"), "\(outcome.errors)")
        #expect(outcome.errors.contains("1 of 2 jobs not as expected: a"))
        // What was made is there.
        #expect(outcome.outputLines.count == 4)
        let entry = try #require(try report()["a"])
        #expect(entry["status"]?.string == "unexpected")
        #expect(entry["expectations"]?.elements?[0]["complaints"]?.elements?[0].string?.hasPrefix(sentence) == true)
        let xml = try workspace.text("ci/j.xml")
        #expect(xml.contains(#"tests="3" failures="1" errors="0""#))
        #expect(xml.contains(sentence))
    }

    /// Several figures of one expectation that fail: an entry each, with its own moment in the track file, and one failure in
    /// JUnit with all sentences.
    @Test func evidenceOfEachFigureThatFails() throws {
        var rows = ["frame,track,label,left,top,width,height,confidence"]
        for frame in 0..<12 where !(3...4).contains(frame) {
            rows.append("\(frame),4,cup,\(frame == 8 ? 90 : 40),40,20,20,\(frame == 1 ? 0.2 : 0.9)")
        }
        try workspace.write(rows.joined(separator: "\n") + "\n", to: "a.csv")
        let path = try manifest(
            #"{"stage": "cups", "frames": {"min": 100}, "longestGap": {"max": 0.00005}, "confidence": {"min": 0.9}, "#
                + #""jump": {"max": 1}}"#,
            stage: #"{"id": "cups", "type": "import", "format": "csv", "file": "a.csv"}"#)
        let outcome = try annotateBatch("run", path, "--junit", workspace.file("j.xml"))
        #expect(outcome.status == 2, "\(outcome.errors)")
        let expectation = try #require(try report()["a"]?["expectations"]?.elements?.first)
        let evidence = expectation["evidence"]?.elements ?? []
        #expect(evidence.map { $0["figure"]?.string } == ["frames", "longestGap", "confidence", "jump"])
        #expect(evidence.map { $0["frame"]?.integer } == [nil, 3, 1, 8])
        #expect(evidence.map { $0["bounds"]?["max"]?.number } == [nil, 0.00005, nil, 1])
        #expect(evidence.map { $0["value"]?.number?.rounded() } == [10, 0, 1, 50])
        let complaints = expectation["complaints"]?.elements?.compactMap(\.string) ?? []
        #expect(evidence.map { $0["complaint"]?.string } == complaints)
        #expect(complaints[1].contains("at most 0.00005 s, it is 0.08 s (from frame 3)"), "\(complaints)")
        // Times and tracks are those of the track file.
        let lines = try workspace.text("out/a.tracks.jsonl").split(separator: "\n").map { try json(String($0)) }
        func line(_ frame: Int) -> JSONNode? { lines.first { $0["frame"]?.integer == frame } }
        for (entry, shown) in zip(evidence.dropFirst(), [2, 1, 8]) {
            let frame = try #require(entry["frame"]?.integer)
            #expect(entry["time"]?.number == line(frame)?["time"]?.number)
            #expect(entry["track"]?.integer == line(shown)?["observations"]?.elements?.first?["track"]?.integer)
        }
        let xml = try workspace.text("j.xml")
        #expect(xml.contains(#"failures="1""#))
        #expect(xml.split(separator: "<failure ").count == 2)
        let message = xml.split(separator: "<failure ").last?.split(separator: ">").first ?? ""
        for complaint in complaints { #expect(message.contains(complaint), "\(message)") }
        // What isn't run again says the same, and a page is made of it.
        let before = try report()["a"]?["expectations"]
        #expect(try annotateBatch("run", path).status == 2)
        #expect(try report()["a"]?["expectations"].map { "\($0.value)" } == before.map { "\($0.value)" })
        #expect(try annotateBatch("review", workspace.file("out")).status == 0)
        #expect(try workspace.text("out/review.html").contains(#""figure":"jump","value":"#))
    }

    /// Expectations are held against what is there, without running.
    @Test func upToDateJobsAreJudgedAnew() throws {
        #expect(try annotateBatch("run", try manifest(#"{"stage": "cards", "frames": {"min": 100}}"#)).status == 2)
        let video = try workspace.text("out/a.tracks.jsonl")
        let changed = try manifest(#"{"stage": "cards", "frames": {"min": 1}}"#)
        let preview = try annotateBatch("run", changed, "--dry-run")
        #expect(
            preview.outputLines == [
                "a: up to date; its expectations changed, and would be judged anew", "b: up to date",
            ])
        let again = try annotateBatch("run", changed)
        #expect((again.status, again.errors.contains("done")) == (0, false))
        #expect(try workspace.text("out/a.tracks.jsonl") == video)
        #expect(try report()["a"]?["status"]?.string == "up-to-date")
        // Judged once, it is known.
        #expect(try annotateBatch("run", changed, "--dry-run").outputLines[0] == "a: up to date")
        let worse = try manifest(#"{"stage": "cards", "tracks": {"min": 9}}"#)
        #expect(try annotateBatch("run", worse).status == 2)
        #expect(try annotateBatch("run", worse).status == 2)
        #expect(try annotateBatch("run", try manifest("")).status == 0)
    }

    @Test func whatCannotBeExpectedIsToldBefore() throws {
        let path = try manifest(
            #"{"stage": "crds", "frames": {"min": 1}}, {"stage": "cards", "seen": {"min": 80}}, "#
                + #"{"stage": "cards", "frames": {"min": 3, "max": 2}}, {"stage": "cards"}, "#
                + #"{"stage": "cards", "id": 3, "frames": {"min": 1}}, {"stage": "cards", "region": "r", "lost": {"max": 1}}"#
        )
        let outcome = try annotateBatch("validate", path)
        #expect(outcome.status == 65)
        for part in [
            "/expect/0/stage: the graph has no stage “crds”", "did you mean “cards”?", "0.8 for 80 %",
            "“min” 3 over “max” 2", "/expect/3: nothing is expected", "carry no “id”", "the job has no region “r”",
        ] { #expect(outcome.errors.contains(part), "\(part)\n\(outcome.errors)") }
    }

    /// Bounds on what a stage can't give are refused before anything runs, with what could.
    @Test(arguments: [
        (
            "rectangles", #""reprojectionError": {"max": 1}"#,
            "reprojectionError: stage “cards” (rectangles) gives no poses; expected “reprojectionError” of a stage of type “markers” "
                + "with “size” or “board”"
        ),
        (
            "rectangles", #""positionJitter": {"max": 0.01}"#,
            "positionJitter: stage “cards” (rectangles) gives no poses; expected “positionJitter” of a stage of type “markers” with "
                + "“size” or “board”, or “jitter”, which is in pixels"
        ),
        (
            "markers", #""rotationJump": {"max": 5}"#,
            "rotationJump: stage “cards” (markers) gives no poses, since it knows no sizes; expected “size”, “sizes” or “board” in "
                + "the stage"
        ),
        (
            "horizon", #""jump": {"max": 5}"#,
            "jump: stage “cards” (horizon) tracks nothing that has a place; expected “jump” of a stage that keeps tracks of things "
                + "in the picture, “track” or “follow” say"
        ),
        ("rectangles", #""jitter": {"max": -1}"#, "jitter/max: -1; expected a number from 0"),
        ("rectangles", #""jitter": {"max": "2 px"}"#, "jitter/max: “2 px”; expected a number from 0"),
        ("rectangles", #""jitter": {"px": 2}"#, "jitter/px: unknown key “px”; expected one of “min”, “max”"),
        ("rectangles", #""jitters": {"max": 2}"#, "unknown key “jitters”"),
    ])
    func boundsOnMotionThatCannotBe(type: String, figure: String, sentence: String) throws {
        let path = try manifest(
            "{\"stage\": \"cards\", \(figure)}", stage: "{\"id\": \"cards\", \"type\": \"\(type)\"}")
        let outcome = try annotateBatch("validate", path)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    }

    @Test func whatIsOddIsSaid() throws {
        let stages =
            #"{"id": "codes", "type": "markers", "size": 0.05}, {"id": "things", "type": "track", "inputs": []}"#
            .replacing(#", "inputs": []"#, with: "")
        let path = try workspace.manifest([#""input": "a.mp4""#], stages: stages)
        let check = try annotateBatch("validate", path)
        #expect(check.status == 0)
        #expect(check.errors.contains("job “a”: its graph tracks regions (stage “things”), and it has none"))
        #expect(check.errors.contains("assumed camera"))
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("stage “codes” (markers) saw nothing in the whole video: it looks for markers"))
        // Told once.
        #expect(outcome.errors.split(separator: "\n").filter { $0.contains("assumed camera") }.count == 1)
        #expect(try report()["a"]?["notes"]?.elements?.count == 3)
    }

    @Test func aLimitThatWasNear() throws {
        let path = try workspace.manifest([#""input": "a.mp4""#])
        #expect(try annotateBatch("run", path, "--max-frames", "13").errors.contains("12 of the 13 frames"))
        #expect(try !annotateBatch("run", path, "--max-frames", "100", "--force").errors.contains("frames that"))
    }

    @Test func whatWouldRunAndWhy() throws {
        let path = try manifest("")
        #expect(try annotateBatch("run", path, "--dry-run").outputLines == ["a: would run: new", "b: would run: new"])
        #expect(workspace.names() == [])
        #expect(try annotateBatch("run", path).status == 0)
        // Contents decide, not times.
        utimensat(AT_FDCWD, workspace.file("a.mp4"), nil, 0)
        #expect(try annotateBatch("run", path, "--dry-run").outputLines == ["a: up to date", "b: up to date"])
        try workspace.clip("a.mp4", frames: 11)
        Glibc.unlink(workspace.file("out/b.mp4"))
        #expect(
            try annotateBatch("run", path, "--dry-run").outputLines
                == [
                    "a: would run: the input changed",
                    "b: would run: b.mp4 is missing; nothing would be detected again",
                ])
        let other = try manifest("", stage: #"{"id": "cards", "type": "rectangles", "minimumSize": 0.3}"#)
        #expect(
            try annotateBatch("run", other, "--dry-run").outputLines[0]
                == "a: would run: option “minimumSize” of stage “cards” is new (0.3)")
    }

    /// A batch that was copied elsewhere is up to date there.
    @Test func stagedInputsCountAsTheSame() throws {
        #expect(try annotateBatch("run", try manifest("")).status == 0)
        let copy = try Workspace()
        for name in ["a.mp4", "b.mp4", "m.json", "out"] {
            try FileManager.default.copyItem(atPath: workspace.file(name), toPath: copy.file(name))
            utimensat(AT_FDCWD, copy.file(name), nil, 0)
        }
        let outcome = try annotateBatch("run", copy.file("m.json"), "--dry-run")
        #expect(outcome.outputLines == ["a: up to date", "b: up to date"])
    }

    @Test func resultsOfJobsThatAreNoMore() throws {
        let path = try manifest("")
        #expect(try annotateBatch("run", path).status == 0)
        try workspace.manifest([#""input": "b.mp4""#], name: "other.json")
        #expect(try annotateBatch("run", workspace.file("other.json"), "--prune").status == 0)
        // They are another manifest's.
        #expect(workspace.names().contains("a.mp4"))
        try workspace.manifest([#""input": "b.mp4""#], encode: #"{"preset": "ultrafast"}"#)
        let preview = try annotateBatch("run", path, "--prune", "--dry-run")
        #expect(preview.outputLines.last == "a: is no longer in the manifest: would remove a.mp4, a.tracks.jsonl")
        #expect(workspace.names().contains("a.mp4"))
        let outcome = try annotateBatch("run", path, "--prune")
        #expect(outcome.errors.contains("removed a.mp4, a.tracks.jsonl: there is no job “a” any more"))
        #expect(workspace.names() == ["b.mp4", "b.tracks.jsonl", "report.json"])
        #expect(try Set(report().keys) == ["b"])
    }

    /// Two manifests in one folder, at once and after each other.
    @Test func oneTrueReportOfSeveralManifests() throws {
        try workspace.manifest([#""input": "a.mp4""#], name: "one.json")
        try workspace.manifest([#""input": "b.mp4""#], name: "two.json")
        let runs = try ["one.json", "two.json"].map {
            try Program(Program.annotateBatch, ["run", workspace.file($0)])
        }
        for run in runs { #expect(try run.finish().status == 0) }
        #expect(try report().mapValues { $0["status"]?.string } == ["a": "done", "b": "done"])
        #expect(try annotateBatch("run", workspace.file("one.json")).status == 0)
        #expect(try report().mapValues { $0["manifest"]?.string } == ["a": "../one.json", "b": "../two.json"])
    }

    @Test func shardsAndWhatIsLeft() throws {
        let path = try manifest("")
        let shards = ["a", "b"].map { Shard.index(of: $0, among: 5) }
        #expect(Set(shards).count == 2)
        #expect(try annotateBatch("run", path, "--shard", "\(shards[0])/5").outputLines.count == 2)
        let status = try annotateBatch("status", path, "--shards", "5")
        #expect((status.status, status.output) == (75, "\(shards[1])\n"))
        #expect(status.errors.contains("1 done, 1 missing"), "\(status.errors)")
        #expect(try annotateBatch("run", path, "--shard", "\(shards[1])/5").status == 0)
        #expect(try annotateBatch("status", path, "--shards", "5").status == 0)
        let reports = workspace.names().filter { $0.hasPrefix("report.") }.map { workspace.file("out/" + $0) }
        let merged = try Program.run(
            Program.annotateBatch, ["merge"] + reports + ["-o", workspace.file("out/report.json")])
        #expect(merged.status == 0, "\(merged.errors)")
        #expect(try report().mapValues { $0["status"]?.string } == ["a": "done", "b": "done"])
        // The whole run knows what the shards did.
        #expect(try annotateBatch("run", path, "--dry-run").outputLines == ["a: up to date", "b: up to date"])
        #expect(try annotateBatch("run", path, "--shard", "6/5").status == 64)
    }

    /// Results are never older than what they are made from, so that make comes to rest.
    @Test func timesSettle() throws {
        let path = try manifest("")
        #expect(try annotateBatch("run", path, "--depfile", workspace.file("d.mk")).status == 0)
        #expect(try workspace.text("d.mk").contains("out/a.tracks.jsonl: "))
        utimensat(AT_FDCWD, path, nil, 0)
        #expect(try annotateBatch("run", path).status == 0)
        let manifest = try #require(Files.status(path)).modified
        for name in workspace.names() {
            #expect(try #require(Files.status(workspace.file("out/" + name))).modified >= manifest, "\(name)")
        }
    }

    @Test func annotationsForGitHub() throws {
        let path = try manifest(#"{"stage": "cards", "frames": {"min": 100}}"#)
        let environment = [
            "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": workspace.file("summary.md"),
            "GITHUB_WORKSPACE": workspace.path,
        ]
        let outcome = try annotateBatch("run", path, environment: environment)
        #expect(
            outcome.errors.contains("::error file=m.json,line=2,title=a is not as expected::expected “cards”"),
            "\(outcome.errors)")
        #expect(try workspace.text("summary.md").contains("### m.json: 1 unexpected, 1 done"))
        try workspace.write(#"{"version": 2}"#, to: "bad.json")
        let bad = try annotateBatch("validate", workspace.file("bad.json"), environment: environment)
        #expect(bad.errors.contains("::error file=bad.json,line=1,title=invalid manifest::/version: "))
    }

    /// What CI is told must not be told over the sources of it.
    @Test(arguments: ["--junit", "--depfile"])
    func nothingIsOverwritten(option: String) throws {
        let path = try manifest("")
        #expect(try annotateBatch("run", path).status == 0)
        for victim in [path, workspace.file("b.mp4"), workspace.file("out/a.mp4"), workspace.file("out/report.json")] {
            let before = try Files.read(victim)
            let outcome = try annotateBatch("run", path, option, victim)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("\(option) \(victim) would overwrite "))
            #expect(try Files.read(victim) == before)
        }
    }

    /// A file that takes another's place with its size and time.
    @Test func contentsDecide() throws {
        for (name, color) in [("one.ppm", "0"), ("two.ppm", "9")] {
            try workspace.write("P3 64 48 9\n" + String(repeating: color + " 0 0 ", count: 64 * 48), to: name)
        }
        func put(_ name: String) throws {
            try? FileManager.default.removeItem(atPath: workspace.file("in.ppm"))
            try FileManager.default.copyItem(atPath: workspace.file(name), toPath: workspace.file("in.ppm"))
            var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
            utimensat(AT_FDCWD, workspace.file("in.ppm"), &times, 0)
        }
        let path = try workspace.manifest([#""input": "in.ppm""#])
        try put("one.ppm")
        #expect(try annotateBatch("run", path).status == 0)
        try put("one.ppm")
        #expect(try annotateBatch("run", path, "--dry-run").outputLines == ["in: up to date"])
        try put("two.ppm")
        #expect(try annotateBatch("run", path, "--dry-run").outputLines == ["in: would run: the input changed"])
    }

    /// A job that changed and wasn't run is not what it was.
    @Test func whatWasNotRunIsNotDone() throws {
        #expect(try annotateBatch("run", try manifest("")).status == 0)
        try workspace.write("", to: "0.mp4")
        let changed = try workspace.manifest(
            [#""input": "0.mp4""#, #""input": "a.mp4", "expect": [{"stage": "cards", "frames": {"min": 99}}]"#],
            stages: #"{"id": "cards", "type": "rectangles", "minimumSize": 0.3}"#)
        let outcome = try annotateBatch("run", changed, "--fail-fast", "--jobs", "1")
        #expect(outcome.status == 1)
        #expect(try report()["a"]?["status"]?.string == "not-run")
        #expect(try annotateBatch("verify", workspace.file("out")).status == 1)
    }

    @Test func aReportThatCannotBeReadIsNoProof() throws {
        let path = try manifest("")
        #expect(try annotateBatch("run", path).status == 0)
        for text in ["garbage", "[]", #"{"format": "annotate-report", "version": 2, "jobs": []}"#] {
            try workspace.write(text, to: "out/report.json")
            let outcome = try annotateBatch("verify", workspace.file("out"))
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("broken  report.json: it is no report that can be read"))
        }
    }
}
