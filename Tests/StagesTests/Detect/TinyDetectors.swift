import Glibc

@testable import Annotate
@testable import Detection
@testable import Imports
@testable import StageParts
@testable import Recognition
@testable import Stages

/// Tiny detectors, one of every layout: each sees the same things in its input of 64 × 64 pixels.
///
/// Written from the published definitions, not from the decoders.
enum TinyDetectors {
    static let side = 64

    /// In input pixels, a class of three, and its score.
    struct Thing {
        var box: (left: Float, top: Float, right: Float, bottom: Float)
        var label: Int
        var score: Float

        var center: (x: Float, y: Float) { ((box.left + box.right) / 2, (box.top + box.bottom) / 2) }
        var size: (width: Float, height: Float) { (box.right - box.left, box.bottom - box.top) }
    }

    /// Apart from each other, and centred in cells of different strides.
    static let things = [
        Thing(box: (4, 6, 20, 26), label: 2, score: 0.9), Thing(box: (30, 34, 58, 62), label: 0, score: 0.6),
    ]
    static let classes = 3

    /// Cells of the strides 8, 16 and 32, and 64 where asked for: index by index, with the stride.
    static func cells(_ strides: [Int] = [8, 16, 32]) -> [(column: Int, row: Int, stride: Int)] {
        strides.flatMap { stride in
            let count = (side + stride - 1) / stride
            return (0..<count * count).map { ($0 % count, $0 / count, stride) }
        }
    }

    /// The cell of a stride that a thing's centre is in.
    static func cell(of thing: Thing, _ cells: [(column: Int, row: Int, stride: Int)], stride: Int) -> Int {
        cells.firstIndex {
            $0.stride == stride && $0.column == Int(thing.center.x) / stride && $0.row == Int(thing.center.y) / stride
        } ?? 0
    }

    /// The stride in whose grid a thing is told.
    static func stride(_ index: Int) -> Int { [8, 16][index] }

    /// Rows of numbers as columns.
    static func transposed(_ rows: [[Float]]) -> [Float] {
        (rows.first ?? []).indices.flatMap { column in rows.map { $0[column] } }
    }

    /// Rows for all places: what the things have, and `blank` elsewhere.
    static func rows(
        _ count: Int, blank: [Float], _ make: (Thing, Int) -> (place: Int, numbers: [Float])
    ) -> [[Float]] {
        var rows = Array(repeating: blank, count: count)
        for (index, thing) in things.enumerated() {
            let (place, numbers) = make(thing, index)
            rows[place] = numbers
        }
        return rows
    }

    static func scores(_ thing: Thing, over: Float = 1, elsewhere: Float = 0.01) -> [Float] {
        (0..<classes).map { $0 == thing.label ? thing.score / over : elsewhere }
    }

    private static func centered(_ thing: Thing) -> [Float] {
        [thing.center.x, thing.center.y, thing.size.width, thing.size.height]
    }

    private static func corners(_ thing: Thing) -> [Float] {
        [thing.box.left, thing.box.top, thing.box.right, thing.box.bottom]
    }

    private static func shares(_ numbers: [Float]) -> [Float] { numbers.map { $0 / Float(side) } }

    private static func output(_ name: String, _ shape: [Int], _ values: [Float], isInteger: Bool = false)
        -> ONNXWriter.Output
    { ONNXWriter.Output(name: name, shape: shape, values: values, isInteger: isInteger) }

    // MARK: Tables

    /// YOLOv8's: centre, size, classes, then `extra` numbers of a place, in columns. A blank place has a small box in its cell.
    static func yolov8(_ extra: [[Float]] = [[], []], blank: [Float] = [], name: String = "output0") -> ONNXWriter {
        let cells = cells()
        var table = cells.map { cell in
            let (x, y) = (Float(cell.column * cell.stride), Float(cell.row * cell.stride))
            return [x + 2, y + 2, 4, 4, 0.01, 0.02, 0.01] + blank
        }
        for (index, thing) in things.enumerated() {
            table[cell(of: thing, cells, stride: stride(index))] = centered(thing) + scores(thing) + extra[index]
        }
        return ONNXWriter(outputs: [output(name, [1, table[0].count, cells.count], transposed(table))])
    }

