/// The elements of an XML file, one event after another: tags, attributes and texts, as annotation programs write them.
struct XMLElements {
    enum Event {
        case begin(String, [String: String])
        case text(String)
        case end(String)
    }

    private let path: String
    private let bytes: [UInt8]
    private var index = 0
    private(set) var line = 1
    private var closing: String?
    private var open: [String] = []
    private var hasRoot = false

    /// None.
    init() { (path, bytes) = ("", []) }

    /// - Throws: `FileError`.
    init(path: String) throws {
        self.path = path
        bytes = try Files.read(path)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// One element of a file, by itself.
    /// - Throws: `FileError`.
    init(path: String, at place: Place) throws {
        self.path = path
        bytes = try Files.read(path, from: Int64(place.bytes.lowerBound), count: place.bytes.count)
        line = place.line
    }

    /// Where an element stands in its file.
    struct Place: Sendable {
        var bytes: Range<Int>
        /// The line in which it begins, from 1.
        var line: Int
    }

    /// Where the last event's tag or text begins, bytes of the file.
    private(set) var start = 0
    /// The line in which that is.
    private(set) var startLine = 1
    /// Behind the last event.
    var end: Int { index }

    /// The next event; nil behind the last element.
    /// - Throws: `ImportError` where the file isn't XML.
    mutating func next() throws -> Event? {
        if let name = closing {
            closing = nil
            open.removeLast()
            return .end(name)
        }
        while index < bytes.count {
            (start, startLine) = (index, line)
            guard bytes[index] == UInt8(ascii: "<") else {
                while index < bytes.count, bytes[index] != UInt8(ascii: "<") { step() }
                let text = try decoded(bytes[start..<index])
                if open.isEmpty {
                    guard text.allSatisfy(\.isWhitespace) else { throw failure("text outside of all elements") }
                    continue
                }
                return .text(text)
            }
            if has("<!--") {
                try skip(to: "-->")
            } else if has("<![CDATA[") {
                try skip(to: "]]>")
                return .text(String(decoding: bytes[(start + 9)..<(index - 3)], as: UTF8.self))
            } else if has("<?") {
                try skip(to: "?>")
            } else if has("<!") {
                try skip(to: ">")
                // Entities of its own may be endless: none is known here.
                guard !bytes[start..<index].contains(UInt8(ascii: "[")) else {
                    throw failure("a document type with declarations of its own; expected none: leave it out")
                }
            } else if has("</") {
                index += 2
                let name = name()
                skipSpaces()
                guard take(">"), open.popLast() == name else { throw failure("“</\(name)>” where it isn't open") }
                return .end(name)
            } else {
                return try begin()
            }
        }
        guard open.isEmpty, hasRoot else {
            throw failure(open.last.map { "it ends within “<\($0)>”" } ?? "it has no element; expected XML")
        }
        return nil
    }

    private mutating func begin() throws -> Event {
        index += 1
        let name = name()
        guard !name.isEmpty, !open.isEmpty || !hasRoot else { throw failure("“<” where no element can begin") }
        hasRoot = true
        var attributes: [String: String] = [:]
        while true {
            skipSpaces()
            if has("/>") {
                index += 2
                closing = name
                break
            }
            if take(">") { break }
            let key = self.name()
            skipSpaces()
            guard !key.isEmpty, take("=") else { throw failure("“<\(name)” isn't closed; expected attributes and “>”") }
            skipSpaces()
            guard index < bytes.count, case let quote = bytes[index], quote == 0x22 || quote == 0x27 else {
                throw failure("“\(key)=” without a text in quotes")
            }
            index += 1
            let start = index
            while index < bytes.count, bytes[index] != quote { step() }
            guard index < bytes.count else { throw failure("“\(key)” isn't closed; expected a quote") }
            attributes[key] = try decoded(bytes[start..<index])
            index += 1
        }
        open.append(name)
        return .begin(name, attributes)
    }

    private mutating func step() {
        if bytes[index] == 0x0A { line += 1 }
        index += 1
    }

    private func has(_ text: StaticString) -> Bool {
        index + text.utf8CodeUnitCount <= bytes.count
            && text.withUTF8Buffer { bytes[index..<(index + $0.count)].elementsEqual($0) }
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    private mutating func skip(to end: StaticString) throws {
        while index < bytes.count, !has(end) { step() }
        guard index < bytes.count else { throw failure("it ends before “\(end)”") }
        index += end.utf8CodeUnitCount
    }

    private mutating func skipSpaces() { while index < bytes.count, bytes[index] <= 0x20 { step() } }

    private mutating func name() -> String {
        let start = index
        while index < bytes.count, bytes[index] > 0x20, !"=/><\"'".utf8.contains(bytes[index]) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]

    private func decoded(_ piece: ArraySlice<UInt8>) throws -> String {
        let text = String(decoding: piece, as: UTF8.self)
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var (result, rest) = ("", Substring(text))
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            guard let end = rest[start...].firstIndex(of: ";") else { throw failure("“&” without “;”") }
            let word = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if let sign = Self.entities[String(word)] {
                result += sign
                continue
            }
            let number =
                word.hasPrefix("#x")
                ? UInt32(word.dropFirst(2), radix: 16)
                : word.hasPrefix("#") ? UInt32(word.dropFirst()) : nil
            guard let scalar = number.flatMap(Unicode.Scalar.init) else {
                throw failure("“&\(word);”, which XML doesn't know")
            }
            result.unicodeScalars.append(scalar)
        }
        return result + rest
    }

    private func failure(_ message: String) -> ImportError { ImportError(path, line: line, message) }
}
