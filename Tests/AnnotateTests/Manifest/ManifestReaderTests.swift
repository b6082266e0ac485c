import Testing

@testable import Annotate
@testable import TestSupport

@Suite struct ManifestReaderTests {
    /// Reads a manifest beside some files; the folder's path is cut out of the problems.
    private func read(
        _ text: String, files: [String] = ["a.mp4"], output: String? = nil
    ) throws -> (manifest: Manifest?, problems: [String], folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        for file in files { try folder.write("x", to: file) }
        let path = try folder.write(text, to: "m.json")
        do {
            let reader = ManifestReader(catalog: TestCatalog.catalog, outputDirectory: output)
            return (try reader.read(path), [], folder)
        } catch let error as InvalidFileError {
            return (nil, error.problems.map { $0.description.replacing(folder.path, with: "DIR") }, folder)
        }
    }

    private func job(_ members: String) -> String {
        "{\"version\": 1, \"jobs\": [{\"graph\": {\"stages\": []}, \(members)}]}"
    }

    @Test func defaults() throws {
        let (manifest, problems, folder) = try read(job(#""input": "a.mp4""#))
        #expect(problems == [])
        let read = try #require(manifest?.jobs.first)
        #expect(manifest?.outputDirectory == folder.path + "/out")
        #expect(read.id == "a")
        #expect(read.input == folder.file("a.mp4"))
        #expect(read.encode == EncodeSettings())
        #expect(read.range == nil)
        #expect(read.given[Region.self].isEmpty)
        #expect(read.graph.nodes.isEmpty)
    }

    @Test func outputFolders() throws {
        let text =
            #"{"version": 1, "output": {"directory": "../results"}, "jobs": [{"input": "a.mp4", "graph": {"stages": []}}]}"#
        let plain = try read(text)
        #expect(plain.manifest?.outputDirectory == plain.folder.path + "/../results")
        #expect(try read(text, output: "elsewhere").manifest?.outputDirectory == "elsewhere")
        let file = text.replacing("../results", with: "a.mp4")
        #expect(
            try read(file).problems == [
                "DIR/m.json:1:40: /output: “DIR/a.mp4” is a file; expected a folder or nothing there"
            ])
    }

    @Test(arguments: [
        ("[]", "1:1: /: an array; expected an object"),
        ("{\"version\": 1,\n}", "2:1: /: “}” where a key in double quotes was expected"),
        (#"{"version": 2, "jobs": []}"#, "1:13: /version: 2; expected 1"),
        (
            "{\"version\": 1, \"jobs\": []}",
            "1:24: /jobs: an array of 0; expected an array of 1 or more; each element an object"
        ),
        ("{}", "1:1: /: “version” is missing; expected 1"),
    ])
    func whatIsNoManifest(text: String, first: String) throws {
        #expect(try read(text).problems.first == "DIR/m.json:" + first)
    }

    @Test(arguments: [
        (
            #""input": "b.mp4""#, ["a.mp4"],
            [
                "60: /jobs/0/input: no file “b.mp4”; expected a path relative to the manifest's folder; did you mean “a.mp4”?"
            ]
        ),
        (
            #""input": "clips/dsk.mp4""#, ["clips/desk.mp4"],
            [
                "60: /jobs/0/input: no file “clips/dsk.mp4”; expected a path relative to the manifest's folder; did you mean “desk.mp4”?"
            ]
        ),
        (
            #""input": "clips""#, ["clips/a.mp4"],
            ["60: /jobs/0/input: “clips” is a folder; expected a file, or a glob such as “clips/*.mp4”"]
        ),
        (
            #""input": "*.mkv""#, ["a.mp4"],
            ["60: /jobs/0/input: no file matches the glob “*.mkv”; expected at least one"]
        ),
        (
            #""input": "*.mp4", "id": "x""#, ["a.mp4"],
            [
                "75: /jobs/0/id: the id “x” beside a glob, for every file the same; expected a template such as “{name}” or “{folder}-{name}”, or no id"
            ]
        ),
        (
            #""input": "a.*""#, ["a.mp4", "a.mkv"],
            [
                "60: /jobs/0/input: “a” names two jobs, of a.mkv and of a.mp4, which would write one file; expected an id of its own for each, such as \"id\": \"{name}-{n}\""
            ]
        ),
        (
            #""input": "a.mp4", "id": ".x""#, ["a.mp4"],
            [
                "75: /jobs/0/id: “.x”; expected a file name without “/” and control characters such as line breaks, not "
                    + "starting with “.”, 200 bytes at most"
            ]
        ),
        (
            #""input": ".mp4""#, [".mp4"],
            ["60: /jobs/0/input: “.mp4” gives no usable job id; expected an “id” beside it"]
        ),
        (
            #""input": "a.mp4", "range": {"start": 2, "end": 1.5}"#, ["a.mp4"],
            ["98: /jobs/0/range/end: the range ends at 1.5 s and starts at 2 s; expected an end after the start"]
        ),
    ])
    func inputs(members: String, files: [String], expected: [String]) throws {
        #expect(try read(job(members), files: files).problems == expected.map { "DIR/m.json:1:" + $0 })
    }

    @Test func aGlobMakesOneJobAFile() throws {
        let (manifest, problems, folder) = try read(
            job(#""input": "clips/[ab]*.mp4""#),
            files: ["clips/b.mp4", "clips/a 2.mp4", "clips/A.mp4", "clips/c.mp4", "clips/a.d/x"])
        #expect(problems == [])
        #expect(manifest?.jobs.map(\.id) == ["a 2", "b"])
        #expect(manifest?.jobs.map(\.input) == [folder.file("clips/a 2.mp4"), folder.file("clips/b.mp4")])
    }

    @Test func aNameWithBracketsIsAFileFirst() throws {
        let (manifest, problems, _) = try read(job(#""input": "a[1].mp4""#), files: ["a[1].mp4", "a1.mp4"])
        #expect(problems == [])
        #expect(manifest?.jobs.map(\.id) == ["a[1]"])
    }

    @Test func twoJobsOfOneId() throws {
        let text = """
            {"version": 1, "graphs": {"g": {"stages": []}}, "jobs": [
            {"input": "a.mp4", "graph": "g"},
            {"input": "b.mp4", "id": "a", "graph": "g"}]}
            """
        #expect(
            try read(text, files: ["a.mp4", "b.mp4"]).problems == [
                "DIR/m.json:3:26: /jobs/1/id: “a” names two jobs, of a.mp4 and of b.mp4, which would write one file; expected an id of its own for each"
            ])
    }

    @Test func aResultMustNotOverwriteItsInput() throws {
        let text =
            #"{"version": 1, "output": {"directory": "."}, "jobs": [{"input": "a.mp4", "graph": {"stages": []}}]}"#
        #expect(
            try read(text).problems == [
                "DIR/m.json:1:65: /jobs/0/input: the result DIR/./a.mp4 would overwrite the input; expected another id or output folder"
            ])
    }

    @Test func aResultMustNotOverwriteAnotherJobsInput() throws {
        let text = """
            {"version": 1, "output": {"directory": "."}, "graphs": {"g": {"stages": []}}, "jobs": [
            {"input": "a.mp4", "id": "b", "graph": "g"},
            {"input": "b.mp4", "id": "c", "graph": "g"}]}
            """
        let problems = try read(text, files: ["a.mp4", "b.mp4"]).problems
        #expect(problems.count == 1)
        #expect(
            problems.first?.hasPrefix("DIR/m.json:2:26: /jobs/0/id: the result DIR/./b.mp4 would overwrite") == true)
    }

    @Test func graphsByName() throws {
        let text = """
            {"version": 1, "graphs": {"desk": {"stages": []}}, "jobs": [
            {"input": "a.mp4", "graph": "desk"},
            {"input": "b.mp4", "graph": "dsk"},
            {"input": "c.mp4", "graph": 3}]}
            """
        #expect(
            try read(text, files: ["a.mp4", "b.mp4", "c.mp4"]).problems.prefix(2) == [
                "DIR/m.json:3:29: /jobs/1/graph: no graph “dsk”; expected one of “desk”; did you mean “desk”?",
                "DIR/m.json:4:29: /jobs/2/graph: 3; expected the name of a graph or a graph",
            ])
        let none = #"{"version": 1, "jobs": [{"input": "a.mp4", "graph": "g"}]}"#
        #expect(
            try read(none).problems == [
                "DIR/m.json:1:53: /jobs/0/graph: no graph “g”; expected a graph under “graphs”, which has none"
            ])
    }

    @Test func problemsOfAllPartsAtOnceInTheFilesOrder() throws {
        let text = """
            {"verson": 1,
             "graphs": {"g": {"stages": [{"id": "a", "type": "fnd"}]}},
             "jobs": [
              {"input": "missing.mp4", "graph": "g", "encode": {"crf": 99}},
              {"graph": "h", "input": "a.mp4", "regions": [{"id": "r"}]}
             ]}
            """
        let problems = try read(text).problems.map { $0.split(separator: ":").prefix(4).joined(separator: ":") }
        #expect(
            problems == [
                "DIR/m.json:1:1: /", "DIR/m.json:1:2: /verson", "DIR/m.json:2:50: /graphs/g/stages/0/type",
                "DIR/m.json:4:13: /jobs/0/input", "DIR/m.json:4:60: /jobs/0/encode/crf",
                "DIR/m.json:5:13: /jobs/1/graph",
                "DIR/m.json:5:48: /jobs/1/regions/0",
            ])
    }
}
