import Testing

@testable import Annotate
@testable import TestSupport

/// A kind of thing that jobs give their stages which the program doesn't know, declared here alone, goes all the way that
/// regions and points go.
@Suite struct OwnGivenTests {
    /// Two ends of a lane, in shares of the picture.
    private struct Lane: Given {
        var id = ""
        var from = Point(0, 0)
        var to = Point(0, 0)

        static let word = "lanes"
        static let doc = "Lanes that cars drive on."
        static let shape = ObjectShape(
            doc: "A lane.", name: "lane",
            properties: [
                Property("id", .string(), required: true, doc: "Its name."),
                Property("from", Format<Point>.point.shape, required: true, doc: "Where it begins."),
                Property("to", Format<Point>.point.shape, required: true, doc: "Where it ends."),
            ])
        static let use = "looks at lanes"
        static let tool: DrawingTool? = .line

        static func read(_ reader: GivenReader) -> Lane? {
            let node = reader.node
            guard let id = node["id"]?.string, let from = node["from"].flatMap(Format<Point>.point.read),
                let to = node["to"].flatMap(Format<Point>.point.read)
            else { return nil }
            if from == to {
                reader.log.add("a lane without length; expected two ends", at: node, path: reader.path)
                return nil
            }
            return Lane(id: id, from: from, to: to)
        }

        func placed(in size: PictureSize) -> Box {
            Box(
                x: from.x * Double(size.width), y: from.y * Double(size.height),
                width: (to.x - from.x) * Double(size.width), height: (to.y - from.y) * Double(size.height))
        }

        static func notes(of given: [Lane], upTo last: VideoFrame) -> [String] {
            ["\(given.count) lanes up to frame \(last.ordinal)"]
        }

        static func example(in size: PictureSize?) -> (value: JSONValue, gap: String) {
            (.members(["id": .string("l"), "from": .numbers([0, 0]), "to": .numbers([1, 1])]), "draw the lane “l”")
        }
    }

    /// Says where the lanes are.
    private struct LaneTracker: Tracker {
        let lanes: [Box]

        func update(_ detection: Void, _ input: StageInput) -> [Observation] {
            lanes.map { Observation(ObjectFinding(), stage: "s", label: "lane", box: $0) }
        }
    }

    private struct LaneBlueprint: StageBlueprint {
        static let contract = StageContract(
            type: "lanes", summary: "Looks at lanes.", produces: [], keepsState: false, takes: [Lane.self],
            emits: [ObjectFinding.self])

        init(_ options: NoOptions, _ context: OptionContext) {}
        func makeStage(_ context: StageContext) -> Stage { Stage(tracker: LaneTracker(lanes: context[Lane.self])) }
    }

