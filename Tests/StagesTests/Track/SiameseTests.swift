import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// `track` with a pair of networks.
@Suite struct SiameseTests {
    private static let backbone = RealData.folder + "/models/nanotrack_v2_backbone.onnx"
    private static let head = RealData.folder + "/models/nanotrack_v2_head.onnx"

    private func failure(_ json: String) throws -> String? {
        do {
            _ = try TrackBlueprint(options: try stageOptions(json, directory: RealData.repository))
            return nil
        } catch let error as StageOptionError {
            return "\(error.option ?? "-"): \(error.message)"
        }
    }

    @Test(
        arguments: [
            (#"{"headModel": "h.onnx"}"#, "headModel: “headModel” without “model”; expected both"),
            (#"{"model": "b.onnx"}"#, "model: “model” without “headModel”; expected both"),
            (#"{"model": "b.onnx", "headModel": "h.onnx"}"#, "model: no file “b.onnx”; expected an ONNX model"),
            (
                #"{"model": "manifests/models/shapes.onnx", "headModel": "h.onnx"}"#,
                "headModel: no file “h.onnx”; expected an ONNX model"
            ),
            (
                #"{"model": "manifests/models/shapes.onnx", "headModel": "manifests/models/shapes.onnx"}"#,
                "headModel: “manifests/models/shapes.onnx” can't be used: it has 1 input; expected the template's features "
                    + "and the search window's"
            ),
        ])
    func optionsThatDontFit(json: String, expected: String) throws {
        #expect(try failure(json) == expected)
    }

    @Test(.enabled(if: RealData.isThere || RealData.isExpected, RealData.reason)) func backboneThatIsNone() throws {
        let said = try failure(#"{"model": "manifests/models/shapes.onnx", "headModel": "\#(Self.head)"}"#)
        #expect(
            said?.hasPrefix("model: “manifests/models/shapes.onnx” can't be used: it goes from f32 ") == true
                && said?.hasSuffix(
                    "; expected a backbone from one square picture [1,3,side,side] to one square of features "
                        + "[1,channels,cells,cells]") == true,
            "\(said ?? "")")
    }

    @Test(.enabled(if: RealData.isThere || RealData.isExpected, RealData.reason)) func sizesAreTheFiles() throws {
        let sizes = try SiameseModel(backbone: Self.backbone, head: Self.head).sizes
        #expect(
            sizes
                == SiameseModel.Sizes(
                    templateSide: 127, searchSide: 255, stride: 16, channels: 48, templateCells: 8, searchCells: 16,
                    scoreCells: 16, scoreChannels: 2))
    }

    /// A pedestrian that crosses, 36 pixels high: overlap with the benchmark's own truth, and the same again.
    @Test(.enabled(if: RealData.isThere || RealData.isExpected, RealData.reason)) func followsAndRepeats() throws {
        let folder = RealData.folder + "/tracking/crossing/"
        let truth = String(decoding: try Files.read(folder + "groundtruth.txt"), as: UTF8.self).split(separator: "\n")
            .map { line in
                let v = line.split(separator: ",").compactMap { Double($0) }
                return Box(x: v[1] - 1, y: v[2] - 1, width: v[3], height: v[4])
            }
        func follow() throws -> [Observation] {
            let json = #"{"model": "\#(Self.backbone)", "headModel": "\#(Self.head)"}"#
            var tracker = try TrackBlueprint(options: try stageOptions(json)).tracker(
                StageContext(
                    id: "t", width: 360, height: 240
                ).giving(
                    Region.self,
                    [Seed(id: "a", start: .frame(0), end: nil, polygon: truth[0].corners, keyframes: [])]))
            let source = try SourceReader(path: folder + "crossing.mp4", options: SourceOptions())
            var said: [Observation] = []
            while said.count < 40, let frame = try source.next() {
                said += try tracker.update((), StageInput(frame: frame))
            }
            return said
        }
        let said = try follow()
        #expect(said.count == 40)
        let overlaps = zip(said, truth).dropFirst().map { $0.box?.intersectionOverUnion($1) ?? 0 }
        #expect(overlaps.reduce(0, +) / Double(overlaps.count) > 0.7)
        #expect(said.dropFirst().allSatisfy { $0.confidence.map { $0 > 0.5 && $0 <= 1 } ?? false })
        let again = try follow()
        #expect(said.map(\.box) == again.map(\.box) && said.map(\.confidence) == again.map(\.confidence))
    }
}
