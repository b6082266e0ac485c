import Annotate
import Testing

@testable import Pages

/// The page of a program with things of its own that its jobs give their stages.
@Suite struct PickPageTests {
    /// A place on a court, for a stage of the program's own.
    private struct Mark: Given {
        var id = ""

        static let word = "marks"
        static let doc = "Marks on the ground."
        static let shape = ObjectShape(
            doc: "A mark.", name: "mark",
            properties: [
                Property("id", .string(), required: true, doc: "Its name."),
                Property("point", Format<Point>.point.shape, required: true, doc: "Where it is."),
            ])
        static let use = "looks at marks"
        static let tool: DrawingTool? = .point

        static func read(_ reader: GivenReader) -> Mark? { reader.node["id"]?.string.map { Mark(id: $0) } }
        func placed(in size: PictureSize) -> Point { Point(0, 0) }
        static func example(in size: PictureSize?) -> (value: JSONValue, gap: String) { (.array([]), "draw marks") }
    }

    private struct MarkTracker: Tracker {
        func update(_ detection: Void, _ input: StageInput) -> [Observation] { [] }
    }

    private struct MarkBlueprint: StageBlueprint {
        static let contract = StageContract(
            type: "marks", summary: "Looks at marks.", produces: [], keepsState: false, takes: [Mark.self],
            emits: [ThingFinding.self])

        init(_ options: NoOptions, _ context: OptionContext) {}
        func makeStage(_ context: StageContext) -> Stage { Stage(tracker: MarkTracker()) }
    }

    @Test(arguments: [true, false])
    func hasATool(isOwn: Bool) throws {
        let folder = try Folder()
        try Files.write("P5 64 48 255\n" + String(repeating: "a", count: 64 * 48), to: folder.file("a.pgm"))
        try Files.write(
            #"{"marks": [{"id": "post", "point": [3, 4]}]}"#, to: folder.file("a.marks.json"))
        let stages = StageCatalog(isOwn ? [MarkBlueprint.self] : [])
        var page = try PickPage(clip: folder.file("a.pgm"), generator: "test 1", stages: stages)
        guard isOwn else {
            #expect(throws: InvalidFileError.self) { try page.addRegions(of: folder.file("a.marks.json")) }
            try page.write(to: folder.file("a.html"))
            #expect(try !folder.text("a.html").contains(#""lists""#))
            return
        }
        try page.addRegions(of: folder.file("a.marks.json"))
        try page.write(to: folder.file("a.html"))
        let text = try folder.text("a.html").filter { !$0.isWhitespace }
        #expect(text.contains(#""lists":[{"list":"marks","tool":"point","members":["id","point"]}]"#))
        #expect(text.contains(#""marks":[{"id":"post","point":[3,4]}]"#))
    }
}
