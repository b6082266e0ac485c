/// Reads the elements of the arrays that a JSON file's outermost object has, one by one: the file may be larger than the
/// memory.
package final class JSONElementReader {
    package struct Element {
        /// Key of the array that the element is in.
        package var key: String
        /// The element; its positions count from its own beginning.
        package var node: JSONNode
        /// Where it stands in the file.
        package var place: Place
        /// Line of the file where the element begins, from 1.
        package var line: Int { Int(place.line) }
    }

    /// Where an element stands in its file; small, since files have millions of them.
    package struct Place: Sendable {
        /// Of its first byte.
        package var offset: Int64
        /// Its bytes.
        package var count: Int32
        /// The line in which it begins, from 1.
        package var line: Int32
    }

    private static let longest = 64 << 20

    /// The key of a file's outermost array, where it is no object.
    package static let list = ""

    private let path: String
    /// Reads so many bytes of the file from a place on.
    private let read: (_ offset: Int64, _ count: Int) throws -> [UInt8]
    private let wanted: Set<String>
    private var piece: [UInt8] = []
    private var index = 0
    private var offset: Int64 = 0
    private var line = 1

    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    /// Text of the outermost object that was read last.
    private var text: [UInt8] = []
    private var key = ""
    private var isInArray = false
    /// What ends the outermost object's value that is open.
    private var end = UInt8(ascii: "]")
    private var element: [UInt8] = []
    private var elementStart = Place(offset: 0, count: 0, line: 1)
    private var hasEnded = false
    /// Whether the file is an array itself.
    private var isList = false

    /// Opens a file.
    /// - Parameter keys: Keys of the arrays whose elements are wanted.
    package init(path: String, keys: Set<String>) throws {
        (self.path, wanted) = (path, keys)
        read = { try Files.read(path, from: $0, count: $1) }
        guard Files.isRegular(path) else {
            throw FileError(
                "read", path: path, reason: Files.exists(path) ? "it is no plain file" : "there is no such file")
        }
    }

    /// Reads a file that is open.
    /// - Parameters:
    ///   - path: Its path, for messages.
    ///   - keys: Keys of the arrays whose elements are wanted.
    ///   - read: Reads so many bytes from a place on; none behind the end.
    package init(
        path: String, keys: Set<String>, read: @escaping (_ offset: Int64, _ count: Int) throws -> [UInt8]
    ) {
        (self.path, wanted, self.read) = (path, keys, read)
    }

    /// The next element of one of the arrays; nil behind the last.
    /// - Throws: `FileError` where the file isn't such an object, with the line.
    package func next() throws -> Element? {
        while let byte = try nextByte() {
            if let element = try take(byte) { return element }
        }
        guard hasEnded else {
            throw failure(
                depth == 0 ? "it is empty; expected an object" : "it ends in the middle; expected a whole JSON file")
        }
        return nil
    }

    private func nextByte() throws -> UInt8? {
        if index == piece.count {
            piece = try read(offset, 1 << 20)
            if offset == 0, piece.starts(with: [0xEF, 0xBB, 0xBF]) {
                index = 3
            } else {
                index = 0
            }
            offset += Int64(piece.count)
            if index >= piece.count { return nil }
        }
        defer { index += 1 }
        return piece[index]
    }

    private func take(_ byte: UInt8) throws -> Element? {
        if byte == 0x0A { line += 1 }
        let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
        if isInText {
            keep(byte)
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInText = false
            }
            return nil
        }
        if depth == 0, !isSpace {
            guard !hasEnded else { throw failure("text after the end of the document") }
            if byte == UInt8(ascii: "["), wanted.contains(Self.list) {
                (depth, isInArray, isList, key, end) = (2, true, true, Self.list, UInt8(ascii: "]"))
                return nil
            }
            guard byte == UInt8(ascii: "{") else { throw failure("it is no JSON object; expected one with arrays") }
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInText = true
            if depth == 1 { text = [] }
            keep(byte)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            if depth == 2 {
                end = byte + 2
                isInArray = byte == UInt8(ascii: "[") && wanted.contains(key)
                element = []
            } else {
                keep(byte)
            }
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            if depth == 1 && byte != end || depth == 0 && byte != UInt8(ascii: "}") {
                throw failure("“\(Character(Unicode.Scalar(byte)))” where another bracket is open")
            }
            if depth == 1, isInArray {
                isInArray = false
                if isList { (depth, hasEnded) = (0, true) }
                return try finished()
            }
            if depth == 0 { hasEnded = true }
            if depth < 0 { throw failure("“\(Character(Unicode.Scalar(byte)))” where nothing is open") }
            keep(byte)
        case UInt8(ascii: ":") where depth == 1:
            // What is no text has its complaint where it is read.
            key = (try? JSONParser.parse(text))?.string ?? ""
        case UInt8(ascii: ",") where depth == 2 && isInArray:
            guard let element = try finished() else { throw failure("“,” where a value was expected") }
            return element
        default:
            if !isSpace || !element.isEmpty { keep(byte) }
        }
        return nil
    }

    private func keep(_ byte: UInt8) {
        if depth == 1 {
            text.append(byte)
        } else if isInArray {
            if element.isEmpty {
                elementStart = Place(
                    offset: offset - Int64(piece.count) + Int64(index) - 1, count: 0, line: Int32(clamping: line))
            }
            element.append(byte)
        }
    }

    /// nil for an empty array.
    private func finished() throws -> Element? {
        guard element.contains(where: { $0 > 0x20 }) else { return nil }
        guard element.count < Self.longest else {
            throw failure("an element of “\(key)” has over \(Self.longest >> 20) MiB; expected smaller ones")
        }
        defer { element.removeAll(keepingCapacity: true) }
        var place = elementStart
        place.count = Int32(element.count)
        return try Self.element(element, key, at: place, of: path)
    }

    private static func element(
        _ bytes: [UInt8], _ key: String, at place: Place, of path: String
    ) throws -> Element {
        do {
            return Element(key: key, node: try JSONParser.parse(bytes), place: place)
        } catch {
            throw FileError(
                "read", path: path, reason: "line \(Int(place.line) + error.position.line - 1): \(error.message)")
        }
    }

    /// Reads elements again whose places in a file are known, those that lie near one another at once.
    /// - Parameters:
    ///   - places: In the order of the file.
    ///   - key: Key of the array that they are in.
    /// - Throws: `FileError`, and what `body` throws.
    package static func read(
        _ places: [Place], of key: String, in path: String, _ body: (Element) throws -> Void
    ) throws {
        var next = 0
        while next < places.count {
            let start = places[next].offset
            var (end, last) = (start + Int64(places[next].count), next + 1)
            while last < places.count, places[last].offset - end < nearby,
                places[last].offset + Int64(places[last].count) - start <= Int64(most)
            {
                end = places[last].offset + Int64(places[last].count)
                last += 1
            }
            let bytes = try Files.read(path, from: start, count: Int(end - start))
            for place in places[next..<last] {
                let from = Int(place.offset - start)
                guard from + Int(place.count) <= bytes.count else {
                    throw FileError("read", path: path, reason: "it became shorter while it was read")
                }
                try body(try element(Array(bytes[from..<from + Int(place.count)]), key, at: place, of: path))
            }
            next = last
        }
    }

    /// Bytes between elements that are rather read than begun anew behind, and bytes that are read at once.
    private static let (nearby, most) = (Int64(4096), 1 << 20)

    private func failure(_ reason: String) -> FileError {
        FileError("read", path: path, reason: "line \(line): \(reason)")
    }
}
