import Testing

@testable import Annotate
@testable import TestSupport

/// Ids and paths that say something else in each job.
@Suite struct NameTemplateTests {
    private func read(
        _ jobs: String, files: [String], defaults: String = #"{"graph": {"stages": []}}"#
    ) throws -> (jobs: [Job], problems: [String]) {
        let folder = try TemporaryFolder()
        for file in files { try folder.write("x", to: "site/" + file) }
        let path = try folder.write(#"{"version": 1, "defaults": \#(defaults), "jobs": [\#(jobs)]}"#, to: "site/m.json")
        do {
            return (try ManifestReader(catalog: TestCatalog.catalog).read(path).jobs, [])
        } catch let error as InvalidFileError {
            return ([], error.problems.map { "\(jsonPointer($0.path)): \($0.message)" })
        }
    }

    @Test(arguments: [
        (#"{"id": "{name}", "input": "*/*.mp4"}"#, ["a", "b", "c"]),
        (#"{"id": "{folder}-{name}", "input": "*/*.mp4"}"#, ["x-a", "x-b", "y-c"]),
        (#"{"id": "{n}", "input": "*/*.mp4"}"#, ["1", "2", "3"]),
        (#"{"id": "cam {n} of {folder}{", "input": "y/c.mp4"}"#, ["cam 1 of y{"]),
        (#"{"id": "{folder}-{name}", "input": "top.mp4"}"#, ["site-top"]),
        (#"{"id": "{folder}-{name}", "input": "p/frame_%04d.png"}"#, ["p-frame"]),
        (#"{"id": "plain", "input": "x/a.mp4"}"#, ["plain"]),
        // Only what is written as an id is a template.
        (#"{"input": "{x}.mp4"}"#, ["{x}"]),
    ])
    func ids(job: String, expected: [String]) throws {
        let files = ["x/a.mp4", "x/b.mp4", "y/c.mp4", "top.mp4", "p/frame_0001.png", "p/frame_0002.png", "{x}.mp4"]
        let (jobs, problems) = try read(job, files: files)
        #expect(problems == [])
        #expect(jobs.map(\.id) == expected)
    }

    /// What one run writes is no input of the next.
    @Test(arguments: [
        ("**/*.mp4", "out", ["a", "b"]), ("*/*.mp4", "out", ["b"]), ("out/*.mp4", "out", ["c"]),
        ("*.mp4", ".", ["a"]), ("**/*.mp4", ".", ["a", "b", "c"]),
    ])
    func resultsAreNoInputs(glob: String, output: String, expected: [String]) throws {
        let folder = try TemporaryFolder()
        for file in ["a.mp4", "x/b.mp4", "out/c.mp4"] { try folder.write("x", to: file) }
        let path = try folder.write(
            #"{"version": 1, "output": {"directory": "\#(output)"}, "jobs": [{"id": "{name}-", "input": "\#(glob)", "graph": {"stages": []}}]}"#,
            to: "m.json")
        #expect(
            try ManifestReader(catalog: TestCatalog.catalog).read(path).jobs.map(\.id).sorted()
                == expected.map { $0 + "-" })
    }

    @Test func numbersHaveOneWidth() throws {
        let (jobs, _) = try read(
            #"{"id": "{n}", "input": "*.mp4"}"#, files: (0..<11).map { "\($0 + 10).mp4" })
        #expect(jobs.map(\.id) == (1...11).map { $0 < 10 ? "0\($0)" : "\($0)" })
    }

    @Test func anIdOfDefaultsIsATemplateToo() throws {
        let (jobs, problems) = try read(
            #"{"input": "x/a.mp4"}, {"input": "y/a.mp4"}"#, files: ["x/a.mp4", "y/a.mp4"],
            defaults: #"{"graph": {"stages": []}, "id": "{folder}_{name}"}"#)
        #expect(problems == [])
        #expect(jobs.map(\.id) == ["x_a", "y_a"])
    }

    private static let both =
        "“a” names two jobs, of x/a.mp4 and of y/a.mp4, which would write one file; expected an id of its "
        + "own for each, such as \"id\": \"{folder}-{name}\""

    @Test(arguments: [
        (#"{"input": "*/a.mp4"}"#, ["/jobs/0/input: " + both]),
        (#"{"input": "x/a.mp4"}, {"input": "y/a.mp4"}"#, ["/jobs/1/input: " + both]),
        (#"{"input": "x/a.mp4"}, {"id": "a", "input": "y/a.mp4"}"#, ["/jobs/1/id: " + both]),
        (
            #"{"id": "{folder}", "input": "x/*.mp4"}"#,
            [
                "/jobs/0/id: “x” names two jobs, of x/a.mp4 and of x/b.mp4, which would write one file; expected an id of "
                    + "its own for each, such as \"id\": \"{name}-{n}\""
            ]
        ),
        (
            #"{"input": "x/a.mp4"}, {"input": "x/a.mp4"}"#,
            [
                "/jobs/1/input: “a” names two jobs, both of x/a.mp4, which would write one file; expected an id of its own "
                    + "for each"
            ]
        ),
        (
            #"{"id": "{nam}", "input": "*/*.mp4"}"#,
            [
                "/jobs/0/id: “{nam}” stands for nothing; expected “{name}”, the input's name without its extension, "
                    + "“{folder}”, its folder's, or “{n}”, its number"
            ]
        ),
        (
            #"{"id": "{name}", "input": "-"}"#,
            ["/jobs/0/id: “{name}” for “-”, standard input, which has no name; expected a plain id"]
        ),
        (
            #"{"id": "{name}", "input": "x/.b.mp4"}"#,
            [
                "/jobs/0/id: “{name}” makes “.b” of “x/.b.mp4”; expected a file name without “/” and control characters "
                    + "such as line breaks, not starting with “.”, 200 bytes at most"
            ]
        ),
    ])
    func complaints(jobs: String, expected: [String]) throws {
        let files = ["x/a.mp4", "y/a.mp4", "x/b.mp4", "x/.b.mp4"]
        #expect(try read(jobs, files: files).problems == expected)
    }
}
