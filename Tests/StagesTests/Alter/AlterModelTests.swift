import CFFmpeg
import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

private let hasOpenVINO =
    Files.isDirectory(RealData.repository + "/.deps/openvino")
    || ProcessInfo.processInfo.environment["ANNOTATE_OPENVINO"] != nil

/// Models that alter pictures, against another runtime's results.
@Suite(
    .enabled(if: RealData.isThere, RealData.reason),
    .enabled(if: hasOpenVINO, "OpenVINO is neither in .deps/openvino nor where ANNOTATE_OPENVINO says"))
struct AlterModelTests {
    private static let size = 224

    private func options(_ names: String...) throws -> WrittenOptions {
        let models = names.map { "\"\(RealData.folder)/models/\($0).onnx\"" }.joined(separator: ", ")
        return try stageOptions(#"{"models": [\#(models)], "channelOrder": "bgr", "interval": 0}"#)
    }

    /// Red, green and blue.
    private func expected(_ name: String) throws -> [UInt8] {
        let image = try ImageFile(path: RealData.folder + "/style/\(name).ort_224.png")
        try #require(image.width == Self.size && image.height == Self.size)
        return image.pixels
    }

    private func difference(_ a: [UInt8], _ b: [UInt8]) throws -> Double {
        try #require(a.count == b.count)
        return Double(zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }) / Double(a.count)
    }

    /// The whole photo as a quad with a track.
    private func alter(_ name: String, live: Bool = false) throws -> Emission {
        let frame = try photo(RealData.folder + "/style/DefaultImage_224.png")
        var options = try options(name + "_std_224")
        if live {
            let text =
                #"{"models": ["\#(RealData.folder)/models/\#(name)_std_224.onnx"], "channelOrder": "bgr", "live": true}"#
            options = try stageOptions(text)
        }
        let stage = try AlterBlueprint(options: options).makeStage(
            StageContext(id: "a", width: Self.size, height: Self.size))
        let edge = Double(Self.size) - 0.5
        let seen = Observation(
            RectangleFinding(), stage: "r", track: TrackReference(stage: "r", number: 1),
            polygon: [Point(-0.5, -0.5), Point(edge, -0.5), Point(edge, edge), Point(-0.5, edge)])
        return try #require(try emissions(stage, in: frame, inputs: [[Emission(seen)]]).first)
    }

    @Test(arguments: ["candy", "mosaic"], [false, true])
    func likeTheOtherRuntime(name: String, live: Bool) throws {
        let altered = try alter(name, live: live)
        #expect(altered.observation.finding(as: AlterationFinding.self)?.alteration.style == name + "_std_224")
        let picture = try #require(altered.attachment(as: AlteredPicture.self)).picture
        var pixels: [UInt8] = []
        for texel in picture.texels.prefix(Self.size * Self.size) { pixels += [texel.x, texel.y, texel.z] }
        let apart = try difference(pixels, try expected(name))
        #expect(apart < 0.1, "\(apart) grey levels")
    }

    /// Painted onto a 4:4:4 canvas and read back.
    @Test(arguments: ["candy", "mosaic"])
    func laidIntoTheQuad(name: String) throws {
        var altered = try alter(name)
        let canvas = try FrameBuffer(width: 320, height: 300, format: AV_PIX_FMT_YUV444P)
        canvas.av.pointee.color_range = AVCOL_RANGE_JPEG
        let corners = [Point(39.5, 29.5), Point(263.5, 29.5), Point(263.5, 253.5), Point(39.5, 253.5)]
        altered.observation.polygon = corners
        let drawn = DrawnObservation(
            altered.observation, style: AlterationFinding.style, attachment: altered.attachment)
        try canvas.withCanvas { canvas in try Annotator().draw([drawn], at: 0, onto: canvas) }
        let frame = VideoFrame(
            ordinal: 0, pts: MediaTime(ticks: 0, timeBase: Rational(1, 25)), duration: 1, picture: canvas, original: nil
        )
        let bgr = try frame.rectified(corners, to: PictureSize(width: Self.size, height: Self.size)).bgr
        var rgb = bgr
        for index in stride(from: 0, to: rgb.count - 2, by: 3) { rgb.swapAt(index, index + 2) }
        let apart = try difference(rgb, try expected(name))
        #expect(apart < 1, "\(apart) grey levels")
    }

    @Test func theHeaderNamesModelsAndPreprocessing() throws {
        let blueprint = try AlterBlueprint(options: options("candy_std_224", "mosaic_std_224"))
        var json = JSONWriter()
        json.value(JSONValue.object(blueprint.details))
        #expect(
            json.text.hasPrefix(
                #"{"models":[{"sha256":"f4b00bf3d247afd937c2b6f9452cd3cacb6f713be3c9738470984fb66cf99d68","#
                    + #""input":"f32 [1,3,224,224]","styles":1,"preprocessing":{"width":224,"height":224,"layout":"nchw","#
                    + #""channelOrder":"bgr","scale":1,"#))
    }

    private func complaint(_ json: String) throws -> String? {
        do {
            _ = try AlterBlueprint(options: stageOptions(json))
            return nil
        } catch let error as StageOptionError {
            return "\(error.option ?? "-"): \(error.message)".replacing(RealData.folder + "/models/", with: "")
        }
    }

    @Test func refused() throws {
        let models = RealData.folder + "/models/"
        #expect(
            try complaint(#"{"models": ["\#(models)candy_std_dyn.onnx"]}"#)
                == "models: “candy_std_dyn.onnx” can't be used: its input is f32 [1,3,?,?], which leaves the width open; "
                + "expected “size” [width, height]")
        #expect(
            try complaint(#"{"models": ["\#(models)squeezenet_fp32.onnx"]}"#)?.contains(
                "expected a picture of three channels")
                == true)
        #expect(try complaint(#"{"models": ["none.onnx"]}"#) == "models: no file “none.onnx”; expected an ONNX model")
        #expect(
            try complaint(#"{"models": ["\#(models)candy_std_224.onnx"], "modelStyles": 3}"#)
                == "models: “candy_std_224.onnx” can't be used: it has no second input; expected one for the style, or no "
                + "“modelStyles”")
    }

    @Test func openSizes() throws {
        let text =
            #"{"models": ["\#(RealData.folder)/models/candy_std_dyn.onnx"], "channelOrder": "bgr", "size": [96, 64]}"#
        #expect(try AlterBlueprint(options: stageOptions(text)).details.map(\.key) == ["models"])
        #expect(throws: StageOptionError.self) {
            try AlterBlueprint(options: stageOptions(text.replacing(#""size": [96, 64]"#, with: #""size": [96]"#)))
        }
    }
}
