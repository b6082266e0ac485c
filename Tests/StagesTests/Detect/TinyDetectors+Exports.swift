import Glibc

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Layouts of single exporters.
extension TinyDetectors {
    private static func output(_ name: String, _ shape: [Int], _ values: [Float], isInteger: Bool = false)
        -> ONNXWriter.Output
    { ONNXWriter.Output(name: name, shape: shape, values: values, isInteger: isInteger) }

    private static func corners(_ thing: Thing) -> [Float] {
        [thing.box.left, thing.box.top, thing.box.right, thing.box.bottom]
    }

    private static func byRow(_ thing: Thing) -> [Float] {
        [thing.box.top, thing.box.left, thing.box.bottom, thing.box.right]
    }

    private static func centered(_ thing: Thing) -> [Float] {
        [thing.center.x, thing.center.y, thing.size.width, thing.size.height]
    }

    /// A place a cell with its surest class, as Qualcomm's exports have it; each thing is there twice.
    static func surestClasses() -> ONNXWriter {
        let cells = cells()
        var table = rows(cells.count, blank: [1, 1, 9, 9, 0.01, 1]) { thing, index in
            (cell(of: thing, cells, stride: stride(index)), corners(thing) + [thing.score, Float(thing.label)])
        }
        for (index, thing) in things.enumerated() {
            table[cell(of: thing, cells, stride: stride(index)) + 1] = corners(thing) + [0.4, Float(thing.label)]
        }
        return ONNXWriter(outputs: [
            output("boxes", [1, cells.count, 4], table.flatMap { $0[..<4] }),
            output("scores", [1, cells.count], table.map { $0[4] }),
            output("class_idx", [1, cells.count], table.map { $0[5] }, isInteger: true),
        ])
    }

    /// Corners a row a place, scores a row a class, as PaddleDetection's without suppression.
    static func rowsOfClasses() -> ONNXWriter {
        let cells = cells()
        let table = rows(cells.count, blank: [1, 1, 9, 9, 0.01, 0.01, 0.02]) { thing, index in
            (cell(of: thing, cells, stride: stride(index)), corners(thing) + scores(thing))
        }
        return ONNXWriter(outputs: [
            output("a", [1, cells.count, 4], table.flatMap { $0[..<4] }),
            output("b", [1, classes, cells.count], transposed(table.map { Array($0[4...]) })),
        ])
    }

    /// YOLOv8's table cut in two: centres and sizes, scores.
    static func cutColumns() -> ONNXWriter {
        let table = yolov8().outputs[0]
        let places = table.shape[2]
        return ONNXWriter(outputs: [
            output("boxes", [1, 4, places], Array(table.values[..<(4 * places)])),
            output("scores", [1, classes, places], Array(table.values[(4 * places)...])),
        ])
    }

    /// Keras' YOLOv3: boxes by rows, scores a row a class, what its suppression keeps.
    static func yolov3() -> ONNXWriter {
        var network = rowsOfClasses()
        let places = network.outputs[0].shape[1]
        let boxes = network.outputs[0].values
        network.outputs[0].values = (0..<places).flatMap { place in [1, 0, 3, 2].map { boxes[4 * place + $0] } }
        network.outputs.append(output("c", [1, 2, 3], [0, 2, 9, 0, 0, 70], isInteger: true))
        network.others = [("image_shape", [1, 2])]
        return network
    }

    /// YOLO-NAS's flat format: the picture's number, corners, score, class.
    static func flatPredictions() -> ONNXWriter {
        let table = things.map { [0] + corners($0) + [$0.score, Float($0.label)] }
        return ONNXWriter(outputs: [output("graph2_flat_predictions", [2, 7], table.flatMap { $0 })])
    }

    /// Google's EfficientDet: the picture's number, corners by rows, score, class from 1.
    static func efficientdet(_ name: String = "detections") -> ONNXWriter {
        let table = rows(10, blank: [0, 0, 0, 0, 0, 0, 0]) { thing, index in
            (index, [0] + byRow(thing) + [thing.score, Float(thing.label + 1)])
        }
        return ONNXWriter(outputs: [output(name, [1, 10, 7], table.flatMap { $0 })])
    }

