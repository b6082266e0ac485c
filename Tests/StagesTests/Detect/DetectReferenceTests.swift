import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Detectors on photos through a whole batch, against another runtime's boxes.
@Suite(
    .enabled(if: RealData.isThere, RealData.reason),
    .enabled(if: hasOpenVINO, "OpenVINO is neither in .deps/openvino nor where ANNOTATE_OPENVINO says"))
struct DetectReferenceTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var file: String
        /// The rows of the reference that are its.
        var rows: String
        /// Of the stage, beyond the model.
        var options: String
        var decoder: String
        var testDescription: String { rows }
    }

    private static let coco = "\"labels\": \"\(RealData.folder)/detect/coco.txt\""
    static let cases = [
        Case(file: "yolox_nano", rows: "yolox_nano", options: "", decoder: "yolox"),
        Case(file: "FastestDet", rows: "FastestDet", options: "", decoder: "fastestdet"),
        // Nothing in the file says that its pictures are YOLOX's.
        Case(
            file: "yolox_nano_e2e", rows: "yolox_nano_e2e",
            options: ", \(coco), \"channelOrder\": \"bgr\", \"scale\": 1, \"resize\": \"fitTopLeft\"",
            decoder: "endToEnd"),
        Case(file: "yolox_nano_v8", rows: "yolox_nano_v8+centre", options: "", decoder: "yolov8"),
        Case(file: "yolox_nano_v8", rows: "yolox_nano_v8", options: ", \"resize\": \"fitTopLeft\"", decoder: "yolov8"),
        Case(file: "yolox_nano_rtdetr", rows: "yolox_nano_rtdetr+stretch", options: ", \(coco)", decoder: "rtdetr"),
        Case(
            file: "yolox_nano_rtdetr", rows: "yolox_nano_rtdetr", options: ", \(coco), \"resize\": \"fitTopLeft\"",
            decoder: "rtdetr"),
    ]

    private struct Row {
        var name: String
        var score: Double
        var box: Box
    }

    @Test(arguments: cases) func everyBox(_ tested: Case) throws {
        let folder = NSTemporaryDirectory() + "/annotate-detect-\(UUID().uuidString)"
        try Files.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rows = try RealData.table("detect/\(tested.file).reference.csv").filter { $0[1] == tested.rows }
        let photos = Set(try RealData.table("detect/\(tested.file).reference.csv").map { $0[0] }).sorted()
        #expect(photos.count == 8)
        let jobs = photos.map {
            "{\"input\": \"\(RealData.folder)/detect/\($0)\", \"graph\": \"g\", \"encode\": {\"codec\": \"none\"}}"
        }
        let manifest = """
            {"version": 1, "output": {"directory": "out"}, "graphs": {"g": {"stages": [
              {"id": "found", "type": "detect", "model": "\(RealData.folder)/detect/\(tested.file).onnx"\(tested.options)}]}},
             "jobs": [\(jobs.joined(separator: ", "))]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/m.json"))
        let read = try ManifestReader(catalog: .standard).read(folder + "/m.json")
        let outcomes = try BatchRunner(
            manifest: read, options: RunOptions(), generator: "test 1", cancellation: Cancellation()
        ).run()
        #expect(outcomes.map(\.outcome.status) == Array(repeating: .done, count: photos.count))
        var (compared, missed, new) = (0, [String](), [String]())
        for photo in photos {
            let expected = try rows.filter { $0[0] == photo }.map { fields in
                let numbers = fields[4...].compactMap(Double.init)
                try #require(numbers.count == 5)
                return Row(
                    name: fields[3], score: numbers[0],
                    box: Box(x: numbers[1], y: numbers[2], width: numbers[3], height: numbers[4]))
            }
            let trackFile = folder + "/out/\(Files.stem(of: photo)).tracks.jsonl"
            let found = try #require(try frames(ofTrackFile: trackFile).first?.observations)
            for row in expected where row.score >= 0.3 {
                compared += 1
                let near = found.filter { $0.label == row.name }.max { iou($0, row.box) < iou($1, row.box) }
                let overlap = near.map { iou($0, row.box) } ?? 0
                if overlap < 0.95 || abs((near?.confidence ?? 0) - row.score) > 0.02 {
                    missed.append("\(photo): \(row) has \(overlap)")
                }
            }
            for observation in found where observation.confidence ?? 0 >= 0.3 {
                let isKnown = expected.contains { $0.name == observation.label && iou(observation, $0.box) >= 0.95 }
                if !isKnown { new.append("\(photo): \(observation.label ?? "?") \(observation.confidence ?? 0)") }
            }
        }
        // FFmpeg's JPEG decoder and the one of the reference differ by 1 to 3 here and there: of boxes of nearly the same score
        // another one may stay. With the reference's own pixels every box is the same.
        #expect(missed.count <= 2, "\(missed)")
        #expect(new.count <= 2, "\(new)")
        #expect(compared > 50)
        let header = try TrackFileReader(
            path: folder + "/out/\(Files.stem(of: photos[0])).tracks.jsonl", kinds: StageCatalog.standard.findings
        ).header
        let reader = header.stages[0].details.first { $0.key == "reader" }?.value
        #expect(reader?["decoder"]?.string == tested.decoder)
    }

    private func iou(_ observation: Observation, _ box: Box) -> Double {
        observation.box?.intersectionOverUnion(box) ?? 0
    }
}

private let hasOpenVINO =
    Files.isDirectory(RealData.repository + "/.deps/openvino")
    || ProcessInfo.processInfo.environment["ANNOTATE_OPENVINO"] != nil
