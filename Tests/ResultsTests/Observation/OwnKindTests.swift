import Synchronization
import Testing

@testable import Annotate
@testable import TestSupport

/// A kind that the program doesn't know, declared here alone, goes all the way that the program's own kinds go.
@Suite struct OwnKindTests {
    /// A dial with a needle.
    struct GaugeFinding: Finding {
        static let kind = "gauge"
        static let doc = "A dial with a needle."
        static let place = Place.none
        static let style: DrawStyle = {
            var style = DrawStyle()
            (style.label, style.thickness, style.color) = (false, 20, .white)
            return style
        }()

        struct Scale: Record, Hashable {
            var least = 0.0
            var most = 1.0
            var name: String?

            static let fields: [Field<Scale>] = [
                Field("least", \.least, .number(decimals: 1), unit: "bar", doc: "Where it begins."),
                Field("most", \.most, .number(decimals: 1), unit: "bar", doc: "Where it ends."),
                Field("name", \.name, .text(), doc: "What is written on it."),
            ]
        }

        var value = 0.0
        var dial: [Point] = []
        var scale = Scale()
        var tip: Point?

        static let fields: [Field<GaugeFinding>] = [
            Field("value", \.value, .number(Bounds(0, 10), decimals: 2), unit: "bar", doc: "What it shows."),
            Field("dial", \.dial, .list(.point, count: 3...16), unit: "px", doc: "Its outline."),
            Field("scale", \.scale, .record(doc: "A scale."), doc: "Its scale."),
            Field("tip", \.tip, .point, .inSight, unit: "px", doc: "The needle's."),
        ]

