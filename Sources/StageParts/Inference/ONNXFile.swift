/// ONNX files, read for what they say of other files and of themselves (onnx.proto3 of ONNX 1.17).
package enum ONNXFile {
    /// Names of the files that tensors' numbers are in (`TensorProto.external_data`), from the model's folder, sorted; empty
    /// also for what is no ONNX file: who runs it has the complaint.
    package static func externalData(in model: [UInt8]) throws -> [String] { try locations(in: model).filter(isBelow) }

    /// The same with names that lead elsewhere.
    private static func locations(in model: [UInt8]) throws -> [String] {
        // A TensorFlow Lite file says so, and has everything in it.
        guard model.count > 8, Array(model[4..<8]) != Array("TFL3".utf8) else { return [] }
        var names: Set<String> = []
        try ProtocolBuffer.untilDamaged { try visit(.model, model[...], depth: 0, &names) }
        return names.sorted()
    }

    /// What keeps a model's numbers from being read, where some are in files of their own; nil where nothing does.
    static func lack(ofNumbersOf path: String) -> String? {
        // What can't be read, or isn't such a file, is told by who tried it.
        guard path.hasSuffix(".onnx"), let bytes = try? Files.read(path), let names = try? locations(in: bytes) else {
            return nil
        }
        if let stray = names.first(where: { !isBelow($0) }) {
            return "some of its numbers are to be in “\(stray.inOneLine)”; expected a file in the model's folder"
        }
        return names.first { !Files.isRegular(Files.parent(of: path) + "/" + $0) }.map {
            "some of its numbers are to be in “\($0.inOneLine)”, and there is no such file beside it"
        }
    }

    /// Metadata of a model (`ModelProto.metadata_props`); nothing for what is no ONNX file.
    package static func metadata(in model: [UInt8]) throws -> [String: String] {
        var values: [String: String] = [:]
        try ProtocolBuffer.untilDamaged {
            try ProtocolBuffer.fields(of: model[...]) { field, contents in
                guard field == 14 else { return }
                var (key, value) = ("", "")
                try ProtocolBuffer.fields(of: contents) { field, text in
                    if field == 1 { key = String(decoding: text, as: UTF8.self) }
                    if field == 2 { value = String(decoding: text, as: UTF8.self) }
                }
                values[key] = value
            }
        }
        return values
    }

    /// The same of a file, of whose numbers, nearly all of it, none are read.
    /// - Throws: `FileError`.
    package static func metadata(of path: String) throws -> [String: String] {
        try metadata(in: ProtocolBuffer.fields(14, ofFile: path))
    }

    /// Messages on the way to tensors.
    private enum Message {
        case model, graph, node, attribute, sparseTensor, tensor, function

        /// The messages in its fields.
        func part(_ field: UInt64) -> Message? {
            switch (self, field) {
            case (.model, 7): .graph
            case (.model, 25): .function
            case (.graph, 1), (.function, 7): .node
            case (.graph, 5): .tensor
            case (.graph, 15): .sparseTensor
            case (.node, 5), (.function, 11): .attribute
            case (.attribute, 5), (.attribute, 10): .tensor
            case (.attribute, 6), (.attribute, 11): .graph
            case (.attribute, 22), (.attribute, 23): .sparseTensor
            case (.sparseTensor, 1), (.sparseTensor, 2): .tensor
            default: nil
            }
        }
    }

    private static let maximumDepth = 64

    private static func visit(
        _ message: Message, _ bytes: ArraySlice<UInt8>, depth: Int, _ names: inout Set<String>
    ) throws {
        guard depth < maximumDepth else { throw ProtocolBuffer.Malformed() }
        try ProtocolBuffer.fields(of: bytes) { field, contents in
            if message == .tensor, field == 13 {
                var (key, value) = ("", "")
                try ProtocolBuffer.fields(of: contents) { field, text in
                    if field == 1 { key = String(decoding: text, as: UTF8.self) }
                    if field == 2 { value = String(decoding: text, as: UTF8.self) }
                }
                if key == "location" { names.insert(value) }
            } else if let part = message.part(field) {
                try visit(part, contents, depth: depth + 1, &names)
            }
        }
    }

    /// Whether a name stays in the model's folder; the runtime doesn't follow one that leaves it either.
    private static func isBelow(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..") && !name.contains("\0")
    }
}
