import Annotate
import Testing

/// Jobs that count: what they write, and what reads it.
@Suite struct CountTests {
    /// A clip of 50 frames of 160×120 pixels with boxes of a MOT file: 1 goes down over the line in frame 20, 2 up in frame 30,
    /// 3 stands in the zone.
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 50)
        let rows = (0..<50).flatMap { frame -> [String] in
            let places = [
                (40.0, 60 + 1.6 * (Double(frame) - 19.5)), (90, 60 - 1.2 * (Double(frame) - 29.5)), (130, 100),
            ]
            return places.enumerated().map { index, place in
                "\(frame + 1),\(index + 4),\(place.0 - 10 + 1),\(place.1 - 20 + 1),20,20,1,\(index == 2 ? 2 : 1),1"
            }
        }
        try workspace.write(rows.joined(separator: "\n") + "\n", to: "a.txt")
        return workspace
    }

    private func manifest(_ workspace: Workspace, _ more: String = "", output: String = "out", codec: String = "none")
        throws
        -> String
    {
        try workspace.write(
            """
            {"version": 1, "output": {"directory": "\(output)", "formats": ["csv"]}, "graphs": {"g": {"stages": [
              {"id": "seen", "type": "import", "format": "mot", "file": "{name}.txt", "classes": ["person", "dog"]},
              {"id": "flow", "type": "count", "inputs": ["seen"]}]}},
             "jobs": [{"input": "a.mp4", "graph": "g", "encode": {"codec": "\(codec)"}\(more),
              "lines": [{"id": "gate", "from": [0, 60], "to": [160, 60], "of": [160, 120]}],
              "zones": [{"id": "hall", "polygon": [[0.7, 0.6], [1, 0.6], [1, 1], [0.7, 1]], "units": "normalized"}]}]}
            """, to: "m.json")
    }

    private func events(_ workspace: Workspace, _ name: String = "out/a.tracks.jsonl") throws -> [String] {
        try workspace.text(name).split(separator: "\n").dropFirst().flatMap { line -> [String] in
            let node = try json(String(line))
            return (node["observations"]?.elements ?? []).filter { $0["kind"]?.string == "event" }.map { event in
                let frame = node["frame"]?.integer ?? -1
                #expect(event["frame"]?.integer == frame)
                let words = ["event", "line", "zone", "direction", "label"].compactMap { event[$0]?.string }
                return "\(frame) \(event["of"]?.integer ?? -1) \(words.joined(separator: " "))"
            }
        }
    }

    /// Each line is compared with itself: where one was moved, it is the one that is told of.
    @Test func comparedLineByLine() throws {
        let workspace = try workspace()
        for (output, y) in [("old", 80), ("new", 85)] {
            let path = try manifest(workspace, output: output)
            let text = try workspace.text("m.json").replacing(
                "\"lines\": [",
                with: #""lines": [{"id": "far", "from": [0, \#(y)], "to": [160, \#(y)], "of": [160, 120]}, "#)
            try workspace.write(text, to: "m.json")
            #expect(try annotateBatch("run", path).status == 0)
        }
        let outcome = try annotateBatch("compare", workspace.file("old"), workspace.file("new"))
        #expect(outcome.status == 2)
        #expect(outcome.output.contains("far forward") && outcome.output.contains("far backward"), "\(outcome.output)")
        #expect(!outcome.output.contains("gate"), "\(outcome.output)")
    }

    @Test func everythingThatReadsThem() throws {
        let workspace = try workspace()
        let expect = #"""
            , "expect": [{"stage": "flow", "line": "gate", "crossings": {"min": 1}, "direction": "forward"},
              {"stage": "flow", "zone": "hall", "count": {"max": 4}}, {"stage": "flow", "line": "gate", "label": "dog",
              "crossings": {"max": 0}}]
            """#
        let path = try manifest(workspace, expect, codec: "h264")
        let outcome = try annotateBatch("run", path)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.errors.contains("gate: 1 forward, 1 backward; hall: 0 entered, 0 left, 1 at once"),
            "\(outcome.errors)")
        #expect(try events(workspace) == ["20 4 crossed gate forward person", "30 5 crossed gate backward person"])
        let verify = try annotateBatch("verify", workspace.file("out"))
        #expect(verify.status == 0, "\(verify.output)")
        // Totals in the summary and in the report.
        let summary = try #require(try workspace.text("out/a.tracks.jsonl").split(separator: "\n").last)
        let counts = try json(String(summary))["summary"]?["counts"]?.elements ?? []
        #expect(counts.map { $0["line"]?.string ?? $0["zone"]?.string } == ["gate", "hall"])
        #expect(counts[0]["counts"]?["person"]?["backward"]?.integer == 1)
        #expect(counts[1]["present"]?.integer == 1 && counts[1]["most"]?.integer == 1)
        #expect(counts[1]["counts"]?["dog"]?["present"]?.integer == 1)
        let report = try json(workspace.text("out/report.json"))["jobs"]?.elements?.first
        #expect(report?["summary"]?["counts"]?.elements?.count == 2)
        // A table of events.
        let table = try annotateBatch(
            "export", workspace.file("out/a.tracks.jsonl"), "--format", "csv", "--kind", "event", "-o", "-")
        let rows = table.output.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 3)
        let titles = rows.first ?? []
        #expect(Set(titles).count == titles.count)
        for (title, cells) in [
            ("frame", ["20", "30"]), ("of", ["4", "5"]), ("event", ["crossed", "crossed"]), ("line", ["gate", "gate"]),
            ("direction", ["forward", "backward"]), ("event_frame", ["20", "30"]), ("point_y_px", ["60", "60"]),
        ] {
            let column = try #require(titles.firstIndex { $0 == title }, "\(title)")
            #expect(rows.dropFirst().map { String($0[column]) } == cells, "\(title)")
        }
    }

    @Test func sameBytes() throws {
        let workspace = try workspace()
        for (output, threads) in [("one", "1"), ("many", "7")] {
            let outcome = try annotateBatch("run", try manifest(workspace, output: output), "--threads", threads)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        #expect(try workspace.text("one/a.tracks.jsonl") == workspace.text("many/a.tracks.jsonl"))
        #expect(try workspace.text("one/a.csv") == workspace.text("many/a.csv"))
    }

    /// Another line: what was counted at the old one is out of date.
    @Test func anotherLine() throws {
        let workspace = try workspace()
        let path = try manifest(workspace)
        #expect(try annotateBatch("run", path).status == 0)
        try workspace.write(try workspace.text("m.json").replacing("[160, 60]", with: "[60, 60]"), to: "m.json")
        #expect(try annotateBatch("run", path).status == 0)
        #expect(try events(workspace) == ["20 4 crossed gate forward person"])
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    @Test func expectedOtherwise() throws {
        let workspace = try workspace()
        let expect = #"""
            , "expect": [{"stage": "flow", "line": "gate", "crossings": {"min": 2, "max": 2}, "direction": "backward"},
              {"stage": "flow", "zone": "hall", "count": {"max": 0}}, {"stage": "flow", "zone": "hall", "entered": {"min": 1}}]
            """#
        let outcome = try annotateBatch("run", try manifest(workspace, expect))
        #expect(outcome.status == 2)
        for sentence in [
            "expected exactly 2 crossings of line “gate”, backward, there is 1",
            "expected at most 0 at once in zone “hall”, there were 1",
            "expected at least 1 entries of zone “hall”, it was entered 0 times",
        ] { #expect(outcome.errors.contains(sentence), "\(outcome.errors)") }
    }
}
