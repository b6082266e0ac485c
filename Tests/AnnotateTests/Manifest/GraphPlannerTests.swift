import Testing

@testable import Annotate
@testable import TestSupport

/// Graphs in manifests: all that keeps them from running is found, with its place.
@Suite struct GraphPlannerTests {
    /// The problems of a manifest with these stages, a line each, from line 3 on.
    private func problems(_ stages: String...) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write("", to: "a.mp4")
        let text = """
            {"version": 1, "jobs": [{"input": "a.mp4", "graph": "g"}],
             "graphs": {"g": {"stages": [
            \(stages.joined(separator: ",\n"))
            ]}}}
            """
        let path = try folder.write(text, to: "m.json")
        do {
            _ = try ManifestReader(catalog: TestCatalog.catalog).read(path)
            return []
        } catch let error as InvalidFileError {
            return error.problems.map { $0.description.replacing(folder.path + "/", with: "") }
        }
    }

    @Test func aGraphThatRuns() throws {
        #expect(
            try problems(
                #"{"id": "n", "type": "name", "inputs": ["f"]}"#,
                #"{"id": "f", "type": "find", "inputs": ["frame"], "size": 1}"#,
                #"{"id": "j", "type": "judge", "inputs": ["n", "p"]}"#, #"{"id": "p", "type": "plain"}"#) == [])
    }

    @Test func inputsComeFirstAndElseTheFilesOrderHolds() throws {
        let plan = try TestCatalog.plan([
            ("j", "judge", ["n", "p"]), ("n", "name", ["f", "g"]), ("p", "plain", []), ("g", "find", []),
            ("f", "find", []),
        ])
        #expect(plan.nodes.map(\.id) == ["p", "g", "f", "n", "j"])
        #expect(plan.nodes.map(\.inputs) == [[], [], [], [2, 1], [3, 0]])
    }

    @Test func optionsInForceIncludeDefaultsAndNoAbsolutePath() throws {
        let folder = try TemporaryFolder()
        let model = try folder.write("", to: "model.onnx")
        let text = #"{"stages":[{"id":"f","type":"find","size":0.5},{"id":"n","type":"name","model":"\#(model)"}]}"#
        let log = ProblemLog(file: "")
        let plan = GraphPlanner(catalog: TestCatalog.catalog, paths: ManifestPaths(directory: ".")).plan(
            try JSONParser.parse(Array(text.utf8)), path: [], log: log)
        var json = JSONWriter()
        json.array { json in for node in plan?.nodes ?? [] { json.value(JSONValue.object(node.options)) } }
        #expect(json.text == #"[{"size":0.5,"limit":1},{"model":"model.onnx"}]"#)
    }

    @Test(arguments: [
        (
            #"{"id": "a", "type": "fidn"}"#,
            "m.json:3:21: /graphs/g/stages/0/type: unknown stage type “fidn”; expected one of “find”, “name”, “plain”, "
                + "“judge”, “follow”, “pin”; did you mean “find”?"
        ),
        (
            #"{"id": "a", "type": "find", "szie": 1}"#,
            "m.json:3:29: /graphs/g/stages/0/szie: unknown key “szie”; expected one of “id”, “type”, “inputs”, “rate”, "
                + "“complete”, “draw”, “size”, “limit”; did you mean “size”?"
        ),
        (
            #"{"id": "a", "type": "find", "rate": 0}"#,
            "m.json:3:37: /graphs/g/stages/0/rate: 0; expected a number over 0, up to 1000"
        ),
        (
            #"{"id": "a", "type": "find", "size": 0.5, "limit": 0.25}"#,
            "m.json:3:37: /graphs/g/stages/0/size: 0.5 is over “limit”; expected no more"
        ),
        (
            #"{"id": "a", "type": "name", "model": "m.onnx"}"#,
            "m.json:3:38: /graphs/g/stages/0/model: no file “m.onnx”; expected a model"
        ),
        (
            #"{"id": "a", "type": "find", "inputs": ["b"]}"#,
            "m.json:3:40: /graphs/g/stages/0/inputs/0: no stage “b” in this graph; expected one of “frame”"
        ),
        (
            #"{"id": "a", "type": "judge"}"#,
            "m.json:3:1: /graphs/g/stages/0: stage type “judge” needs an input; expected “inputs” with a stage that gives labels"
        ),
        (
            #"{"id": "frame", "type": "find"}"#,
            "m.json:3:8: /graphs/g/stages/0/id: “frame” stands for the picture itself; expected another id"
        ),
        (
            #"{"id": "a", "type": "name", "inputs": ["a"]}"#,
            "m.json:3:40: /graphs/g/stages/0/inputs/0: “a” (name) gives labels, and stage type “name” takes regions; "
                + "expected a stage that gives them"
        ),
        (
            #"{"id": "a", "type": "find", "draw": {"color": "red", "thickness": 0}}"#,
            "m.json:3:47: /graphs/g/stages/0/draw/color: “red”; expected a colour as “#rrggbb”"
        ),
    ])
    func oneStage(stage: String, first: String) throws {
        let found = try problems(stage)
        #expect(found.contains(first), "\(found)")
    }

    @Test func anUnknownInputWithAGuess() throws {
        #expect(
            try problems(
                #"{"id": "faces", "type": "find"}"#, #"{"id": "n", "type": "name", "inputs": ["frame", "face"]}"#) == [
                    "m.json:4:49: /graphs/g/stages/1/inputs/1: no stage “face” in this graph; expected one of “faces”, “frame”; "
                        + "did you mean “faces”?"
                ])
    }

    @Test func aStageThatReadsTheFrameAloneCannotBeFed() throws {
        #expect(
            try problems(#"{"id": "f", "type": "find"}"#, #"{"id": "p", "type": "plain", "inputs": ["f"]}"#) == [
                "m.json:4:41: /graphs/g/stages/1/inputs/0: stage type “plain” reads the frame alone and can't take the results "
                    + "of “f”; expected “frame” or no inputs"
            ])
    }

    @Test func aStageThatCannotFeedAnother() throws {
        #expect(
            try problems(#"{"id": "p", "type": "plain"}"#, #"{"id": "n", "type": "name", "inputs": ["p"]}"#) == [
                "m.json:4:40: /graphs/g/stages/1/inputs/0: “p” (plain) gives labels, and stage type “name” takes regions; "
                    + "expected a stage that gives them"
            ])
    }

    @Test func twoStagesOfOneId() throws {
        #expect(
            try problems(#"{"id": "a", "type": "find"}"#, #"{"id": "a", "type": "plain"}"#) == [
                "m.json:4:8: /graphs/g/stages/1/id: “a” names two stages of this graph; expected an id of its own for each"
            ])
    }

    @Test func aCircle() throws {
        #expect(
            try problems(
                #"{"id": "x", "type": "plain"}"#, #"{"id": "a", "type": "judge", "inputs": ["x", "c"]}"#,
                #"{"id": "b", "type": "judge", "inputs": ["a"]}"#, #"{"id": "c", "type": "judge", "inputs": ["b"]}"#)
                == [
                    "m.json:4:40: /graphs/g/stages/1/inputs: the inputs go round in a circle: a → c → b → a; expected a graph "
                        + "without cycles"
                ])
    }

    @Test func aCircleOfOne() throws {
        #expect(
            try problems(#"{"id": "a", "type": "judge", "inputs": ["a"]}"#) == [
                "m.json:3:40: /graphs/g/stages/0/inputs: the inputs go round in a circle: a → a; expected a graph without cycles"
            ])
    }

    @Test func aStageBehindACircleIsNoneOfIt() throws {
        let found = try problems(
            #"{"id": "z", "type": "judge", "inputs": ["a"]}"#, #"{"id": "a", "type": "judge", "inputs": ["b"]}"#,
            #"{"id": "b", "type": "judge", "inputs": ["a"]}"#)
        #expect(
            found == [
                "m.json:4:40: /graphs/g/stages/1/inputs: the inputs go round in a circle: a → b → a; expected a graph without "
                    + "cycles"
            ])
    }

    @Test func allProblemsAtOnce() throws {
        let found = try problems(
            #"{"id": "a", "type": "fnd"}"#, #"{"id": "b", "type": "find", "inputs": ["q"], "limit": 7}"#,
            #"{"id": "c", "type": "plain", "inputs": ["b"]}"#, #"{"id": "c", "type": "plain", "rate": "fast"}"#)
        #expect(
            found.map { $0.split(separator: ":").prefix(3).joined(separator: ":") } == [
                "m.json:3:21", "m.json:4:40", "m.json:4:55", "m.json:5:41", "m.json:6:8", "m.json:6:38",
            ])
    }
}
