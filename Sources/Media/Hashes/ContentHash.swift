internal import CFFmpeg
internal import Glibc

/// A hash of files' contents (MurmurHash3 of 128 bits, by libavutil: as fast as memory is read).
package enum ContentHash {
    /// The hash of several files.
    /// - Parameters:
    ///   - files: Paths; contents are hashed one after another.
    ///   - isCancelled: Asked now and then.
    /// - Returns: Their size in bytes, and 32 hexadecimal digits.
    /// - Throws: `FileError`, `CancelledError`.
    package static func of(_ files: [String], isCancelled: () -> Bool = { false }) throws -> String {
        try of { take in
            for file in files {
                try Files.forEachPiece(of: file) { piece in
                    if isCancelled() { throw CancelledError() }
                    take(piece)
                }
            }
        }
    }

    /// The hash of some bytes, as of a file with them.
    package static func of(_ bytes: [UInt8]) -> String? {
        // Only memory may lack.
        try? of { take in take(bytes) }
    }

    /// The hash of a plain file in a held folder; links aren't followed.
    /// - Throws: `FileError`, `CancelledError`.
    package static func of(_ name: String, in folder: HeldFolder, isCancelled: () -> Bool = { false }) throws -> String
    {
        let descriptor = try folder.open(name)
        defer { close(descriptor) }
        return try of(descriptor, folder.path + "/" + name, isCancelled: isCancelled)
    }

    /// The hash of an open file, whose read position stays as it is.
    static func of(_ descriptor: Int32, _ path: String, isCancelled: () -> Bool = { false }) throws -> String {
        try of { take in
            try Files.forEachPiece(of: descriptor, path) { piece in
                if isCancelled() { throw CancelledError() }
                take(piece)
            }
        }
    }

    private static func of(_ read: (_ take: ([UInt8]) -> Void) throws -> Void) throws -> String {
        guard let context = av_murmur3_alloc() else {
            throw FileError("read", path: "a file", code: -ENOMEM, reason: "no memory")
        }
        defer { av_free(UnsafeMutableRawPointer(context)) }
        av_murmur3_init(context)
        var size = 0
        try read { piece in
            size += piece.count
            av_murmur3_update(context, piece, piece.count)
        }
        var digest = [UInt8](repeating: 0, count: 16)
        av_murmur3_final(context, &digest)
        return "\(size)-" + digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The size in bytes that a hash begins with; nil for a text that is no hash.
    package static func size(_ hash: String) -> Int64? { hash.split(separator: "-").first.flatMap { Int64($0) } }
}
