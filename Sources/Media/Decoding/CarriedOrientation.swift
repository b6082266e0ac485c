internal import CFFmpeg

/// How the camera was held, as pictures say it themselves: JPEG (EXIF in APP1, EXIF 2.32, 4.7.2), WebP (its `EXIF` chunk), and
/// those whose decoders don't tell, PNG (its `eXIf` chunk, PNG 3rd edition, 11.3.4.5; FFmpeg before 8) and TIFF (tag 274,
/// TIFF 6.0, section 8).
enum CarriedOrientation {
    /// Codecs whose pictures may say it.
    static let codecs = [AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_TIFF, AV_CODEC_ID_WEBP]

    /// Gives a packet that is a whole file the display matrix that the picture is shown by, where the file names one.
    static func add(to packet: Packet, codec: AVCodecID) throws {
        guard let matrix = matrix(of: packet, codec: codec) else { return }
        let bytes = 9 * MemoryLayout<Int32>.size
        guard let target = av_packet_new_side_data(packet.av, AV_PKT_DATA_DISPLAYMATRIX, bytes) else {
            throw FileError("decode", path: "a picture", reason: "there is no memory left")
        }
        memcpy(target, matrix, bytes)
    }

    /// The display matrix that a packet that is a whole file is shown by; nil where the file names none.
    static func matrix(of packet: Packet, codec: AVCodecID) -> UnsafePointer<Int32>? {
        let size = Int(packet.av.pointee.size)
        guard size > 0, let data = packet.av.pointee.data else { return nil }
        let file = UnsafeRawBufferPointer(start: data, count: size)
        let number =
            switch codec {
            case AV_CODEC_ID_MJPEG: numberInJPEG(file)
            case AV_CODEC_ID_PNG: numberInPNG(file)
            case AV_CODEC_ID_TIFF: numberInTIFF(file)
            case AV_CODEC_ID_WEBP: numberInWebP(file)
            default: Int?.none
            }
        return number.flatMap { cff_orientation_matrix(Int32($0)) }
    }

    private static let mark = Array("Exif\0\0".utf8)

    /// EXIF's number (1…8) in a JPEG file; nil where it has none.
    static func numberInJPEG(_ file: UnsafeRawBufferPointer) -> Int? {
        var offset = 2
        while offset + 4 <= file.count, file[offset] == 0xFF {
            let marker = file[offset + 1]
            // Filling before a marker; the picture's data, or the end.
            if marker == 0xFF {
                offset += 1
                continue
            }
            if marker == 0xDA || marker == 0xD9 { return nil }
            let length = Int(file[offset + 2]) << 8 | Int(file[offset + 3])
            guard length >= 2, length <= file.count - offset - 2 else { return nil }
            let content = UnsafeRawBufferPointer(rebasing: file[offset + 4..<offset + 2 + length])
            if marker == 0xE1, content.starts(with: mark) {
                return numberInTIFF(UnsafeRawBufferPointer(rebasing: content[mark.count...]))
            }
            offset += 2 + length
        }
        return nil
    }

    /// EXIF's number (1…8) in a WebP file; nil where it has none.
    static func numberInWebP(_ file: UnsafeRawBufferPointer) -> Int? {
        var offset = 12
        while offset + 8 <= file.count {
            let length = Int(UInt32(littleEndian: file.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)))
            guard length <= file.count - offset - 8 else { return nil }
            if file[offset..<offset + 4].elementsEqual("EXIF".utf8) {
                // Without JPEG's mark, which FFmpeg doesn't take either.
                return numberInTIFF(UnsafeRawBufferPointer(rebasing: file[offset + 8..<offset + 8 + length]))
            }
            offset += 8 + length + length % 2
        }
        return nil
    }

    /// EXIF's number (1…8) in a PNG file; nil where it has none. What is damaged is the decoder's to tell.
    static func numberInPNG(_ file: UnsafeRawBufferPointer) -> Int? {
        var offset = 8
        while offset + 12 <= file.count {
            let length = Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            guard length <= file.count - offset - 12 else { return nil }
            let content = offset + 8
            if file[offset + 4..<content].elementsEqual("eXIf".utf8) {
                return numberInTIFF(UnsafeRawBufferPointer(rebasing: file[content..<content + length]))
            }
            offset = content + length + 4
        }
        return nil
    }

    /// The number in the first directory of a TIFF file, which EXIF is as well; nil where it has none.
    static func numberInTIFF(_ file: UnsafeRawBufferPointer) -> Int? {
        guard file.count >= 8 else { return nil }
        let isLittle = file[0] == UInt8(ascii: "I")
        guard isLittle ? file[1] == UInt8(ascii: "I") : file[0] == UInt8(ascii: "M") && file[1] == UInt8(ascii: "M")
        else {
            return nil
        }
        func short(_ offset: Int) -> Int {
            let value = file.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
            return Int(isLittle ? UInt16(littleEndian: value) : UInt16(bigEndian: value))
        }
        func long(_ offset: Int) -> Int {
            let value = file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return Int(isLittle ? UInt32(littleEndian: value) : UInt32(bigEndian: value))
        }
        let directory = long(4)
        guard short(2) == 42, directory <= file.count - 2 else { return nil }
        for entry in 0..<short(directory) {
            let offset = directory + 2 + 12 * entry
            guard offset + 12 <= file.count else { return nil }
            // One number of 16 bits, at the field's beginning.
            guard short(offset) == 274, short(offset + 2) == 3, long(offset + 4) == 1 else { continue }
            let number = short(offset + 8)
            return (1...8).contains(number) ? number : nil
        }
        return nil
    }
}
