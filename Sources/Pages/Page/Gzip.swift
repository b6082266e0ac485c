import Annotate
internal import CPages

/// Compressing what goes into a page; the browser's `DecompressionStream` takes it apart.
enum Gzip {
    /// One gzip member without name or time: the same bytes for the same content.
    /// - Throws: `FileError` where there is no memory for it.
    static func compressed(_ bytes: [UInt8], for path: String) throws -> [UInt8] {
        let capacity = pages_gzip_bound(bytes.count)
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
            count = pages_gzip(bytes, bytes.count, target.baseAddress, capacity)
        }
        guard !result.isEmpty else {
            throw FileError("compress", path: path, reason: "no memory, or a piece over 4 GB")
        }
        return result
    }
}
