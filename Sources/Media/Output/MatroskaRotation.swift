internal import Glibc

/// Makes the projection of a Matroska file a flat one that is turned.
///
/// Matroska says how a picture is turned by the roll of a rectangular projection (RFC 9559, 5.1.4.1.28.41). FFmpeg's muxer
/// writes projections of spheres only, up to 6.1: an equirectangular one with the same roll is written, and what is
/// different about it is changed in place.
enum MatroskaRotation {
    /// Bytes from the file's start in which the track's description lies.
    private static let mostBytes = 4 << 20
    /// ProjectionType 1 (equirectangular), and ProjectionPrivate with 20 bytes: its version and bounds, all zero.
    private static let spherical: [UInt8] =
        [0x76, 0x71, 0x81, 0x01, 0x76, 0x72, 0x94] + [UInt8](repeating: 0, count: 20)
    /// ProjectionType 0 (rectangular), and as many bytes that mean nothing (Void).
    private static let flat: [UInt8] = [0x76, 0x71, 0x81, 0x00, 0xEC, 0x95] + [UInt8](repeating: 0, count: 21)

    /// - Parameters:
    ///   - file: What the muxer wrote.
    ///   - path: Its final name, for messages.
    static func finish(_ file: String, path: String) throws {
        let descriptor = open(file, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("finish", path) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw systemError("finish", path) }
        guard let place = place(in: bytes[..<count]) else {
            throw FileError(
                "finish", path: path, reason: "this FFmpeg writes no projection that could be turned; encode it")
        }
        guard pwrite(descriptor, flat, flat.count, off_t(place)) == flat.count else {
            throw systemError("finish", path)
        }
    }

    private static func place(in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= spherical.count else { return nil }
        return (0...bytes.count - spherical.count).first { place in
            bytes[place] == spherical[0] && bytes[place..<place + spherical.count].elementsEqual(spherical)
        }
    }
}
