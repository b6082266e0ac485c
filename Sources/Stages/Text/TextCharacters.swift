internal import Annotate

/// The characters that a network of PP-OCR tells apart: its file names them, under “character” in its metadata.
enum TextCharacters {
    private struct Malformed: Error {}

    /// - Returns: by class; the first is the network's blank, the last a space.
    /// - Throws: `InferenceError` for a file that names none.
    static func read(onnx path: String) throws -> [String] {
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
        try fields(of: bytes[...]) { field, entry in
            guard field == 14, found == nil else { return }
            var (name, value) = ("", "")
            try fields(of: entry) { field, text in
                if field == 1 { name = String(decoding: text, as: UTF8.self) }
                if field == 2 { value = String(decoding: text, as: UTF8.self) }
            }
            if name == key { found = value }
        }
        return found
    }

    /// Visits the fields of a message that have a length; the others are skipped.
    private static func fields(of message: ArraySlice<UInt8>, _ visit: (UInt64, ArraySlice<UInt8>) throws -> Void)
        throws
    {
        var place = message.startIndex
        func number() throws -> UInt64 {
            var (value, shift): (UInt64, UInt64) = (0, 0)
            while place < message.endIndex, shift < 64 {
                let byte = message[place]
                place += 1
                value |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
            throw Malformed()
        }
        func skip(_ count: UInt64) throws {
            guard count <= UInt64(message.endIndex - place) else { throw Malformed() }
            place += Int(count)
        }
        while place < message.endIndex {
            let tag = try number()
            switch tag & 7 {
            case 0: _ = try number()
            case 1: try skip(8)
            case 5: try skip(4)
            case 2:
                let start = try number()
                let first = place
                try skip(start)
                try visit(tag >> 3, message[first..<place])
            default: throw Malformed()
            }
        }
    }
}
