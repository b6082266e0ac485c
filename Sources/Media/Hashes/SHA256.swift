internal import CFFmpeg

/// SHA-256 (FIPS 180-4), by libavutil.
public enum SHA256 {
    /// The hash of some bytes: 64 lower-case hexadecimal digits.
    public static func hash(_ bytes: [UInt8]) -> String {
        guard let context = av_sha_alloc() else { return "" }
        defer { av_free(UnsafeMutableRawPointer(context)) }
        var digest = [UInt8](repeating: 0, count: 32)
        av_sha_init(context, 256)
        av_sha_update(context, bytes, bytes.count)
        av_sha_final(context, &digest)
        return digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The hash of a file.
    /// - Throws: `FileError`.
    public static func hash(file path: String) throws -> String { hash(try Files.read(path)) }
}
