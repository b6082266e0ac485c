import Testing

@testable import Annotate

/// `run --progress json`: standard error is a stream of events and nothing else.
@Suite struct ProgressEventTests {
    /// The events, each held against the schema that the program prints.
    private func events(_ outcome: Outcome) throws -> [JSONNode] {
        let schema = try json(try annotateBatch("schema", "progress").output)
        let variants = try #require(schema["oneOf"]?.elements)
        return try outcome.errorLines.map { line in
            let event = try json(line)
            let variant = try #require(
                variants.first { $0["properties"]?["event"]?["const"]?.string == event["event"]?.string }, "\(line)")
            let known = Set((variant["properties"]?.members ?? []).map(\.key))
            let keys = Set((event.members ?? []).map(\.key))
            #expect(keys.isSubset(of: known), "\(line)")
            let required = Set(variant["required"]?.elements?.compactMap(\.string) ?? [])
            #expect(required.isSubset(of: keys), "\(line)")
            return event
        }
    }

    private func kinds(_ events: [JSONNode]) -> [String] { events.compactMap { $0["event"]?.string } }

    @Test(arguments: ["process", "none"])
    func aBatchWithAllSortsOfThings(isolation: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4")
        try workspace.write("no video", to: "bad.mp4")
        // A graph that tracks regions, and none: a warning.
        let path = try workspace.manifest(
            [#""input": "a.mp4""#, #""input": "bad.mp4""#],
            stages: #"{"id": "cards", "type": "rectangles"}, {"id": "things", "type": "track"}"#)
        let outcome = try annotateBatch(
            "run", path, "--progress", "json", "--jobs", "1", "--log-level", "debug", "--isolation", isolation)
        #expect(outcome.status == 1)
        let events = try events(outcome)
        #expect(Set(kinds(events)).isSuperset(of: ["start", "end", "warning", "batch"]))
        let ends = events.filter { $0["event"]?.string == "end" }
        #expect(ends.compactMap { $0["job"]?.string } == ["a", "bad"])
        #expect(ends.compactMap { $0["status"]?.string } == ["done", "failed"])
        #expect(events.filter { $0["event"]?.string == "start" }.compactMap { $0["number"]?.integer } == [1, 2])
        let warnings = events.filter { $0["event"]?.string == "warning" }.compactMap { $0["message"]?.string }
        #expect(warnings.contains("jobs “a”, “bad”: its graph tracks regions (stage “things”), and it has none"))
        let last = try #require(events.last)
        #expect(last["event"]?.string == "batch")
        #expect(last["jobs"]?.integer == 2)
        #expect(last["counts"]?["done"]?.integer == 1)
        #expect(last["counts"]?["failed"]?.integer == 1)
        #expect(last["exitStatus"]?.integer == 1)

        let again = try self.events(try annotateBatch("run", path, "--progress=json", "--only", "a"))
        #expect(kinds(again).filter { $0 != "warning" } == ["end", "batch"])
        #expect(again.last?["counts"]?["up-to-date"]?.integer == 1)
        #expect(again.last?["exitStatus"]?.integer == 0)
    }

    @Test func aLongJobIsToldOfTwiceASecond() throws {
        let workspace = try Workspace()
        try workspace.slowClip("a.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#], encode: #"{"preset": "slow"}"#)
        let outcome = try annotateBatch("run", path, "--progress", "json")
        #expect(outcome.status == 0)
        let steps = try events(outcome).filter { $0["event"]?.string == "progress" }
        #expect(
            !steps.isEmpty && Double(steps.count) <= 2 * outcome.seconds + 2, "\(steps.count) in \(outcome.seconds) s")
        #expect(steps.allSatisfy { $0["of"]?.integer == 90 })
        #expect(steps.last?["batchSecondsLeft"]?.number != nil || outcome.seconds < 2)
    }

    /// Where a stage has to see all frames before it says anything, they count twice.
    @Test(arguments: [
        (#"{"id": "people", "type": "follow", "inputs": ["found"], "passes": 2}"#, ""),
        (
            #"{"id": "things", "type": "track"}"#,
            #", "regions": [{"id": "r", "frame": 0, "box": [20, 20, 40, 40], "fill": "both", "keyframes": [{"frame": 80, "box": [20, 20, 40, 40]}]}]"#
        ),
    ]) func framesThatAreLookedAtFirstCountToo(stage: String, regions: String) throws {
        let workspace = try Workspace()
        try workspace.slowClip("a.mp4")
        try workspace.write("1,-1,21,31,20,50,0.9,-1,-1,-1\n", to: "a.txt")
        let path = try workspace.write(
            #"{"version": 1, "graphs": {"g": {"stages": [{"id": "found", "type": "import", "format": "mot", "file": "a.txt"}, \#(stage)]}}, "jobs": [{"id": "a", "input": "a.mp4", "graph": "g"\#(regions), "encode": {"preset": "slow"}}]}"#,
            to: "m.json")
        let outcome = try annotateBatch("run", path, "--progress", "json")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let steps = try events(outcome).filter { $0["event"]?.string == "progress" }
        let frames = steps.compactMap { $0["frames"]?.integer }
        #expect(frames == frames.sorted() && frames.last ?? 0 > 90)
        #expect(
            steps.last?["of"]?.integer.map { (170...180).contains($0) } == true, "\(steps.last?["of"]?.integer ?? 0)")
        #expect(try events(outcome).first { $0["event"]?.string == "end" }?["frames"]?.integer == 90)
    }

    @Test(arguments: [
        (["m.json"], 65, "m.json:1:12: /: "), (["none.json"], 65, "no file “none.json”; expected a manifest"),
        (["run", "m.json", "--jobs", "x"], 64, "The value 'x' is invalid for '--jobs <n>'"),
        (["run", "m.json", "--job", "2"], 64, "Unknown option '--job'"),
        (["run", "good.json", "--only", "c*"], 64, "--only c* matches no job. There are a."),
        (["run", "good.json", "--threads", "65"], 64, "--threads takes 1 to 64, not 65."),
        (["run", "good.json", "--output", "good.json/out"], 1, "could not create the folder "),
        (["rnu", "m.json"], 64, "there is no command “rnu”"),
    ])
    func whatKeepsItFromRunning(arguments: [String], status: Int32, expected: String) throws {
        let workspace = try Workspace()
        try workspace.write("{\"version\" 1}", to: "m.json")
        try workspace.clip("a.mp4", frames: 3)
        try workspace.manifest([#""input": "a.mp4""#], name: "good.json")
        let words = arguments.map { $0.contains(".json") ? workspace.file($0) : $0 }
        let outcome = try Program.run(Program.annotateBatch, words + ["--progress", "json"])
        #expect(outcome.status == status)
        #expect(outcome.output == "")
        let events = try events(outcome)
        #expect(kinds(events).first == "problem" && kinds(events).last == "batch", "\(outcome.errors)")
        let message = try #require(events.first?["message"]?.string)
        #expect(message.replacing(workspace.path + "/", with: "").hasPrefix(expected), "\(message)")
        #expect(events.last?["exitStatus"]?.integer == Int(status))
    }

    @Test func anInterruptedBatch() throws {
        let workspace = try Workspace()
        try workspace.slowClip("a.mp4")
        let path = try workspace.manifest([#""input": "a.mp4""#], encode: #"{"preset": "veryslow"}"#)
        let program = try Program(Program.annotateBatch, ["run", path, "--progress", "json"])
        sleep(seconds: 0.7)
        program.signal(2)
        let outcome = try program.finish()
        #expect(outcome.status == 130)
        let events = try events(outcome)
        #expect(events.last?["event"]?.string == "batch")
        #expect(events.last?["exitStatus"]?.integer == 130)
    }

    @Test func jobsWithARangeHaveATotal() throws {
        let workspace = try Workspace()
        try workspace.slowClip("a.mp4")
        let path = try workspace.manifest(
            [#""input": "a.mp4", "range": {"start": 0.4, "end": 2}"#], encode: #"{"preset": "slow"}"#)
        let steps = try events(try annotateBatch("run", path, "--progress", "json")).filter {
            $0["event"]?.string == "progress"
        }
        #expect(!steps.isEmpty && steps.allSatisfy { $0["of"]?.integer == 40 }, "\(steps)")
    }
}
