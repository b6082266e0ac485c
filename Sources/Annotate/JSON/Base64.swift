/// Bytes as text (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var out: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                out.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// nil for a text that is none.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard digits.count % 4 == 0, padding <= 2 else { return nil }
        let values = digits.dropLast(padding).map { alphabet.firstIndex(of: $0) }
        guard !values.contains(nil) else { return nil }
        var out: [UInt8] = []
        let all = values.compactMap { $0 } + Array(repeating: 0, count: padding)
        for start in stride(from: 0, to: all.count, by: 4) {
            let bits = all[start..<start + 4].reduce(0) { $0 << 6 | $1 }
            out += [UInt8(bits >> 16), UInt8(bits >> 8 & 255), UInt8(bits & 255)]
        }
        return Array(out.dropLast(padding))
    }
}
