import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages
@testable import Synth

private let hasOpenVINO =
    Files.isDirectory(RealData.repository + "/.deps/openvino")
    || ProcessInfo.processInfo.environment["ANNOTATE_OPENVINO"] != nil

/// Whatever stages write into a track file is read into the types that it came from: written again, it is the same bytes,
/// and so is every other form of it that the run wrote beside it.
@Suite struct TrackFileRoundTripTests {
    /// A folder for one run: manifests find what lies beside the examples.
    private final class Folder {
        let path = NSTemporaryDirectory() + "/annotate-round-\(UUID().uuidString)"

        init() throws {
            try Files.makeDirectory(path)
            for name in ["models", "pictures", "boxes"] {
                try FileManager.default.createSymbolicLink(
                    atPath: path + "/" + name, withDestinationPath: RealData.repository + "/manifests/" + name)
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Runs a manifest without videos and holds every result against what is made of it again.
    /// - Returns: The kinds of its observations.
    private func kinds(_ manifest: String, in folder: Folder) throws -> Set<String> {
        let manifest = manifest.contains("\"cover\"") ? manifest.replacing(", \"ass\"", with: "") : manifest
        try Files.write(manifest, to: folder.path + "/m.json")
        var read = try ManifestReader(catalog: .standard).read(folder.path + "/m.json")
        for index in read.jobs.indices { read.jobs[index].encode.codec = .none }
        let outcomes = try BatchRunner(
            manifest: read, options: RunOptions(), generator: "test 1", cancellation: Cancellation()
        ).run()
        #expect(outcomes.map(\.outcome.error) == read.jobs.map { _ in nil })
        let findings = StageCatalog.standard.findings
        var kinds: Set<String> = []
        for job in read.jobs {
            let stem = folder.path + "/out/" + job.id
            let tracks = try Files.read(stem + ".tracks.jsonl")
            // What is covered is in no overlay.
            for format in SinkCatalog.standard.formats
            where format.name == "tracks" || read.formats.contains(format.name) {
                var export = try #require(TrackFileExport(format: format.name, kinds: findings))
                let styles = Dictionary(job.graph.nodes.map { ($0.id, $0.styles) }, uniquingKeysWith: { $1 })
                export.drawing = { _, _ in styles }
                let path = folder.path + "/again" + format.suffix
                try export.run(stem + ".tracks.jsonl", to: path)
                let (again, written) = (try Self.contents(path), try Self.contents(stem + format.suffix))
                #expect(again.keys.sorted() == written.keys.sorted(), "\(job.id)\(format.suffix)")
                for (name, bytes) in again where bytes != written[name, default: []] {
                    Issue.record("\(job.id)\(format.suffix)\(name): \(Self.difference(bytes, written[name] ?? []))")
                }
            }
            for frame in try frames(ofTrackFile: stem + ".tracks.jsonl") {
                kinds.formUnion(frame.observations.map(\.kind))
            }
            #expect(!tracks.isEmpty)
        }
        let verdicts = try Verifier.verify(directory: folder.path + "/out", kinds: findings)
        #expect(verdicts.map(\.problems) == read.jobs.map { _ in [] })
        try checkSummaries(folder.path + "/out")
        return kinds
    }

    /// The bytes of a file, or of a folder's files, by their paths in it.
    private static func contents(_ path: String) throws -> [String: [UInt8]] {
        guard Files.isDirectory(path) else { return ["": try Files.read(path)] }
        var contents: [String: [UInt8]] = [:]
        for name in try Files.list(path) {
            for (inner, bytes) in try Self.contents(path + "/" + name) { contents["/" + name + inner] = bytes }
        }
        return contents
    }

    /// Somebody else's sums of the frames' lines.
    private func checkSummaries(_ directory: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", RealData.repository + "/scripts/summaries.py", directory]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let words = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(words)")
    }

    /// The first lines that differ.
    private static func difference(_ a: [UInt8], _ b: [UInt8]) -> String {
        let lines = [a, b].map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
        for (first, second) in zip(lines[0], lines[1]) where first != second { return "\(first)\n\(second)" }
        return "one is longer"
    }

    /// All that there are, as a manifest names them.
    private static let formats =
        "[" + SinkCatalog.standard.besideTracks.map { "\"\($0.name)\"" }.joined(separator: ", ") + "]"

    private func example(_ name: String, clips: [String], frames: Int) throws -> Set<String> {
        let folder = try Folder()
        let manifests = RealData.repository + "/manifests"
        for clip in clips {
            var scene = try SceneReader.read("\(manifests)/scenes/\(clip).scene.json")
            scene.frames = frames
            var settings = EncodeSettings()
            settings.preset = "ultrafast"
            try ClipRenderer(scene: scene, directory: manifests + "/scenes").render(
                to: "\(folder.path)/\(clip).mp4", settings: settings, generator: "test 1", progress: { _ in true })
        }
        // Points and regions begin at once: the clips are short.
        let text = String(decoding: try Files.read("\(manifests)/\(name).json"), as: UTF8.self)
            .replacing("../out/media/", with: "")
            .replacing(
                "\"directory\": \"../out/\(name)\"", with: "\"directory\": \"out\", \"formats\": \(Self.formats)"
            )
            .replacing("\"time\": 0.4", with: "\"time\": 0").replacing("\"time\": 0.8", with: "\"time\": 0")
            .replacing("\"interval\": 2,", with: "\"interval\": 0.1,")
            .replacing("\"fade\": 0.5", with: "\"fade\": 0.06")
        return try kinds(text, in: folder)
    }

    private static let examples: [(String, [String], Set<String>)] = [
        ("pose", ["pose"], ["marker"]), ("overlay", ["overlay"], ["marker"]),
        ("images", ["images"], ["image", "rectangle"]),
        ("alter", ["alter"], ["image", "alteration", "rectangle"]), ("faces", ["faces"], ["face"]),
        ("text", ["text"], ["text"]), ("barcodes", ["barcodes"], ["barcode"]), ("horizon", ["horizon"], ["horizon"]),
        ("import", ["import"], ["object"]), ("follow", ["import"], ["object"]),
        ("count", ["count"], ["marker", "count"]),
    ]

    @Test(arguments: examples)
    func anExample(name: String, clips: [String], expected: Set<String>) throws {
        #expect(try example(name, clips: clips, frames: 4) == expected)
    }

    private static let classifying: [(String, [String], Set<String>)] = [
        ("demo", ["desk", "wall"], ["marker", "rectangle", "object", "classification"]),
        ("labels", ["labels"], ["rectangle", "classification", "annotation"]),
        ("classify", ["classify"], ["classification"]), ("detect", ["detect"], ["detection", "object", "count"]),
    ]

    @Test(
        .enabled(if: hasOpenVINO, "OpenVINO is neither in .deps/openvino nor where ANNOTATE_OPENVINO says"),
        arguments: classifying)
    func anExampleWithModels(name: String, clips: [String], expected: Set<String>) throws {
        #expect(try example(name, clips: clips, frames: 4) == expected)
    }

    /// Every example manifest is among them.
    @Test func noneIsLeftOut() throws {
        let names = try Files.list(RealData.repository + "/manifests").filter { $0.hasSuffix(".json") }
        #expect(
            names.sorted() == (Self.examples + Self.classifying).map { $0.0 + ".json" }.sorted())
    }

