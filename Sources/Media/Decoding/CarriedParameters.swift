internal import CFFmpeg

/// Parameters that a packet carries and that packets after it are decoded with, too, until others carry the same:
/// tables, parameter sets, palettes.
///
/// Decoding begins where none of those that came before is missing.
struct CarriedParameters: OptionSet, Hashable {
    var rawValue: UInt32

    /// A palette, beside the packet's data.
    static let palette = Self(rawValue: 1)
    static let extradata = Self(rawValue: 1 << 1)
    static let change = Self(rawValue: 1 << 2)
    /// Segments of JPEG (ITU-T T.81, B.2.4; T.87, C.2.4).
    static let huffmanTables = Self(rawValue: 1 << 3)
    static let quantization = Self(rawValue: 1 << 4)
    static let restartInterval = Self(rawValue: 1 << 5)
    static let presets = Self(rawValue: 1 << 6)
    /// The sequence header of MPEG-1 and 2, which sets all that later pictures may change.
    static let sequence = Self(rawValue: 1 << 7)
    /// Parameter sets of H.264 and HEVC.
    static let videoSet = Self(rawValue: 1 << 8)
    static let sequenceSet = Self(rawValue: 1 << 9)
    static let pictureSet = Self(rawValue: 1 << 10)
    /// Sets of H.264's extensions.
    static let otherSet = Self(rawValue: 1 << 11)
}

extension CarriedParameters {
    /// The parameters that a packet carries.
    /// - Parameter units: The reader of units of the packet's stream.
    init(_ packet: Packet, codec: AVCodecID, units: NALUnits) {
        self = Self.besideData(packet)
        switch codec {
        case AV_CODEC_ID_MJPEG, AV_CODEC_ID_MJPEGB, AV_CODEC_ID_LJPEG, AV_CODEC_ID_JPEGLS:
            packet.withBytes { formUnion(Self.ofJPEG($0)) }
        case AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO: packet.withBytes { formUnion(Self.ofMPEG2($0)) }
        case AV_CODEC_ID_H264: formUnion(Self.ofH264(packet, units))
        case AV_CODEC_ID_HEVC: formUnion(Self.ofHEVC(packet, units))
        default: break
        }
    }

    private static func besideData(_ packet: Packet) -> Self {
        guard packet.av.pointee.side_data_elems > 0 else { return [] }
        let kinds: [(AVPacketSideDataType, Self)] = [
            (AV_PKT_DATA_PALETTE, .palette), (AV_PKT_DATA_NEW_EXTRADATA, .extradata),
            (AV_PKT_DATA_PARAM_CHANGE, .change),
        ]
        return Self(kinds.filter { av_packet_get_side_data(packet.av, $0.0, nil) != nil }.map(\.1))
    }

    /// Parameters in the segments before the first scan.
    private static func ofJPEG(_ bytes: UnsafeBufferPointer<UInt8>) -> Self {
        var found: Self = []
        var index = 0
        while index + 3 < bytes.count {
            guard bytes[index] == 0xFF else {
                index += 1
                continue
            }
            let marker = bytes[index + 1]
            switch marker {
            case 0xC4: found.insert(.huffmanTables)
            case 0xDB: found.insert(.quantization)
            case 0xDD: found.insert(.restartInterval)
            case 0xF8: found.insert(.presets)
            case 0xDA: return found
            // Filling, and markers without a length.
            case 0x00, 0x01, 0xD0...0xD9, 0xFF:
                index += marker == 0xFF ? 1 : 2
                continue
            default: break
            }
            index += 2 + (Int(bytes[index + 2]) << 8 | Int(bytes[index + 3]))
        }
        return found
    }

    /// Parameters in the headers before the first slice (ISO/IEC 13818-2, 6.2).
    private static func ofMPEG2(_ bytes: UnsafeBufferPointer<UInt8>) -> Self {
        var index = 0
        while index + 4 < bytes.count {
            guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
                index += 1
                continue
            }
            switch bytes[index + 3] {
            case 0xB3: return .sequence
            // An extension with matrices of its own.
            case 0xB5 where bytes[index + 4] >> 4 == 3: return .sequence
            case 0x01...0xAF: return []
            default: index += 3
            }
        }
        return []
    }

    private static func ofH264(_ packet: Packet, _ units: NALUnits) -> Self {
        var found: Self = []
        _ = units.contains(in: packet) { type in
            switch type {
            case 7: found.insert(.sequenceSet)
            case 8: found.insert(.pictureSet)
            case 13, 15, 16: found.insert(.otherSet)
            default: break
            }
            return (1...5).contains(type)
        }
        return found
    }

    private static func ofHEVC(_ packet: Packet, _ units: NALUnits) -> Self {
        var found: Self = []
        _ = units.contains(in: packet) { type in
            switch type {
            case 32: found.insert(.videoSet)
            case 33: found.insert(.sequenceSet)
            case 34: found.insert(.pictureSet)
            default: break
            }
            return type < 32
        }
        return found
    }
}
