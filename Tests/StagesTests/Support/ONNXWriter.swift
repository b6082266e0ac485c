import Foundation

/// Writes tiny ONNX networks (onnx.proto3 of ONNX 1.17): whatever the picture, their outputs are what they were given.
struct ONNXWriter {
    struct Output {
        var name: String
        var shape: [Int]
        var values: [Float]
        /// Whole numbers of 64 bits instead of floats.
        var isInteger = false
    }

    /// Of the picture, its name and type: 1 is float, 2 bytes, 4 words, 10 half.
    var inputShape = [1, 3, 64, 64]
    var inputType = 1
    /// Another input, of whole numbers: `orig_target_sizes`.
    var sizesName: String?
    /// Others of floats, beside the picture.
    var others: [(name: String, shape: [Int])] = []
    var outputs: [Output] = []
    var metadata: [(String, String)] = []

    func bytes() -> [UInt8] {
        var nodes: [[UInt8]] = []
        var tensors: [[UInt8]] = [Self.tensor("zero", [], floats: [0])]
        // The outputs have to depend on the picture, or the runtime may compute them once and for all.
        nodes.append(Self.node("Cast", ["images"], ["picture"], [Self.attribute("to", 1)]))
        nodes.append(Self.node("ReduceMean", ["picture"], ["mean"], [Self.attribute("keepdims", 0)]))
        var nothing = "nothing"
        func use(_ mean: String) {
            nodes.append(Self.node("Mul", [mean, nothing], [mean + "_nothing"], []))
            nothing = mean + "_nothing"
        }
        nodes.append(Self.node("Mul", ["mean", "zero"], [nothing], []))
        if let sizesName {
            nodes.append(Self.node("Cast", [sizesName], ["sizes"], [Self.attribute("to", 1)]))
            nodes.append(Self.node("ReduceMean", ["sizes"], ["size"], [Self.attribute("keepdims", 0)]))
            use("size")
        }
        for other in others {
            let mean = other.name + "_mean"
            nodes.append(Self.node("ReduceMean", [other.name], [mean], [Self.attribute("keepdims", 0)]))
            use(mean)
        }
        for output in outputs {
            tensors.append(Self.tensor(output.name + "_values", output.shape, floats: output.values))
            let sum = output.isInteger ? output.name + "_sum" : output.name
            nodes.append(Self.node("Add", [output.name + "_values", nothing], [sum], []))
            if output.isInteger { nodes.append(Self.node("Cast", [sum], [output.name], [Self.attribute("to", 7)])) }
        }
        var inputs = [Self.value("images", inputShape, inputType)]
        if let sizesName { inputs.append(Self.value(sizesName, [1, 2], 7)) }
        inputs += others.map { Self.value($0.name, $0.shape, 1) }
        let graph =
            nodes.flatMap { Self.field(1, $0) } + Self.field(2, "tiny") + tensors.flatMap { Self.field(5, $0) }
            + inputs.flatMap { Self.field(11, $0) }
            + outputs.flatMap { Self.field(12, Self.value($0.name, $0.shape, $0.isInteger ? 7 : 1)) }
        return Self.field(1, 7) + Self.field(8, Self.field(2, 13)) + Self.field(7, graph)
            + metadata.flatMap { Self.field(14, Self.field(1, $0.0) + Self.field(2, $0.1)) }
    }

    /// Writes it into a folder.
    func write(to folder: String, _ name: String = "tiny.onnx") throws -> String {
        try Data(bytes()).write(to: URL(fileURLWithPath: folder + "/" + name))
        return folder + "/" + name
    }

    // MARK: Protocol buffers

    private static func number(_ value: Int) -> [UInt8] {
        var (left, bytes): (UInt64, [UInt8]) = (UInt64(bitPattern: Int64(value)), [])
        while left >= 0x80 {
            bytes.append(UInt8(left & 0x7F | 0x80))
            left >>= 7
        }
        return bytes + [UInt8(left)]
    }

    private static func field(_ id: Int, _ bytes: [UInt8]) -> [UInt8] {
        number(id << 3 | 2) + number(bytes.count) + bytes
    }
    private static func field(_ id: Int, _ text: String) -> [UInt8] { field(id, Array(text.utf8)) }
    private static func field(_ id: Int, _ value: Int) -> [UInt8] { number(id << 3) + number(value) }

    private static func attribute(_ name: String, _ value: Int) -> [UInt8] {
        field(1, name) + field(3, value) + field(20, 2)
    }

    private static func node(
        _ type: String, _ inputs: [String], _ outputs: [String], _ attributes: [[UInt8]]
    ) -> [UInt8] {
        inputs.flatMap { field(1, $0) } + outputs.flatMap { field(2, $0) } + field(4, type)
            + attributes.flatMap { field(5, $0) }
    }

    private static func tensor(_ name: String, _ shape: [Int], floats: [Float]) -> [UInt8] {
        let raw = floats.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init) }
        return shape.flatMap { field(1, $0) } + field(2, 1) + field(8, name) + field(9, raw)
    }

    /// - Parameter shape: −1 for a dimension that is open.
    private static func value(_ name: String, _ shape: [Int], _ type: Int) -> [UInt8] {
        let dimensions = shape.enumerated().map { index, size in
            field(1, size < 0 ? field(2, "d\(index)") : field(1, size))
        }
        return field(1, name) + field(2, field(1, field(1, type) + field(2, dimensions.flatMap { $0 })))
    }
}
