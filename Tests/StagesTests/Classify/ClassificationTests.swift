import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Photos through a whole batch, against another runtime's scores.
@Suite(
    .enabled(if: RealData.isThere, RealData.reason),
    .enabled(if: hasOpenVINO, "OpenVINO is neither in .deps/openvino nor where ANNOTATE_OPENVINO says"))
struct ClassificationTests {
    private static let images = ["fish.png", "hummingbird.jpg", "goldfish.jpg", "cat.jpg"]

    @Test(arguments: [("stretch", "stretch"), ("centercrop", "centerCrop")])
    func topFive(geometry: String, resize: String) throws {
        let folder = NSTemporaryDirectory() + "/annotate-classify-\(UUID().uuidString)"
        try Files.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let jobs = Self.images.map {
            "{\"input\": \"\(RealData.folder)/classify/\($0)\", \"graph\": \"g\", \"encode\": {\"codec\": \"none\"}}"
        }
        let manifest = """
            {"version": 1, "output": {"directory": "out"}, "graphs": {"g": {"stages": [
              {"id": "names", "type": "classify", "model": "\(RealData.folder)/models/squeezenet_fp32.onnx",
               "labels": "\(RealData.folder)/models/imagenet_labels.txt", "channelOrder": "bgr", "scale": 1,
               "resize": "\(resize)"}]}},
             "jobs": [\(jobs.joined(separator: ", "))]}
            """
        try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder + "/m.json"))
        let read = try ManifestReader(catalog: .standard).read(folder + "/m.json")
        let outcomes = try BatchRunner(
            manifest: read, options: RunOptions(), generator: "test 1", cancellation: Cancellation()
        ).run()
        #expect(outcomes.map(\.outcome.status) == Array(repeating: .done, count: Self.images.count))

        let expected = try RealData.table("classify/expected_top5.csv").filter { $0[2] == geometry }
        #expect(expected.count == Self.images.count)
        var compared = 0
        for row in expected {
            let labels = try labels(folder + "/out/\(Files.stem(of: row[0])).tracks.jsonl")
            #expect(labels.count == 5)
            let wanted = row[3...].joined(separator: ",").split(separator: "|").map { $0.split(separator: ":") }
            for (index, field) in wanted.enumerated() {
                let probability = try #require(Double(field[2]))
                guard probability > 0.01 else { continue }
                compared += 1
                #expect(labels[index].label.hasPrefix(field[1]), "\(row[0]) \(index): \(labels[index].label)")
                #expect(
                    abs(labels[index].confidence - probability) < 0.03,
                    "\(row[0]): \(labels[index].confidence), not \(probability)")
            }
        }
        #expect(compared == 8)
    }

    private func labels(_ trackFile: String) throws -> [ScoredLabel] {
        let observation = try #require(try frames(ofTrackFile: trackFile).first?.observations.first)
        return try #require(observation.finding(as: ClassificationFinding.self)).labels
    }
}

private let hasOpenVINO =
    Files.isDirectory(RealData.repository + "/.deps/openvino")
    || ProcessInfo.processInfo.environment["ANNOTATE_OPENVINO"] != nil
