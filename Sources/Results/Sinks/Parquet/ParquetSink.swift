/// The table of `CSVSink`, its columns with types, in Apache Parquet. Texts are as they are: no reader takes them for formulas.
package final class ParquetSink: TableSink {
    package static let format = SinkFormat(
        name: "parquet", title: "Parquet", suffix: ".parquet",
        doc: "The same table in Apache Parquet, with types: for pandas, polars, duckdb and data lakes.")

    let clip: String
    let table: ObservationTable

    package init(_ file: OutputFile, _ context: SinkContext) throws {
        (clip, table) = try Self.table(file, context)
    }

    static func file(
        _ writer: ByteWriter, _ columns: [TableColumn], generator: String, keepsFormulas: Bool
    ) throws -> any TableFile {
        try ParquetFile(writer, columns, generator: generator)
    }
}