    /// The same for TensorFlow Lite, which has boxes in shares of the input.
    static func yolov8Lite() -> TFLiteWriter {
        let table = yolov8().outputs[0]
        let places = table.shape[2]
        return TFLiteWriter(
            shape: table.shape,
            values: table.values.enumerated().map { $0 < 4 * places ? $1 / Float(side) : $1 })
    }

    /// RT-DETR as Ultralytics exports it since 2026: rows of centre, size, score and class in shares of the picture.
    static func rtdetrRows() -> ONNXWriter {
        let table = rows(20, blank: [0.5, 0.4, 0.3, 0.2, 0.01, 1]) { thing, index in
            (index, shares(centered(thing)) + [thing.score, Float(thing.label)])
        }
        return ONNXWriter(outputs: [output("output0", [1, 20, 6], table.flatMap { $0 })])
    }

    static func yolov5() -> ONNXWriter {
        let count = 3 * cells().count
        let table = rows(count, blank: [9, 9, 4, 4, 0.01, 0.3, 0.3, 0.3]) { thing, index in
            (17 * index + 5, centered(thing) + [0.95] + scores(thing, over: 0.95))
        }
        return ONNXWriter(outputs: [output("output", [1, count, 8], table.flatMap { $0 })])
    }

    static func yolox() -> ONNXWriter {
        let cells = cells()
        let table = rows(cells.count, blank: [0.5, -0.5, -1, -1, 0.01, 0.1, 0.1, 0.1]) { thing, index in
            let place = cell(of: thing, cells, stride: stride(index))
            let (cell, stride) = (cells[place], Float(cells[place].stride))
            let box = [
                thing.center.x / stride - Float(cell.column), thing.center.y / stride - Float(cell.row),
                logf(thing.size.width / stride), logf(thing.size.height / stride),
            ]
            return (place, box + [0.95] + scores(thing, over: 0.95))
        }
        return ONNXWriter(outputs: [output("output", [1, cells.count, 8], table.flatMap { $0 })])
    }

    /// Rows of things, the surest first, and rows of zeros behind them.
    static func endToEnd(_ extra: [[Float]] = [[], []], count: Int = 20, turned: [Float]? = nil) -> ONNXWriter {
        let blank = [Float](repeating: 0, count: 6 + extra[0].count)
        let table = rows(count, blank: blank) { thing, index in
            (
                index,
                (turned == nil ? corners(thing) : centered(thing)) + [thing.score, Float(thing.label)] + extra[index]
            )
        }
        return ONNXWriter(outputs: [output("output0", [1, count, blank.count], table.flatMap { $0 })])
    }

    static func yolov7EndToEnd() -> ONNXWriter {
        let table = things.map { [0] + corners($0) + [Float($0.label), $0.score] }
        return ONNXWriter(outputs: [output("output", [2, 7], table.flatMap { $0 })])
    }

    static func ssd() -> ONNXWriter {
        let table = rows(10, blank: [-1, 0, 0, 0, 0, 0, 0]) { thing, index in
            (index, [0, Float(thing.label), thing.score] + shares(corners(thing)))
        }
        return ONNXWriter(outputs: [output("detection_out", [1, 1, 10, 7], table.flatMap { $0 })])
    }

    static func fastestdet() -> ONNXWriter {
        let count = side / 16
        let blank: [Float] = [0.01, 0, 0, -2, -2, 0.4, 0.3, 0.3]
        let table = rows(count * count, blank: blank) { thing, _ in
            let (column, row) = (Int(thing.center.x) / 16, Int(thing.center.y) / 16)
            func logit(_ value: Float) -> Float { logf(value / (1 - value)) }
            let box = [
                atanhf(thing.center.x / 16 - Float(column)), atanhf(thing.center.y / 16 - Float(row)),
                logit(thing.size.width / Float(side)), logit(thing.size.height / Float(side)),
            ]
            // score = objectness^0.6 · class^0.4
            return (row * count + column, [thing.score] + box + scores(thing))
        }
        return ONNXWriter(outputs: [output("758", [1, 8, count, count], transposed(table))])
    }

    // MARK: Distributions

    /// The logarithms of a distribution over eight bins whose mean is a distance.
    private static func bins(_ distance: Float, _ count: Int) -> [Float] {
        let whole = Int(distance)
        let share = distance - Float(whole)
        return (0..<count).map { bin in
            bin == whole ? logf(max(1 - share, 1e-9)) : bin == whole + 1 ? logf(max(share, 1e-9)) : -25
        }
    }

