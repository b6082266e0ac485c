import Testing

@testable import Annotate
@testable import TestSupport

/// What a job says of its points.
@Suite struct PointsReaderTests {
    private static let pin = #"{"id": "s", "type": "pin"}"#
    private static let named =
        #"{"id": "f", "type": "find"}, {"id": "n", "type": "name", "inputs": ["f"]}, "#
        + #"{"id": "s", "type": "pin", "inputs": ["n"]}"#

    /// Reads one job beside a picture of 64×48 pixels.
    private func read(_ points: String, stages: String = pin) throws -> (job: Job?, problems: [String]) {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "p.pgm")
        let path = try folder.write(
            """
            {"version": 1, "jobs": [{"input": "p.pgm", "graph": {"stages": [\(stages)]}, "points": [\(points)]}]}
            """, to: "m.json")
        do {
            return (try ManifestReader(catalog: TestCatalog.catalog).read(path).jobs.first, [])
        } catch let error as InvalidFileError {
            return (nil, error.problems.map { "\(jsonPointer($0.path)): \($0.message)" })
        }
    }

    @Test(
        arguments: [
            (#""point": [10, 20]"#, PointSeed(id: "a", text: "x", start: .seconds(0), point: Point(10, 20))),
            (
                #""point": [0.5, 0.25], "units": "normalized", "time": 1.2, "end": 3"#,
                PointSeed(id: "a", text: "x", start: .seconds(1.2), end: .seconds(3), point: Point(31.5, 11.5))
            ),
            (
                #""point": [-0.5, 47.5], "frame": 30, "end": 40"#,
                PointSeed(id: "a", text: "x", start: .frame(30), end: .frame(40), point: Point(-0.5, 47.5))
            ),
            (
                #""point": [1, 1], "units": "normalized""#,
                PointSeed(id: "a", text: "x", start: .seconds(0), point: Point(63.5, 47.5))
            ),
        ])
    func places(members: String, expected: PointSeed) throws {
        let (job, problems) = try read("{\"id\": \"a\", \"text\": \"x\", \(members)}")
        #expect(problems == [])
        #expect(
            try #require(job?.given[TappedPoint.self].first).placed(in: PictureSize(width: 64, height: 48)) == expected)
    }

    /// A classifier says it, or else the point shows its id.
    @Test(arguments: [pin, named])
    func textsMayBeLeftOut(stages: String) throws {
        let (job, problems) = try read(#"{"id": "a", "point": [1, 1]}"#, stages: stages)
        #expect(problems == [])
        #expect(job?.given[TappedPoint.self].first?.text == nil)
    }

    @Test(arguments: [
        (
            #"{"id": "a", "text": "x", "point": [64, 10]}"#,
            "/jobs/0/points/0/point: the point [64, 10] lies outside the picture of p.pgm; expected one within 64×48 pixels"
        ),
        (
            #"{"id": "a", "text": "x", "point": [0.5, 1.1], "units": "normalized"}"#,
            "/jobs/0/points/0/point: the point [0.5, 1.1] lies outside the picture of p.pgm; expected coordinates from 0 to 1"
        ),
        (
            #"{"id": "a", "text": "x", "point": [1, 1]}, {"id": "a", "text": "y", "point": [2, 2]}"#,
            "/jobs/0/points/1/id: “a” names two points of this job; expected an id of its own for each"
        ),
        (
            #"{"id": "a", "text": "x", "point": [1, 1], "time": 2, "end": 1}"#,
            "/jobs/0/points/0/end: the point ends at 1 and starts at 2; expected an end after the start"
        ),
        (
            #"{"id": "a", "text": "x", "point": [1, 1], "time": 2, "frame": 1}"#,
            "/jobs/0/points/0/frame: “time” and “frame” together; expected one of them"
        ),
        (
            #"{"id": "a", "text": "x", "point": [1]}"#,
            "/jobs/0/points/0/point: an array of 1; expected an array of 2; each element a number"
        ),
        (
            #"{"id": "a", "text": "x"}"#,
            "/jobs/0/points/0: “point” is missing; "
                + "expected an array of 2; each element a number"
        ),
    ])
    func badPoints(points: String, expected: String) throws {
        let problems = try read(points).problems
        #expect(problems.contains(expected), "\(problems)")
    }

    @Test func pointsForAGraphThatTakesNone() throws {
        #expect(
            try read(#"{"id": "a", "text": "x", "point": [1, 1]}"#, stages: #"{"id": "s", "type": "follow"}"#).problems
                == ["/jobs/0/points: the graph has no stage that labels points; expected one of type “pin”"])
    }
}
