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
                    description: "no file “\(RemoteAddress.shown(path))”; expected a manifest, such as "
                        + "“annotate-batch init” writes\(guess)")
            }
            throw ManifestFileError(description: "“\(path)” can't be read: \(error.reason); expected a manifest")
        }
        if bytes.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            throw ManifestFileError(
                description: "“\(path)” is empty; expected a manifest, such as “annotate-batch init” writes")
        }
        if let kind = kind(of: bytes) {
            throw ManifestFileError(
                description:
                    "“\(path)” is \(kind.words), not a manifest; expected a JSON file, such as “annotate-batch init"
                    + ([.video, .picture].contains(kind) ? " \(path)” writes for it" : "” writes"))
        }
        return bytes
    }

    /// The kind of a file that holds no manifest; nil for one that may.
    private static func kind(of bytes: [UInt8]) -> FileKind? {
        switch FileKind(bytes) {
        case .json, .text: return nil
        case .binary:
            // Of what begins like a manifest the parser says where it goes wrong.
            let first = bytes.first { $0 != 0 } ?? 0
            let isText = [0x7B, 0x5B, 0x20, 0x09, 0x0A, 0x0D, 0xEF].contains(first)
            return !isText && bytes.prefix(4096).contains(0) ? .binary : nil
        case let kind: return kind
        }
    }
}
