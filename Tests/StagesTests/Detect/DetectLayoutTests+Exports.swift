import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What exporters write that shapes alone don't tell.
extension DetectLayoutTests {
    private static func told(_ network: ONNXWriter, task: String, _ more: [(String, String)] = []) -> ONNXWriter {
        var network = network
        network.metadata = [("task", task), ("stride", "32"), ("end2end", "False"), names] + more
        return network
    }

    /// Centres and corners in rows of six: the file says which, or the boxes do.
    @Test func rowsOfCentres() throws {
        for network in [
            TinyDetectors.rtdetrRows(),
            Self.told(TinyDetectors.rtdetrRows(), task: "detect", [("head", "RTDETRDecoder")]),
            Self.told(
                TinyDetectors.rtdetrRows(), task: "detect",
                [("description", "Ultralytics rtdetr-l model trained on x.yaml")]),
        ] {
            let detector = try detector(network)
            #expect(detector.reading.layout == .rtdetr && detector.preparation.resize == .stretch)
            expectThings(try things(detector), "\(network.metadata)")
        }
    }

    /// What the metadata says and the outputs haven't.
    @Test func metadataThatDoesNotFit() throws {
        for (task, parts) in [("segment", "masks"), ("pose", "points"), ("obb", "angles")] {
            let error = #expect(throws: InferenceError.self) {
                // Twenty things as YOLOv10 has them: nothing beside the box.
                try detector(Self.told(TinyDetectors.endToEnd(), task: task))
            }
            #expect(
                error?.description
                    == "its metadata says that its task is “\(task)”, and its outputs are output0 f32 [1,20,6]; expected "
                    + "\(parts) among them, or “decoder” for how they are read")
        }
    }

    /// Whatever the metadata says, scores that are no parts of 1 are none: all would be surer than sure, or nothing ever found.
    @Test func scoresBeforeTheirSigmoid() throws {
        var network = Self.told(TinyDetectors.yolov8(), task: "detect")
        var table = network.outputs[0]
        for place in 4 * 84..<table.values.count {
            let value = min(max(table.values[place], 0.001), 0.999)
            table.values[place] = logf(value / (1 - value))
        }
        network.outputs = [table]
        let error = #expect(throws: InferenceError.self) { try detector(network) }
        #expect(error?.description.contains("and its scores go from -") == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix("0 to 1: an export with its last sigmoid") == true)
    }

    /// TensorFlow's graphs under the names that version 2 gives their outputs: classes from 1, also where those of TensorFlow Lite's
    /// files are called so. One number is told as one.
    @Test func namesOfTensorFlow2() throws {
        var network = TinyDetectors.tensorflow()
        for (index, number) in [1, 3, 0, 2].enumerated() {
            network.outputs[index].name = "StatefulPartitionedCall:\(number)"
        }
        // Nothing of class 0 is seen in any picture.
        network.outputs[1].values = network.outputs[1].values.map { max($0 - 1, 1) }
        network.outputs[3].shape = []
        let detector = try detector(network)
        #expect(detector.reading.layout == .tensorflow)
        #expect(try things(detector).map(\.label) == [1, 0])
        #expect(detector.reading.reasons.contains { $0.hasSuffix("classes from 1") })
    }

    /// Rows of which there are none for the picture that is made up say nothing of their order.
    @Test func rowsThatAreNotThere() throws {
        let network = ONNXWriter(outputs: [ONNXWriter.Output(name: "output", shape: [0, 6], values: [])])
        let error = #expect(throws: InferenceError.self) { try detector(network) }
        #expect(
            error?.description.hasSuffix("which can be read as “endToEnd” and “paddle”; say which by “decoder”") == true
        )
    }

    /// Segments, joints, depth and writing aren't boxes.
    @Test(arguments: [
        [1, 21, 8, 8], [1, 21, 4, 4], [1, 17, 16, 12], [1, 1, 64, 64], [1, 40, 97], [1, 24, 8, 8],
    ]) func whatIsNoDetector(shape: [Int]) throws {
        let count = shape.reduce(1, *)
        let isPlane = shape.count == 4
        let (numbers, step) = isPlane ? (shape[1], shape[2] * shape[3]) : (shape[2], 1)
        // Probabilities of what each place is.
        var values = (0..<count).map { index -> Float in
            let number: Int = index * 7919 % 101 + 1
            return Float(number) / 102
        }
        for place in 0..<count / numbers where numbers > 1 {
            let start = isPlane ? place : place * numbers
            let sum = (0..<numbers).reduce(Float(0)) { $0 + values[start + $1 * step] }
            for number in 0..<numbers { values[start + number * step] /= sum }
        }
        let network = ONNXWriter(outputs: [ONNXWriter.Output(name: "out", shape: shape, values: values)])
        let error = #expect(throws: InferenceError.self) { try detector(network) }
        #expect(error?.description.contains("expected those of a detector") == true, "\(error?.description ?? "")")
    }

    /// The sizes of anchors stand in no file, however many classes there are.
    @Test(arguments: [1, 3, 80]) func gridsOfAnchors(classes: Int) throws {
        let outputs = [8, 4, 2].map { side in
            ONNXWriter.Output(
                name: "p\(side)", shape: [1, 3 * (5 + classes), side, side],
                values: (0..<3 * (5 + classes) * side * side).map { Float($0 % 11) - 5 })
        }
        let error = #expect(throws: InferenceError.self) { try detector(ONNXWriter(outputs: outputs)) }
        #expect(error?.description.contains("grids of three anchors a cell") == true, "\(error?.description ?? "")")
    }

    /// A table that lies on its side has no thousands of classes.
    @Test func aWordThatCannotBeRight() throws {
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = .yolov5
        let network = ONNXWriter(outputs: [
            ONNXWriter.Output(name: "output0", shape: [1, 7, 8400], values: (0..<7 * 8400).map { Float($0 % 640) })
        ])
        let error = #expect(throws: InferenceError.self) { try detector(network, wishes) }
        #expect(error?.description.contains("“decoder” “yolov5” expects") == true)
    }

    /// YOLO26 has sizes below 0, and angles beyond a turn, where it sees nothing.
    @Test func oddNumbersWhereNothingIs() throws {
        var network = Self.told(TinyDetectors.yolov8(), task: "detect")
        var table = network.outputs[0]
        for place in 0..<84 where table.values[2 * 84 + place] == 4 { table.values[2 * 84 + place] = -3 }
        network.outputs = [table]
        let detector = try detector(network)
        #expect(detector.reading.layout == .yolov8 && detector.reading.reasons.first == "metadata")
        expectThings(try things(detector), "sizes below 0")
        network.metadata = []
        #expect(throws: InferenceError.self) { try self.detector(network) }

        let turned = Self.told(TinyDetectors.yolov8([[0.5], [-0.4]], blank: [7]), task: "obb")
        let second = try self.detector(turned)
        #expect(second.reading.layout == .yolov8Obb)
        #expect(try things(second).map { $0.corners?.count } == [4, 4])
    }

    /// An open input is no larger than the picture needs.
    @Test func openInputs() throws {
        var network = TinyDetectors.yolov8()
        network.inputShape = [1, 3, -1, -1]
        network.metadata = [("task", "detect"), ("stride", "32"), ("imgsz", "[640, 640]"), Self.names]
        let detector = try detector(network)
        let frame = try grayFrame([UInt8](repeating: 90, count: 1920 * 1080), width: 1920, height: 1080)
        let seen = try detector.things(
            in: frame, FramePart(x: 0, y: 0, width: 1920, height: 1080), ScoreLimits(byClass: [], others: 0.3)
        ).things
        // 640 × 384, and 12 rows of grey above the picture, which is a third of its size.
        #expect(
            prettyJSON(detector.preparationJSON).contains("\"multipleOf\": 32") && seen.map(\.label) == [2, 0])
        let boxes = TinyDetectors.things.map { thing in
            Box(
                x: 3 * Double(thing.box.left), y: max(0, 3 * (Double(thing.box.top) - 12)),
                width: 3 * Double(thing.size.width),
                height: 3 * (Double(thing.box.bottom) - max(12, Double(thing.box.top))))
        }
        for (box, found) in zip(boxes, seen) { #expect(box.intersectionOverUnion(found.box) > 0.999, "\(found)") }
    }

    /// TensorFlow Lite with floats, and with bytes as its pictures, its output or both.
    @Test(arguments: [(0, 0), (3, 0), (0, 3), (9, 9), (3, 3)]) func tensorFlowLite(input: Int, output: Int) throws {
        var network = TinyDetectors.yolov8Lite()
        (network.inputType, network.outputType) = (input, output)
        (network.scale, network.zeroPoint) = (1 / 255, output == 9 ? -128 : 0)
        let folder = NSTemporaryDirectory() + "/tiny-\(UUID().uuidString)"
        try Files.makeDirectory(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let detector = try ObjectDetector(path: network.write(to: folder), ObjectDetector.Wishes())
        #expect(detector.reading.layout == .yolov8 && detector.input.layout == .nhwc)
        #expect(detector.preparation.scale == (input == 0 ? 1.0 / 255 : 1))
        #expect(detector.preparation.mean == (input == 9 ? [128, 128, 128] : [0, 0, 0]))
        let seen = try things(detector)
        #expect(seen.map(\.label) == [2, 0])
        for (thing, found) in zip(TinyDetectors.things, seen) {
            let box = thing.box
            let truth = [box.left, box.top, box.right, box.bottom].map(Double.init)
            let told = [found.box.x, found.box.y, found.box.right, found.box.bottom]
            // Half a step of a byte for the centre, and for half of the size.
            #expect(zip(truth, told).allSatisfy { abs($0 - $1) < (output == 0 ? 0.02 : 0.2) }, "\(told), not \(truth)")
            #expect(abs(found.score - Double(thing.score)) < 0.003)
        }
    }

    /// RF-DETR's have a mask a query, in logits.
    @Test func masksOfQueries() throws {
        var network = TinyDetectors.queries("dets", "labels", classes: 4)
        network.outputs.append(TinyDetectors.masksOfQueries())
        let detector = try detector(network)
        #expect(detector.reading.layout == .rfdetr, "\(detector.reading.reasons)")
        let seen = try things(detector)
        expectThings(seen, "masks of queries")
        for (thing, found) in zip(TinyDetectors.things, seen) {
            let mask = try #require(found.mask)
            // The left half of each.
            let middle = Int(thing.center.x)
            for span in mask.spans { #expect(span.x < middle) }
            #expect(mask.area == (middle - mask.box.x) * mask.box.height, "\(mask.area)")
        }
    }

    /// What TensorFlow Lite makes of a graph counts classes from 0, whatever the look at it sees.
    @Test(arguments: [0, 1, 2]) func liteClassesCountFromZero(label: Int) throws {
        let detector = try detector(TinyDetectors.lite(label: label))
        #expect(detector.reading.layout == .tensorflow)
        let seen = try things(detector)
        #expect(seen.map(\.label) == [label] && abs((seen.first?.box.x ?? 0) - 12.8) < 1e-3)
    }

    /// What the inputs beside the picture get, in their order.
    @Test func companions() throws {
        func values(_ ports: [(String, [Int])]) throws -> [[Float]] {
            let ports = ports.map { InferenceModel.Port(name: $0.0, element: "f32", shape: $0.1) }
            let input = try DetectorInput(ports, DetectorInput.Wishes())
            let tensors = input.tensors([9], width: 6, height: 4)
            for (port, tensor) in zip(ports, tensors) where port.name != "image" {
                #expect(tensor.shape.count == port.shape.count)
            }
            return tensors.map(\.values)
        }
        let picture = ("image", [1, 3, 64, 64])
        #expect(
            try values([("im_shape", [-1, 2]), picture, ("scale_factor", [-1, 2])]) == [[4, 6], [9], [1, 1]])
        #expect(try values([picture, ("orig_target_sizes", [1, 2])]) == [[9], [6, 4]])
        #expect(try values([("image_shape", [2]), picture]) == [[4, 6], [9]])
        #expect(try values([picture, ("im_info", [1, 3])]) == [[9], [4, 6, 1]])
        let mask = try values([("pixel_mask", [-1, -1, -1]), picture])
        #expect(mask == [[Float](repeating: 1, count: 24), [9]])
    }

    @Test func damagedLiteFiles() throws {
        var network = TinyDetectors.yolov8Lite()
        (network.outputType, network.scale, network.zeroPoint) = (3, 0.5, 7)
        let bytes = network.bytes()
        let quantization = TFLiteFile.Quantization(scale: 0.5, zeroPoint: 7)
        #expect(TFLiteFile(bytes)?.outputs == ["Identity": quantization])
        #expect(TFLiteFile(Array("neither".utf8)) == nil)
        #expect(TFLiteFile.isWhole(bytes) && TFLiteFile.isWhole(Array("neither".utf8)))
        for length in stride(from: 9, to: bytes.count, by: 13) {
            _ = TFLiteFile(Array(bytes.prefix(length)))
            #expect(!TFLiteFile.isWhole(Array(bytes.prefix(length))), "\(length) of \(bytes.count)")
        }
        for place in stride(from: 8, to: bytes.count, by: 5) {
            var other = bytes
            other[place] = 0xFF
            _ = TFLiteFile(other)
            _ = TFLiteFile.isWhole(other)
        }
    }

    /// YOLO-NAS of one class, whose scores are a column, and of four, which look like boxes: as that of many.
    @Test(arguments: [1, 4]) func fewClassesOfNAS(classes: Int) throws {
        var network = TinyDetectors.yolonas()
        let scores = network.outputs[1]
        let all = scores.shape[2]
        let rows = stride(from: 0, to: scores.values.count, by: all).map { Array(scores.values[$0..<$0 + all]) }
        network.outputs[1].shape[2] = classes
        network.outputs[1].values = rows.flatMap { row in
            classes == 1 ? [row.max() ?? 0] : row + [Float](repeating: 0.01, count: classes - all)
        }
        for decoder in ["auto", "yolonas"] {
            var wishes = ObjectDetector.Wishes()
            wishes.decoder = try #require(DetectorLayout(rawValue: decoder))
            let detector = try detector(network, wishes)
            #expect(detector.reading.layout == .yolonas && detector.reading.classes == classes, "\(decoder)")
            #expect(detector.preparation.resize == .fit && detector.suppresses)
        }
    }

    /// The best class of every place, corner to corner, as exports for DeepStream have it.
    @Test func placesThatNobodySuppressed() throws {
        var network = TinyDetectors.yolonas()
        let (boxes, scores) = (network.outputs[0], network.outputs[1])
        let all = scores.shape[2]
        let places = boxes.shape[1]
        network.outputs = [boxes]
        // Enough places that no list of things has so many.
        let times = 1 + 3000 / places
        let rows = (0..<places).flatMap { place -> [Float] in
            let row = scores.values[place * all..<(place + 1) * all]
            let best = row.indices.max { row[$0] < row[$1] } ?? row.startIndex
            return Array(boxes.values[place * 4..<place * 4 + 4]) + [row[best], Float(best - row.startIndex)]
        }
        network.outputs[0].shape = [1, 3 * times * places, 6]
        network.outputs[0].values = (0..<3 * times).flatMap { _ in rows }
        for decoder in ["auto", "endToEnd"] {
            var wishes = ObjectDetector.Wishes()
            wishes.decoder = try #require(DetectorLayout(rawValue: decoder))
            let detector = try detector(network, wishes)
            #expect(detector.reading.layout == .endToEnd && detector.suppresses && detector.preparation.resize == .fit)
            expectThings(try things(detector), decoder)
        }
    }

    /// YOLO's own suppression has names; what has it is made pictures for as YOLO is.
    @Test func namesOfSuppression() throws {
        var network = TinyDetectors.tensorflow2()
        network.outputs = [1, 2, 4].map { network.outputs[$0] }
        for (index, name) in ["det_boxes", "det_classes", "det_scores"].enumerated() {
            network.outputs[index].name = name
        }
        network.outputs[0].values = network.outputs[0].values.map { $0 * 64 }
        #expect(try detector(network).preparation.resize == .fit)
    }
}
