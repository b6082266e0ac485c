internal import CFFmpeg

/// Tells from packets alone where decoding can start with nothing lost, and how many pictures lie before.
///
/// Only codecs of which one packet makes one picture are counted like this; for the others decoding from the start is the
/// one way to know a picture's ordinal.
struct RandomAccess {
    private let codec: AVCodecID
    private let isCountable: Bool
    private let isIntraOnly: Bool
    private let units: NALUnits

    init(stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        codec = parameters.codec_id
        let properties = avcodec_descriptor_get(codec)?.pointee.props ?? 0
        isIntraOnly = properties & AV_CODEC_PROP_INTRA_ONLY != 0
        let order = parameters.field_order
        // Fields may lie in packets of their own.
        let isProgressive = order == AV_FIELD_UNKNOWN || order == AV_FIELD_PROGRESSIVE
        let isKnown = [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9,
            AV_CODEC_ID_AV1,
        ].contains(codec)
        isCountable = isProgressive && (isKnown || isIntraOnly)
        units = NALUnits(parameters)
    }

    /// False where pictures can't be counted without decoding.
    var isPossible: Bool { isCountable }

    /// True where a packet makes exactly one picture whose time it says.
    func isOnePicture(_ packet: Packet) -> Bool { packet.av.pointee.pts != cff_no_pts && isOneTimelessPicture(packet) }

    /// True where a packet makes exactly one picture, with a time or without.
    func isOneTimelessPicture(_ packet: Packet) -> Bool {
        let av = packet.av.pointee
        let flags = AV_PKT_FLAG_CORRUPT | AV_PKT_FLAG_DISCARD
        guard av.flags & flags == 0, av.size > 0, let data = av.data else { return false }
        // A VP8 frame's first byte says whether it is shown (RFC 6386, 9.1).
        return codec != AV_CODEC_ID_VP8 || data[0] & 0x10 != 0
    }

    /// Parameters that a packet carries and that those after it are decoded with, too.
    func parameters(of packet: Packet) -> CarriedParameters {
        CarriedParameters(packet, codec: codec, units: units)
    }

    /// True where this picture and all that are shown after it decode as they would from the file's start, but for what
    /// `parameters` of packets before it are.
    func isStart(_ packet: Packet) -> Bool {
        guard packet.av.pointee.flags & AV_PKT_FLAG_KEY != 0 else { return false }
        switch codec {
        // An instantaneous refresh: what FFmpeg flags beyond it may be a gradual one.
        case AV_CODEC_ID_H264: return units.contains(in: packet) { $0 == 5 }
        // IDR, BLA and CRA pictures.
        case AV_CODEC_ID_HEVC: return units.contains(in: packet) { (16...21).contains($0) }
        default: return true
        }
    }
}
