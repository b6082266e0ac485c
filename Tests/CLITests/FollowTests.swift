import Annotate
import Testing

/// Tracks of boxes from elsewhere, in one pass and in two.
@Suite struct FollowTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 24)
        // One walks to the right and isn't seen for a while in the middle; one stands; one false alarm.
        var rows: [String] = []
        for frame in 1...24 {
            rows.append("\(frame),-1,21,31,20,50,0.9,-1,-1,-1")
            if !(10...14).contains(frame) { rows.append("\(frame),-1,\(61 + frame * 2),41,20,50,0.8,-1,-1,-1") }
            if frame == 5 { rows.append("5,-1,121,1,10,25,0.55,-1,-1,-1") }
        }
        try workspace.write(rows.joined(separator: "\n") + "\n", to: "a.txt")
    }

    private func manifest(_ options: String = "", rate: String = "", input: String = "a.mp4", job: String = "") throws
        -> String
    {
        try workspace.write(
            #"{"version": 1, "graphs": {"g": {"stages": [{"id": "found", "type": "import", "format": "mot", "file": "a.txt"\#(rate)}, {"id": "people", "type": "follow", "inputs": ["found"]\#(options)}]}}, "jobs": [{"id": "a", "input": "\#(input)", "graph": "g", "encode": {"codec": "none"}\#(job)}]}"#,
            to: "m.json")
    }

    /// Number, state and left side of every track, by frame.
    private func told() throws -> [[String]] {
        try workspace.text("out/a.tracks.jsonl").split(separator: "\n").compactMap { line in
            let node = try json(String(line))
            guard node["frame"] != nil else { return nil }
            return (node["observations"]?.elements ?? []).filter { $0["stage"]?.string == "people" }.map {
                let left = $0["box"]?.elements?.first?.number.map { " \(Int($0))" } ?? ""
                return "\(Int($0["track"]?.number ?? 0)) \($0["state"]?.string ?? "")\(left)"
            }
        }
    }

    private func reused() throws -> [String] {
        let report = try json(try workspace.text("out/report.json"))
        return report["jobs"]?.elements?.first?["reused"]?.elements?.compactMap(\.string) ?? []
    }

    @Test func twoPassesFillTheGap() throws {
        let outcome = try annotateBatch("run", try manifest())
        #expect(outcome.status == 0, "\(outcome.errors)")
        let told = try told()
        #expect(told.count == 24)
        for (frame, told) in told.enumerated() {
            let isHidden = (9...13).contains(frame)
            #expect(told == ["1 tracked 20", "2 \(isHidden ? "predicted" : "tracked") \(62 + frame * 2)"], "\(frame)")
        }
        #expect(!workspace.names().contains { $0.contains("ahead") })
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
        #expect(try annotateBatch("run", try manifest()).errors.contains("up to date"))
    }

    /// What is hidden is rather a false alarm than somebody who is shown.
    @Test(arguments: [1, 2]) func whatIsHiddenIsToldAtOnce(passes: Int) throws {
        func isTold(_ draw: String) throws -> Bool {
            let outcome = try annotateBatch(
                "run", try manifest(#", "passes": \#(passes), "draw": \#(draw)"#), "--force")
            #expect(outcome.status == 0, "\(outcome.errors)")
            return try told()[4].contains { $0.hasSuffix("tracked 120") }
        }
        #expect(try isTold(#"{"cover": true}"#))
        #expect(try !isTold("true"))
    }

    /// Somebody behind somebody else is seen once, and hardly: no track begins there, and where things are hidden it is told all the same.
    @Test(arguments: [1, 2], [true, false]) func whatIsSeenOnceBehindSomebody(passes: Int, hides: Bool) throws {
        try workspace.write(try workspace.text("a.txt") + "7,-1,29,31,20,50,0.15,-1,-1,-1\n", to: "a.txt")
        let draw = hides ? #"{"cover": true}"# : "true"
        let outcome = try annotateBatch("run", try manifest(#", "passes": \#(passes), "draw": \#(draw)"#))
        #expect(outcome.status == 0, "\(outcome.errors)")
        for (frame, told) in try told().enumerated() {
            #expect(told.contains { $0.hasSuffix(" 28") } == (hides && frame == 6), "\(frame): \(told)")
        }
    }

    @Test func onePassTellsWhatItKnows() throws {
        let outcome = try annotateBatch("run", try manifest(#", "passes": 1"#))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let told = try told()
        #expect(told[4].sorted() == ["1 tracked 20", "2 tracked 70"])
        #expect(told[9].sorted() == ["1 tracked 20", "2 lost"])
        #expect(told[14].sorted() == ["1 tracked 20", "2 recovered 90"])
        #expect(try annotateBatch("verify", workspace.file("out")).status == 0)
    }

    /// What was found isn't found again where only following changes.
    @Test(arguments: ["process", "none"])
    func theInputsAreKnown(isolation: String) throws {
        #expect(try annotateBatch("run", try manifest(), "--isolation", isolation).status == 0)
        let changed = try manifest(#", "memory": 2"#)
        #expect(try annotateBatch("run", changed, "--isolation", isolation).status == 0)
        // What brings numbers along is taken over with all the others or not at all.
        #expect(try reused() == [])
        let kept = try Files.read(workspace.file("out/a.tracks.jsonl"))
        #expect(try annotateBatch("run", changed, "--force", "--threads", "1").status == 0)
        #expect(try reused() == [])
        #expect(try Files.read(workspace.file("out/a.tracks.jsonl")) == kept)
    }

    /// A detector that leaves frames out is bridged.
    @Test func aRateIsBridged() throws {
        let outcome = try annotateBatch("run", try manifest(rate: #", "rate": 8"#))
        #expect(outcome.status == 0, "\(outcome.errors)")
        let told = try told()
        #expect(Set(told.joined().map { String($0.prefix(1)) }) == ["1", "2"])
        #expect(told[1...20].allSatisfy { $0.count == 2 }, "\(told)")
        #expect(told.joined().contains { $0.hasPrefix("2 predicted") })
    }

    @Test func rangesAndCameraMotion() throws {
        let outcome = try annotateBatch(
            "run", try manifest(#", "cameraMotion": true"#, job: #", "range": {"start": 0.2, "end": 0.8}"#))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(Set(try told().joined().map { String($0.prefix(1)) }) == ["1", "2"])
    }

    /// Standard input is read once.
    @Test func streams() throws {
        let path = workspace.file("a.mp4")
        let noted = try Program.run(
            Program.annotateBatch, ["run", try manifest(input: "-")], input: path)
        #expect(noted.status == 0, "\(noted.errors)")
        #expect(noted.errors.contains("one pass was made, since standard input can be read once"), "\(noted.errors)")
        let refused = try Program.run(
            Program.annotateBatch, ["run", try manifest(#", "passes": 2"#, input: "-")], input: path)
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains(
                "standard input can be read once, and “passes” is 2; expected 1, or a file as input"),
            "\(refused.errors)")
    }

    @Test func noModel() throws {
        let outcome = try annotateBatch("validate", try manifest(#", "model": "no.onnx""#))
        #expect(outcome.status == 65)
        #expect(
            outcome.output.contains("no file “no.onnx”; expected an ONNX model")
                || outcome.errors.contains(
                    "no file “no.onnx”; expected an ONNX model")
        )
    }
}
