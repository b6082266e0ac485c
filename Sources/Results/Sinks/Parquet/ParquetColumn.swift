/// One column of a row group: its values, until the group is written.
struct ParquetColumn {
    /// A column's pages and what the file's end has to say of them.
    struct Chunk {
        var bytes: [UInt8]
        /// Bytes of the dictionary's page, which comes first; 0 where there is none.
        var dictionary: Int
    }

    let column: TableColumn
    /// How many rows there are.
    private(set) var count = 0
    /// Bytes that its values take as they are.
    private(set) var size = 0
    /// For each row whether there is a value; none where there always is.
    private var levels: [UInt32] = []
    private var texts: [String] = []
    private var numbers: [UInt64] = []

    init(_ column: TableColumn) { self.column = column }

    /// The number of the type in the format.
    var type: Int {
        switch column.type {
        case .flag: 0
        case .integer: 2
        case .number: 5
        case .text: 6
        }
    }

    /// Takes the next row's value.
    /// - Parameter cell: As text; nil for none.
    mutating func append(_ cell: String?) {
        count += 1
        let isThere: Bool
        switch column.type {
        case .text:
            isThere = cell != nil || column.isAlwaysThere
            if isThere {
                texts.append(cell ?? "")
                size += 4 + (cell?.utf8.count ?? 0)
            }
        case .integer: isThere = take(cell.flatMap { Int64($0) }.map { UInt64(bitPattern: $0) })
        case .number: isThere = take(cell.flatMap { Double($0) }.map(\.bitPattern))
        case .flag: isThere = take(cell.map { $0 == "true" ? 1 : 0 })
        }
        if !column.isAlwaysThere { levels.append(isThere ? 1 : 0) }
    }

    private mutating func take(_ value: UInt64?) -> Bool {
        guard let value = value ?? (column.isAlwaysThere ? 0 : nil) else { return false }
        numbers.append(value)
        size += 8
        return true
    }

    /// Forgets the rows.
    mutating func removeAll() {
        (count, size) = (0, 0)
        levels.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        numbers.removeAll(keepingCapacity: true)
    }

    // MARK: Pages

    /// The column's pages.
    func chunk() -> Chunk {
        var start: [UInt8] = []
        if !column.isAlwaysThere {
            let coded = ParquetRuns.encode(levels, width: 1)
            start.appendBytes(of: UInt32(coded.count))
            start += coded
        }
        guard let (entries, entryCount, indices) = dictionary() else {
            return Chunk(bytes: page(start + plain(), .plain), dictionary: 0)
        }
        let width = ParquetRuns.width(of: max(entryCount - 1, 1))
        let first = dictionaryPage(entries, count: entryCount)
        let page = page(start + [UInt8(width)] + ParquetRuns.encode(indices, width: width), .dictionary)
        return Chunk(bytes: first + page, dictionary: first.count)
    }

    private enum Encoding: Int {
        case plain = 0
        case dictionary = 8
    }

    private func page(_ values: [UInt8], _ encoding: Encoding) -> [UInt8] {
        var header = ThriftWriter()
        header.structure { header in
            header.int32(1, 0)
            header.int32(2, values.count)
            header.int32(3, values.count)
            header.structure(5) { page in
                page.int32(1, count)
                page.int32(2, encoding.rawValue)
                page.int32(3, ParquetFile.runs)
                page.int32(4, ParquetFile.runs)
            }
        }
        return header.bytes + values
    }

    private func dictionaryPage(_ entries: [UInt8], count: Int) -> [UInt8] {
        var header = ThriftWriter()
        header.structure { header in
            header.int32(1, 2)
            header.int32(2, entries.count)
            header.int32(3, entries.count)
            header.structure(7) { page in
                page.int32(1, count)
                page.int32(2, Encoding.plain.rawValue)
            }
        }
        return header.bytes + entries
    }

    /// The values one behind the other.
    private func plain() -> [UInt8] {
        if column.type == .flag {
            var bytes = [UInt8](repeating: 0, count: (numbers.count + 7) / 8)
            for (index, value) in numbers.enumerated() where value > 0 { bytes[index / 8] |= 1 << UInt8(index % 8) }
            return bytes
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for text in texts { bytes.appendText(text) }
        for number in numbers { bytes.appendBytes(of: number) }
        return bytes
    }

    /// Each value once, how many these are, and the place of each row's among them; nil where that isn't shorter.
    private func dictionary() -> (entries: [UInt8], count: Int, indices: [UInt32])? {
        guard column.type != .flag, size > 0 else { return nil }
        var entries: [UInt8] = []
        var indices: [UInt32] = []
        indices.reserveCapacity(count)
        /// - Returns: false where there are too many of them.
        func add<Value: Hashable>(_ values: [Value], _ append: (Value) -> Void) -> Int? {
            var places: [Value: UInt32] = [:]
            for value in values {
                if let place = places[value] {
                    indices.append(place)
                    continue
                }
                indices.append(UInt32(places.count))
                places[value] = UInt32(places.count)
                append(value)
                if entries.count > size / 2 { return nil }
            }
            return places.count
        }
        let count =
            column.type == .text ? add(texts) { entries.appendText($0) } : add(numbers) { entries.appendBytes(of: $0) }
        return count.map { (entries, $0, indices) }
    }
}

extension [UInt8] {
    fileprivate mutating func appendText(_ text: String) {
        appendBytes(of: UInt32(text.utf8.count))
        self += text.utf8
    }
}