    private static func sides(
        _ thing: Thing, _ cell: (column: Int, row: Int, stride: Int), origin: Float, bins count: Int
    )
        -> [Float]
    {
        let stride = Float(cell.stride)
        let (x, y) = ((Float(cell.column) + origin) * stride, (Float(cell.row) + origin) * stride)
        return [x - thing.box.left, y - thing.box.top, thing.box.right - x, thing.box.bottom - y]
            .flatMap { bins($0 / stride, count) }
    }

    static func nanodetPlus() -> ONNXWriter {
        let cells = cells([8, 16, 32, 64])
        let blank = [Float](repeating: 0.01, count: classes) + [Float](repeating: -3, count: 32)
        let table = rows(cells.count, blank: blank) { thing, index in
            let place = cell(of: thing, cells, stride: stride(index))
            return (place, scores(thing) + sides(thing, cells[place], origin: 0, bins: 8))
        }
        return ONNXWriter(outputs: [output("output", [1, cells.count, 35], table.flatMap { $0 })])
    }

    /// Classes and distances in outputs of their own for each stride; the names say nothing.
    static func nanodet() -> ONNXWriter {
        var writer = ONNXWriter()
        for stride in [8, 16, 32] {
            let cells = cells([stride])
            var scores = Array(repeating: [Float](repeating: 0.01, count: classes), count: cells.count)
            var distances = Array(repeating: [Float](repeating: -3, count: 32), count: cells.count)
            for (index, thing) in things.enumerated() where self.stride(index) == stride {
                let place = cell(of: thing, cells, stride: stride)
                scores[place] = self.scores(thing)
                distances[place] = sides(thing, cells[place], origin: 0.5, bins: 8)
            }
            writer.outputs.append(output("a\(stride)", [1, cells.count, 32], distances.flatMap { $0 }))
            writer.outputs.append(output("b\(stride)", [1, cells.count, classes], scores.flatMap { $0 }))
        }
        return writer
    }

    /// YOLOv8's heads: sixteen bins a side and the classes' logits in planes.
    static func yolov8Heads() -> ONNXWriter {
        var writer = ONNXWriter()
        for stride in [8, 16, 32] {
            let cells = cells([stride])
            var table = Array(repeating: [Float](repeating: -3, count: 64 + classes), count: cells.count)
            for (index, thing) in things.enumerated() where self.stride(index) == stride {
                let place = cell(of: thing, cells, stride: stride)
                let logits = scores(thing).map { logf($0 / (1 - $0)) }
                table[place] = sides(thing, cells[place], origin: 0.5, bins: 16) + logits
            }
            let count = side / stride
            writer.outputs.append(output("o\(stride)", [1, 64 + classes, count, count], transposed(table)))
        }
        return writer
    }

    // MARK: Lists

    static func rtdetr() -> ONNXWriter {
        let table = rows(10, blank: [0, 0, 0, 0, 0, 0]) { thing, index in
            (index, corners(thing) + [thing.score, Float(thing.label)])
        }
        return ONNXWriter(
            sizesName: "orig_target_sizes",
            outputs: [
                output("labels", [1, 10], table.map { $0[5] }, isInteger: true),
                output("boxes", [1, 10, 4], table.flatMap { $0[..<4] }),
                output("scores", [1, 10], table.map { $0[4] }),
            ])
    }

    /// Queries: boxes in shares of the picture, and logits for `count` classes.
    static func queries(_ box: String, _ logits: String, classes count: Int, none: Float? = nil) -> ONNXWriter {
        let (queries, elsewhere): (Int, Float) = (30, -6)
        var blank = [Float](repeating: elsewhere, count: count)
        if let none { blank[count - 1] = none }
        let table = rows(queries, blank: [0.5, 0.5, 0.1, 0.2] + blank) { thing, index in
            var own = [Float](repeating: elsewhere, count: count)
            if none != nil {
                // A softmax over all of them gives the score.
                own = own.map { _ in -20 }
                own[thing.label] = logf(thing.score)
                own[count - 1] = logf(1 - thing.score)
            } else {
                own[thing.label] = logf(thing.score / (1 - thing.score))
            }
            return (index + 3, shares(centered(thing)) + own)
        }
        return ONNXWriter(outputs: [
            output(box, [1, queries, 4], table.flatMap { $0[..<4] }),
            output(logits, [1, queries, count], table.flatMap { $0[4...] }),
        ])
    }

