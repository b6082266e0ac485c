/// Writes structures in Thrift's compact protocol, which a Parquet file's own structures are in.
struct ThriftWriter {
    /// What has been written.
    private(set) var bytes: [UInt8] = []
    /// The number of the field before, in each structure that is open.
    private var last: [Int] = []

    private enum Kind: UInt8 {
        case int32 = 5
        case int64 = 6
        case binary = 8
        case list = 9
        case structure = 12
    }

    /// Writes a structure.
    mutating func structure(_ body: (inout ThriftWriter) -> Void) {
        last.append(0)
        body(&self)
        last.removeLast()
        bytes.append(0)
    }

    /// A field that is a structure.
    mutating func structure(_ field: Int, _ body: (inout ThriftWriter) -> Void) {
        begin(field, .structure)
        structure(body)
    }

    mutating func int32(_ field: Int, _ value: Int) {
        begin(field, .int32)
        signed(value)
    }

    mutating func int64(_ field: Int, _ value: Int) {
        begin(field, .int64)
        signed(value)
    }

    mutating func text(_ field: Int, _ value: String) {
        begin(field, .binary)
        text(value)
    }

    mutating func int32s(_ field: Int, _ values: [Int]) {
        begin(field, .list)
        list(values.count, .int32)
        for value in values { signed(value) }
    }

    mutating func texts(_ field: Int, _ values: [String]) {
        begin(field, .list)
        list(values.count, .binary)
        for value in values { text(value) }
    }

    /// A field that is a list of structures.
    mutating func structures<Element>(
        _ field: Int, _ elements: [Element], _ body: (Element, inout ThriftWriter) -> Void
    ) {
        begin(field, .list)
        list(elements.count, .structure)
        for element in elements { structure { body(element, &$0) } }
    }

    /// A field that is a list of structures that have been written.
    mutating func structures(_ field: Int, written: [UInt8], count: Int) {
        begin(field, .list)
        list(count, .structure)
        bytes += written
    }

    // MARK: Parts

    private mutating func begin(_ field: Int, _ kind: Kind) {
        let step = field - (last.last ?? 0)
        // Fields come in the order of their numbers, none of which is more than 15 behind another.
        bytes.append(UInt8(truncatingIfNeeded: step << 4) | kind.rawValue)
        if !last.isEmpty { last[last.count - 1] = field }
    }

    private mutating func list(_ count: Int, _ kind: Kind) {
        if count < 15 {
            bytes.append(UInt8(count << 4) | kind.rawValue)
        } else {
            bytes.append(0xF0 | kind.rawValue)
            bytes.appendVarint(UInt64(count))
        }
    }

    private mutating func signed(_ value: Int) {
        bytes.appendVarint(UInt64(bitPattern: Int64(value << 1 ^ value >> (Int.bitWidth - 1))))
    }

    private mutating func text(_ value: String) {
        bytes.appendVarint(UInt64(value.utf8.count))
        bytes += value.utf8
    }
}

extension [UInt8] {
    /// Appends a whole number, seven bits a byte, the lowest first.
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a whole number's bytes, the lowest first.
    mutating func appendBytes(of value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
