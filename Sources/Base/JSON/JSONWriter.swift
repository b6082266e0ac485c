/// Writes JSON text with keys in the order given and numbers in a fixed, shortest form, so that equal values are equal
/// bytes.
public struct JSONWriter {
    /// The text so far, UTF-8.
    public private(set) var bytes: [UInt8] = []
    /// True where the next member or element needs a comma before it.
    private var needsComma = false

    /// A writer without text; what is written first is the outermost value.
    public init() {}

    /// The text so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets the text and keeps its memory for the next one.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Appends a raw newline, for JSON Lines.
    public mutating func endLine() {
        bytes.append(0x0A)
        needsComma = false
    }

    /// An object, with the members that `body` writes.
    public mutating func object<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        try nested("{", "}", body)
    }
    /// An array, with the elements that `body` writes.
    public mutating func array<E>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        try nested("[", "]", body)
    }

    private mutating func nested<E>(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) throws(E) -> Void
    ) throws(E) {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// A member's key; the next value written is its value.
    public mutating func key(_ key: String) {
        separate()
        quoted(key)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string, with escapes where JSON needs them.
    public mutating func value(_ text: String) {
        separate()
        quoted(text)
    }

    /// `true` or `false`.
    public mutating func value(_ flag: Bool) {
        separate()
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// A whole number.
    public mutating func value(_ integer: Int64) {
        separate()
        bytes.append(contentsOf: String(integer).utf8)
    }

    /// A whole number.
    public mutating func value(_ integer: Int) { value(Int64(integer)) }

    /// `null`.
    public mutating func null() {
        separate()
        bytes.append(contentsOf: "null".utf8)
    }

    /// A number rounded half away from zero to so many decimals, without trailing zeros: 1.50 is `1.5`, −0.001 with
    /// two decimals is `0`. A number that isn't finite is `null`: JSON has none.
    public mutating func value(_ number: Double, decimals: Int) {
        separate()
        guard number.isFinite, abs(number) < 1e15 else {
            bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
            return
        }
        var scale: Int64 = 1
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (number * Double(scale)).rounded(.toNearestOrAwayFromZero)
        guard abs(scaled) < 9e18 else {
            bytes.append(contentsOf: String(Int64(number)).utf8)
            return
        }
        let ticks = Int64(scaled)
        if ticks < 0 { bytes.append(UInt8(ascii: "-")) }
        let (whole, rest) = ticks.magnitude.quotientAndRemainder(dividingBy: scale.magnitude)
        bytes.append(contentsOf: String(whole).utf8)
        guard rest != 0 else { return }
        var digits = String(rest)
        digits = String(repeating: "0", count: decimals - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        bytes.append(UInt8(ascii: "."))
        bytes.append(contentsOf: digits.utf8)
    }

    /// The shortest text that reads back as the same number; whole numbers without a fraction.
    public mutating func value(_ number: Double) {
        separate()
        if number.isFinite, number == number.rounded(), abs(number) < 1e15 {
            bytes.append(contentsOf: String(Int64(number)).utf8)
        } else {
            bytes.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
        }
    }

    /// A parsed value, written again.
    /// - Parameters:
    ///   - value: What the parser gave.
    ///   - isSorted: Whether members come by their keys, in whatever order they were written.
    public mutating func value(_ value: JSONValue, isSorted: Bool = false) {
        switch value {
        case .null: null()
        case .bool(let flag): self.value(flag)
        case .number(let number): self.value(number)
        case .whole(let number): self.value(number)
        case .string(let text): self.value(text)
        case .array(let elements): array { for element in elements { $0.value(element.value, isSorted: isSorted) } }
        case .object(let members):
            let isInOrder = !isSorted || zip(members, members.dropFirst()).allSatisfy { $0.key < $1.key }
            object {
                for member in isInOrder ? members : members.sorted(by: { $0.key < $1.key }) {
                    $0.key(member.key)
                    $0.value(member.value.value, isSorted: isSorted)
                }
            }
        }
    }

    private mutating func quoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        // The first byte of two that may be a sign that commands terminals, U+0080 to U+009F.
        var isPending = false
        for byte in text.utf8 {
            if isPending {
                isPending = false
                if byte <= 0x9F {
                    escape(byte)
                    continue
                }
                bytes.append(0xC2)
            }
            switch byte {
            case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x0D: bytes.append(contentsOf: "\\r".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F: escape(byte)
            case 0xC2: isPending = true
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONWriter {
    /// A sign by its number.
    fileprivate mutating func escape(_ number: UInt8) {
        let digits = String(number, radix: 16)
        bytes.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
    }
}

/// Lays a JSON text out for people: two spaces a level, short arrays of scalars on one line.
public func prettyJSON(_ value: JSONValue, indent: Int = 0) -> String {
    func compact(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }
    let pad = String(repeating: "  ", count: indent + 1)
    let end = String(repeating: "  ", count: indent)
    switch value {
    case .object(let members) where !members.isEmpty:
        let lines = members.map { member in
            "\(pad)\(compact(.string(member.key))): \(prettyJSON(member.value.value, indent: indent + 1))"
        }
        return "{\n" + lines.joined(separator: ",\n") + "\n\(end)}"
    case .array(let elements) where !elements.isEmpty:
        let isFlat = elements.allSatisfy { element in
            switch element.value {
            case .object, .array: false
            default: true
            }
        }
        let flat = isFlat ? "[" + elements.map { compact($0.value) }.joined(separator: ", ") + "]" : ""
        if isFlat, flat.utf8.count + indent * 2 <= 110 { return flat }
        let lines = elements.map { pad + prettyJSON($0.value, indent: indent + 1) }
        return "[\n" + lines.joined(separator: ",\n") + "\n\(end)]"
    default: return compact(value)
    }
}

extension Double {
    /// The number that is read back when this one has been written with so many decimals.
    package func rounded(toDecimals decimals: Int) -> Double {
        guard isFinite, abs(self) < 1e15 else { return self }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (self * scale).rounded(.toNearestOrAwayFromZero)
        guard abs(scaled) < 9e18 else { return rounded(.towardZero) }
        // Division is rounded correctly, so this is the double that is nearest to the digits. Zero has no sign in JSON.
        return scaled == 0 ? 0 : Self.isExact(scaled) ? scaled / scale : digits(decimals)
    }

    /// Whole numbers up to 2⁵³ are exact.
    private static func isExact(_ whole: Double) -> Bool { abs(whole) <= 0x1p53 }

    private func digits(_ decimals: Int) -> Double {
        var json = JSONWriter()
        json.value(self, decimals: decimals)
        return Double(json.text) ?? self
    }
}