        func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
            [.outline(dial)] + (tip.map { [.pin($0)] } ?? [])
        }
    }

    /// Sees a gauge whose needle moves, and is hidden from frame 4 on.
    private struct GaugeTracker: Tracker {
        static func reading(_ ordinal: Int) -> GaugeFinding {
            var gauge = GaugeFinding()
            gauge.value = 2.5 + Double(ordinal) / 4
            gauge.dial = [Point(20, 20), Point(100, 20), Point(100, 100.25), Point(60, 110), Point(20, 100)]
            gauge.scale.most = 10
            gauge.scale.name = "A, \"B\""
            gauge.tip = ordinal < 4 ? Point(60 + Double(ordinal) / 2, 60) : nil
            return gauge
        }

        func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
            let ordinal = input.frame.ordinal
            return [
                Observation(
                    Self.reading(ordinal), stage: "g", track: TrackReference(stage: "g", number: 1),
                    confidence: 0.875, state: ordinal < 4 ? .tracked : .lost)
            ]
        }
    }

    private struct GaugeBlueprint: StageBlueprint {
        static let contract = StageContract(
            type: "gauges", summary: "Reads gauges.", produces: [.tracks], keepsState: true,
            emits: [GaugeFinding.self])

        init(_ options: NoOptions, _ context: OptionContext) {}
        func makeStage(_ context: StageContext) -> Stage { Stage(tracker: GaugeTracker()) }
    }

    private static let catalog = StageCatalog([GaugeBlueprint.self, FindBlueprint.self])
    private static let frames = 6

    /// A finished run of six grey pictures: its folder has `a.mkv`, and in `out` the results.
    private func finished(_ options: RunOptions = RunOptions()) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try ffmpeg(
            "-f", "lavfi", "-i", "color=gray:s=160x120:r=25", "-frames:v", "\(Self.frames)", "-pix_fmt", "yuv420p",
            "-c:v", "ffv1", folder.file("a.mkv"))
        let manifest = """
            {"version": 1, "output": {"formats": ["csv"]}, "jobs": [{"input": "a.mkv", "graph": {"stages": [
              {"id": "g", "type": "gauges"}, {"id": "f", "type": "find"}]}, "encode": {"crf": 10}}]}
            """
        let read = try ManifestReader(catalog: Self.catalog).read(try folder.write(manifest, to: "m.json"))
        let outcomes = try BatchRunner(
            manifest: read, options: options, generator: "test 1", cancellation: Cancellation()
        ).run()
        #expect(outcomes.map(\.outcome.status) == [.done])
        return folder
    }

    @Test func readsBackIntoItsType() throws {
        let folder = try finished()
        let reader = try TrackFileReader(path: folder.file("out/a.tracks.jsonl"), kinds: Self.catalog.findings)
        var count = 0
        while let frame = try reader.next() {
            let gauge = try #require(frame.observations.first)
            #expect(gauge.finding(as: GaugeFinding.self) == GaugeTracker.reading(frame.frame))
            #expect(gauge.track == TrackReference(stage: "g", number: 1))
            #expect(gauge.isInSight == (frame.frame < 4))
            count += 1
        }
        #expect(count == Self.frames)
        #expect(reader.summary?.tracks.first?.kind == "gauge")
        #expect(reader.summary?.tracks.first?.observations == 4)
    }

    @Test func isDrawn() throws {
        let folder = try finished()
        let (plain, drawn) = (
            try readFrames(folder.file("a.mkv")), try readFrames(folder.file("out/a.mp4"))
        )
        try #require(plain.count == Self.frames && drawn.count == Self.frames)
        func change(_ frame: Int, _ x: Int, _ y: Int) -> Int {
            abs(Int(drawn[frame].planeBytes(0)[y * 160 + x]) - Int(plain[frame].planeBytes(0)[y * 160 + x]))
        }
        // The dial's upper edge and the needle's tip; nothing outside.
        #expect(change(0, 60, 20) > 60 && change(0, 60, 60) > 60)
        #expect(change(0, 40, 45) < 8 && change(0, 140, 60) < 8)
        // A lost one is dashed and has no needle.
        #expect(change(5, 60, 60) < 8)
        #expect((20...100).contains { change(5, $0, 20) > 20 })
        #expect((20...100).contains { change(5, $0, 20) < 8 })
    }

    @Test func tableRows() throws {
        let folder = try finished()
        let lines = String(decoding: try Files.read(folder.file("out/a.csv")), as: UTF8.self).split(separator: "\n")
        let head = "clip,frame,pts,time,stage,kind,track,of,region,label,confidence,state,left,top,width,height,"
        #expect(
            lines.first.map(String.init)
                == head + "x1,y1,x2,y2,x3,y3,x4,y4,more_corners,held,value_bar,dial_px,scale_least_bar,scale_most_bar,"
                + "scale_name,tip_x_px,tip_y_px")
        let dial = #""[[20,20],[100,20],[100,100.25],[60,110],[20,100]]""#
        let name = #""A, ""B""""#
        let empty = String(repeating: ",", count: 13)
        try #require(lines.count == 1 + Self.frames)
        #expect(
            lines[2] == "a.mkv,1,40,0.04,g,gauge,1,,,,0.875,tracked,\(empty),2.75,\(dial),0,10,\(name),60.5,60")
        #expect(lines[6] == "a.mkv,5,200,0.2,g,gauge,1,,,,0.875,lost,\(empty),3.75,\(dial),0,10,\(name),,")
    }

    /// Written while running and from the saved track file, the results are the same bytes.
    @Test(arguments: [("csv", "a.csv"), ("tracks", "a.tracks.jsonl")])
    func exportsAreWhatTheRunWrites(format: String, name: String) throws {
        let folder = try finished()
        let export = try #require(TrackFileExport(format: format, kinds: Self.catalog.findings))
        try export.run(folder.file("out/a.tracks.jsonl"), to: folder.file("again"))
        #expect(try Files.read(folder.file("again")) == Files.read(folder.file("out/\(name)")))
    }

    /// A line a frame, with what the gauge shows.
    final class GaugeSink: Sink {
        static let format = SinkFormat(name: "gauge", title: "Gauge", suffix: ".gauge.txt", doc: "What gauges show.")
        private let writer: ByteWriter

        init(_ file: OutputFile, _ context: SinkContext) throws { writer = try ByteWriter(file) }

        func write(_ frame: FrameRecord) throws {
            let values = frame.observations.compactMap { $0.finding(as: GaugeFinding.self)?.value }
            try writer.write(Array("\(frame.frame) \(values)\n".utf8))
        }

        func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws { try writer.finish() }
    }

    @Test func aSinkOfOnesOwn() throws {
        let folder = try finished()
        let export = try #require(
            TrackFileExport(
                format: "gauge", filter: ExportFilter(), kinds: Self.catalog.findings,
                sinks: SinkCatalog([GaugeSink.self])))
        #expect(export.name(for: "a.tracks.jsonl") == "a.gauge.txt")
        try export.run(folder.file("out/a.tracks.jsonl"), to: folder.file("a.txt"))
        #expect(
            String(decoding: try Files.read(folder.file("a.txt")), as: UTF8.self)
                == "0 [2.5]\n1 [2.75]\n2 [3.0]\n3 [3.25]\n4 [3.5]\n5 [3.75]\n")
    }

    /// What a program is told of while a job runs is what the track file says.
    @Test func framesAsTheyAreFinished() throws {
        let told = Mutex<[FrameRecord]>([])
        var options = RunOptions()
        options.onFrame = { job, frame in
            #expect(job == "a")
            told.withLock { $0.append(frame) }
        }
        let folder = try finished(options)
        let reader = try TrackFileReader(path: folder.file("out/a.tracks.jsonl"), kinds: Self.catalog.findings)
        var written: [FrameRecord] = []
        while let frame = try reader.next() { written.append(frame) }
        #expect(written.count == Self.frames)
        #expect(told.withLock { $0 } == written)
    }

    // MARK: The schema

    @Test func theSchemaHasIt() throws {
        let folder = try finished()
        let shape = TrackFileShape(Self.catalog.findings).line
        var wrong = 0
        for line in String(decoding: try Files.read(folder.file("out/a.tracks.jsonl")), as: UTF8.self)
            .split(separator: "\n")
        {
            #expect(try Self.fits(String(line), shape), "\(line)")
            for (text, other) in Self.mistakes where line.contains(text) {
                #expect(try !Self.fits(String(line).replacing(text, with: other), shape), "\(other)")
                wrong += 1
            }
        }
        #expect(wrong >= Self.mistakes.count)
        let schema = prettyJSON(JSONSchema.document(title: "tracks", doc: "Lines.", shape: shape))
        #expect(schema.contains(#""const": "gauge""#) && schema.contains("What is written on it."))
    }

    private static let mistakes = [
        (#""value":2.5,"#, #""value":12.5,"#), (#""value":2.5,"#, #""value":"2.5","#), (#""value":2.5,"#, ""),
        (#""least":0,"#, #""lest":0,"#), (#""tip":[60,60]"#, #""tip":[60]"#),
        (#""kind":"gauge","track""#, #""kind":"gouge","track""#),
    ]

    private static func fits(_ line: String, _ shape: Shape) throws -> Bool {
        guard case .anyOf(let shapes, _) = shape else { return false }
        return try shapes.contains { shape in
            var validator = ShapeValidator(file: "a")
            validator.validate(try JSONParser.parse(Array(line.utf8)), against: shape)
            return validator.log.isEmpty
        }
    }

    private static let hasValidator = (try? output(of: "python3", ["-c", "import jsonschema"])) != nil

    @Test(.enabled(if: hasValidator, "python3 with jsonschema is not installed"))
    func aValidatorOfOthersAgrees() throws {
        let folder = try finished()
        let shape = TrackFileShape(Self.catalog.findings).line
        try folder.write(
            prettyJSON(JSONSchema.document(title: "tracks", doc: "Lines.", shape: shape)), to: "schema.json")
        let text = String(decoding: try Files.read(folder.file("out/a.tracks.jsonl")), as: UTF8.self)
        let lines = text.split(separator: "\n").map(String.init)
        let first = try #require(lines.first { $0.contains(#""value":2.5"#) })
        let documents = lines + Self.mistakes.map { first.replacing($0.0, with: $0.1) }
        try folder.write("[" + documents.joined(separator: ",") + "]", to: "documents.json")
        try folder.write(
            """
            import json, sys
            from jsonschema import Draft202012Validator as V
            v = V(json.load(open(sys.argv[1])))
            print(json.dumps([v.is_valid(d) for d in json.load(open(sys.argv[2]))]))
            """, to: "check.py")
        let verdicts = try JSONParser.parse(
            try output(
                of: "python3", [folder.file("check.py"), folder.file("schema.json"), folder.file("documents.json")]))
        #expect(
            verdicts.elements?.compactMap(\.bool)
                == lines.map { _ in true } + Self.mistakes.map { _ in false })
    }

    // MARK: Verifying

    private func problems(_ change: (inout String) -> Void) throws -> [String] {
        let folder = try finished()
        let path = folder.file("out/a.tracks.jsonl")
        var text = String(decoding: try Files.read(path), as: UTF8.self)
        change(&text)
        try folder.write(text, to: "out/a.tracks.jsonl")
        return try Verifier.verify(directory: folder.file("out"), kinds: Self.catalog.findings)
            .flatMap(\.problems).map { $0.replacing(path, with: "a") }
    }

    @Test func verifiedAsWritten() throws {
        let folder = try finished()
        let verdict = try #require(
            try Verifier.verify(directory: folder.file("out"), kinds: Self.catalog.findings).first)
        #expect(verdict.problems == [])
        #expect(verdict.frames == Self.frames)
        #expect(verdict.video != nil && verdict.source != nil)
    }

    private static let tampered: [(String, String, String)] = [
        (#""value":2.75,"#, "", "a:3: /observations/0: “value” is missing; expected a number from 0 to 10"),
        (#","tip":[60.5,60]"#, "", "a:3: /observations/0: “tip” is missing; every gauge in sight has one"),
        (
            #""value":2.75,"#, #""vaule":2.75,"value":2.75,"#,
            "a:3: /observations/0/vaule: unknown key “vaule”; expected one of “stage”, “kind”, “track”, “of”, “region”, "
                + "“label”, “confidence”, “state”, “box”, “polygon”, “held”, “value”, “dial”, “scale”, “tip”; did you mean "
                + "“value”?"
        ),
        (
            #""stage":"g","kind":"gauge","track":1,"confidence":0.875,"state":"tracked","value":2.75"#,
            #""stage":"h","kind":"gauge","track":1,"confidence":0.875,"state":"tracked","value":2.75"#,
            "a:3: /observations/0/stage: “h”, which the header has not; expected one of “g”, “f”"
        ),
        (
            #""stage":"g","kind":"gauge","track":1,"confidence":0.875,"state":"tracked","value":2.75"#,
            #""stage":"f","kind":"gauge","track":1,"confidence":0.875,"state":"tracked","value":2.75"#,
            "a:3: /observations/0/kind: “gauge”, which stage “f” doesn't give; expected one of “rectangle”"
        ),
        (
            #""type":"gauges""#, #""type":"gouges""#,
            "a:1: /stages/0/type: this program has no stage type “gouges”"
        ),
    ]

    @Test(arguments: tampered)
    func tampering(text: String, other: String, expected: String) throws {
        let found = try problems { trackFile in
            #expect(trackFile.contains(text))
            trackFile = trackFile.replacing(text, with: other)
        }
        #expect(found == [expected])
    }

    /// A kind that the program doesn't have, from a program that does.
    @Test func aKindOfAnotherProgram() throws {
        let folder = try finished()
        let found = try Verifier.verify(directory: folder.file("out"), kinds: TestCatalog.catalog.findings)
        #expect(
            found.flatMap(\.problems).map { $0.replacing(folder.path, with: "") }
                == ["/out/a.tracks.jsonl:1: /stages/0/type: this program has no stage type “gauges”"])
    }
}
