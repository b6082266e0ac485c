/// A syntax error in a JSON text.
public struct JSONSyntaxError: Error, Sendable {
    /// Where the text stops being JSON.
    public var position: SourcePosition
    /// What was found there, and what was expected.
    public var message: String
}

/// Reads JSON (RFC 8259) and keeps every value's line and column.
///
/// Foundation's decoder gives no position on Linux and lets unknown and repeated keys pass; a manifest's errors need
/// all three. Nesting is limited so that a hostile file can't exhaust the stack.
public struct JSONParser {
    private static let maximumDepth = 64

    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var lineStart = 0
    /// Elements and members of what is open, so that arrays are made when their lengths are known.
    private var elements: [JSONNode] = []
    private var members: [JSONMember] = []
    /// Receiver of one array's elements, which aren't kept in the tree.
    private var streamed: Streamed?

    private struct Streamed {
        var key: String
        var take: (JSONNode) -> Void
    }

    /// Parses one whole document.
    /// - Throws: `JSONSyntaxError`, with the first place where the text stops being JSON.
    public static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        try parse(bytes, streamed: nil)
    }

    /// Parses a document without keeping the elements of one array of the outermost object: it is empty in what is
    /// returned.
    /// - Parameters:
    ///   - key: The array's key.
    ///   - take: Called with its elements, one after the other.
    package static func parse(
        _ bytes: [UInt8], elementsOf key: String, _ take: (JSONNode) -> Void
    ) throws(JSONSyntaxError) -> JSONNode {
        do {
            return try withoutActuallyEscaping(take) { try parse(bytes, streamed: Streamed(key: key, take: $0)) }
        } catch let error as JSONSyntaxError {
            throw error
        } catch {
            throw JSONSyntaxError(position: SourcePosition(line: 1, column: 1), message: "\(error)")
        }
    }

    private static func parse(_ bytes: [UInt8], streamed: Streamed?) throws(JSONSyntaxError) -> JSONNode {
        var parser = JSONParser(bytes)
        parser.streamed = streamed
        if let bad = UTF8Check.firstInvalid(in: bytes) {
            parser.advance(to: bad)
            throw parser.error("the file is not valid UTF-8 here; save it as UTF-8")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            parser.offset = 3
            parser.lineStart = 3
        }
        parser.skipSpace()
        let node = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.offset == bytes.count else { throw parser.error("text after the end of the document") }
        return node
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    // MARK: Positions

    private mutating func advance(to target: Int) {
        while offset < target {
            if bytes[offset] == UInt8(ascii: "\n") {
                line += 1
                lineStart = offset + 1
            }
            offset += 1
        }
    }

    /// The position that was counted last; the next one on the same line goes on from there, so that a line of a
    /// megabyte is not counted anew for each of its values.
    private var counted = (offset: 0, lineStart: 0, column: 1)

    private var position: SourcePosition {
        mutating get {
            if counted.lineStart != lineStart || counted.offset > offset { counted = (lineStart, lineStart, 1) }
            // Continuation bytes are no columns of their own.
            for byte in bytes[counted.offset..<offset] where byte & 0xC0 != 0x80 { counted.column += 1 }
            counted.offset = offset
            return SourcePosition(line: line, column: counted.column)
        }
    }

    private mutating func error(_ message: String) -> JSONSyntaxError {
        JSONSyntaxError(position: position, message: message)
    }

    private func found() -> String {
        guard offset < bytes.count else { return "the end of the file" }
        let rest = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
        return "“\(rest.first ?? "?")”"
    }

    // MARK: Grammar

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0D: break
            case 0x0A:
                line += 1
                lineStart = offset + 1
            default: return
            }
            offset += 1
        }
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONNode {
        guard depth < Self.maximumDepth else { throw error("nested deeper than \(Self.maximumDepth) levels") }
        let start = position
        guard offset < bytes.count else { throw error("the file ends where a value was expected") }
        switch bytes[offset] {
        case UInt8(ascii: "{"): return JSONNode(try object(depth: depth), at: start)
        case UInt8(ascii: "["): return JSONNode(try array(depth: depth), at: start)
        case UInt8(ascii: "\""): return JSONNode(.string(try string()), at: start)
        case UInt8(ascii: "t"): return JSONNode(try word("true", .bool(true)), at: start)
        case UInt8(ascii: "f"): return JSONNode(try word("false", .bool(false)), at: start)
        case UInt8(ascii: "n"): return JSONNode(try word("null", .null), at: start)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return JSONNode(try number(), at: start)
        default: throw error("\(found()) where a value was expected")
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard bytes[offset...].starts(with: word.utf8) else { throw error("\(found()) where a value was expected") }
        offset += word.utf8.count
        return value
    }

    /// Members up to which a key that stands twice is looked for one by one; above, by a set.
    private static let fewMembers = 16

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        let first = members.count
        var keys: Set<String> = []
        offset += 1
        skipSpace()
        if take("}") { return .object([]) }
        while true {
            let start = position
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
                throw error("\(found()) where a key in double quotes was expected")
            }
            let key = try string()
            let count = members.count - first
            if count == Self.fewMembers { keys = Set(members[first...].map(\.key)) }
            let isNew =
                count < Self.fewMembers ? !members[first...].contains { $0.key == key } : keys.insert(key).inserted
            guard isNew else {
                throw JSONSyntaxError(position: start, message: "the key “\(key)” stands twice in this object")
            }
            skipSpace()
            guard take(":") else { throw error("\(found()) where “:” was expected after the key “\(key)”") }
            skipSpace()
            let value =
                if depth == 0, let streamed, streamed.key == key, offset < bytes.count,
                    bytes[offset] == UInt8(ascii: "[")
                { try stream(streamed) } else { try value(depth: depth + 1) }
            members.append(JSONMember(key: key, keyPosition: start, value: value))
            skipSpace()
            if take("}") {
                let own = Array(members[first...])
                members.removeSubrange(first...)
                return .object(own)
            }
            guard take(",") else { throw error("\(found()) where “,” or “}” was expected") }
            skipSpace()
        }
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        let first = elements.count
        offset += 1
        skipSpace()
        if take("]") { return .array([]) }
        while true {
            elements.append(try value(depth: depth + 1))
            skipSpace()
            if take("]") {
                let own = Array(elements[first...])
                elements.removeSubrange(first...)
                return .array(own)
            }
            guard take(",") else { throw error("\(found()) where “,” or “]” was expected") }
            skipSpace()
        }
    }

    /// The array that begins here, element by element.
    private mutating func stream(_ streamed: Streamed) throws(JSONSyntaxError) -> JSONNode {
        let start = position
        offset += 1
        skipSpace()
        if take("]") { return JSONNode(.array([]), at: start) }
        while true {
            streamed.take(try value(depth: 2))
            skipSpace()
            if take("]") { return JSONNode(.array([]), at: start) }
            guard take(",") else { throw error("\(found()) where “,” or “]” was expected") }
            skipSpace()
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = offset
        let startPosition = position
        func digits(_ parser: inout JSONParser) -> Int {
            let first = parser.offset
            while parser.offset < parser.bytes.count, (0x30...0x39).contains(parser.bytes[parser.offset]) {
                parser.offset += 1
            }
            return parser.offset - first
        }
        _ = take("-")
        let leadingZero = offset < bytes.count && bytes[offset] == 0x30
        let whole = digits(&self)
        var good = whole > 0 && !(leadingZero && whole > 1)
        if take(".") { good = digits(&self) > 0 && good }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if !take("+") { _ = take("-") }
            good = digits(&self) > 0 && good
        }
        if good, let number = wholeNumber(from: start) { return .number(number) }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard good, let number = Double(text), number.isFinite else {
            throw JSONSyntaxError(position: startPosition, message: "“\(text)” is not a JSON number")
        }
        if abs(number) >= 9_007_199_254_740_992, let whole = Int64(text) { return .whole(whole) }
        return .number(number)
    }

    /// The whole number of a few digits that begins at `start`, as most numbers are; nil for any other.
    private func wholeNumber(from start: Int) -> Double? {
        let isNegative = bytes[start] == UInt8(ascii: "-")
        let digits = bytes[(isNegative ? start + 1 : start)..<offset]
        // −0 has its sign.
        guard (1...15).contains(digits.count), !(isNegative && digits.first == 0x30) else { return nil }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit & 0x0F)
        }
        return Double(isNegative ? -value : value)
    }

    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = position
        offset += 1
        // Most hold nothing that has to be put together.
        let begin = offset
        while offset < bytes.count, bytes[offset] >= 0x20, bytes[offset] != UInt8(ascii: "\\") {
            if bytes[offset] == UInt8(ascii: "\"") {
                defer { offset += 1 }
                return String(decoding: bytes[begin..<offset], as: UTF8.self)
            }
            offset += 1
        }
        var out = Array(bytes[begin..<offset])
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                offset += 1
                return String(decoding: out, as: UTF8.self)
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &out)
            case 0..<0x20:
                throw error("a control character inside a string; is the closing quote missing?")
            default:
                out.append(byte)
                offset += 1
            }
        }
        throw JSONSyntaxError(position: start, message: "the string that starts here is never closed")
    }

    private mutating func escape(into out: inout [UInt8]) throws(JSONSyntaxError) {
        guard offset < bytes.count else { throw error("the file ends inside a string") }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
        case UInt8(ascii: "b"): out.append(0x08)
        case UInt8(ascii: "f"): out.append(0x0C)
        case UInt8(ascii: "n"): out.append(0x0A)
        case UInt8(ascii: "r"): out.append(0x0D)
        case UInt8(ascii: "t"): out.append(0x09)
        case UInt8(ascii: "u"):
            var code = UInt32(try hexadecimal())
            if (0xD800..<0xDC00).contains(code), take("\\") {
                guard take("u") else { throw error("half of a surrogate pair in “\\u…”") }
                let low = UInt32(try hexadecimal())
                guard (0xDC00..<0xE000).contains(low) else { throw error("half of a surrogate pair in “\\u…”") }
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error("half of a surrogate pair in “\\u…”") }
            out.append(contentsOf: String(Character(scalar)).utf8)
        default:
            offset -= 1
            throw error("“\\\(found().dropFirst().dropLast())” is no escape that JSON knows")
        }
    }

    private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt16 {
        guard offset + 4 <= bytes.count, bytes[offset] != UInt8(ascii: "+"), bytes[offset] != UInt8(ascii: "-"),
            let code = UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
        else { throw error("“\\u” needs four hexadecimal digits") }
        offset += 4
        return code
    }
}
