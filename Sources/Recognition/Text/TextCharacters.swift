private import Synchronization

/// The characters that a network of PP-OCR tells apart: its file names them, under “character” in its metadata.
enum TextCharacters {
    /// - Returns: by class; the first is the network's blank, the last a space.
    /// - Throws: `InferenceError` for a file that names none.
    static func read(onnx path: String) throws -> [String] {
        let stamp = Files.stamp(path)
        if let known = last.withLock({ $0 }), known.stamp == stamp { return known.characters }
        let characters = try parsed(onnx: path)
        last.withLock { $0 = stamp.map { ($0, characters) } }
        return characters
    }

    /// Characters that were read last: every graph that reads text has the same.
    private static let last = Mutex<(stamp: Files.Stamp, characters: [String])?>(nil)

    private static func parsed(onnx path: String) throws -> [String] {
        let bytes = try Files.read(path)
        guard let list = try? metadata("character", bytes), !list.isEmpty else {
            throw InferenceError(
                "“\(path)” doesn't name its characters; expected “character” in its metadata, as PP-OCR's have it")
        }
        return [""] + list.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
    }

    /// A value of `ModelProto.metadata_props`, field 14 of an ONNX file's message (protocol buffers' wire format): key and
    /// value are fields 1 and 2 of each entry.
    private static func metadata(_ key: String, _ bytes: [UInt8]) throws -> String? {
        var found: String?
        try ProtocolBuffer.fields(of: bytes[...]) { field, entry in
            guard field == 14, found == nil else { return }
            var (name, value) = ("", "")
            try ProtocolBuffer.fields(of: entry) { field, text in
                if field == 1 { name = String(decoding: text, as: UTF8.self) }
                if field == 2 { value = String(decoding: text, as: UTF8.self) }
            }
            if name == key { found = value }
        }
        return found
    }
}
