internal import CFFmpeg

/// A WebP file as one packet, without what lies behind its picture but EXIF, which tells how the camera was held.
///
/// FFmpeg 5.1's decoder goes on to the next chunk when it has the picture. Where that one is damaged it reports an error and
/// a picture at once, on which several decoding threads end the process by an assertion.
enum WebPPacket {
    /// Cuts a packet behind its picture's chunk and EXIF's, where there are any.
    static func cut(_ packet: Packet) throws {
        let size = Int(packet.av.pointee.size)
        guard size > 0, let data = packet.av.pointee.data,
            let end = end(of: UnsafeRawBufferPointer(start: data, count: size)), end < size
        else { return }
        try check(av_packet_make_writable(packet.av), "copy a packet of", "a WebP picture")
        av_shrink_packet(packet.av, Int32(end))
        // The size of all chunks, behind “RIFF” and itself.
        guard let data = packet.av.pointee.data else { return }
        UnsafeMutableRawPointer(data).storeBytes(of: UInt32(end - 8).littleEndian, toByteOffset: 4, as: UInt32.self)
    }

    /// Offset at which the picture's chunk ends (RFC 9649, section 2.3), or EXIF's, where nothing but whole chunks lies between;
    /// nil where the file holds no picture whole.
    static func end(of file: UnsafeRawBufferPointer) -> Int? {
        func word(_ offset: Int) -> UInt32 { file.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
        func name(_ text: StaticString) -> UInt32 {
            UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt32.self)
        }
        guard file.count >= 20, word(0) == name("RIFF"), word(8) == name("WEBP") else { return nil }
        var (offset, end) = (12, Int?.none)
        while offset + 8 <= file.count {
            let chunk = word(offset)
            let length = Int(UInt32(littleEndian: word(offset + 4)))
            let next = offset + 8 + length + length % 2
            guard next <= file.count else { break }
            if chunk == name("VP8 ") || chunk == name("VP8L") { end = end ?? next }
            if chunk == name("EXIF"), end != nil { return next }
            offset = next
        }
        return end
    }
}
