/// The metadata of a model's file, beyond its inputs and outputs: ONNX's `metadata_props`, `model_info` in the
/// `rt_info` of OpenVINO's own files (its Model API's words), and the `metadata.yaml` that Ultralytics puts beside
/// these.
package struct NetworkMetadata: Sendable, Equatable {
    /// Values by their keys, as they stand there.
    package var values: [String: String] = [:]

    /// - Throws: `FileError` where the file can't be read.
    package init(of file: ModelFile) throws {
        if file.path.hasSuffix(".xml") {
            values = Self.modelInfo(in: try Files.read(file.path))
            for path in file.data where Files.name(of: path) == "metadata.yaml" {
                values.merge(Self.yaml(try Files.read(path))) { own, _ in own }
            }
        } else if file.path.hasSuffix(".onnx") {
            values = try ONNXFile.metadata(of: file.path)
        }
    }

    package init(_ values: [String: String]) { self.values = values }

    /// Values of a `<model_info>`, which has an element for each: `<labels value="person car" />`.
    package static func modelInfo(in bytes: [UInt8]) -> [String: String] {
        // It stands at the file's end; what comes before it may be a thousand times as long.
        let tail = Array(bytes.suffix(1 << 20))
        guard let start = tail.firstRange(of: Array("<model_info>".utf8))?.upperBound,
            let end = tail[start...].firstRange(of: Array("</model_info>".utf8))?.lowerBound
        else { return [:] }
        var values: [String: String] = [:]
        for element in String(decoding: tail[start..<end], as: UTF8.self).split(separator: "<") {
            guard let name = element.split(whereSeparator: { $0.isWhitespace }).first,
                let from = element.firstRange(of: "value=\"")?.upperBound
            else { continue }
            values[String(name)] = unescaped(String(element[from...].prefix { $0 != "\"" }))
        }
        return values
    }

    private static func unescaped(_ text: String) -> String {
        guard text.contains("&") else { return text }
        let words = [("&quot;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
        return words.reduce(text) { text, word in
            text.split(separator: word.0, omittingEmptySubsequences: false).joined(separator: word.1)
        }
    }

    /// Values of a YAML file in the few forms that Ultralytics writes: `key: value`, and below a key its list or map,
    /// indented or not.
    package static func yaml(_ bytes: [UInt8]) -> [String: String] {
        var values: [String: String] = [:]
        var (key, items): (String?, [String]) = (nil, [])
        func close() {
            guard let key, !items.isEmpty else { return }
            let isList = items.allSatisfy { $0.hasPrefix("- ") }
            values[key] =
                isList
                ? "[" + items.map { $0.dropFirst(2) }.joined(separator: ", ") + "]"
                : "{" + items.joined(separator: ", ") + "}"
        }
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let isBelow = line.hasPrefix(" ") || line.hasPrefix("- ")
            let text = line.drop { $0 == " " }
            if isBelow {
                items.append(String(text))
            } else if let colon = text.firstIndex(of: ":") {
                close()
                (key, items) = (String(text[..<colon]), [])
                let value = text[text.index(after: colon)...].drop { $0 == " " }
                if let key, !value.isEmpty { values[key] = String(value) }
            }
        }
        close()
        return values
    }
}
