import Annotate
import Testing

@Suite struct ValidateTests {
    @Test func aValidManifest() throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        let path = try workspace.manifest([#""input": "a.mp4""#])
        let outcome = try annotateBatch("validate", path)
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
        #expect(outcome.output == "\(path): valid, 1 job, results go to \(workspace.file("out"))\n")
        #expect(workspace.names() == [])
    }

    @Test(arguments: ["validate", "run", nil])
    func everyProblemWithItsPlaceAndNothingRun(command: String?) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 2)
        let path = try workspace.write(
            """
            {"version": 1,
             "graphs": {"g": {"stages": [{"id": "m", "type": "makers"},
               {"id": "r", "type": "rectangles", "minimumSize": 2, "rate": 0}]}},
             "jobs": [
               {"input": "a.mp4", "graph": {"stages": []}},
               {"input": "b.mp4", "graph": "g", "encode": {"preset": "quick"}}]}
            """, to: "m.json")
        let outcome = try Program.run(Program.annotateBatch, (command.map { [$0] } ?? []) + [path])
        #expect(outcome.status == 65)
        #expect(outcome.output == "")
        let places = outcome.errorLines.dropLast().map { $0.split(separator: " ")[0].dropFirst(path.utf8.count) }
        #expect(places == [":2:50:", ":3:53:", ":3:64:", ":6:14:", ":6:58:"])
        #expect(
            outcome.errorLines.first
                == "\(path):2:50: /graphs/g/stages/0/type: unknown stage type “makers”; expected one of “markers”, “rectangles”, "
                + "“track”, “images”, “faces”, “detect”, “classify”, “labels”, “text”, “barcodes”, “horizon”, “alter”, “import”, “follow”, “count”; did you mean “markers”?"
        )
        #expect(outcome.errorLines.last == "annotate-batch: 5 problems in \(path); nothing was run")
        #expect(workspace.names() == [])
    }

    @Test(arguments: ["validate", "run"], [[], ["--isolation", "none"]])
    func aManifestThatIsNotThere(command: String, options: [String]) throws {
        let workspace = try Workspace()
        try workspace.manifest([#""input": "a.mp4""#], name: "lab.json")
        let outcome = try Program.run(
            Program.annotateBatch, [command, workspace.file("lb.json")] + (command == "run" ? options : []))
        #expect(outcome.status == 65)
        #expect(
            outcome.errors == "annotate-batch: no file “\(workspace.file("lb.json"))”; expected a manifest, such as "
                + "“annotate-batch init” writes; did you mean “lab.json”?\n")
    }

    @Test func aVideoInTheManifestsPlace() throws {
        let workspace = try Workspace()
        let clip = try workspace.clip("a.mp4", frames: 2)
        let outcome = try annotateBatch(clip)
        #expect(outcome.status == 65)
        #expect(
            outcome.errors == "annotate-batch: “\(clip)” is a video, not a manifest; expected a JSON file, such as "
                + "“annotate-batch init \(clip)” writes for it\n")
    }

    /// Numbers of any size are numbers in JSON: none may end the program.
    @Test(arguments: [
        #""range": {"start": 1e300}"#, #""range": {"start": 0, "end": 1e300}"#,
        #""regions": [{"id": "r", "box": [0, 0, 9, 9], "time": 1e300}]"#,
        #""regions": [{"id": "r", "box": [0, 0, 9, 9], "time": 0, "end": 1e300}]"#,
        #""regions": [{"id": "r", "box": [0, 0, 9, 9], "frame": 0, "end": 1e300}]"#,
        #""regions": [{"id": "r", "box": [0, 0, 1e300, 1e300]}]"#,
        #""regions": [{"id": "r", "polygon": [[-1e300, 0], [9, 0], [9, 9], [0, 1e300]]}]"#,
        #""regions": [{"id": "r", "point": [5, 5], "frame": 9007199254740992}]"#,
    ])
    func hugeNumbers(members: String) throws {
        let workspace = try Workspace()
        try workspace.clip("a.mp4", frames: 4)
        let path = try workspace.manifest(
            ["\"input\": \"a.mp4\", \(members)"], stages: #"{"id": "t", "type": "track", "level": "fast"}"#)
        let outcome = try annotateBatch("run", path)
        #expect([0, 1, 65].contains(outcome.status), "\(outcome.errors.prefix(300))")
    }

    // MARK: The examples

    private static let examples = ((try? Files.list(repository + "/manifests")) ?? []).filter { $0.hasSuffix(".json") }
    private static let schemas = ["manifest", "tracks", "report", "scene"]
    private static let hasValidator = (try? Program.run("python3", ["-c", "import jsonschema"]).status) == 0

    /// What Python's jsonschema says of each schema and each example: "ok" or a complaint. Asked once for all of them.
    private static let verdicts = Result {
        let workspace = try Workspace()
        for schema in schemas {
            try workspace.write(try annotateBatch("schema", schema).output, to: "\(schema).schema.json")
        }
        let script = """
            import json, os, sys
            from jsonschema import Draft202012Validator as V
            def load(path): return json.load(open(path, encoding="utf-8"))
            def verdict(check):
                try: check()
                except Exception as error: return str(error)
                return "ok"
            schemas = {name: load(f"{sys.argv[1]}/{name}.schema.json") for name in sys.argv[3].split(",")}
            said = {name: verdict(lambda: V.check_schema(schema)) for name, schema in schemas.items()}
            manifest = V(schemas["manifest"])
            for name in sys.argv[4].split(","):
                said[name] = verdict(lambda: manifest.validate(load(f"{sys.argv[2]}/{name}")))
            print(json.dumps(said))
            """
        let outcome = try Program.run(
            "python3",
            [
                "-c", script, workspace.path, repository + "/manifests", schemas.joined(separator: ","),
                examples.joined(separator: ","),
            ])
        guard outcome.status == 0 else { throw ProgramError(description: outcome.errors) }
        return try json(outcome.output)
    }

    @Test func thereAreExamples() { #expect(Self.examples.count > 10) }

    @Test(.enabled(if: hasValidator, "python3 with jsonschema is not installed"), arguments: examples)
    func examplesFitTheSchema(name: String) throws { #expect(try Self.verdicts.get()[name]?.string == "ok") }

    @Test(.enabled(if: hasValidator, "python3 with jsonschema is not installed"), arguments: schemas)
    func schemasAreDraft2020(subject: String) throws { #expect(try Self.verdicts.get()[subject]?.string == "ok") }
}
