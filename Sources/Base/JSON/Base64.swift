/// Bytes as text (RFC 4648, section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Base64 text of some bytes, with padding.
    package static func text(_ bytes: [UInt8]) -> String { String(decoding: digits(bytes), as: UTF8.self) }

    /// Base64 text of some bytes, as ASCII.
    package static func digits(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        let whole = bytes.count / 3 * 3
        for start in stride(from: 0, to: whole, by: 3) {
            let bits = Int(bytes[start]) << 16 | Int(bytes[start + 1]) << 8 | Int(bytes[start + 2])
            out.append(alphabet[bits >> 18])
            out.append(alphabet[bits >> 12 & 63])
            out.append(alphabet[bits >> 6 & 63])
            out.append(alphabet[bits & 63])
        }
        let rest = bytes.count - whole
        guard rest > 0 else { return out }
        let bits = Int(bytes[whole]) << 16 | (rest > 1 ? Int(bytes[whole + 1]) << 8 : 0)
        out += [alphabet[bits >> 18], alphabet[bits >> 12 & 63]]
        out.append(rest > 1 ? alphabet[bits >> 6 & 63] : UInt8(ascii: "="))
        out.append(UInt8(ascii: "="))
        return out
    }

    /// Bytes that a Base64 text stands for; nil where it isn't Base64.
    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard digits.count % 4 == 0, padding <= 2 else { return nil }
        var out: [UInt8] = []
        out.reserveCapacity(digits.count / 4 * 3)
        let last = digits.count - padding
        for start in stride(from: 0, to: digits.count, by: 4) {
            var bits = 0
            for place in start..<start + 4 {
                let value = place < last ? values[Int(digits[place])] : 0
                guard value >= 0 else { return nil }
                bits = bits << 6 | Int(value)
            }
            out += [UInt8(bits >> 16), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        }
        out.removeLast(padding)
        return out
    }

    /// What each byte stands for as a digit; -1 for none.
    private static let values: [Int8] = {
        var values = [Int8](repeating: -1, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = Int8(value) }
        return values
    }()
}
