internal import CFFmpeg

/// Tells packets apart with which a new decoder gives the same pictures from there on as one that has decoded all before: of
/// a stream in which nothing is damaged so far.
struct FreshStart {
    private let codec: AVCodecID
    private let access: RandomAccess
    /// Parameters that packets carried, but for the first one, which a new decoder is given too.
    private var carried: CarriedParameters = []
    private var isFirst = true

    init(stream: UnsafeMutablePointer<AVStream>) {
        codec = stream.pointee.codecpar.pointee.codec_id
        access = RandomAccess(stream: stream)
    }

    /// Whether the next packet in decoding order is such a one.
    mutating func isStart(_ packet: Packet) -> Bool {
        let own = access.parameters(of: packet)
        let isStart = carried.isSubset(of: own) && access.isStart(packet) && !isFirst && saysSo(packet)
        if !isFirst { carried.formUnion(own) }
        isFirst = false
        return isStart
    }

    /// Containers' flags may be wrong, or stand for less: the picture's own bits have to say it.
    private func saysSo(_ packet: Packet) -> Bool {
        switch codec {
        // An instantaneous refresh, by its units.
        case AV_CODEC_ID_H264: true
        // A shown key frame; of profile 3 another bit lies between.
        case AV_CODEC_ID_VP9: packet.withBytes { ($0.first ?? 0) & 0xCE == 0x82 && ($0.first ?? 0) & 0x30 != 0x30 }
        case AV_CODEC_ID_AV1: AV1Units.beginsAnew(packet)
        default: false
        }
    }
}
