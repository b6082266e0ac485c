import Testing

@testable import Annotate
@testable import TestSupport

/// Regions and points in files of their own.
@Suite struct SeedFileTests {
    /// Reads jobs beside pictures `a.pgm` and `b.pgm` of 64×48 pixels.
    private func read(
        _ job: String, files: [String: String], stage: String = "follow", root: Bool = false,
        output: String = "out"
    ) throws -> (jobs: [Job], problems: [String], folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        for name in ["a.pgm", "b.pgm"] {
            try folder.write(
                Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "in/" + name)
        }
        for (name, text) in files { try folder.write(text, to: name) }
        let path = try folder.write(
            #"{"version": 1, "output": {"directory": "\#(output)"}, "defaults": {"graph": {"stages": [{"id": "s", "type": "\#(stage)"}]}}, "jobs": [\#(job)]}"#,
            to: "in/m.json")
        do {
            let reader = ManifestReader(catalog: TestCatalog.catalog, root: root ? folder.file("in") : nil)
            return (try reader.read(path).jobs, [], folder)
        } catch let error as InvalidFileError {
            return (
                [],
                error.problems.map {
                    let place = "\($0.position.line):\($0.position.column): "
                    return $0.file == path
                        ? "\(jsonPointer($0.path)): \($0.message)"
                        : "\(Files.name(of: $0.file)):\(place)\(jsonPointer($0.path)): \($0.message)"
                }, folder
            )
        }
    }

    private static let cup = #"[{"id": "cup", "box": [1, 2, 30, 20]}]"#
    private static let pen = #"{"regions": [{"id": "pen", "box": [9, 9, 20, 20]}]}"#

    @Test func aFileForEachInput() throws {
        let (jobs, problems, _) = try read(
            #"{"input": "*.pgm", "regions": "seeds/{name}.json"}"#,
            files: ["in/seeds/a.json": Self.cup, "in/seeds/b.json": Self.pen])
        #expect(problems == [])
        #expect(jobs.map { $0.given[Region.self].map(\.id) } == [["cup"], ["pen"]])
        // The worker reads no such file.
        #expect(jobs.map { $0.entry.contains("cup") } == [true, false])
        #expect(jobs.allSatisfy { !$0.entry.contains("seeds/") })
    }

