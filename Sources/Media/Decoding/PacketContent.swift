internal import CFFmpeg

/// What a packet's own bits say of the picture that a decoder makes of it.
enum PacketContent: Equatable {
    /// A picture that has to come out.
    case picture
    /// A field; another one of the other parity right behind it is of the same picture.
    case field(isBottom: Bool)
    /// Nothing that is shown: a hidden reference, parameters alone.
    case nothing
    /// Unknown: the codec may leave pictures out, or the packet is empty.
    case untold
}

/// Reads what the packets of one stream hold. Only bits that are well formed excuse a packet from making a picture.
final class PacketContentReader {
    private let codec: AVCodecID
    private let units: NALUnits
    /// Codecs of which every packet is a picture, a field, or says in its first bytes that it is neither.
    private let isTold: Bool
    /// H.264's fields are told by its parameters, which FFmpeg's parser reads.
    private var parser: UnsafeMutablePointer<AVCodecParserContext>?
    private var parserState: UnsafeMutablePointer<AVCodecContext>?

    private static let told = [
        AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_VP8,
        AV_CODEC_ID_VP9, AV_CODEC_ID_AV1, AV_CODEC_ID_THEORA, AV_CODEC_ID_H263, AV_CODEC_ID_FLV1, AV_CODEC_ID_FFV1,
        AV_CODEC_ID_GIF, AV_CODEC_ID_APNG, AV_CODEC_ID_CINEPAK, AV_CODEC_ID_SVQ1,
    ]

    init(stream: UnsafeMutablePointer<AVStream>) throws {
        let parameters = stream.pointee.codecpar.pointee
        codec = parameters.codec_id
        units = NALUnits(parameters)
        let properties = avcodec_descriptor_get(codec)?.pointee.props ?? 0
        isTold = properties & AV_CODEC_PROP_INTRA_ONLY != 0 || Self.told.contains(codec)
        guard codec == AV_CODEC_ID_H264 else { return }
        // Without a parser no packet is taken for a field.
        parser = cff_parser(codec)
        parser?.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
        parserState = avcodec_alloc_context3(nil)
        guard let parserState else { throw outOfMemory("read", "the packets") }
        try check(avcodec_parameters_to_context(parserState, stream.pointee.codecpar), "read", "the packets")
    }

    deinit {
        av_parser_close(parser)
        avcodec_free_context(&parserState)
    }

    /// True where the two fields of a picture may lie in packets that don't say so.
    var mayHideFields: Bool {
        ![
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_VP8,
            AV_CODEC_ID_VP9, AV_CODEC_ID_AV1,
        ].contains(codec)
    }

    /// What the next packet in decoding order holds.
    func content(of packet: Packet) -> PacketContent {
        guard let data = packet.av.pointee.data, packet.av.pointee.size > 0 else { return .untold }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.av.pointee.size))
        switch codec {
        case AV_CODEC_ID_H264: return units.isWithoutPicture(packet) ? .nothing : structure(bytes)
        case AV_CODEC_ID_HEVC: return units.isWithoutPicture(packet) ? .nothing : .picture
        case AV_CODEC_ID_MPEG2VIDEO: return MPEG2Bits.content(bytes)
        case AV_CODEC_ID_VP8: return VPxBits.isHiddenVP8(bytes) ? .nothing : .picture
        case AV_CODEC_ID_VP9: return VPxBits.isHiddenVP9(bytes) ? .nothing : .picture
        case AV_CODEC_ID_AV1: return AV1Units.isHidden(packet) ? .nothing : .picture
        default: return isTold ? .picture : .untold
        }
    }

    private func structure(_ bytes: UnsafeBufferPointer<UInt8>) -> PacketContent {
        guard let parser, let parserState else { return .picture }
        var output: UnsafeMutablePointer<UInt8>?
        var count: Int32 = 0
        // It reads the headers, and hands the packet back as it is.
        av_parser_parse2(
            parser, parserState, &output, &count, bytes.baseAddress, Int32(clamping: bytes.count), cff_no_pts,
            cff_no_pts, 0)
        switch parser.pointee.picture_structure {
        case AV_PICTURE_STRUCTURE_TOP_FIELD: return .field(isBottom: false)
        case AV_PICTURE_STRUCTURE_BOTTOM_FIELD: return .field(isBottom: true)
        default: return .picture
        }
    }
}

/// ISO/IEC 13818-2, 6.3.10: a picture's extension says whether it is a frame or one field of it.
private enum MPEG2Bits {
    static func content(_ bytes: UnsafeBufferPointer<UInt8>) -> PacketContent {
        var fields: [UInt8] = []
        var index = 0
        while index + 6 < bytes.count {
            guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
                index += 1
                continue
            }
            // extension_start_code, and the identifier of a picture coding extension.
            if bytes[index + 3] == 0xB5, bytes[index + 4] >> 4 == 8 {
                fields.append(bytes[index + 6] & 3)
                guard fields[0] != 3, fields.count < 2 else { return .picture }
            }
            index += 3
        }
        return fields.count == 1 ? .field(isBottom: fields[0] == 2) : .picture
    }
}

/// The first bits of VP8's frames (RFC 6386, 9.1) and VP9's (its specification, 6.2 and annex B).
private enum VPxBits {
    static func isHiddenVP8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count > 3, bytes[0] & 0x10 == 0 else { return false }
        let partition = (Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16) >> 5
        return partition > 0 && partition <= bytes.count - 3
    }

    static func isHiddenVP9(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        // Of frames that lie together at least one is shown.
        guard bytes.count > 1, bytes[bytes.count - 1] & 0xE0 != 0xC0 else { return false }
        let first = bytes[0]
        let isProfile3 = first >> 4 & 3 == 3
        guard first >> 6 == 2, !(isProfile3 && first & 0x08 != 0) else { return false }
        // show_existing_frame, frame_type, show_frame; a reserved bit before them in profile 3.
        let bits = first << (isProfile3 ? 5 : 4)
        return bits & 0x80 == 0 && bits & 0x20 == 0
    }
}
