internal import CFFmpeg

/// Packets of video that isn't compressed, in which a pixel takes a byte or less.
///
/// FFmpeg's decoder lays their rows out anew, and takes a packet that is cut off for one with shorter rows: the rest of the
/// picture would be what was in memory. Of other raw pixels it refuses such a packet itself.
enum RawVideoPacket {
    /// Whether a packet holds a whole picture, as far as can be told: of what isn't spoken of above it is always true.
    static func isWhole(_ packet: Packet, in context: AVCodecContext) -> Bool {
        let bits = Int(context.bits_per_coded_sample)
        let pixels = [AV_PIX_FMT_PAL8, AV_PIX_FMT_MONOWHITE, AV_PIX_FMT_MONOBLACK]
        guard context.codec_id == AV_CODEC_ID_RAWVIDEO, [1, 2, 4, 8].contains(bits), pixels.contains(context.pix_fmt)
        else { return true }
        let size = Int(packet.av.pointee.size)
        return size == 0 || size >= (Int(context.width) * bits + 7) / 8 * Int(context.height)
    }
}
