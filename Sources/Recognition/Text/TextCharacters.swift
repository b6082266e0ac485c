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
        guard let list = try ONNXFile.metadata(of: path)["character"], !list.isEmpty else {
            throw InferenceError(
                "“\(path)” doesn't name its characters; expected “character” in its metadata, as PP-OCR's have it")
        }
        return [""] + list.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [" "]
    }
}