    @Test func oneFileForAll() throws {
        let (jobs, problems, _) = try read(
            #"{"input": "*.pgm", "regions": "../seeds.json"}"#, files: ["seeds.json": Self.cup])
        #expect(problems == [])
        #expect(jobs.map { $0.given[Region.self].map(\.id) } == [["cup"], ["cup"]])
    }

    @Test func pointsToo() throws {
        let (jobs, problems, _) = try read(
            #"{"input": "a.pgm", "points": "{folder}.json"}"#,
            files: ["in/in.json": #"{"points": [{"id": "p", "point": [5, 5], "text": "x"}], "regions": []}"#],
            stage: "pin")
        #expect(problems == [])
        #expect(jobs.first?.given[TappedPoint.self].map(\.id) == ["p"])
    }

    @Test func contentsChangeTheFingerprint() throws {
        func fingerprint(_ text: String) throws -> String? {
            let (jobs, _, folder) = try read(#"{"input": "a.pgm", "regions": "s.json"}"#, files: ["in/s.json": text])
            var job = try #require(jobs.first)
            // Each time it is another folder.
            job.input = "a"
            withExtendedLifetime(folder) {}
            return RecipeBook(generator: "t").recipe(of: job).text
        }
        #expect(try fingerprint(Self.cup) == fingerprint(Self.cup))
        #expect(try fingerprint(Self.cup) != fingerprint(Self.pen))
        func corrected(_ keyframe: String) -> String {
            #"[{"id": "cup", "box": [1, 2, 30, 20], "keyframes": [\#(keyframe)]}]"#
        }
        let first = try fingerprint(corrected(#"{"frame": 3, "absent": true}"#))
        #expect(try first != fingerprint(Self.cup))
        #expect(try first != fingerprint(corrected(#"{"frame": 4, "absent": true}"#)))
    }

    @Test(arguments: [
        ("{", ["s.json:1:2: : the end of the file where a key in double quotes was expected"]),
        ("7", ["s.json:1:1: : a number; expected the list of regions, or an object with it under “regions”"]),
        (
            #"{"points": []}"#,
            ["s.json:1:1: : “regions” is missing; expected an array; each element an object"]
        ),
        (
            "[{\"id\": \"r\",\n \"bx\": [0, 0, 9, 9]}]",
            [
                "s.json:1:2: /0: no place; expected exactly one of “box”, “polygon” and “point”",
                "s.json:2:2: /0/bx: unknown key “bx”; expected one of “id”, “label”, “time”, “frame”, “end”, “units”, “box”, "
                    + "“polygon”, “point”, “keyframes”, “fill”; did you mean “box”?",
            ]
        ),
        (
            #"[{"id": "r", "box": [1, 1, 9, 9], "keyframes": [{"frame": 5, "box": [2, 2, 9, 9]}, {"frame": 5, "absent": true}]}]"#,
            ["s.json:1:94: /0/keyframes/1/frame: two keyframes at frame 5; expected one"]
        ),
        (
            #"{"regions": [{"id": "r", "box": [99, 0, 9, 9]}]}"#,
            [
                "s.json:1:33: /regions/0: the region lies outside the picture of a.pgm; expected it within 64×48 pixels",
                "s.json:1:33: /regions/0: the region lies outside the picture of b.pgm; expected it within 64×48 pixels",
            ]
        ),
    ])
    func problemsHaveTheirPlaceInTheFile(text: String, expected: [String]) throws {
        // Two jobs, and what is wrong is told once.
        let problems = try read(
            #"{"input": "a.pgm", "regions": "s.json"}, {"input": "b.pgm", "regions": "s.json"}"#,
            files: ["in/s.json": text]
        ).problems
        #expect(problems == expected)
    }

    @Test(arguments: [
        (
            #""seed/{name}.json""#,
            [
                "/jobs/0/regions: no file “seed/a.json”, which “seed/{name}.json” stands for; expected a JSON file with the "
                    + "list of regions",
                "/jobs/0/regions: no file “seed/b.json”, which “seed/{name}.json” stands for; expected a JSON file with the "
                    + "list of regions",
            ]
        ),
        (
            #""sed.json""#,
            [
                "/jobs/0/regions: no file “sed.json”; expected a JSON file with the list of regions; did you mean “seed.json”?"
            ]
        ),
        (
            #""{file}.json""#,
            [
                "/jobs/0/regions: “{file}” stands for nothing; expected “{name}”, the input's name without its extension, "
                    + "“{folder}”, its folder's, or “{n}”, its number"
            ]
        ),
        (
            #""../out.json""#,
            ["/jobs/0/regions: “../out.json” leads out of the folder that --root allows; expected a path inside it"]
        ),
        (#""dir""#, ["/jobs/0/regions: “dir” can't be read: it is a folder; expected a JSON file"]),
        ("3", ["/jobs/0/regions: 3; expected a list of regions, or the path of a file with one"]),
        (#""""#, ["/jobs/0/regions: “”; expected a list of regions, or the path of a file with one"]),
    ])
    func pathsThatDoNotDo(regions: String, expected: [String]) throws {
        let (_, problems, _) = try read(
            #"{"input": "*.pgm", "regions": \#(regions)}"#,
            files: ["in/seed.json": Self.cup, "out.json": Self.cup, "in/dir/x": ""], root: true)
        #expect(problems == expected)
    }

    @Test func standardInputHasNoName() throws {
        #expect(
            try read(#"{"id": "x", "input": "-", "regions": "{name}.json"}"#, files: [:]).problems == [
                "/jobs/0/regions: “{name}.json” for standard input, which has no name; expected a path without braces"
            ])
    }

    @Test func theGraphMustTakeThem() throws {
        #expect(
            try read(#"{"input": "a.pgm", "regions": "s.json"}"#, files: ["in/s.json": Self.cup], stage: "find")
                .problems
                == ["/jobs/0/regions: the graph has no stage that starts from regions; expected one of type “follow”"])
    }

    @Test func noResultTakesTheirPlace() throws {
        let problems = try read(
            #"{"id": "x", "input": "a.pgm", "regions": "x.tracks.jsonl"}"#, files: ["in/x.tracks.jsonl": Self.cup],
            output: "."
        ).problems
        #expect(problems.count == 1)
        #expect(problems.first?.contains("would overwrite x.tracks.jsonl, which the manifest names") == true)
        let template = try read(
            #"{"id": "in", "input": "a.pgm", "regions": "{folder}.tracks.jsonl"}"#,
            files: ["in/in.tracks.jsonl": Self.cup],
            output: "."
        ).problems
        #expect(template.count == 1)
        #expect(template.first?.contains("would overwrite in.tracks.jsonl, which the manifest names") == true)
    }
}