    static func yolonas() -> ONNXWriter {
        let cells = cells()
        let table = rows(cells.count, blank: [1, 1, 9, 9, 0.01, 0.01, 0.02]) { thing, index in
            (cell(of: thing, cells, stride: stride(index)), corners(thing) + scores(thing))
        }
        return ONNXWriter(outputs: [
            output("graph2_pred_bboxes", [1, cells.count, 4], table.flatMap { $0[..<4] }),
            output("graph2_pred_scores", [1, cells.count, classes], table.flatMap { $0[4...] }),
        ])
    }

    /// A TensorFlow graph whose names were lost: classes from 1, boxes by rows.
    static func tensorflow() -> ONNXWriter {
        let table = rows(10, blank: [0, 0, 0, 0, 0.001, 1]) { thing, index in
            let box = shares(corners(thing))
            return (index, [box[1], box[0], box[3], box[2], thing.score, Float(thing.label + 1)])
        }
        return ONNXWriter(outputs: [
            output("a", [1, 10, 4], table.flatMap { $0[..<4] }), output("b", [1, 10], table.map { $0[5] }),
            output("c", [1, 10], table.map { $0[4] }), output("d", [1], [10]),
        ])
    }

    /// One with its names, and all that such graphs give since TensorFlow 2.
    static func tensorflow2() -> ONNXWriter {
        let outputs = tensorflow().outputs.map(\.values)
        let blank = [Float](repeating: 0.5, count: 200)
        return ONNXWriter(outputs: [
            output("detection_anchor_indices", [1, 10], [Float](repeating: 3, count: 10)),
            output("detection_boxes", [1, 10, 4], outputs[0]), output("detection_classes", [1, 10], outputs[1]),
            output("detection_multiclass_scores", [1, 10, 3], Array(blank[..<30])),
            output("detection_scores", [1, 10], outputs[2]), output("num_detections", [1], outputs[3]),
            output("raw_detection_boxes", [1, 50, 4], blank),
            output("raw_detection_scores", [1, 50, 3], Array(blank[..<150])),
        ])
    }

    static func torchvision() -> ONNXWriter {
        ONNXWriter(outputs: [
            output("boxes", [2, 4], things.flatMap(corners)),
            output("labels", [2], things.map { Float($0.label) }, isInteger: true),
            output("scores", [2], things.map(\.score)),
        ])
    }

    /// Scores behind the boxes, as OpenVINO's training extensions have them.
    static func scoredBoxes() -> ONNXWriter {
        ONNXWriter(outputs: [
            output("boxes", [1, 2, 5], things.flatMap { corners($0) + [$0.score] }),
            output("labels", [1, 2], things.map { Float($0.label) }, isInteger: true),
        ])
    }

    /// An SSD's boxes in shares of the picture with a distribution over no class and all others.
    static func denseSSD() -> ONNXWriter {
        let table = rows(40, blank: [0.1, 0.1, 0.2, 0.3, 0.97, 0.01, 0.01, 0.01]) { thing, index in
            let left = (1 - thing.score) / 3
            let own = (0..<classes).map { $0 == thing.label ? thing.score : left }
            return (index + 7, shares(corners(thing)) + [left] + own)
        }
        return ONNXWriter(outputs: [
            output("boxes", [1, 40, 4], table.flatMap { $0[..<4] }),
            output("scores", [1, 40, 4], table.flatMap { $0[4...] }),
        ])
    }

    // MARK: With masks

    /// Two pictures: one that rises to the right, one that is 1 everywhere.
    static func pictures(_ count: Int = 16) -> ONNXWriter.Output {
        let ramp = (0..<count * count).map { Float($0 % count) }
        return output("output1", [1, 2, count, count], ramp + [Float](repeating: 1, count: count * count))
    }

    /// What is left of the middle of a thing is its mask: −(x − middle) > 0 in the pictures' pixels, of 4 of the input's.
    static var coefficients: [[Float]] { things.map { [-1, $0.center.x / 4 - 0.5] } }
}
