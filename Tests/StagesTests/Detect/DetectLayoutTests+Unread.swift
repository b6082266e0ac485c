import Foundation
import Testing

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// What a reading would leave unread, and tables of something else.
extension DetectLayoutTests {
    private typealias Output = ONNXWriter.Output

    private static func output(_ name: String, _ shape: [Int], _ value: (Int) -> Float) -> Output {
        Output(name: name, shape: shape, values: (0..<shape.reduce(1, *)).map(value))
    }

    private func words(_ network: ONNXWriter, _ decoder: DetectorLayout = .auto) -> String {
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = decoder
        do {
            return "read as \(try detector(network, wishes).reading)"
        } catch {
            return "\(error)"
        }
    }

    private static let unknown = "; expected those of a detector that “decoder” has a word for"

    /// Scores and distances for each of several grids: none of the pairs is a detector.
    @Test(arguments: [false, true]) func gridsOfAnchors(hasPoints: Bool) {
        var network = ONNXWriter(outputs: [])
        for (kind, numbers) in [("score", 1), ("bbox", 4), ("kps", 10)] where kind != "kps" || hasPoints {
            for (stride, cells) in [(8, 128), (16, 32), (32, 8)] {
                network.outputs.append(
                    Self.output("\(kind)_\(stride)", [cells, numbers]) { kind == "score" ? 0.1 : Float($0 % 5) / 4 })
            }
        }
        #expect(words(network).hasSuffix(Self.unknown))
    }

    /// A third number of every place may be what the scores are to be multiplied with.
    @Test(arguments: ["objectness", "centerness", "x"]) func objectnessApart(name: String) throws {
        var network = TinyDetectors.yolonas()
        let count = network.outputs[0].shape[1]
        network.outputs.insert(Self.output(name, [1, count, 1]) { _ in 0.5 }, at: 1)
        #expect(words(network).hasSuffix(Self.unknown))
        // Who says how they are read is told what isn't.
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = .yolonas
        #expect(try detector(network, wishes).reading.reasons == ["“decoder”", "without “\(name)”"])
    }

    /// A table and what it was made of.
    @Test func tableWithItsHeads() throws {
        var network = TinyDetectors.yolov8()
        for (index, side) in [8, 4, 2].enumerated() {
            network.outputs.append(Self.output("f\(index)", [1, 67, side, side]) { Float($0 % 7) / 7 })
        }
        let detector = try detector(network)
        #expect(detector.reading.layout == .yolov8 && detector.reading.classes == 3)
        #expect(detector.reading.reasons.last == "without “f0”, “f1”, “f2”")
        expectThings(try things(detector), "with heads")
    }

    /// Corners where a layout has centres, in a bigger grid than by chance.
    @Test func cornersInColumns() {
        var network = TinyDetectors.yolov8()
        var table = network.outputs[0]
        let places = table.shape[2]
        #expect(places == 84)
        network.inputShape = [1, 3, 128, 128]
        table = Self.output("output0", [1, 7, 336]) { index in
            let (number, place) = (index / 336, index % 336)
            guard number < 4 else { return 0.01 }
            return Float(number < 2 ? place % 60 : place % 60 + 5)
        }
        network.outputs = [table]
        #expect(words(network).hasSuffix(Self.unknown))
    }

    /// Scores before their sigmoid, or of a hundred: told as that without any metadata, and whatever is said of the layout.
    @Test(arguments: [DetectorLayout.auto, .yolov8], [-7 as Float, 100]) func scoresThatAreNone(
        decoder: DetectorLayout, factor: Float
    ) {
        var network = TinyDetectors.yolov8()
        var table = network.outputs[0]
        for place in 4 * 84..<table.values.count { table.values[place] *= factor }
        network.outputs = [table]
        let words = words(network, decoder)
        #expect(words.hasSuffix("expected those of “yolov8”, 0 to 1: an export with its last sigmoid"), "\(words)")
    }

    /// Rows of six in another order.
    @Test func rowsInAnotherOrder() {
        let network = TinyDetectors.endToEnd(count: 25)
        for order in [[0, 1, 2, 3, 5, 4], [2, 3, 0, 1, 4, 5]] {
            var other = network
            other.outputs[0].values = (0..<25).flatMap { row in order.map { network.outputs[0].values[6 * row + $0] } }
            // Rows of zeros are boxes from corner to corner.
            for row in 2..<25 { other.outputs[0].values[6 * row + order.firstIndex(of: 0)!] = 3 }
            let words = words(other)
            #expect(words.hasSuffix(Self.unknown), "\(order): \(words)")
        }
    }

    /// Numbers between 0 and 1 of something else.
    @Test(arguments: [[1, 50, 256], [1, 100, 5], [1, 300, 7], [1, 6, 56]]) func otherTables(shape: [Int]) {
        let network = ONNXWriter(outputs: [Self.output("x", shape) { Float($0 * 7919 % 1000) / 1000 }])
        #expect(words(network).hasSuffix(Self.unknown))
    }

    /// Classes from 0 or from 1, where of many things none is of class 0.
    @Test func labelsOfPictures() throws {
        var network = TinyDetectors.torchvision()
        let boxes: [Float] = (0..<30).flatMap { index -> [Float] in [1, 1, 5 + Float(index), 9] }
        network.outputs = [
            Output(name: "a", shape: [1, 30, 4], values: boxes),
            Output(name: "b", shape: [1, 30], values: (0..<30).map { Float($0 % 3 + 1) }, isInteger: true),
            Output(name: "c", shape: [1, 30], values: (0..<30).map { 0.9 - Float($0) / 40 }),
        ]
        #expect(words(network).hasSuffix("can be read as “boxes” and “torchvision”; say which by “decoder”"))
        network.outputs[1].values[29] = 0
        #expect(try detector(network).reading.layout == .boxes)
    }

    /// What a wrong reading makes of a picture is told, not cut.
    @Test func whatNoReadingGives() throws {
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = .torchvision
        let wrong = try detector(TinyDetectors.torchvision(), wishes)
        let error = #expect(throws: InferenceError.self) { try things(wrong) }
        #expect(
            error?.description
                == "its outputs tell of class 0, and are read as “torchvision”, whose classes begin with 1; expected “decoder” “boxes”"
        )
        var found = DetectionCandidates()
        found.best = 1.005
        try found.check(.yolov5)
        found.best = 1.5
        #expect(throws: InferenceError.self) { try found.check(.yolov5) }
    }
}
