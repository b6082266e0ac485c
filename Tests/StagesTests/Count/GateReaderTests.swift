import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What a job says of its lines and zones, and what it expects of them.
@Suite struct GateReaderTests {
    /// Reads one job beside a picture of 64×48 pixels.
    private func read(_ members: String, stage: String = "count") throws -> (job: Job?, problems: [String]) {
        let folder = try ImportFolder()
        defer { withExtendedLifetime(folder) {} }
        try Files.write("P5 64 48 255\n" + String(repeating: "x", count: 64 * 48), to: folder.path + "/p.pgm")
        let path = try folder.write(
            """
            {"version": 1, "jobs": [{"input": "p.pgm", \(members), "graph": {"stages": [
            {"id": "seen", "type": "rectangles"}, {"id": "flow", "type": "\(stage)", "inputs": ["seen"]}]}}]}
            """, "m.json")
        do {
            return (try ManifestReader(catalog: .standard).read(path).jobs.first, [])
        } catch let error as InvalidFileError {
            return (nil, error.problems.map { "\(jsonPointer($0.path)): \($0.message)" })
        }
    }

    @Test func places() throws {
        let (job, problems) = try read(
            #"""
            "lines": [{"id": "a", "from": [0, 48], "to": [64, 0]},
              {"id": "b", "from": [0.5, 0], "to": [0.5, 1], "units": "normalized"},
              {"id": "c", "from": [1, 1], "to": [1, 9], "of": [64, 48]}],
            "zones": [{"id": "a", "polygon": [[0, 0], [0.25, 0], [1, 1]], "units": "normalized"}]
            """#)
        #expect(problems == [])
        let size = PictureSize(width: 64, height: 48)
        let lines = try #require(job).given[Line.self].map { $0.placed(in: size) }
        #expect(lines.map(\.from) == [Point(0, 48), Point(32, 0), Point(1, 1)])
        #expect(lines.map(\.to) == [Point(64, 0), Point(32, 48), Point(1, 9)])
        #expect(
            job?.given[Zone.self].map { $0.placed(in: size).polygon } == [[Point(0, 0), Point(16, 0), Point(64, 48)]])
        #expect(job?.warnings == [])
    }

    @Test(arguments: [
        (
            #""lines": [{"id": "a", "from": [0, 10], "to": [64.5, 10]}]"#,
            "/jobs/0/lines/0: the point [64.5, 10] of the line “a” lies outside the picture of p.pgm; expected x from 0 to 64 and y "
                + "from 0 to 48"
        ),
        (
            #""lines": [{"id": "a", "from": [0, 0.2], "to": [1.2, 0.2], "units": "normalized"}]"#,
            "/jobs/0/lines/0: the point [1.2, 0.2] of the line “a” lies outside the picture of p.pgm; expected coordinates from 0 "
                + "to 1"
        ),
        (
            #""lines": [{"id": "a", "from": [0.1, 0.5], "to": [0.9, 0.5]}]"#,
            "/jobs/0/lines/0: the line “a” is no larger than a pixel of p.pgm; expected pixels, or “units”: “normalized” for "
                + "shares of the picture"
        ),
        (
            #""lines": [{"id": "a", "from": [3, 4], "to": [3, 4]}]"#,
            "/jobs/0/lines/0/to: the line begins and ends at [3, 4]; expected two different points"
        ),
        (
            #""lines": [{"id": "a", "from": [3, 4], "to": [30, 4], "of": [640, 480]}]"#,
            "/jobs/0/lines/0: the line “a” is of pictures of 640×480 pixels, and p.pgm has 64×48; expected one of this size, or "
                + "“units”: “normalized”"
        ),
        (
            #""lines": [{"id": "a", "from": [0, 0], "to": [1, 1], "units": "normalized", "of": [64, 48]}]"#,
            "/jobs/0/lines/0/of: “of” with “units”: “normalized”, which hold for any size; expected one of them"
        ),
        (
            #""lines": [{"id": "a", "from": [3, 4], "to": [30, 4]}, {"id": "a", "from": [3, 5], "to": [30, 5]}]"#,
            "/jobs/0/lines/1/id: “a” names two lines of this job; expected an id of its own for each"
        ),
        (
            #""zones": [{"id": "a", "polygon": [[1, 1], [5, 5], [9, 9]]}]"#,
            "/jobs/0/zones/0/polygon: a polygon without area; expected three corners or more around some of the picture"
        ),
        (
            #""zones": [{"id": "a", "polygon": [[1, 1], [5, 5]]}]"#,
            "/jobs/0/zones/0/polygon: an array of 2; expected an array of 3 to 64; each element an array of 2; each element a "
                + "number"
        ),
        (
            #""zones": [{"id": "a", "polygon": [[1, 1], [5, 5], [1, -2]]}]"#,
            "/jobs/0/zones/0: the point [1, -2] of the zone “a” lies outside the picture of p.pgm; expected x from 0 to 64 and y "
                + "from 0 to 48"
        ),
    ])
    func problems(members: String, expected: String) throws {
        #expect(try read(members).problems == [expected])
    }

    private static let line = #""lines": [{"id": "gate", "from": [0, 9], "to": [64, 9]}]"#
    private static let zone = #""zones": [{"id": "hall", "polygon": [[0, 0], [9, 0], [9, 9]]}]"#

    @Test(arguments: [
        (
            #"{"stage": "flow", "line": "gat", "crossings": {"min": 1}}"#,
            "/line: the job has no line “gat”; expected one of “gate”; did you mean “gate”?"
        ),
        (
            #"{"stage": "flow", "zone": "gate", "count": {"max": 1}}"#,
            "/zone: the job has no zone “gate”; expected one of “hall”"
        ),
        (
            #"{"stage": "seen", "line": "gate", "crossings": {"min": 1}}"#,
            "/line: stage “seen” (rectangles) counts nothing at lines and in zones; expected “line” of a stage of type “count”"
        ),
        (
            #"{"stage": "flow", "zone": "hall", "direction": "forward", "entered": {"min": 1}}"#,
            "/direction: “direction” without “crossings”; expected the figure that it is about"
        ),
        (
            #"{"stage": "flow", "zone": "hall", "crossings": {"min": 1}}"#,
            "/crossings: “crossings” of a “zone”; expected a “line”, or “entered”"
        ),
        (
            #"{"stage": "flow", "line": "gate", "count": {"max": 1}}"#,
            "/count: “count” of a “line”; expected a “zone”, or “crossings”"
        ),
        (
            #"{"stage": "flow", "line": "gate", "zone": "hall", "frames": {"max": 1}}"#,
            "/zone: “line” and “zone” together; expected one of them"
        ),
        (
            #"{"stage": "flow", "region": "gate", "frames": {"max": 1}}"#,
            "/region: the job has no region “gate”; expected the id of one of the job's regions, which it has not"
        ),
        (
            #"{"stage": "flow", "line": "gate", "label": "rectangel", "crossings": {"min": 1}}"#,
            "/label: stage “flow” (count) gives nothing with the label “rectangel”; expected one of “rectangle”; did you mean "
                + "“rectangle”?"
        ),
        (
            #"{"stage": "seen", "label": "rectangle", "frames": {"min": 1}}"#,
            "/label: results of stage “seen” (rectangles) carry no “label”; expected an expectation without one"
        ),
        (
            #"{"stage": "flow", "line": "gate", "direction": "forward", "crossings": {"min": 1.5}}"#,
            "/crossings: 1.5; expected whole numbers"
        ),
    ])
    func expectations(text: String, expected: String) throws {
        let problems = try read("\(Self.line), \(Self.zone), \"expect\": [\(text)]").problems
        #expect(problems == ["/jobs/0/expect/0\(expected)"])
    }

    /// Labels that can be known are those of what a stage follows; what an imported file will hold isn't asked.
    @Test(arguments: [
        (#"{"id": "s", "type": "track"}"#, "", "cup", ""),
        (
            #"{"id": "s", "type": "track"}"#, "", "cupp",
            "stage “s” (track) gives nothing with the label “cupp”; expected one of “cup”, “b”; did you mean “cup”?"
        ),
        (
            #"{"id": "t", "type": "track"}, {"id": "s", "type": "follow", "inputs": ["t"]}"#, "", "a",
            "stage “s” (follow) gives nothing with the label “a”; expected one of “cup”, “b”"
        ),
        (
            #"{"id": "t", "type": "track"}, {"id": "r", "type": "rectangles"}, "#
                + #"{"id": "s", "type": "follow", "inputs": ["r"]}, {"id": "c", "type": "count", "inputs": ["s", "t"]}"#,
            "c", "object", ""
        ),
        (
            #"{"id": "t", "type": "track"}, {"id": "s", "type": "barcodes"}"#, "", "qrcode",
            "stage “s” (barcodes) gives nothing with the label “qrcode”; expected one of "
        ),
        (
            #"{"id": "t", "type": "track"}, {"id": "s", "type": "import", "format": "csv", "file": "a.csv?"}"#, "",
            "persn", ""
        ),
    ])
    func labels(stages: String, stage: String, label: String, sentence: String) throws {
        let folder = try ImportFolder()
        defer { withExtendedLifetime(folder) {} }
        try Files.write("P5 64 48 255\n" + String(repeating: "x", count: 64 * 48), to: folder.path + "/p.pgm")
        let path = try folder.write(
            """
            {"version": 1, "jobs": [{"input": "p.pgm", "regions": [{"id": "a", "label": "cup", "time": 0, "box": [1, 1, 9, 9]},
            {"id": "b", "time": 0, "box": [1, 1, 9, 9]}], "expect": [{"stage": "\(stage.isEmpty ? "s" : stage)",
            "label": "\(label)", "frames": {"max": 9}}], "graph": {"stages": [\(stages)]}}]}
            """, "m.json")
        func problems() throws -> [String] {
            do {
                _ = try ManifestReader(catalog: .standard).read(path)
                return []
            } catch let error as InvalidFileError {
                return error.problems.map { "\(jsonPointer($0.path)): \($0.message)" }
            }
        }
        let found = try problems()
        if sentence.isEmpty {
            #expect(found == [])
        } else {
            #expect(found.count == 1 && found[0].hasPrefix("/jobs/0/expect/0/label: " + sentence), "\(found)")
        }
    }

    @Test func nothingToCountAt() throws {
        let warning = "its graph counts at lines and in zones (stage “flow”), and it has no “lines” and no “zones”"
        #expect(try read(#""onError": "fail""#).job?.warnings == [warning])
        #expect(try read(Self.line).job?.warnings == [])
        #expect(try read(Self.zone).job?.warnings == [])
        #expect(
            try read(Self.line, stage: "alter").problems.contains(
                "/jobs/0/lines: the graph has no stage that counts at lines; expected one of type “count”"))
    }
}
