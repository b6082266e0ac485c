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

/// Every layout is recognised by itself, and its boxes are where they were put.
@Suite(.enabled(if: hasOpenVINO, "OpenVINO is neither in .deps/openvino nor where ANNOTATE_OPENVINO says"))
struct DetectLayoutTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var decoder: String
        var network: @Sendable () -> ONNXWriter
        var note = ""
        var testDescription: String { decoder + note }
    }

    static let names = ("names", "{0: 'a', 1: 'b', 2: 'c'}")

    static let cases: [Case] = [
        Case(decoder: "yolov8") { TinyDetectors.yolov8() },
        Case(decoder: "yolov5") { TinyDetectors.yolov5() },
        Case(decoder: "yolox") { TinyDetectors.yolox() },
        Case(decoder: "endToEnd") { TinyDetectors.endToEnd() },
        Case(decoder: "yolov7-endToEnd") { TinyDetectors.yolov7EndToEnd() },
        Case(decoder: "ssd") { TinyDetectors.ssd() },
        Case(decoder: "fastestdet") { TinyDetectors.fastestdet() },
        Case(decoder: "nanodet-plus") { TinyDetectors.nanodetPlus() },
        Case(decoder: "nanodet") { TinyDetectors.nanodet() },
        Case(decoder: "yolov8-heads") { TinyDetectors.yolov8Heads() },
        Case(decoder: "rtdetr") { TinyDetectors.rtdetr() },
        // Three classes and a column more: logits shaped like boxes.
        Case(
            decoder: "rfdetr", network: { TinyDetectors.queries("dets", "labels", classes: 4) }, note: " of 3 classes"),
        Case(decoder: "rfdetr", network: { TinyDetectors.queries("x", "y", classes: 91) }, note: " of 91 columns"),
        Case(decoder: "rtdetr-logits") { TinyDetectors.queries("pred_boxes", "logits", classes: 80) },
        Case(decoder: "detr") { TinyDetectors.queries("pred_boxes", "logits", classes: 92, none: 9) },
        Case(decoder: "yolonas") { TinyDetectors.yolonas() },
        Case(decoder: "tensorflow") { TinyDetectors.tensorflow() },
        Case(decoder: "tensorflow") { TinyDetectors.tensorflow2() },
        Case(decoder: "boxes", network: { TinyDetectors.torchvision() }, note: " and labels"),
        Case(decoder: "boxes", network: { TinyDetectors.scoredBoxes() }, note: " with scores"),
        Case(decoder: "boxes", network: { TinyDetectors.denseSSD() }, note: " with a class for none"),
        Case(decoder: "boxes", network: { TinyDetectors.surestClasses() }, note: " a place each"),
        Case(decoder: "yolonas", network: { TinyDetectors.rowsOfClasses() }, note: " a row a class"),
        Case(decoder: "boxes", network: { TinyDetectors.cutColumns() }, note: " in columns"),
        Case(decoder: "yolov3") { TinyDetectors.yolov3() },
        Case(decoder: "yolov7-endToEnd", network: { TinyDetectors.flatPredictions() }, note: " with the class behind"),
        Case(decoder: "efficientdet") { TinyDetectors.efficientdet() },
        Case(decoder: "efficientdet", network: { TinyDetectors.efficientdet("a") }, note: " without a name"),
        Case(decoder: "paddle") { TinyDetectors.paddle() },
        Case(decoder: "torchvision") { TinyDetectors.torchvisionFromOne() },
        Case(decoder: "yolov8-heads", network: { TinyDetectors.threefoldHeads() }, note: " with sums"),
        Case(
            decoder: "yolov8",
            network: {
                var network = TinyDetectors.yolov8()
                network.metadata = [("task", "detect"), ("stride", "32"), names]
                return network
            }, note: " by metadata"),
    ]

    func detector(
        _ network: ONNXWriter, _ wishes: ObjectDetector.Wishes = ObjectDetector.Wishes()
    ) throws -> ObjectDetector {
        let folder = NSTemporaryDirectory() + "/tiny-\(UUID().uuidString)"
        try Files.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try ObjectDetector(path: network.write(to: folder), wishes)
    }

    /// What is seen in a grey frame of the input's own size: 1 : 1.
    func things(_ detector: ObjectDetector, _ limits: Double = 0.3) throws -> [DetectedThing] {
        let frame = try grayFrame([UInt8](repeating: 90, count: 64 * 64), width: 64, height: 64)
        return try detector.things(
            in: frame, FramePart(x: 0, y: 0, width: 64, height: 64),
            ScoreLimits(byClass: [], others: Float(limits))
        ).things
    }

    func expectThings(_ seen: [DetectedThing], _ note: String, tolerance: Double = 0.02) {
        #expect(seen.count == TinyDetectors.things.count, "\(note): \(seen)")
        for (thing, found) in zip(TinyDetectors.things, seen) {
            let box = thing.box
            let truth = [box.left, box.top, box.right, box.bottom].map(Double.init)
            let told = [found.box.x, found.box.y, found.box.right, found.box.bottom]
            #expect(zip(truth, told).allSatisfy { abs($0 - $1) < tolerance }, "\(note): \(told), not \(truth)")
            #expect(found.label == thing.label, "\(note)")
            #expect(abs(found.score - Double(thing.score)) < 0.002, "\(note): \(found.score)")
        }
    }

    @Test(arguments: cases) func isRecognised(_ tested: Case) throws {
        let detector = try detector(tested.network())
        #expect(detector.reading.layout.rawValue == tested.decoder, "\(detector.reading.reasons)")
        expectThings(try things(detector), tested.testDescription)
    }

    /// The word says the same as the look.
    @Test(arguments: cases) func isReadAsItIsTold(_ tested: Case) throws {
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = try #require(DetectorLayout(rawValue: tested.decoder))
        expectThings(try things(detector(tested.network(), wishes)), tested.testDescription)
    }

    /// Values that are neither shares nor places.
    private static func features(_ count: Int) -> [Float] {
        (0..<count).map { number -> Float in Float(number % 9 * 3 - 13) }
    }

    /// What a network gives besides, before and behind what counts, is no objection where it is said how it is read.
    @Test(arguments: cases) func isReadBesideOthers(_ tested: Case) throws {
        var network = tested.network()
        let features = Self.features(2 * 7 * 5)
        network.outputs.insert(ONNXWriter.Output(name: "features", shape: [1, 2, 7, 5], values: features), at: 0)
        network.outputs.append(
            ONNXWriter.Output(name: "embedding", shape: [1, 11], values: Array(features.prefix(11))))
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = try #require(DetectorLayout(rawValue: tested.decoder))
        let detector = try detector(network, wishes)
        expectThings(try things(detector), tested.testDescription)
        // Lists find what they need by themselves.
        let reasons = detector.reading.reasons
        #expect(reasons == ["“decoder”"] || reasons == ["“decoder”", "without “features”, “embedding”"], "\(reasons)")
    }

    /// Nor is it where the file says what the network is for: not pictures for masks of some of the classes.
    @Test func isReadBesideFeatures() throws {
        var network = TinyDetectors.yolov8()
        network.metadata = [("task", "detect"), ("stride", "32"), Self.names]
        let features = Self.features(2 * 8 * 8)
        network.outputs.append(ONNXWriter.Output(name: "features", shape: [1, 2, 8, 8], values: features))
        let detector = try detector(network)
        expectThings(try things(detector), "by metadata")
        #expect(detector.reading.layout == .yolov8 && detector.reading.classes == 3)
    }

    /// Two outputs that are read alike: nobody can tell which is meant.
    @Test func twins() throws {
        var (network, wishes) = (TinyDetectors.yolov8(), ObjectDetector.Wishes())
        var twin = network.outputs[0]
        // Not the very same, which the runtime would make one.
        (twin.name, twin.values[0]) = ("auxiliary", twin.values[0] + 1)
        network.outputs.append(twin)
        wishes.decoder = .yolov8
        let shape = "f32 [1,7,84]"
        let words = try refusal(network, wishes)
        #expect(
            words
                == "its outputs are output0 \(shape), auxiliary \(shape), of which each of “output0”; “auxiliary” can be read as "
                + "“yolov8”; expected an export without the others")
        #expect(try refusal(network) == words)
    }

    /// Points of two numbers, by what they are alone; what masks are made of is none.
    @Test func jointsWithoutConfidences() throws {
        let points: [[Float]] = [[5, 7, 19, 25], [31, 35, 57, 61]]
        let detector = try detector(TinyDetectors.endToEnd(points))
        #expect(detector.reading.layout == .endToEndPose)
        let seen = try things(detector)
        expectThings(seen, "two numbers")
        for (numbers, found) in zip(points, seen) {
            #expect(found.joints.map(\.point.x) == [Double(numbers[0]) - 0.5, Double(numbers[2]) - 0.5])
            #expect(found.joints.map(\.point.y) == [Double(numbers[1]) - 0.5, Double(numbers[3]) - 0.5])
        }
        #expect(
            try refusal(TinyDetectors.endToEnd([[0.5, -1, 2, 1], [1, 0.25, -0.5, 1]])).contains("has a word for"))
    }

    // MARK: Parts

    @Test func masks() throws {
        let tables = [
            ("yolov8-seg", TinyDetectors.yolov8(TinyDetectors.coefficients, blank: [0, 0])),
            ("endToEnd-seg", TinyDetectors.endToEnd(TinyDetectors.coefficients)),
        ]
        for (decoder, table) in tables {
            var network = table
            network.outputs.append(TinyDetectors.pictures())
            let detector = try detector(network)
            #expect(detector.reading.layout.rawValue == decoder)
            let seen = try things(detector)
            expectThings(seen, decoder)
            for (thing, found) in zip(TinyDetectors.things, seen) {
                let mask = try #require(found.mask)
                #expect(mask.box == found.box.pixels)
                // The left half of each.
                let middle = Int(thing.center.x)
                for span in mask.spans { #expect(span.x < middle && span.rows == mask.box.y..<mask.box.bottom) }
                #expect(mask.area == (middle - mask.box.x) * mask.box.height, "\(decoder): \(mask.area)")
            }
        }
    }

    @Test func joints() throws {
        let points: [[Float]] = [[5, 7, 0.8, 19, 25, 0.4], [31, 35, 0.9, 57, 61, 0.1]]
        for (decoder, network) in [
            ("yolov8-pose", TinyDetectors.yolov8(points, blank: [9, 9, 0, 40, 40, 0])),
            ("endToEnd-pose", TinyDetectors.endToEnd(points)), ("yolov7-pose", TinyDetectors.yolov7Pose(points)),
        ] {
            var told = network
            told.metadata = [
                ("task", "pose"), ("kpt_shape", "[2, 3]"), ("end2end", decoder.hasPrefix("end") ? "True" : "False"),
                ("stride", "32"), ("names", "{0: 'a', 1: 'b', 2: 'c'}"),
            ]
            for network in ["yolov8-pose": [network, told], "yolov7-pose": [network]][decoder] ?? [told] {
                let detector = try detector(network)
                #expect(detector.reading.layout.rawValue == decoder)
                let seen = try things(detector)
                expectThings(seen, decoder)
                for (numbers, found) in zip(points, seen) {
                    #expect(found.joints.count == 2)
                    for (index, joint) in found.joints.enumerated() {
                        let (x, y, sure) = (numbers[3 * index], numbers[3 * index + 1], numbers[3 * index + 2])
                        // Integer coordinates are pixel centres.
                        #expect(joint.point.distance(to: Point(Double(x) - 0.5, Double(y) - 0.5)) < 0.01)
                        #expect(abs(joint.confidence - Double(sure)) < 1e-3)
                    }
                }
            }
        }
    }

    @Test func turnedBoxes() throws {
        let angles: [[Float]] = [[.pi / 6], [-.pi / 8]]
        for (decoder, network) in [
            ("yolov8-obb", TinyDetectors.yolov8(angles, blank: [2])),
            ("endToEnd-obb", TinyDetectors.endToEnd(angles, turned: [])),
        ] {
            let detector = try detector(network)
            #expect(detector.reading.layout.rawValue == decoder)
            let seen = try things(detector)
            #expect(seen.count == 2)
            for (index, (thing, found)) in zip(TinyDetectors.things, seen).enumerated() {
                let corners = try #require(found.corners)
                let truth = TurnedBox(
                    center: Point(Double(thing.center.x) - 0.5, Double(thing.center.y) - 0.5),
                    width: Double(thing.size.width), height: Double(thing.size.height),
                    angle: Double(angles[index][0]) * 180 / .pi)
                #expect(distance(truth.corners, corners) < 0.01, "\(decoder)")
                #expect(abs((found.angle ?? 0) - truth.angle) < 0.01)
                #expect(found.label == thing.label)
            }
        }
    }

    // MARK: Refusals

    private func refusal(_ network: ONNXWriter, _ wishes: ObjectDetector.Wishes = ObjectDetector.Wishes()) throws
        -> String
    {
        let error = #expect(throws: InferenceError.self) { try detector(network, wishes) }
        return error?.description ?? ""
    }

    @Test func refusals() throws {
        var network = ONNXWriter(outputs: [
            ONNXWriter.Output(name: "y", shape: [1, 7], values: [Float](repeating: 0.1, count: 7))
        ])
        #expect(
            try refusal(network)
                == "its outputs are y f32 [1,7]; expected those of a detector that “decoder” has a word for")
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = .yolox
        #expect(
            try refusal(network, wishes)
                == "its outputs are y f32 [1,7]; “decoder” “yolox” expects [1,N,5+classes], N being the cells of the strides "
                + "8, 16 and 32")
        network = TinyDetectors.yolov8()
        network.inputShape = [4, 3, 64, 64]
        #expect(try refusal(network) == "its input is f32 [4,3,64,64], a batch of 4; expected a batch of 1")
        network.inputShape = [1, 2, 64, 64]
        #expect(try refusal(network) == "its input is f32 [1,2,64,64], 2 channels as nchw; expected 3, or 1 for grey")
        network.inputShape = [1, 3, 64, 64]
        network.inputType = 4
        #expect(
            try refusal(network)
                == "its input is u16 [1,3,64,64]; expected f32, f16, u8 or i8, since pictures are given with 8 bits a component"
        )
        network.inputType = 1
        wishes = ObjectDetector.Wishes()
        wishes.size = (320, 64)
        #expect(
            try refusal(network, wishes)
                == "its input is f32 [1,3,64,64]; “size” asks for a width of 320, expected 64")
        wishes = ObjectDetector.Wishes()
        wishes.channelOrder = .gray
        #expect(
            try refusal(network, wishes) == "its input is f32 [1,3,64,64], 3 channels; “channelOrder” “gray” gives 1")
        network.inputShape = [1, 1, 64, 64]
        wishes.channelOrder = .bgr
        #expect(try refusal(network, wishes) == "its input is f32 [1,1,64,64], 1 channel; “channelOrder” “bgr” gives 3")
        wishes.channelOrder = nil
        wishes.mean = [10, 20, 30]
        #expect(
            try refusal(network, wishes)
                == "its input is f32 [1,1,64,64], 1 channel; “mean” has 3 numbers: expected one")
        // Anchors' sizes are in no file.
        for (numbers, isCut) in [(85, true), (85, false)] {
            let network = TinyDetectors.anchors(numbers: numbers, isCut: isCut)
            let outputs = network.outputs.map { output in
                "\(output.name) f32 [\(output.shape.map(String.init).joined(separator: ","))]"
            }
            #expect(
                try refusal(network)
                    == "its outputs are \(outputs.joined(separator: ", ")), grids of three anchors a cell, and the anchors' sizes "
                    + "are not in the file; expected an export whose boxes are decoded: [1,N,5+classes]")
        }
        // Whether its classes count from 1, numbers for names don't say.
        #expect(
            try refusal(TinyDetectors.torchvisionFromOne(["7", "8", "9"]))
                == "its outputs are 7 f32 [2,4], 8 i64 [2], 9 f32 [2], which can be read as “boxes” and “torchvision”; say which "
                + "by “decoder”")
        network = TinyDetectors.yolov8()
        network.others = [("anchors", [3, 4])]
        #expect(
            try refusal(network)
                == "its inputs are images f32 [1,3,64,64], anchors f32 [3,4]; expected a picture, and beside it at most its size "
                + "as [1,2], the factors that it was scaled by as [1,2], and a mask of where it is")
        // Logits of four classes and boxes: nothing says whether the last class is one.
        #expect(
            try refusal(TinyDetectors.queries("x", "y", classes: 7))
                == "its outputs are x f32 [1,30,4], y f32 [1,30,7], which can be read as “rfdetr” and “rtdetr-logits”; say which "
                + "by “decoder”")
    }

    /// Grey pictures, bytes and half floats are served.
    @Test(arguments: [
        ([1, 1, 64, 64], 1), ([1, 3, 64, 64], 10), ([1, 64, 64, 3], 2), ([1, 1, 64, 64], 2), ([-1, 3, 64, 64], 1),
    ])
    func inputs(shape: [Int], type: Int) throws {
        var network = TinyDetectors.yolov8()
        (network.inputShape, network.inputType) = (shape, type)
        let detector = try detector(network)
        #expect(detector.preparation.channelOrder == (shape[1] == 1 ? .gray : .rgb))
        #expect(detector.preparation.scale == (type == 2 ? 1 : 1.0 / 255))
        expectThings(try things(detector), "\(shape) \(type)")
    }
}
