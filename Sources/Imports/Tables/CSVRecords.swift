/// Reads a table's rows one by one (RFC 4180; UTF-8).
final class CSVRecords {
    private let path: String
    private let lines: LineReader
    /// Line on which the last row began, from 1.
    private(set) var line = 0

    /// The byte of the file with which it began.
    private(set) var offset: Int64 = 0

    init(path: String) throws {
        self.path = path
        lines = try LineReader(path: path)
    }

    /// The rows from a place on.
    init(path: String, from start: CSVClips.Run) throws {
        self.path = path
        lines = try LineReader(path: path, from: start.offset, after: start.line - 1)
    }

    /// The next row's cells; nil behind the last one. A blank line is none.
    func next() throws -> [String]? {
        while true {
            offset = lines.offset
            guard var bytes = try lines.next() else { return nil }
            line = lines.number
            if line == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            if bytes.allSatisfy({ $0 == 0x0D || $0 == 0x20 }) { continue }
            // A cell in quotes may go on in the next line.
            var isOpen = Self.hasOddQuotes(bytes)
            while isOpen {
                guard let more = try lines.next() else {
                    throw ImportError(path, line: line, "a cell in quotes that doesn't end; expected a closing quote")
                }
                bytes += [0x0A] + more
                if Self.hasOddQuotes(more) { isOpen = false }
                guard bytes.count <= Self.longestRow else {
                    throw ImportError(
                        path, line: line,
                        "a cell in quotes of over \(Self.longestRow >> 20) MiB; expected a closing quote before")
                }
            }
            if bytes.last == 0x0D { bytes.removeLast() }
            return cells(bytes)
        }
    }

    /// Bytes of the longest row: a quote too many would take in the rest of the file.
    private static let longestRow = 16 << 20

    private static func hasOddQuotes(_ bytes: [UInt8]) -> Bool {
        bytes.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 1
    }

    private func cells(_ bytes: [UInt8]) -> [String] {
        var cells: [String] = []
        var cell: [UInt8] = []
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    cell.append(byte)
                } else if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") {
                    cell.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\""), cell.isEmpty {
                isQuoted = true
            } else if byte == UInt8(ascii: ",") {
                cells.append(CSVCell.meant(String(decoding: cell, as: UTF8.self)))
                cell.removeAll(keepingCapacity: true)
            } else {
                cell.append(byte)
            }
            index += 1
        }
        return cells + [CSVCell.meant(String(decoding: cell, as: UTF8.self))]
    }
}
