/// A sink of a table with a row an observation.
protocol TableSink: Sink {
    /// The clip's name, which each row has.
    var clip: String { get }
    /// What is written.
    var table: ObservationTable { get }

    /// Makes a file of a table.
    /// - Parameters:
    ///   - generator: The program and its version.
    ///   - keepsFormulas: Whether texts stay as they are, also those that a spreadsheet takes for formulas.
    static func file(
        _ writer: ByteWriter, _ columns: [TableColumn], generator: String, keepsFormulas: Bool
    ) throws -> any TableFile
}

extension TableSink {
    /// The name of a clip and its table.
    static func table(_ file: OutputFile, _ context: SinkContext) throws -> (String, ObservationTable) {
        let kinds = context.header.stages.flatMap { context.kinds.kinds(of: $0.type) ?? [] }
        let table = try ObservationTable(kinds: kinds, writesEmpty: context.writesEmpty) {
            try Self.file(
                try ByteWriter(file), $0, generator: context.header.generator, keepsFormulas: context.keepsFormulas)
        }
        return (context.header.source.name, table)
    }

    /// Takes a frame, a row an observation.
    package func write(_ frame: FrameRecord) throws { try table.write(frame, clip: clip) }

    /// Ends the table.
    package func finish(_ outcome: SourceOutcome, _ summary: TrackFileSummary) throws { try table.finish() }
}
