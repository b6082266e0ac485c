internal import CFFmpeg
internal import Glibc

extension VideoFrame {
    /// Tells its pixels from others: half of MurmurHash3 of 128 bits, by libavutil, of the planes' rows.
    /// - Throws: `FileError` where there is no memory.
    package func contents() throws -> UInt64 {
        guard let context = av_murmur3_alloc() else {
            throw FileError("look at", path: "a picture", code: -ENOMEM, reason: "no memory")
        }
        defer { av_free(UnsafeMutableRawPointer(context)) }
        av_murmur3_init(context)
        withPicture { picture in
            for plane in picture.planes {
                for row in 0..<plane.height {
                    av_murmur3_update(context, plane.base + row * plane.stride, plane.width)
                }
            }
        }
        var digest = [UInt8](repeating: 0, count: 16)
        av_murmur3_final(context, &digest)
        return digest[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
