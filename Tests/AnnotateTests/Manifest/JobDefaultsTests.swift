import Testing

@testable import Annotate
@testable import TestSupport

/// What jobs have from the manifest's `defaults`.
@Suite struct JobDefaultsTests {
    /// Reads jobs beside pictures `a.pgm` and `b.pgm` of 64×48 pixels.
    private func read(_ defaults: String, _ jobs: String...) throws -> (jobs: [Job], problems: [String]) {
        let folder = try TemporaryFolder()
        for name in ["a.pgm", "b.pgm"] {
            try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: name)
        }
        let path = try folder.write(
            """
            {"version": 1, "graphs": {"g": {"stages": []}, "h": {"stages": [{"id": "s", "type": "follow"}]}},
             "defaults": \(defaults),
             "jobs": [
            \(jobs.joined(separator: ",\n"))]}
            """, to: "m.json")
        do {
            return (try ManifestReader(catalog: TestCatalog.catalog).read(path).jobs, [])
        } catch let error as InvalidFileError {
            return ([], error.problems.map { $0.description.replacing(folder.path, with: "DIR") })
        }
    }

    private let a = #"{"input": "a.pgm"}"#, b = #"{"input": "b.pgm"}"#

    @Test func everyJobHasThem() throws {
        let (jobs, problems) = try read(
            #"{"graph": "g", "onError": "skip-frame", "encode": {"crf": 30}, "range": {"start": 1, "end": 4}}"#, a, b)
        #expect(problems == [])
        #expect(jobs.map(\.id) == ["a", "b"])
        for job in jobs {
            #expect(job.onError == .skipFrame)
            #expect(job.encode.crf == 30)
            #expect(job.range == FrameRange(start: 1, end: 4))
        }
    }

    @Test func aJobsOwnCountsAndObjectsAreMergedByKey() throws {
        let (jobs, problems) = try read(
            #"{"graph": "g", "onError": "skip-frame", "encode": {"crf": 30, "preset": "slow"}, "range": {"start": 1, "end": 4}}"#,
            #"{"input": "a.pgm", "graph": "h", "onError": "fail", "encode": {"preset": "fast"}, "range": {"end": 2}}"#)
        #expect(problems == [])
        let job = try #require(jobs.first)
        #expect(job.graph.nodes.map(\.id) == ["s"])
        #expect(job.onError == .fail)
        #expect(job.encode.crf == 30)
        #expect(job.encode.preset == "fast")
        #expect(job.range == FrameRange(start: 1, end: 2))
    }

    /// What excludes each other, and what means something else to another codec.
    @Test(
        arguments: [
            (#"{"bitrate": 500000}"#, nil, 500_000, "slow"), (#"{"codec": "av1"}"#, nil, nil, nil),
            (#"{"codec": "ffv1"}"#, nil, nil, nil), (#"{"codec": "h264"}"#, 30, nil, "slow"), ("{}", 30, nil, "slow"),
        ] as [(String, Int?, Int?, String?)])
    func encodings(own: String, crf: Int?, bitrate: Int?, preset: String?) throws {
        let (jobs, problems) = try read(
            #"{"graph": "g", "encode": {"crf": 30, "preset": "slow"}}"#, "{\"input\": \"a.pgm\", \"encode\": \(own)}")
        #expect(problems == [])
        let encode = try #require(jobs.first?.encode)
        #expect(encode.crf == crf)
        #expect(encode.bitrate == bitrate)
        #expect(encode.preset == preset)
    }

    @Test func aCameraIsReplacedAsAWhole() throws {
        let (jobs, problems) = try read(
            #"{"graph": "g", "camera": {"fieldOfView": 50}}"#,
            #"{"input": "a.pgm", "camera": {"size": [64, 48], "focalLength": [50, 50]}}"#, b)
        #expect(problems == [])
        #expect(try jobs.first?.camera.intrinsics(width: 64, height: 48).focalLength == Point(50, 50))
        #expect(try jobs.last?.camera.intrinsics(width: 64, height: 48).focalLength.x != 50)
    }

    /// The worker, which knows no defaults, makes the same job of the entry's text.
    @Test func anEntryIsWhole() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "a.pgm")
        func entry(_ defaults: String, _ job: String) throws -> (entry: String, graph: String, job: Job) {
            let path = try folder.write(
                #"{"version": 1, "defaults": \#(defaults), "graphs": {"h": {"stages": [{"id": "s", "type": "follow"}]}}, "jobs": [\#(job)]}"#,
                to: "m.json")
            let job = try #require(try ManifestReader(catalog: TestCatalog.catalog).read(path).jobs.first)
            return (job.entry, job.graphText, job)
        }
        let regions = #""regions": [{"id": "r", "box": [1, 2, 30, 20]}]"#
        let inherited = try entry(#"{"graph": "h", "encode": {"crf": 33}, \#(regions)}"#, a)
        let orders = OrderReader(
            catalog: TestCatalog.catalog, paths: ManifestPaths(directory: folder.path),
            output: OutputPlaces(folder.path), formats: [])
        let again = try orders.job(id: "a", input: folder.file("a.pgm"), entry: inherited.entry, graph: inherited.graph)
        #expect(again.encode.crf == 33)
        #expect(again.given[Region.self].map(\.id) == ["r"])
        // What changes in them changes the fingerprint.
        let other = try entry(#"{"graph": "h", "encode": {"crf": 34}, \#(regions)}"#, a)
        func recipe(_ job: Job) -> String { RecipeBook(generator: "t").recipe(of: job).text }
        #expect(recipe(inherited.job) != recipe(other.job))
        // What stands in them or in the job doesn't.
        let own = try entry("{}", #"{\#(regions), "encode": {"crf": 33}, "graph": "h", "input": "a.pgm"}"#)
        #expect(recipe(inherited.job) == recipe(own.job))
    }

    // MARK: Problems

    @Test(arguments: [
        (
            #"{"grph": "g"}"#,
            [
                "2:15: /defaults/grph: unknown key “grph”; expected one of “id”, “graph”, “exclude”, “range”, “onError”, "
                    + "“deinterlace”, “frameRate”, “camera”, “regions”, “points”, “lines”, “zones”, “cover”, “expect”, “encode”; did you mean “graph”?",
                "4:1: /jobs/0: “graph” is missing; expected the name of a graph or a graph, here or under “defaults”",
                "5:1: /jobs/1: “graph” is missing; expected the name of a graph or a graph, here or under “defaults”",
            ]
        ),
        (
            #"{"graph": "gg"}"#,
            ["2:24: /defaults/graph: no graph “gg”; expected one of “g”, “h”; did you mean “g”?"]
        ),
        (
            #"{"graph": {"stages": [{"id": "s", "type": "find", "size": 0.9, "limit": 0.1}]}}"#,
            ["2:72: /defaults/graph/stages/0/size: 0.9 is over “limit”; expected no more"]
        ),
        (
            #"{"graph": "g", "encode": {"crf": 60, "preset": "fastest"}}"#,
            [
                "2:47: /defaults/encode/crf: 60 is no crf of h264; expected a whole number from 0 to 51",
                "2:61: /defaults/encode/preset: “fastest” is no preset of h264; expected one of “ultrafast”, “superfast”, "
                    + "“veryfast”, “faster”, “fast”, “medium”, “slow”, “slower”, “veryslow”, “placebo”; did you mean “faster”?",
            ]
        ),
        (
            #"{"graph": "g", "camera": "nowhere.json"}"#,
            ["2:39: /defaults/camera: no file “nowhere.json”; expected a camera file, as calibrate writes it"]
        ),
        (
            #"{"graph": "h", "regions": [{"id": "r", "box": [99, 0, 9, 9]}]}"#,
            [
                "2:60: /defaults/regions/0: the region lies outside the picture of a.pgm; expected it within 64×48 pixels",
                "2:60: /defaults/regions/0: the region lies outside the picture of b.pgm; expected it within 64×48 pixels",
            ]
        ),
        (#"[]"#, ["2:14: /defaults: an array; expected an object"]),
    ])
    func problemsAreToldOnceAndWhereTheyAre(defaults: String, expected: [String]) throws {
        let problems = try read(defaults, a, b).problems
        let first = defaults == "[]" ? Array(problems.prefix(1)) : problems
        #expect(first == expected.map { "DIR/m.json:" + $0 })
    }

    @Test func whatDoesNotGoTogetherIsToldOfTheJob() throws {
        let problems = try read(
            #"{"graph": "g", "range": {"start": 1, "end": 4}}"#, #"{"input": "a.pgm", "range": {"start": 5}}"#
        )
        .problems
        #expect(
            problems == [
                "DIR/m.json:4:39: /jobs/0/range/start: the range ends at 4 s and starts at 5 s; expected an end after the start"
            ])
    }

    @Test func anInputIsAJobsOwn() throws {
        let problems = try read(#"{"graph": "g", "input": "a.pgm"}"#, #"{"id": "x"}"#).problems
        #expect(problems.contains { $0.contains("/defaults/input: unknown key “input”") })
        #expect(problems.contains { $0.contains("/jobs/0: “input” is missing") })
    }
}
