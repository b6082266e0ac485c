/// A table in Apache Parquet, as pyarrow, pandas, polars and duckdb read it: plain values and dictionaries, uncompressed.
///
/// Rows go into groups of bounded size, which are written as soon as they are full; what is kept of them is where their columns
/// are. The file's structures are those of the format's own `parquet.thrift`, whose numbers stand here.
final class ParquetFile: TableFile {
    /// The number of the code that `ParquetRuns` writes.
    static let runs = 3

    private let writer: ByteWriter
    private let generator: String
    private var columns: [ParquetColumn]
    /// Rows of all groups.
    private var rows = 0
    /// Bytes that have been written.
    private var offset = 0
    /// What the file's end says of the groups, and how many they are.
    private var groups: (bytes: [UInt8], count: Int) = ([], 0)
    private static let magic = Array("PAR1".utf8)

    /// The most rows of a group.
    private static let mostRows = 1 << 16
    /// Bytes of values beyond which a group is full.
    private static let mostBytes = 16 << 20

    /// - Parameter generator: The program and its version.
    init(_ writer: ByteWriter, _ columns: [TableColumn], generator: String) throws {
        (self.writer, self.generator) = (writer, generator)
        self.columns = columns.map(ParquetColumn.init)
        try put(Self.magic)
    }

    func write(_ cells: [String?]) throws {
        var size = 0
        for index in columns.indices {
            columns[index].append(index < cells.count ? cells[index] : nil)
            size += columns[index].size
        }
        rows += 1
        if size >= Self.mostBytes || columns[0].count >= Self.mostRows { try writeGroup() }
    }

    func finish() throws {
        try writeGroup()
        let end = metadata()
        try put(end)
        var length: [UInt8] = []
        length.appendBytes(of: UInt32(end.count))
        try put(length + Self.magic)
        try writer.finish()
    }

    private func put(_ bytes: [UInt8]) throws {
        try writer.write(bytes)
        offset += bytes.count
    }

    private func writeGroup() throws {
        let count = columns[0].count
        guard count > 0 else { return }
        /// Where each column's pages begin, how many bytes they are, and how many of these its dictionary's.
        var places: [(start: Int, size: Int, dictionary: Int)] = []
        for index in columns.indices {
            let chunk = columns[index].chunk()
            places.append((offset, chunk.bytes.count, chunk.dictionary))
            try put(chunk.bytes)
            columns[index].removeAll()
        }
        var thrift = ThriftWriter()
        thrift.structure { group in
            group.structures(1, Array(zip(columns, places))) { part, column in
                let (described, place) = part
                column.int64(2, place.start)
                column.structure(3) { data in
                    data.int32(1, described.type)
                    data.int32s(2, place.dictionary > 0 ? [0, Self.runs, 8] : [0, Self.runs])
                    data.texts(3, [described.column.title])
                    data.int32(4, 0)
                    data.int64(5, count)
                    data.int64(6, place.size)
                    data.int64(7, place.size)
                    data.int64(9, place.start + place.dictionary)
                    if place.dictionary > 0 { data.int64(11, place.start) }
                }
            }
            group.int64(2, places.reduce(0) { $0 + $1.size })
            group.int64(3, count)
        }
        groups.bytes += thrift.bytes
        groups.count += 1
    }

    /// The file's end: columns, groups, who wrote it.
    private func metadata() -> [UInt8] {
        var thrift = ThriftWriter()
        thrift.structure { file in
            file.int32(1, 1)
            file.structures(2, [nil] + columns) { column, element in
                guard let column else {
                    element.text(4, "schema")
                    element.int32(5, columns.count)
                    return
                }
                element.int32(1, column.type)
                element.int32(3, column.column.isAlwaysThere ? 0 : 1)
                element.text(4, column.column.title)
                guard column.column.type == .text else { return }
                // UTF-8, said in both ways.
                element.int32(6, 0)
                element.structure(10) { $0.structure(1) { _ in } }
            }
            file.int64(3, rows)
            file.structures(4, written: groups.bytes, count: groups.count)
            file.text(6, generator)
        }
        return thrift.bytes
    }
}