    private static let catalog = StageCatalog([LaneBlueprint.self, FindBlueprint.self, FollowBlueprint.self])

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Array("P5 64 48 255\n".utf8) + [UInt8](repeating: 90, count: 64 * 48), to: "a.pgm")
        return folder
    }

    private func manifest(_ members: String, type: String = "lanes") -> String {
        """
        {"version": 1, "jobs": [{"input": "a.pgm", "encode": {"codec": "none"}, \(members)
          "graph": {"stages": [{"id": "s", "type": "\(type)"}]}}]}
        """
    }

    /// What is wrong with a manifest.
    private func problems(_ text: String, catalog: StageCatalog = OwnGivenTests.catalog) throws -> [String] {
        let folder = try folder()
        defer { withExtendedLifetime(folder) {} }
        do {
            _ = try ManifestReader(catalog: catalog).read(try folder.write(text, to: "m.json"))
            return []
        } catch let error as InvalidFileError {
            return error.problems.map { "\(jsonPointer($0.path)): \($0.message)" }
        }
    }

    private static let two =
        #"[{"id": "a", "from": [0, 0], "to": [1, 0.5]}, {"id": "b", "from": [0.5, 0], "to": [0.75, 1]}]"#

    /// In the manifest, in a file that the input names, in a file with other things.
    @Test(arguments: [
        Self.two, #""lanes.json""#, #""{name}.lanes.json""#,
    ])
    func reachItsStage(given: String) throws {
        let folder = try folder()
        try folder.write(Self.two, to: "lanes.json")
        try folder.write(#"{"regions": [], "lanes": \#(Self.two)}"#, to: "a.lanes.json")
        let path = try folder.write(manifest("\"lanes\": \(given),"), to: "m.json")
        let read = try ManifestReader(catalog: Self.catalog).read(path)
        defer { withExtendedLifetime(folder) {} }
        #expect(read.jobs[0].given[Lane.self].map(\.id) == ["a", "b"])
        #expect(read.jobs[0].warnings.isEmpty)
        let outcomes = try BatchRunner(
            manifest: read, options: RunOptions(), generator: "test 1", cancellation: Cancellation()
        ).run()
        #expect(outcomes.map(\.outcome.status) == [.done])
        #expect(outcomes.first?.outcome.notes == ["2 lanes up to frame 0"])
        let reader = try TrackFileReader(
            path: folder.file("out/a.tracks.jsonl"), kinds: Self.catalog.findings)
        let frame = try #require(try reader.next())
        #expect(
            frame.observations.map(\.box) == [
                Box(x: 0, y: 0, width: 64, height: 24), Box(x: 32, y: 0, width: 16, height: 48),
            ])
    }

    @Test func isChecked() throws {
        let twice =
            #"[{"id": "a", "from": [0, 0], "to": [1, 0.5]}, {"id": "a", "from": [0, 0], "to": [0, 0]}, {"id": "a", "from": [0, 0], "to": [0, 1]}]"#
        #expect(
            try problems(manifest("\"lanes\": \(twice),")) == [
                "/jobs/0/lanes/1: a lane without length; expected two ends",
                "/jobs/0/lanes/2/id: “a” names two lanes of this job; expected an id of its own for each",
            ])
        #expect(
            try problems(manifest("\"lanes\": \(Self.two),", type: "find"))
                == ["/jobs/0/lanes: the graph has no stage that looks at lanes; expected one of type “lanes”"])
        #expect(
            try problems(manifest(#""lanes": [{"id": "a", "from": [0, 0]}],"#))
                == ["/jobs/0/lanes/0: “to” is missing; expected an array of 2; each element a number"])
        // Where no stage takes them nobody has heard of them.
        #expect(
            try problems(manifest("\"lanes\": [],", type: "find"), catalog: TestCatalog.catalog).first?.hasPrefix(
                "/jobs/0/lanes: unknown key “lanes”") == true)
    }

    @Test func isTold() throws {
        let folder = try folder()
        let read = try ManifestReader(catalog: Self.catalog).read(try folder.write(manifest(""), to: "m.json"))
        #expect(
            read.jobs[0].warnings
                == ["its graph has stages that take lanes (“s”), and it has none"])
        guard case .object(let manifest) = ManifestShape.shape(catalog: Self.catalog),
            case .array(.object(let job), _)? = manifest.properties.first(where: { $0.name == "jobs" })?.shape
        else {
            Issue.record("a manifest is an object with jobs")
            return
        }
        #expect(
            job.properties.map(\.name).filter { ["camera", "regions", "points", "lanes", "cover"].contains($0) }
                == ["camera", "regions", "points", "lanes", "cover"])
        let first = try FirstManifest(stage: "lanes", clips: [], folder: ".", catalog: Self.catalog)
        #expect(first.gaps.contains("draw the lane “l”"))
    }

    /// In a file that somebody draws they are checked as in the manifest; a program that hasn't them knows nothing of them.
    @Test func isReadForDrawing() throws {
        let folder = try folder()
        let path = try folder.write(#"{"regions": [], "lanes": \#(Self.two)}"#, to: "a.lanes.json")
        let lists = try SeedFile(path: path, of: Self.catalog).lists
        let lanes = try #require(lists.first { $0.word == "lanes" })
        #expect(lanes.isOfProgram && lanes.tool == .line && lanes.members == ["id", "from", "to"])
        #expect(lanes.elements.map { $0["id"]?.string } == ["a", "b"])
        #expect(lists.filter(\.isOfProgram).count == 1 && lists.last?.word == "cover")
        #expect(throws: InvalidFileError.self) { try SeedFile(path: path) }
        let flat = try folder.write(#"{"lanes": [{"id": "a", "from": [0, 0], "to": [0, 0]}]}"#, to: "b.json")
        #expect(throws: InvalidFileError.self) { try SeedFile(path: flat, of: Self.catalog) }
    }

    /// A stage's results are taken over while the lanes are the same.
    @Test func countsForReuse() throws {
        func fingerprint(_ lanes: String) throws -> String? {
            let folder = try folder()
            let path = try folder.write(manifest("\"lanes\": \(lanes),"), to: "m.json")
            let job = try ManifestReader(catalog: Self.catalog).read(path).jobs[0]
            return StageRecipe.recipes(of: job, parts: ["program": "1", "lanes": lanes, "regions": "x"]).first?
                .fingerprint
        }
        #expect(try fingerprint(Self.two) == fingerprint(Self.two))
        #expect(try fingerprint(Self.two) != fingerprint(#"[{"id": "a", "from": [0, 0], "to": [1, 0.5]}]"#))
    }
}
