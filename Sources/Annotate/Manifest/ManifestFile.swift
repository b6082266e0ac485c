/// The error of a file that can't be read as a manifest.
public struct ManifestFileError: Error, CustomStringConvertible {
    /// A sentence.
    public var description: String
}

/// The contents of a manifest's file.
enum ManifestFile {
    /// Reads a file.
    /// - Throws: `ManifestFileError` for what holds no text.
    static func read(_ path: String) throws -> [UInt8] {
        let bytes: [UInt8]
        if Files.isDirectory(path) {
            throw ManifestFileError(description: "“\(path)” is a folder; expected a manifest, which is a JSON file")
        }
        do {
            bytes = try Files.read(path, allowsStreams: true)
        } catch let error as FileError {
            guard Files.exists(path) else {
                let guess = ProblemLog(file: path).suggestion(near: path)
                throw ManifestFileError(
                    description: "no file “\(path)”; expected a manifest, such as “annotate-batch init” writes\(guess)")
            }
            throw ManifestFileError(description: "“\(path)” can't be read: \(error.reason); expected a manifest")
        }
        if bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            throw ManifestFileError(
                description: "“\(path)” is empty; expected a manifest, such as “annotate-batch init” writes")
        }
        if let kind = kind(of: bytes) {
            throw ManifestFileError(
                description: "“\(path)” is \(kind), not a manifest; expected a JSON file, such as “annotate-batch init"
                    + (kind == binary ? "” writes" : " \(path)” writes for it"))
        }
        return bytes
    }

    private static let binary = "a binary file"

    /// The kind of a file that holds no text, in words; nil for one that may.
    private static func kind(of bytes: [UInt8]) -> String? {
        func has(_ magic: [UInt8], at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: magic) }
        func has(_ magic: String, at offset: Int = 0) -> Bool { has(Array(magic.utf8), at: offset) }
        let isRIFF = has("RIFF")
        if has("ftyp", at: 4) || has("moov", at: 4) || has([0x1A, 0x45, 0xDF, 0xA3]) || isRIFF && has("AVI", at: 8)
            || has([0, 0, 1, 0xBA]) || has([0, 0, 1, 0xB3]) || has([0, 0, 0, 1]) || has([0x30, 0x26, 0xB2, 0x75])
            || has("OggS") || has([0x46, 0x4C, 0x56, 1]) || has([0x47]) && has([0x47], at: 188) && has([0x47], at: 376)
        {
            return "a video"
        }
        if has([0x89, 0x50, 0x4E, 0x47]) || has([0xFF, 0xD8, 0xFF]) || has("GIF8") || isRIFF && has("WEBP", at: 8)
            || has([0x49, 0x49, 0x2A, 0]) || has([0x4D, 0x4D, 0, 0x2A])
        {
            return "a picture"
        }
        // Of what begins like a manifest, or like UTF-16, the parser says where it goes wrong.
        let first = bytes.first { $0 != 0 } ?? 0
        let isText = [0x7B, 0x5B, 0x20, 0x09, 0x0A, 0x0D, 0xFE, 0xFF, 0xEF].contains(first)
        return !isText && bytes.prefix(4096).contains(0) ? binary : nil
    }
}
