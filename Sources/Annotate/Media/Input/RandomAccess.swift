internal import CFFmpeg

/// Tells from packets alone where decoding can start with nothing lost, and how many pictures lie before.
///
/// Only codecs of which one packet makes one picture are counted like this; for the others decoding from the start is the
/// one way to know a picture's ordinal.
struct RandomAccess {
    private let codec: AVCodecID
    private let isCountable: Bool
    private let isIntraOnly: Bool
    /// Bytes of a NAL unit's length, 0 where start codes part them (Annex B).
    private let lengthSize: Int

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
        lengthSize = Self.lengthSize(parameters)
    }

    /// False where pictures can't be counted without decoding.
    var isPossible: Bool { isCountable }

    /// avcC and hvcC begin with 1 and say how long a NAL unit's length is; anything else is Annex B.
    private static func lengthSize(_ parameters: AVCodecParameters) -> Int {
        guard let data = parameters.extradata, data[0] == 1 else { return 0 }
        switch parameters.codec_id {
        case AV_CODEC_ID_H264 where parameters.extradata_size > 4: return Int(data[4] & 3) + 1
        case AV_CODEC_ID_HEVC where parameters.extradata_size > 21: return Int(data[21] & 3) + 1
        default: return 0
        }
    }

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

    /// True where this picture and all that are shown after it decode as they would from the file's start.
    func isStart(_ packet: Packet) -> Bool {
        guard packet.av.pointee.flags & AV_PKT_FLAG_KEY != 0 else { return false }
        switch codec {
        // An instantaneous refresh: what FFmpeg flags beyond it may be a gradual one.
        case AV_CODEC_ID_H264: return unitTypes(packet) { $0 & 0x1F }.contains(5)
        // IDR, BLA and CRA pictures.
        case AV_CODEC_ID_HEVC: return unitTypes(packet) { $0 >> 1 & 0x3F }.contains { (16...21).contains($0) }
        default: return true
        }
    }

    private func unitTypes(_ packet: Packet, _ type: (UInt8) -> UInt8) -> [UInt8] {
        guard let data = packet.av.pointee.data else { return [] }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.av.pointee.size))
        var types: [UInt8] = []
        var index = 0
        if lengthSize > 0 {
            while index + lengthSize < bytes.count {
                let length = bytes[index..<index + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                types.append(type(bytes[index + lengthSize]))
                index += lengthSize + length
            }
        } else {
            while index + 3 < bytes.count {
                if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                    types.append(type(bytes[index + 3]))
                    index += 3
                } else {
                    index += 1
                }
            }
        }
        return types
    }
}
