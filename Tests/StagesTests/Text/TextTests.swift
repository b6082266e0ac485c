import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

/// The example's signs, rendered, annotated and compared with what they say.
@Suite struct TextTests {
    private static let manifests = RealData.repository + "/manifests"

    /// The strings or payloads of a rendered example, by track, and how many frames have all.
    private func run(_ name: String, frames: Int, options: String = "") throws -> [String] {
        let folder = NSTemporaryDirectory() + "/annotate-\(name)-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Files.makeDirectory(folder)
        let path = "\(Self.manifests)/scenes/\(name).scene.json"
        var scene = try SceneReader.read(path)
        scene.frames = frames
        // As `synth` encodes it: more coarsely, a large “V” and a small one are told apart by luck.
        var settings = EncodeSettings()
        settings.crf = 16
        try ClipRenderer(scene: scene, directory: Files.parent(of: path)).render(
            to: folder + "/s.mp4", settings: settings, generator: "test 1"
        ) { _ in true }
        let manifest = """
            {"version": 1, "output": {"directory": "out"}, "jobs": [{"id": "s", "input": "s.mp4",
              "encode": {"codec": "none"}, "graph": {"stages": [{"id": "a", "type": "\(name)"\(options)}]}}]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/m.json"))
        func once(_ threads: Int) throws -> [UInt8] {
            var options = RunOptions()
            options.threads = threads
            options.force = true
            let outcomes = try BatchRunner(
                manifest: try ManifestReader(catalog: .standard).read(folder + "/m.json"), options: options,
                generator: "test 1", cancellation: Cancellation()
            ).run()
            #expect(outcomes.map(\.outcome.status) == [.done])
            return try Files.read(folder + "/out/s.tracks.jsonl")
        }
        let trackFile = try once(1)
        #expect(try once(3) == trackFile, "threads change nothing")
        let last = try #require(String(decoding: trackFile, as: UTF8.self).split(separator: "\n").dropLast().last)
        let line = try JSONParser.parse(Array(last.utf8))
        return (line["observations"]?.elements ?? []).compactMap { ($0["text"] ?? $0["payload"])?.string }.sorted()
    }

    @Test(arguments: ["ppocr", "tesseract"]) func signs(_ engine: String) throws {
        #expect(
            try run("text", frames: 6, options: #", "engine": "\#(engine)""#)
                == ["Danger: 400 V", "EXIT 24", "Library, floor 3"])
    }

    @Test func codes() throws {
        #expect(
            try run("barcodes", frames: 8) == [
                "4006381333931", "AB-90210-xy", "Boarding 00412", "LOT-204871/3", "Seat 14A, gate B17",
                "https://example.com/desk",
            ])
    }

    /// A newspaper's puzzle, photographed: its headline is read, its digits are no lines.
    @Test(.enabled(if: RealData.isThere, RealData.reason)) func aPhoto() throws {
        let frame = try photo(RealData.folder + "/rectangles/sudoku.png")
        let stage = try TextBlueprint(
            options: try stageOptions(#"{"engine": "tesseract", "minimumTextHeight": 0.012}"#)
        ).makeStage(
            StageContext(id: "t", width: frame.width, height: frame.height, isStill: true))
        #expect(
            try observations(stage, in: frame).compactMap { $0.finding(as: TextFinding.self)?.text }.contains("HARD"))
    }

    @Test func languages() throws {
        func complaint(_ options: String) throws -> String? {
            do {
                _ = try TextBlueprint(options: try stageOptions(options))
                return nil
            } catch let error as StageOptionError {
                return "\(error.option ?? "-"): \(error.message)"
            }
        }
        #expect(
            try complaint(#"{"languages": ["eng", "tlh_Xx"]}"#)
                == "languages: Tesseract has no model of “tlh_Xx”; expected the package tesseract-ocr-tlh-xx to be "
                + "installed, or another language")
        #expect(try complaint(#"{"languages": ["eng"]}"#) == nil)
        // What is no name at all is one problem, the option's own.
        #expect(try complaint(#"{"languages": ["xx yy"]}"#) == nil)
    }

    // MARK: Tracks

    private func line(x: Double, y: Double = 100, width: Double = 120) -> FoundTextLine {
        FoundTextLine(
            polygon: Box(x: x, y: y, width: width, height: 20).corners, isLight: false, letters: 6, score: 1)
    }

    private func reading(_ text: String, _ confidence: Double) -> TextReading {
        TextReading(text: text, confidence: confidence, words: [], characters: [])
    }

    /// A line is read few times; what most readings say counts, and a piece of it is no thing of its own.
    @Test func readingsAreFewAndVote() throws {
        var tracking = TextTracking()
        var said = ["Caffee", "Coffee", "Coffee", "Coffee"]
        var last: [TextTracking.Text] = []
        for frame in 0..<60 {
            let found = [line(x: Double(frame) * 3)] + (frame > 20 ? [line(x: Double(frame) * 3 + 10, width: 40)] : [])
            last = tracking.update(found, at: Double(frame) / 25) { _ in
                said.isEmpty ? nil : reading(said.removeFirst(), 0.95)
            }
        }
        #expect(last.map(\.track) == [1] && last.map(\.reading.text) == ["Coffee"])
        #expect(said.count == 1, "read at its 2nd, 4th and 8th sighting, then sure")
    }

    @Test func aStringFoundAgainIsTheSame() throws {
        var tracking = TextTracking()
        var states: [[TrackState]] = []
        for frame in 0..<40 {
            let found = frame < 10 ? [line(x: 10)] : frame < 30 ? [] : [line(x: 700, y: 400)]
            states.append(
                tracking.update(found, at: Double(frame) / 25) { _ in reading("Exit", 0.95) }.map(\.state))
        }
        #expect(states[15] == [.predicted] && states[25] == [.lost])
        #expect(states[31] == [.recovered] && states[35] == [.tracked])
    }

    @Test func whatIsNoTextHasNoTrack() throws {
        var tracking = TextTracking()
        for frame in 0..<10 {
            let texts = tracking.update([line(x: 10)], at: Double(frame) / 25) { _ in
                reading(["~ =.", "ab", "Exit"][frame % 3], 0.75)
            }
            #expect(texts.isEmpty)
        }
    }
}

@Suite struct InkGapsTests {
    /// Bars of ink, one a character, as wide as the characters; between them what is given.
    private func words(_ texts: [String], gaps: [Int]) -> [String] {
        let characters = texts.joined().map(String.init)
        var (columns, parts): ([Bool], [TextReading.Part]) = ([], [])
        for (index, text) in characters.enumerated() {
            let start = Double(columns.count)
            columns += [Bool](repeating: true, count: 8)
            let end = Double(columns.count)
            parts.append(
                TextReading.Part(
                    text: text, corners: [Point(start, 0), Point(end, 0), Point(end, 1), Point(start, 1)],
                    confidence: 0.9))
            if index < gaps.count { columns += [Bool](repeating: false, count: gaps[index]) }
        }
        let height = 20
        let pixels = (0..<height).flatMap { _ in columns.map { $0 ? UInt8(20) : 240 } }
        let ink = InkGaps(pixels, width: columns.count, height: height) { Int($0.rounded()) }
        var rest = parts[...]
        let given = texts.map { text in
            let own = Array(rest.prefix(text.count))
            rest = rest.dropFirst(text.count)
            let corners = [
                own[0].corners[0], own[own.count - 1].corners[1], own[own.count - 1].corners[2], own[0].corners[3],
            ]
            return TextReading.Part(text: text, corners: corners, confidence: 0.9)
        }
        return ink.spaced(given, parts, least: 6).map(\.text)
    }

    @Test func aSpaceThatWasLeftOut() {
        #expect(words(["no", "18h"], gaps: [2, 12, 2, 12]) == ["no", "18", "h"])
        #expect(words(["no", "18h"], gaps: [2, 12, 2, 3]) == ["no", "18h"])
        // Between two digits, one of which may be a 1, and between letters it takes more than a gap.
        #expect(words(["no", "117"], gaps: [2, 12, 12, 2]) == ["no", "117"])
        // Without a space there is nothing to compare with.
        #expect(words(["18h"], gaps: [2, 12]) == ["18h"])
    }
}
