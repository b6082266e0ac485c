internal import CFFmpeg

/// What a stream of H.264 or HEVC holds beyond what x264 and x265 write as this program sets them: one slice a picture, one picture a
/// sample, x264's own words, and one of each parameter set.
struct NALContents {
    private let isHEVC: Bool
    private let lengthSize: Int
    /// What is there besides, in words.
    private(set) var strange: [String] = []
    /// The first message of each type: all that follow are like it.
    private var messages: [Int: [UInt8]] = [:]

    init(_ parameters: AVCodecParameters) {
        isHEVC = parameters.codec_id == AV_CODEC_ID_HEVC
        let bytes = Array(
            UnsafeBufferPointer(start: parameters.extradata, count: max(0, Int(parameters.extradata_size))))
        let place = isHEVC ? 21 : 4
        lengthSize = bytes.first == 1 && bytes.count > place ? Int(bytes[place] & 3) + 1 : 0
        guard lengthSize > 0 else {
            add("pictures without their parameters")
            return
        }
        guard let sets = isHEVC ? Self.setsOfHEVC(bytes) : Self.setsOfH264(bytes),
            sets == Self.canonical(parameters, isHEVC ? "hevc_metadata" : "h264_metadata") ?? sets
        else {
            add("more in its pictures' parameters than these")
            return
        }
    }

    private mutating func add(_ what: String) {
        if strange.count < 5, !strange.contains(what) { strange.append(what) }
    }

