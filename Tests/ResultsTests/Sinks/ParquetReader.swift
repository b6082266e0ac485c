/// Reads what a Parquet file says by the format's own documents, and knows nothing of who wrote it: plain values and
/// dictionaries of one page each, uncompressed.
struct ParquetReader {
    enum Value: Hashable {
        case flag(Bool), integer(Int64), number(Double), text(String)
    }

    /// A value of Thrift's compact protocol.
    indirect enum Thrift {
        case number(Int), text(String), list([Thrift]), structure([Int: Thrift])

        subscript(field: Int) -> Thrift? { if case .structure(let fields) = self { fields[field] } else { nil } }
        var number: Int? { if case .number(let value) = self { value } else { nil } }
        var text: String? { if case .text(let value) = self { value } else { nil } }
        var elements: [Thrift] { if case .list(let values) = self { values } else { [] } }
    }

    struct Fault: Error { var what: String }

    /// Columns in their order: the title, the number of the type, whether there may be no value, and the values.
    private(set) var columns: [(title: String, type: Int, isOptional: Bool, values: [Value?])] = []
    let createdBy: String?
    let rows: Int
    /// Rows of each group.
    let groups: [Int]

    init(_ bytes: [UInt8]) throws {
        guard bytes.count > 12, bytes.prefix(4).elementsEqual("PAR1".utf8), bytes.suffix(4).elementsEqual("PAR1".utf8)
        else { throw Fault(what: "no magic") }
        let length = Int(Cursor.little(bytes[(bytes.count - 8)..<(bytes.count - 4)]))
        var end = Cursor(bytes: bytes, place: bytes.count - 8 - length)
        let file = try end.structure()
        guard end.place == bytes.count - 8 else { throw Fault(what: "an end of another length") }
        createdBy = file[6]?.text
        rows = file[3]?.number ?? -1
        groups = file[4]?.elements.compactMap { $0[3]?.number } ?? []
        let schema = file[2]?.elements ?? []
        for element in schema.dropFirst() {
            columns.append((element[4]?.text ?? "", element[1]?.number ?? -1, element[3]?.number == 1, []))
        }
        guard schema.first?[5]?.number == columns.count else { throw Fault(what: "other columns than it says") }
        for group in file[4]?.elements ?? [] {
            for (index, chunk) in (group[1]?.elements ?? []).enumerated() {
                columns[index].values += try values(bytes, chunk[3] ?? .number(0), columns[index].isOptional)
            }
        }
    }

    private func values(_ bytes: [UInt8], _ chunk: Thrift, _ isOptional: Bool) throws -> [Value?] {
        let type = chunk[1]?.number ?? -1
        var dictionary: [Value] = []
        if let place = chunk[11]?.number {
            var cursor = Cursor(bytes: bytes, place: place)
            let header = try cursor.structure()
            guard header[1]?.number == 2, let count = header[7]?[1]?.number else { throw Fault(what: "no dictionary") }
            dictionary = try cursor.plain(type, count)
            guard cursor.place == chunk[9]?.number else { throw Fault(what: "a gap behind the dictionary") }
        }
        var cursor = Cursor(bytes: bytes, place: chunk[9]?.number ?? 0)
        let start = chunk[11]?.number ?? chunk[9]?.number ?? 0
        let header = try cursor.structure()
        guard header[1]?.number == 0, let count = header[5]?[1]?.number, count == chunk[5]?.number else {
            throw Fault(what: "no page of data")
        }
        var isThere = [Bool](repeating: true, count: count)
        if isOptional {
            let length = Int(Cursor.little(bytes[cursor.place..<cursor.place + 4]))
            cursor.place += 4
            let levels = cursor.place
            isThere = try cursor.runs(count, width: 1).map { $0 == 1 }
            guard cursor.place == levels + length else { throw Fault(what: "levels of another length") }
        }
        let present = isThere.count(where: \.self)
        let values: [Value]
        if header[5]?[2]?.number == 8 {
            let width = Int(bytes[cursor.place])
            cursor.place += 1
            values = try cursor.runs(present, width: width).map { dictionary[$0] }
        } else {
            values = try cursor.plain(type, present)
        }
        guard cursor.place == start + (chunk[7]?.number ?? 0) else { throw Fault(what: "a chunk of another length") }
        var next = values.makeIterator()
        return isThere.map { $0 ? next.next() : nil }
    }

    /// A place in bytes.
    private struct Cursor {
        let bytes: [UInt8]
        var place: Int

        static func little(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

        mutating func byte() throws -> UInt8 {
            guard bytes.indices.contains(place) else { throw Fault(what: "the end") }
            defer { place += 1 }
            return bytes[place]
        }

        mutating func varint() throws -> UInt64 {
            var (value, shift) = (UInt64(0), 0)
            while true {
                let next = try byte()
                value |= UInt64(next & 0x7F) << shift
                if next < 0x80 { return value }
                shift += 7
            }
        }

        mutating func value(_ type: UInt8) throws -> Thrift {
            switch type {
            case 5, 6:
                let value = try varint()
                return .number(Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1))
            case 8:
                let count = Int(try varint())
                defer { place += count }
                return .text(String(decoding: bytes[place..<place + count], as: UTF8.self))
            case 9:
                let head = try byte()
                let count = head >> 4 == 15 ? Int(try varint()) : Int(head >> 4)
                return .list(try (0..<count).map { _ in try value(head & 15) })
            case 12: return try structure()
            default: throw Fault(what: "type \(type)")
            }
        }

        mutating func structure() throws -> Thrift {
            var fields: [Int: Thrift] = [:]
            var number = 0
            while true {
                let head = try byte()
                if head == 0 { return .structure(fields) }
                guard head >> 4 > 0 else { throw Fault(what: "a field far behind another") }
                number += Int(head >> 4)
                fields[number] = try value(head & 15)
            }
        }

        mutating func plain(_ type: Int, _ count: Int) throws -> [Value] {
            if type == 0 {
                defer { place += (count + 7) / 8 }
                return (0..<count).map { .flag(bytes[place + $0 / 8] >> UInt8($0 % 8) & 1 == 1) }
            }
            return try (0..<count).map { _ in
                let size = type == 6 ? 4 : 8
                let word = Self.little(bytes[place..<place + size])
                place += size
                switch type {
                case 2: return .integer(Int64(bitPattern: word))
                case 5: return .number(Double(bitPattern: word))
                case 6:
                    defer { place += Int(word) }
                    return .text(String(decoding: bytes[place..<place + Int(word)], as: UTF8.self))
                default: throw Fault(what: "type \(type)")
                }
            }
        }

        mutating func runs(_ count: Int, width: Int) throws -> [Int] {
            var values: [Int] = []
            while values.count < count {
                let head = Int(try varint())
                if head & 1 == 0 {
                    let size = (width + 7) / 8
                    values += [Int](repeating: Int(Self.little(bytes[place..<place + size])), count: head >> 1)
                    place += size
                } else {
                    let first = place * 8
                    for index in 0..<(head >> 1) * 8 {
                        values.append(
                            (0..<width).reduce(0) { value, bit in
                                let at = first + index * width + bit
                                return value | Int(bytes[at / 8] >> UInt8(at % 8) & 1) << bit
                            })
                    }
                    place += (head >> 1) * width
                }
            }
            guard values.count - count < 8 else { throw Fault(what: "too many values") }
            return Array(values.prefix(count))
        }
    }
}
