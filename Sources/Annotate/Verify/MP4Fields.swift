/// What the small boxes of an MP4 say, number by number: this program leaves no date, and nothing where nothing belongs.
enum MP4Fields {
    /// What a box says that this program doesn't write, in words; nil for nothing.
    /// - Parameter holder: The box that it is in.
    static func strange(in type: String, of holder: String, _ bytes: [UInt8]) -> String? {
        !checked.contains(type) || isOurs(type, holder, bytes)
            ? nil : "other numbers in its box “\(type.inOneLine)” than it has"
    }

    private static let checked: Set = [
        "mvhd", "tkhd", "mdhd", "hdlr", "vmhd", "smhd", "nmhd", "dref", "\u{A9}too",
    ]

    private static func isOurs(_ type: String, _ holder: String, _ bytes: [UInt8]) -> Bool {
        func isBlank(_ range: Range<Int>) -> Bool {
            range.upperBound <= bytes.count && bytes[range].allSatisfy { $0 == 0 }
        }
        func has(_ range: Range<Int>, _ value: [UInt8]) -> Bool {
            range.upperBound <= bytes.count && bytes[range].elementsEqual(value)
        }
        // Times of version 1 have eight bytes each: two dates, then the scale or the number of the track.
        let isLong = bytes.first == 1
        guard !bytes.isEmpty, bytes[0] <= 1 else { return false }
        let dates = isLong ? 16 : 8
        switch type {
        case "mvhd":
            let rest = 4 + dates + (isLong ? 12 : 8)
            return isBlank(1..<4 + dates) && bytes.count == rest + 80 && has(rest..<rest + 6, [0, 1, 0, 0, 1, 0])
                && isBlank(rest + 6..<rest + 16) && has(rest + 16..<rest + 52, matrix) && isBlank(rest + 52..<rest + 78)
        case "tkhd":
            let rest = 4 + dates + (isLong ? 16 : 12)
            return bytes.count == rest + 60 && isBlank(1..<3) && bytes[3] & 0xF8 == 0 && isBlank(4..<4 + dates)
                && isBlank(4 + dates + 4..<4 + dates + 8) && isBlank(rest..<rest + 11) && isBlank(rest + 13..<rest + 16)
                && bytes[rest + 12] <= 1 && has(rest + 16..<rest + 52, matrix)
        case "mdhd":
            let rest = 4 + dates + (isLong ? 12 : 8)
            return isBlank(1..<4 + dates) && bytes.count == rest + 4 && isBlank(rest + 2..<rest + 4)
        case "hdlr" where holder == "meta":
            return isBlank(0..<8) && has(8..<16, Array("mdirappl".utf8)) && isBlank(16..<bytes.count)
                && bytes.count <= 25
        case "hdlr":
            let name = bytes.count > 12 ? Array(bytes[8..<12]) : []
            let said = name == Array("vide".utf8) ? "VideoHandler" : "SoundHandler"
            return holder == "mdia" && isBlank(0..<8) && isBlank(12..<24) && bytes[24...].elementsEqual(said.utf8 + [0])
        case "vmhd": return bytes.count == 12 && has(0..<4, [0, 0, 0, 1]) && isBlank(4..<12)
        case "smhd": return bytes.count == 8 && isBlank(0..<8)
        case "nmhd": return bytes.count == 4 && isBlank(0..<4)
        case "dref":
            return bytes.elementsEqual([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + Array("url ".utf8) + [0, 0, 0, 1])
        case "\u{A9}too":
            return bytes.elementsEqual(
                [0, 0, 0, 20] + Array("data".utf8) + [0, 0, 0, 1, 0, 0, 0, 0] + Array("Lavf".utf8))
        default: return true
        }
    }

    /// Nothing is turned or moved.
    private static let matrix: [UInt8] =
        [0, 1] + Array(repeating: 0, count: 14) + [0, 1] + Array(repeating: 0, count: 14) + [0x40, 0, 0, 0]

    /// Whether the fixed fields of a track's description, from its length on, are this program's.
    static func areOurs(description bytes: ArraySlice<UInt8>, isVideo: Bool) -> Bool {
        let fields = Array(bytes)
        func isBlank(_ range: Range<Int>) -> Bool { fields[range].allSatisfy { $0 == 0 } }
        guard isBlank(8..<14), fields[14] == 0, fields[15] == 1 else { return false }
        guard isVideo else { return isBlank(16..<24) && isBlank(28..<32) }
        // Behind the size: 72 pixels an inch, one picture a sample, a name in a place of 32 bytes, 24 bits, no table of colours.
        let name = Int(fields[50])
        return isBlank(16..<32) && fields[36..<44].elementsEqual([0, 72, 0, 0, 0, 72, 0, 0]) && isBlank(44..<48)
            && fields[48..<50].elementsEqual([0, 1]) && name < 32 && isBlank(51 + name..<82)
            && fields[82..<86].elementsEqual([0, 24, 0xFF, 0xFF])
    }
}