    // MARK: What others took

    private static let real: [(String, String, String, Set<String>)] = [
        (
            "aruco/aruco1.mp4", #"{"id": "m", "type": "markers", "dictionary": "aruco-6x6-100", "size": 0.1}"#, "",
            ["marker"]
        ),
        (
            "aruco/singlemarkersoriginal.jpg",
            #"{"id": "m", "type": "markers", "dictionary": "aruco-6x6-250", "size": 0.05}"#, "", ["marker"]
        ),
        (
            "tracking/boat1/boat1.mp4", #"{"id": "t", "type": "track"}, {"id": "h", "type": "horizon", "rate": 7}"#,
            #""regions": [{"id": "boat", "box": [100, 60, 120, 90]}], "#, ["object"]
        ),
        (
            "faces/asl_book.mkv",
            #"{"id": "f", "type": "faces"}, {"id": "r", "type": "rectangles", "rate": 12, "maximumObservations": 0}"#,
            "",
            ["face"]
        ),
        ("barcodes/qrcode-2_15.png", #"{"id": "b", "type": "barcodes"}"#, "", ["barcode"]),
        (
            "rectangles/sudoku.png", #"{"id": "r", "type": "rectangles"}, {"id": "x", "type": "text"}"#, "",
            ["rectangle"]
        ),
    ]

    @Test(.enabled(if: RealData.isThere, RealData.reason), arguments: real)
    func realClips(name: String, stages: String, members: String, expected: Set<String>) throws {
        let folder = try Folder()
        let found = try kinds(
            """
            {"version": 1, "output": {"directory": "out", "formats": \(Self.formats)}, "jobs": [
              {"id": "j", "input": "\(RealData.folder)/\(name)", \(members)"range": {"start": 0, "end": 0.4},
               "graph": {"stages": [\(stages)]}}]}
            """, in: folder)
        #expect(found.isSuperset(of: expected))
    }
}
