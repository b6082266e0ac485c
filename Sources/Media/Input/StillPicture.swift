/// The kind of a file of one picture, told by its first bytes.
package enum StillPicture: Sendable {
    /// JPEG.
    case jpeg
    /// Any other, lossless ones among them.
    case other

    /// The kind of the file at a path; nil for anything else, also for a moving picture, and for what can't be read.
    package init?(path: String) {
        guard Files.isRegular(path), let head = try? Files.read(path, from: 0, count: 4096) else { return nil }
        func begins(_ text: String, at place: Int = 0) -> Bool { head.dropFirst(place).starts(with: text.utf8) }
        func begins(_ bytes: [UInt8]) -> Bool { head.starts(with: bytes) }
        if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
            return
        }
        let isPNG = begins([0x89, 0x50, 0x4E, 0x47]) && !Self.contains("acTL", head)
        // A flag of the extended header says that it moves.
        let isWebP =
            begins("RIFF") && begins("WEBP", at: 8) && !(begins("VP8X", at: 12) && head.count > 20 && head[20] & 2 != 0)
        let isTIFF = begins([0x49, 0x49, 0x2A, 0]) || begins([0x4D, 0x4D, 0, 0x2A])
        let isPNM =
            head.first == UInt8(ascii: "P") && head.count > 2 && (0x31...0x37).contains(head[1]) && head[2] <= 0x20
        let isJPEG2000 = begins("jP  ", at: 4) || begins([0xFF, 0x4F, 0xFF, 0x51])
        let isEXR = begins([0x76, 0x2F, 0x31, 0x01]), isDPX = begins("SDPX") || begins("XPDS")
        guard
            isPNG || isWebP || isTIFF || isPNM || isJPEG2000 || isEXR || isDPX || Self.isHEIF(head) || begins("BM")
                || begins("8BPS") || begins("qoif")
        else { return nil }
        self = .other
    }

    /// Whether a file that begins like this is AVIF or HEIC, which are of the family of MP4.
    static func isHEIF(_ head: [UInt8]) -> Bool {
        head.dropFirst(4).starts(with: "ftyp".utf8)
            && ["avif", "heic", "heix", "mif1"].contains { head.dropFirst(8).starts(with: $0.utf8) }
    }

    /// Whether a file is AVIF or HEIC.
    package static func isHEIF(_ path: String) -> Bool {
        // What can't be read is nothing.
        Files.isRegular(path) && (try? Files.read(path, from: 0, count: 16)).map(isHEIF) ?? false
    }

    private static func contains(_ text: String, _ bytes: [UInt8]) -> Bool {
        let wanted = Array(text.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: wanted) }
    }

    /// The codec that an annotated picture of this kind is written in where nobody says.
    package var codec: EncodeSettings.Codec { self == .jpeg ? .jpeg : .png }
}
