internal import CFFmpeg

/// The units that a packet of H.264 or HEVC is made of.
struct NALUnits {
    /// Bytes of the length before a unit; 0 where start codes part units (Annex B).
    private let lengthSize: Int
    private let isHEVC: Bool

    /// - Parameter parameters: Those of a stream of H.264 or HEVC; of other codecs there are no units.
    init(_ parameters: AVCodecParameters) {
        isHEVC = parameters.codec_id == AV_CODEC_ID_HEVC
        lengthSize = Self.lengthSize(parameters)
    }

    /// avcC and hvcC begin with 1 and say how long a NAL unit's length is; anything else is Annex B.
    private static func lengthSize(_ parameters: AVCodecParameters) -> Int {
        guard let data = parameters.extradata, data[0] == 1 else { return 0 }
        switch parameters.codec_id {
        case AV_CODEC_ID_H264 where parameters.extradata_size > 4: return Int(data[4] & 3) + 1
        case AV_CODEC_ID_HEVC where parameters.extradata_size > 21: return Int(data[21] & 3) + 1
        default: return 0
        }
    }

    /// True where one of a packet's units is of such a type; those behind it aren't looked at.
    func contains(in packet: Packet, _ isWanted: (UInt8) -> Bool) -> Bool {
        var isFound = false
        walk(packet) { type in
            isFound = isWanted(type)
            return !isFound
        }
        return isFound
    }

    /// True for a packet of units of which none is a slice of a picture: parameters, messages, fillers.
    func isWithoutPicture(_ packet: Packet) -> Bool {
        var isAny = false
        // HEVC's types from 32 on, and H.264's from 6 on but for a second coded picture's.
        let isSlice = contains(in: packet) { type in
            isAny = true
            return isHEVC ? !(32...40).contains(type) : !(6...13).contains(type) && type != 15
        }
        return isAny && !isSlice
    }

    /// Places of a packet's units, without what parts them and the zeros behind them.
    func places(in packet: Packet) -> [Range<Int>] {
        guard let data = packet.av.pointee.data, packet.av.pointee.size > 0 else { return [] }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.av.pointee.size))
        var found: [Range<Int>] = []
        func add(_ start: Int, _ end: Int) {
            var end = min(end, bytes.count)
            while end > start, bytes[end - 1] == 0 { end -= 1 }
            if end > start { found.append(start..<end) }
        }
        var index = 0
        if lengthSize > 0 {
            while index + lengthSize < bytes.count {
                let length = bytes[index..<index + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                index += lengthSize
                add(index, index + length)
                index += length
            }
            return found
        }
        var start: Int?
        while index + 2 < bytes.count {
            if bytes[index + 2] > 1 {
                index += 3
            } else if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                if let start { add(start, index) }
                index += 3
                start = index
            } else {
                index += 1
            }
        }
        add(start ?? 0, bytes.count)
        return found
    }

    /// A unit that is longer than what is left of its packet is damage, which decoders refuse: its type is anything.
    ///
    /// - Parameter body: Gets the type of each unit; false ends the walk.
    private func walk(_ packet: Packet, _ body: (UInt8) -> Bool) {
        guard let data = packet.av.pointee.data, packet.av.pointee.size > 0 else { return }
        let bytes = UnsafeBufferPointer(start: data, count: Int(packet.av.pointee.size))
        func type(_ byte: UInt8) -> UInt8 { isHEVC ? byte >> 1 & 0x3F : byte & 0x1F }
        var index = 0
        if lengthSize > 0 {
            while index + lengthSize < bytes.count {
                let length = bytes[index..<index + lengthSize].reduce(0) { $0 << 8 | Int($1) }
                index += lengthSize
                guard length <= bytes.count - index, body(type(bytes[index])) else { return }
                index += length
            }
        } else {
            while index + 3 < bytes.count {
                if bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 {
                    guard body(type(bytes[index + 3])) else { return }
                    index += 3
                } else {
                    index += 1
                }
            }
        }
    }
}
