/// A table with a row an observation: the frame, the head, then the fields of every kind that the stages emit, as they are
/// declared (RFC 4180; UTF-8).
///
/// Texts are no formulas, whatever they begin with: `CSVCell`. A number with a unit other than pixels of place names it: `pose_translation_x_m`. A list is one cell of JSON.
package final class CSVSink: TableSink {
    package static let format = SinkFormat(
        name: "csv", title: "CSV", suffix: ".csv",
        doc: "A table with a row an observation, for spreadsheets and data frames.")

    let clip: String
    let table: ObservationTable

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        (clip, table) = try Self.table(file, context)
    }

    static func file(
        _ writer: ByteWriter, _ columns: [TableColumn], generator: String, keepsFormulas: Bool
    ) throws -> any TableFile {
        try CSVFile(writer, columns, keepsFormulas: keepsFormulas)
    }
}

/// A file of a table with a line a row.
final class CSVFile: TableFile {
    private let writer: ByteWriter
    private let keepsFormulas: Bool

    init(_ writer: ByteWriter, _ columns: [TableColumn], keepsFormulas: Bool) throws {
        (self.writer, self.keepsFormulas) = (writer, keepsFormulas)
        try writer.write(Self.line(columns.map(\.title)))
    }

    func write(_ cells: [String?]) throws {
        var line: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            if let cell { Self.add(keepsFormulas ? cell : CSVCell.guarded(cell), to: &line) }
        }
        line.append(0x0A)
        try writer.write(line)
    }

    func finish() throws { try writer.finish() }

    /// A row's bytes.
    static func line(_ cells: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, cell) in cells.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            add(cell, to: &bytes)
        }
        return bytes + [0x0A]
    }

    private static func add(_ cell: String, to bytes: inout [UInt8]) {
        let needsQuotes = cell.utf8.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
        if needsQuotes {
            bytes += "\"\(cell.replacing("\"", with: "\"\""))\"".utf8
        } else {
            bytes += cell.utf8
        }
    }
}
