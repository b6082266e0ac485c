/// Whether bytes are UTF-8, without a copy of them: a text may be as large as the memory has room for once.
enum UTF8Check {
    /// Offset of the first bytes that are no scalar; nil for none.
    static func firstInvalid(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var place = 0
            while place < bytes.count {
                // Most is ASCII, eight at once.
                if place + 8 <= bytes.count,
                    bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    place += 8
                } else if let count = scalar(in: bytes, at: place) {
                    place += count
                } else {
                    return place
                }
            }
            return nil
        }
    }

    /// How many bytes the scalar has that begins at a place (The Unicode Standard 16.0, table 3-7); nil for none.
    private static func scalar(in bytes: UnsafeRawBufferPointer, at place: Int) -> Int? {
        let (count, second): (Int, ClosedRange<UInt8>)
        switch bytes[place] {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard place + count <= bytes.count, second.contains(bytes[place + 1]) else { return nil }
        return bytes[(place + 2)..<(place + count)].allSatisfy { $0 & 0xC0 == 0x80 } ? count : nil
    }
}
