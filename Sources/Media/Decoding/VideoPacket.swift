internal import CFFmpeg

/// A packet of the video that is decoded, with its number, which comes out again with its picture.
final class VideoPacket {
    let packet: Packet
    /// From 1, in decoding order.
    let number: Int64
    private var content: PacketContent?

    init(_ packet: Packet, number: Int64) {
        self.packet = packet
        self.number = number
        cff_number_packet(packet.av, number)
    }

    /// What it holds; to be asked for in decoding order the first time.
    func content(by reader: PacketContentReader) -> PacketContent {
        if let content { return content }
        let read = reader.content(of: packet)
        content = read
        return read
    }
}