    /// Goes through the units of a packet.
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard lengthSize > 0 else { return }
        var (index, slices, isKey, hasMessage) = (0, 0, false, false)
        let head = isHEVC ? 2 : 1
        while index < bytes.count {
            guard index + lengthSize <= bytes.count else { return add("bytes among its pictures that are none") }
            let length = bytes[index..<index + lengthSize].reduce(0) { $0 << 8 | Int($1) }
            index += lengthSize
            guard length > head, length <= bytes.count - index else {
                return add("bytes among its pictures that are none")
            }
            let unit = bytes[index..<index + length]
            index += length
            let type = isHEVC ? Int(unit[unit.startIndex] >> 1 & 63) : Int(unit[unit.startIndex] & 31)
            // Neither forbidden bits nor another layer's.
            let isPlain =
                isHEVC
                ? unit[unit.startIndex] & 0x81 == 0 && unit[unit.startIndex + 1] == 1
                : unit[unit.startIndex] & 0x80 == 0
            let isSlice = isHEVC ? [0, 1, 6, 7, 8, 9, 16, 17, 18, 19, 20, 21].contains(type) : type == 1 || type == 5
            switch (isPlain, isSlice) {
            case (true, true):
                slices += 1
                isKey = isHEVC ? type >= 16 : type == 5
                // It begins with the picture's first block.
                if unit[unit.startIndex + head] & 0x80 == 0 { add("a part of a picture by itself") }
            case (true, false) where type == (isHEVC ? 39 : 6) && slices == 0 && !hasMessage:
                hasMessage = true
                read(message: unit.dropFirst(head))
            default: add("a unit of type \(type) among its pictures")
            }
        }
        if slices != 1 { add("\(slices) parts of pictures in one sample") }
        if hasMessage, !isKey { add("a message in a picture that isn't a key") }
    }

    /// The most bytes of messages: encoders' own are some hundred.
    private static let longest = 4096

    private mutating func read(message unit: Slice<UnsafeBufferPointer<UInt8>>) {
        guard unit.count <= Self.longest else { return add("a message of \(unit.count) bytes among its pictures") }
        let bytes = BitString.unescaped(unit)
        var index = 0
        func number() -> Int {
            var value = 0
            while index < bytes.count, bytes[index] == 0xFF {
                value += 255
                index += 1
            }
            defer { index += 1 }
            return index < bytes.count ? value + Int(bytes[index]) : -1
        }
        while index + 1 < bytes.count {
            let (type, length) = (number(), number())
            guard type >= 0, length >= 0, length <= bytes.count - index else {
                return add("a message that is none among its pictures")
            }
            let body = Array(bytes[index..<index + length])
            index += length
            let isOurs =
                switch type {
                // The master's colours and light, which newer encoders write themselves.
                case 137: length == 24
                case 144: length == 4
                case 5 where !isHEVC:
                    body.starts(with: EncoderWords.identity) && EncoderWords.areX264s(body.dropFirst(16))
                default: false
                }
            guard isOurs, messages[type] ?? body == body else {
                return add("a message of type \(type) among its pictures that isn't the encoder's")
            }
            messages[type] = body
        }
        if index != bytes.count - 1 || bytes.last != 0x80 { add("bytes behind a message among its pictures") }
    }

    // MARK: Parameter sets

    /// avcC (ISO/IEC 14496-15, 5.3.3.1): one set of each kind, and behind them what a high profile's says of its samples.
    private static func setsOfH264(_ bytes: [UInt8]) -> [[UInt8]]? {
        guard bytes.count > 8, bytes[4] == 0xFF, bytes[5] == 0xE1 else { return nil }
        var place = 6
        guard let first = set(bytes, &place), place < bytes.count, bytes[place] == 1, first.count > 4,
            first[0] & 0x1F == 7, bytes[1..<4] == first[1..<4]
        else { return nil }
        place += 1
        guard let second = set(bytes, &place), second.first.map({ $0 & 0x1F }) == 8 else { return nil }
        let rest = Array(bytes[place...])
        guard
            rest.isEmpty
                || rest.count == 4 && rest[0] & 0xFC == 0xFC && rest[1] & 0xF8 == 0xF8 && rest[2] & 0xF8 == 0xF8
                    && rest[3] == 0
        else { return nil }
        return [first, second]
    }

    /// hvcC (ISO/IEC 14496-15, 8.3.3.1): the profile as the sequence's set says it, and one set of each kind.
    private static func setsOfHEVC(_ bytes: [UInt8]) -> [[UInt8]]? {
        guard bytes.count > 23, bytes[13] == 0xF0, bytes[14] == 0, bytes[15] & 0xFC == 0xFC, bytes[16] & 0xFC == 0xFC,
            bytes[17] & 0xF8 == 0xF8, bytes[18] & 0xF8 == 0xF8, bytes[19] == 0, bytes[20] == 0,
            [0x0B, 0x0F].contains(bytes[21]), bytes[22] == 3
        else { return nil }
        var (place, sets) = (23, [[UInt8]]())
        for type in 32...34 {
            guard place + 3 <= bytes.count, Int(bytes[place] & 0x3F) == type, bytes[place] & 0x40 == 0,
                bytes[place + 1] == 0, bytes[place + 2] == 1
            else { return nil }
            place += 3
            guard let unit = set(bytes, &place), unit.count > 2, Int(unit[0] >> 1) == type, unit[1] == 1 else {
                return nil
            }
            sets.append(unit)
        }
        let profile = BitString.unescaped(sets[1]).dropFirst(3).prefix(12)
        // No picture may say of itself that it isn't to be shown (output_flag_present_flag).
        var picture = BitString(BitString.unescaped(sets[2]).dropFirst(2))
        guard place == bytes.count, bytes[1...12].elementsEqual(profile), picture.number(4) == 0b1100 else {
            return nil
        }
        return sets
    }

    private static func set(_ bytes: [UInt8], _ place: inout Int) -> [UInt8]? {
        guard place + 2 <= bytes.count else { return nil }
        let length = Int(bytes[place]) << 8 | Int(bytes[place + 1])
        place += 2
        guard length > 0, length <= bytes.count - place else { return nil }
        defer { place += length }
        return Array(bytes[place..<place + length])
    }

    /// The parameter sets as FFmpeg writes what it reads in them, so without anything behind it; nil where it has no such filter.
    private static func canonical(_ parameters: AVCodecParameters, _ filter: String) -> [[UInt8]]? {
        guard let bytes = StreamContents.rewritten(parameters, filter) else { return nil }
        var (units, start, index) = ([[UInt8]](), Int?.none, 0)
        while index + 2 < bytes.count {
            guard bytes[index] == 0, bytes[index + 1] == 0, bytes[index + 2] == 1 else {
                index += 1
                continue
            }
            if let start { units.append(trimmed(bytes[start..<index])) }
            index += 3
            start = index
        }
        if let start { units.append(trimmed(bytes[start...])) }
        return units
    }

    /// Without the zeros before the next start code.
    private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
        var unit = unit
        while unit.last == 0 { unit.removeLast() }
        return Array(unit)
    }
}
