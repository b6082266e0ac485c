/// Reads a coded header bit by bit. Behind its end all bits are 0.
struct BitString {
    private let bytes: [UInt8]
    private(set) var place = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    var isPastEnd: Bool { place > 8 * bytes.count }

    mutating func bit() -> Bool {
        defer { place += 1 }
        return place >> 3 < bytes.count && bytes[place >> 3] >> UInt8(7 - place & 7) & 1 == 1
    }

    mutating func number(_ bits: Int) -> Int {
        var value = 0
        for _ in 0..<bits { value = value << 1 | (bit() ? 1 : 0) }
        return value
    }

    /// A unit of H.264 or HEVC without the bytes that keep start codes out of it.
    static func unescaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var (plain, zeros) = ([UInt8](), 0)
        for byte in bytes {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            plain.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return plain
    }
}
