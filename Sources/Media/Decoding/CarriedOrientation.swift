internal import CFFmpeg

/// How the camera was held, of pictures whose decoders don't tell: PNG (its `eXIf` chunk, PNG 3rd edition, 11.3.4.5; FFmpeg
/// before 8) and TIFF (tag 274, TIFF 6.0, section 8).
enum CarriedOrientation {
    /// Gives a packet that is a whole file the display matrix that the picture is shown by, where the file names one.
    static func add(to packet: Packet, codec: AVCodecID) throws {
        let size = Int(packet.av.pointee.size)
        guard size > 0, let data = packet.av.pointee.data else { return }
        let file = UnsafeRawBufferPointer(start: data, count: size)
        let number = codec == AV_CODEC_ID_PNG ? numberInPNG(file) : numberInTIFF(file)
        guard let number, let matrix = cff_orientation_matrix(Int32(number)) else { return }
        let bytes = 9 * MemoryLayout<Int32>.size
        guard let target = av_packet_new_side_data(packet.av, AV_PKT_DATA_DISPLAYMATRIX, bytes) else {
            throw FileError("decode", path: "a picture", reason: "there is no memory left")
        }
        memcpy(target, matrix, bytes)
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
