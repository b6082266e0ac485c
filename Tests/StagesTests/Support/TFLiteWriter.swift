import Foundation

/// Writes tiny TensorFlow Lite networks (schema.fbs of TensorFlow 2.18): whatever the picture, their output is what they were given.
struct TFLiteWriter {
    /// Pictures are [1, side, side, 3].
    var side = 64
    /// The schema's types: 0 is float, 3 bytes, 9 bytes with a sign.
    var inputType = 0
    var outputType = 0
    /// Of an output of integers: value = (integer − zeroPoint) · scale.
    var scale: Float = 1
    var zeroPoint = 0
    var shape: [Int]
    var values: [Float]

    private enum Operator: Int { case add = 0, dequantize = 6, mul = 18, mean = 40, quantize = 114 }

    func bytes() -> [UInt8] {
        var buffers: [FlatNode] = [.table([])]
        var tensors: [FlatNode] = []
        func tensor(
            _ name: String, _ shape: [Int], _ type: Int = 0, _ data: [UInt8]? = nil, quantization: FlatNode? = nil
        ) -> Int {
            if let data { buffers.append(.table([.node(.bytes(data))])) }
            tensors.append(
                .table([
                    .node(.int32s(shape)), .int8(type), .int32(data == nil ? 0 : buffers.count - 1),
                    .node(.bytes(Array(name.utf8) + [0], countsLast: false)), quantization.map { .node($0) },
                ]))
            return tensors.count - 1
        }
        func quantization(_ scale: Float, _ zeroPoint: Int) -> FlatNode {
            .table([nil, nil, .node(.floats([scale])), .node(.int64s([zeroPoint]))])
        }
        var operators: [FlatNode] = []
        let codes: [Operator] = [.add, .dequantize, .mul, .mean, .quantize]
        func run(_ code: Operator, _ inputs: [Int], _ output: Int, options: Int? = nil) {
            operators.append(
                .table([
                    .int32(codes.firstIndex(of: code) ?? 0), .node(.int32s(inputs)), .node(.int32s([output])),
                    options.map { .int8($0) }, options.map { _ in .node(.table([])) },
                ]))
        }
        func raw(_ values: [Float]) -> [UInt8] { values.flatMap { withUnsafeBytes(of: $0, Array.init) } }

        let picture = [1, side, side, 3]
        let input = tensor(
            "images", picture, inputType,
            quantization: inputType == 0 ? nil : quantization(1 / 255, inputType == 9 ? -128 : 0))
        var last = input
        if inputType != 0 {
            last = tensor("floats", picture)
            run(.dequantize, [input], last)
        }
        let axes = tensor("axes", [3], 2, [Int32(1), 2, 3].flatMap { withUnsafeBytes(of: $0, Array.init) })
        let (mean, zero, nothing) = (tensor("mean", [1]), tensor("zero", [1], 0, raw([0])), tensor("nothing", [1]))
        run(.mean, [last, axes], mean, options: 27)
        run(.mul, [mean, zero], nothing, options: 21)
        let table = tensor("table", shape, 0, raw(values))
        var output = tensor(outputType == 0 ? "Identity" : "sum", shape)
        run(.add, [nothing, table], output, options: 11)
        if outputType != 0 {
            let integers = tensor("Identity", shape, outputType, quantization: quantization(scale, zeroPoint))
            run(.quantize, [output], integers)
            output = integers
        }
        let graph = FlatNode.table([
            .node(.nodes(tensors)), .node(.int32s([input])), .node(.int32s([output])), .node(.nodes(operators)),
        ])
        let kinds = codes.map { FlatNode.table([.int8($0.rawValue), nil, .int32(1), .int32($0.rawValue)]) }
        return FlatNode.table([
            .int32(3), .node(.nodes(kinds)), .node(.nodes([graph])), .node(.bytes([0], countsLast: false)),
            .node(.nodes(buffers)),
        ]).file(identifier: "TFL3")
    }

    /// Writes it into a folder.
    func write(to folder: String) throws -> String {
        try Data(bytes()).write(to: URL(fileURLWithPath: folder + "/tiny.tflite"))
        return folder + "/tiny.tflite"
    }
}

/// A part of a FlatBuffer: what it leads to comes behind it.
indirect enum FlatNode {
    enum Field {
        case int8(Int), int32(Int), node(FlatNode)
    }
    case table([Field?])
    case nodes([FlatNode])
    /// - Parameter countsLast: a text's end isn't counted.
    case bytes([UInt8], countsLast: Bool = true)
    case int32s([Int])
    case int64s([Int])
    case floats([Float])

    func file(identifier: String) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0] + Array(identifier.utf8)
        put(into: &bytes, at: 0)
        return bytes
    }

    private static func set(_ value: Int, _ size: Int, _ bytes: inout [UInt8], _ place: Int) {
        for index in 0..<size { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    /// Appends it, and writes at a place how far behind that it is.
    private func put(into bytes: inout [UInt8], at place: Int) {
        // A vector's elements are where multiples of their sizes are; its count stands before them.
        let isWide = if case .int64s = self { true } else { false }
        while bytes.count % 8 != (isWide ? 4 : 0) { bytes.append(0) }
        var start = bytes.count
        func vector(_ count: Int, _ contents: [UInt8]) {
            bytes += [0, 0, 0, 0] + contents
            Self.set(count, 4, &bytes, start)
        }
        switch self {
        case .bytes(let values, let countsLast): vector(values.count - (countsLast ? 0 : 1), values)
        case .int32s(let values): vector(values.count, values.flatMap { withUnsafeBytes(of: Int32($0), Array.init) })
        case .int64s(let values): vector(values.count, values.flatMap { withUnsafeBytes(of: Int64($0), Array.init) })
        case .floats(let values): vector(values.count, values.flatMap { withUnsafeBytes(of: $0, Array.init) })
        case .nodes(let nodes):
            vector(nodes.count, [UInt8](repeating: 0, count: 4 * nodes.count))
            for (index, node) in nodes.enumerated() { node.put(into: &bytes, at: start + 4 + 4 * index) }
        case .table(let fields):
            // Where each field is, then the table: eight bytes a field.
            let size = 4 + 2 * fields.count
            bytes += [UInt8](repeating: 0, count: (size + 7) / 8 * 8)
            let places = start
            start = bytes.count
            bytes += [UInt8](repeating: 0, count: 8 + 8 * fields.count)
            Self.set(size, 2, &bytes, places)
            Self.set(8 + 8 * fields.count, 2, &bytes, places + 2)
            Self.set(start - places, 4, &bytes, start)
            for (index, field) in fields.enumerated() {
                guard let field else { continue }
                let offset = 8 + 8 * index
                Self.set(offset, 2, &bytes, places + 4 + 2 * index)
                switch field {
                case .int8(let value): Self.set(value, 1, &bytes, start + offset)
                case .int32(let value): Self.set(value, 4, &bytes, start + offset)
                case .node(let node): node.put(into: &bytes, at: start + offset)
                }
            }
        }
        Self.set(start - place, 4, &bytes, place)
    }
}
