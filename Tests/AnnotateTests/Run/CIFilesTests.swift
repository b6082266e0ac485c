import Testing

@testable import Annotate
@testable import TestSupport

/// What CI systems, make and schedulers read.
@Suite struct CIFilesTests {
    private func order(_ id: String) -> JobOrder {
        var order = JobOrder()
        (order.id, order.input, order.results) = (id, "clips/\(id).mp4", ["\(id).mp4", "\(id).tracks.jsonl"])
        return order
    }

    @Test func whatXMLCannotSayIsReplaced() throws {
        var outcome = JobOutcome(JobFailure(.other, "a <b> & \"c\"\u{1}\u{1B}[2J\nd ]]>"))
        outcome.notes = ["späť ☃"]
        var suite = JUnit("lab/m.json")
        suite.add("a<&>", outcome, directory: "out")
        let xml = suite.xml
        #expect(xml.contains(#"name="a&lt;&amp;&gt;""#))
        #expect(xml.contains("a &lt;b&gt; &amp; &quot;c&quot;\u{FFFD}\u{FFFD}[2J&#10;d ]]&gt;"))
        #expect(!xml.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
        #expect(xml.contains(#"<testsuites name="annotate-batch" tests="1" failures="0" errors="1""#))
    }

    @Test func aCaseForTheJobAndEachExpectation() throws {
        var (held, broken) = (Judgement(), Judgement())
        (held.title, broken.title) = ("found: frames ≥ 1", "found: frames ≥ 9")
        broken.complaints = ["expected 9"]
        (broken.frame, broken.time) = (131, 5.24)
        var outcome = JobOutcome(.unexpected)
        outcome.judgements = [held, broken]
        outcome.outputs = [.init(file: "a.tracks.jsonl", bytes: 7)]
        var suite = JUnit("m.json")
        suite.add("a", outcome, directory: "out")
        suite.add(
            "b", JobOutcome(JobFailure(.other, "no")), expect: #"[{"stage": "x", "frames": {"min": 2}}]"#,
            directory: "out")
        #expect(
            suite.cases.map(\.name) == ["a", "a: found: frames ≥ 1", "a: found: frames ≥ 9", "b", "b: x: frames ≥ 2"])
        #expect(suite.cases.map(\.isFailure) == [false, false, true, false, false])
        #expect(suite.cases.map(\.isSkipped) == [false, false, false, false, true])
        #expect(suite.xml.contains("expected 9&#10;look at frame 131 (5.24 s)&#10;out/a.tracks.jsonl</failure>"))
    }

    @Test func dependenciesAsMakeReadsThem() {
        var first = order("a b")
        first.dependencies = ["models/x$y%z.onnx"]
        let text = DependencyFile(
            of: Batch(manifest: "./lab.json", output: OutputPlaces("./out"), jobs: [first, order("c#d")])
        ).text
        let lines = text.split(separator: "\n").map(String.init)
        #expect(
            lines[0] == ##"out/a\ b.mp4 out/a\ b.tracks.jsonl: lab.json clips/a\ b.mp4 models/x$$y%z.onnx"##)
        #expect(lines[1] == ##"out/c\#d.mp4 out/c\#d.tracks.jsonl: lab.json clips/c\#d.mp4"##)
        #expect(lines[2].hasPrefix("out/report.json: lab.json "))
        // So that a file that goes breaks nothing. A “%” makes patterns of targets alone.
        #expect(lines.contains(##"models/x$$y\%z.onnx:"##))
        #expect(lines.contains(##"clips/c\#d.mp4:"##))
    }

    /// Known values: who resubmits a shard means the jobs that it had.
    @Test func shardsStayWhatTheyAre() {
        #expect(["a", "clip-07", "späť"].map { Shard.index(of: $0, among: 20) } == [11, 4, 16])
        let ids = (0..<2000).map { "clip-\($0)" }
        var seen: [String] = []
        for index in 1...7 { seen += ids.filter { Shard(index: index, count: 7)?.contains($0) == true } }
        #expect(seen.sorted() == ids.sorted())
        let sizes = (1...7).map { index in ids.count { Shard(index: index, count: 7)?.contains($0) == true } }
        #expect(sizes.allSatisfy { (230...340).contains($0) }, "\(sizes)")
        #expect(Shard(index: 0, count: 3) == nil)
        #expect(Shard(index: 4, count: 3) == nil)
        #expect(Shard.isReport("report.3-of-7.json"))
        #expect(!Shard.isReport("report.json"))
    }

    @Test func reportsAreMerged() throws {
        let (one, two) = (try TemporaryFolder(), try TemporaryFolder())
        func write(_ folder: TemporaryFolder, _ name: String, _ outcomes: [(JobOrder, JobOutcome)]) throws -> String {
            let text =
                Report.head("lab.json", generator: "test 1")
                + outcomes.map { Report.entry($0.0, $0.1, manifest: "lab.json", directory: folder.path) }
                .joined(separator: ",") + "]\n}\n"
            try Files.write(text, to: folder.file(name))
            return folder.file(name)
        }
        var done = JobOutcome(.done)
        done.outputs = [.init(file: "a.mp4", bytes: 7)]
        let paths = [
            try write(
                one, "report.1-of-2.json", [(order("a"), done), (order("b"), JobOutcome(JobFailure(.other, "no")))]),
            // A copy of the job that was interrupted later has less to say.
            try write(one, "report.2-of-2.json", [(order("a"), JobOutcome(.interrupted)), (order("c"), done)]),
            try write(two, "report.json", [(order("d"), done)]),
        ]
        let merged = try ReportMerge.merge(paths, for: one.path, generator: "test 1")
        #expect(merged.jobs.map(\.id) == ["a", "b", "c", "d"])
        #expect(merged.jobs.map(\.outcome.status) == [.done, .failed, .done, .done])
        let root = try JSONParser.parse(Array(merged.text.utf8))
        var validator = ShapeValidator(file: "report.json")
        validator.validate(root, against: Report.shape)
        #expect(validator.log.problems == [])
        #expect(root["jobs"]?.elements?.map { $0["directory"] != nil } == [false, false, false, true])
        #expect(throws: ReportMerge.InvalidReportError.self) {
            try ReportMerge.merge([try write(one, "x.json", []) + "nix"], for: one.path, generator: "test 1")
        }
    }
}