    /// PaddleDetection's: class, score, corners, and how many there are.
    static func paddle() -> ONNXWriter {
        let table = things.map { [Float($0.label), $0.score] + corners($0) } + [[-1, 0, 0, 0, 0, 0]]
        return ONNXWriter(
            others: [("im_shape", [1, 2]), ("scale_factor", [1, 2])],
            outputs: [output("a", [3, 6], table.flatMap { $0 }), output("b", [1], [2], isInteger: true)])
    }

    /// torchvision's, which counts classes from 1.
    static func torchvisionFromOne(_ names: [String] = ["boxes", "labels", "scores"]) -> ONNXWriter {
        ONNXWriter(outputs: [
            output(names[0], [2, 4], things.flatMap(corners)),
            output(names[1], [2], things.map { Float($0.label + 1) }, isInteger: true),
            output(names[2], [2], things.map(\.score)),
        ])
    }

    /// What TensorFlow Lite's suppression gives, of one thing: classes from 0, all outputs of one name.
    static func lite(label: Int) -> ONNXWriter {
        let name = "TFLite_Detection_PostProcess"
        return ONNXWriter(outputs: [
            output(name, [1, 2, 4], [0.1, 0.2, 0.5, 0.6, 0, 0, 0, 0]),
            output(name + ":1", [1, 2], [Float(label), Float(label)]), output(name + ":2", [1, 2], [0.7, 0]),
            output(name + ":3", [1], [1]),
        ])
    }

    /// YOLOv7's points: an objectness, one class, and points as YOLOv8 has them, three places a cell.
    static func yolov7Pose(_ points: [[Float]]) -> ONNXWriter {
        let count = 3 * cells().count
        let blank: [Float] = [9, 9, 4, 4, 0.01, 0.3, 0.3, 0.3] + [9, 9, 0, 40, 40, 0]
        let table = rows(count, blank: blank) { thing, index in
            (17 * index + 5, centered(thing) + [0.95] + scores(thing, over: 0.95) + points[index])
        }
        return ONNXWriter(outputs: [output("output", [1, count, blank.count], table.flatMap { $0 })])
    }

    /// YOLOv8's heads as Rockchip's exports have them: distances, classes and the classes' sum apart for each stride.
    static func threefoldHeads() -> ONNXWriter {
        var writer = ONNXWriter()
        for head in yolov8Heads().outputs {
            let (side, cells) = (head.shape[2], head.shape[2] * head.shape[3])
            let scores = head.values[(64 * cells)...].map(sigmoid)
            let sums = (0..<cells).map { cell in (0..<classes).reduce(Float(0)) { $0 + scores[$1 * cells + cell] } }
            writer.outputs += [
                output(head.name + "a", [1, 64, side, side], Array(head.values[..<(64 * cells)])),
                output(head.name + "b", [1, classes, side, side], scores),
                output(head.name + "c", [1, 1, side, side], sums),
            ]
        }
        return writer
    }

    /// A picture for each of the queries: above 0 left of its thing's middle, and nowhere for those that see nothing.
    static func masksOfQueries() -> ONNXWriter.Output {
        let (count, side) = (30, 16)
        var values = [Float](repeating: -1, count: count * side * side)
        for (index, thing) in things.enumerated() {
            for pixel in 0..<side * side {
                values[(index + 3) * side * side + pixel] = thing.center.x / 4 - 0.5 - Float(pixel % side)
            }
        }
        return output("masks", [1, count, side, side], values)
    }

    /// YOLOv5's heads before they are decoded.
    static func anchors(numbers: Int, isCut: Bool) -> ONNXWriter {
        ONNXWriter(
            outputs: [8, 16, 32].map { stride in
                let side = Self.side / stride
                let shape = isCut ? [1, 3, side, side, numbers] : [1, 3 * numbers, side, side]
                return output("o\(stride)", shape, [Float](repeating: -2, count: 3 * numbers * side * side))
            })
    }
}
