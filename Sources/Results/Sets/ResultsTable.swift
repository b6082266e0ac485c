/// One table of the track files of many jobs: the columns of all their kinds, a job's id in the first.
public struct ResultsTable {
    private let filter: ExportFilter
    private let kinds: FindingCatalog
    private let form: any TableSink.Type
    private let generator: String
    /// Whether texts stay as they are, also those that a spreadsheet takes for formulas.
    public var keepsFormulas = false
    /// Whether there is a row for a frame in which nothing was seen.
    public var writesEmpty = false

    /// Endings of the names of such tables.
    public static var suffixes: [String] { forms.map { $0.format.suffix } }

    private static let forms: [any TableSink.Type] = [CSVSink.self, ParquetSink.self]

    /// A table in one of the forms that there are of tables.
    /// - Parameters:
    ///   - format: Its name, `csv` or `parquet`.
    ///   - filter: What of the results is written.
    ///   - kinds: Kinds of results that the program knows.
    ///   - generator: The program and its version.
    /// - Returns: nil for a form that is none of a table.
    public init?(format: String, filter: ExportFilter, kinds: FindingCatalog, generator: String) {
        guard let form = Self.forms.first(where: { $0.format.name == format }) else { return nil }
        (self.form, self.filter, self.kinds, self.generator) = (form, filter, kinds, generator)
    }

    /// Writes the table.
    /// - Parameters:
    ///   - files: Ids and paths of track files, in the table's order. Those that have nothing of what is wanted are
    ///     left out.
    ///   - folder: Their folder's path.
    ///   - path: Nothing stands there before it is whole.
    ///   - cancellation: Ends the work, with `CancelledError`; nothing is written then.
    /// - Returns: What is to be said of it, a sentence each.
    /// - Throws: `TrackFileError` for one that is no whole track file, and for a stage or kind that none has; `FileError`.
    public func write(
        _ files: [(id: String, path: String)], of folder: String, to path: String,
        cancellation: Cancellation = Cancellation()
    ) throws -> [String] {
        let (_, without) = try filter.ofFolder(folder, files.map(\.path), kinds)
        let all = files.count
        let files = files.filter { !without.contains($0.path) }
        let output = OutputFile(target: path)
        if let reason = output.whyUnusable { throw FileError("write", path: path, reason: reason) }
        var emitted: [any Finding.Type] = []
        for file in files {
            let header = try TrackFileReader(path: file.path, kinds: kinds).header
            for kind in header.stages.flatMap({ kinds.kinds(of: $0.type) ?? [] })
            where (filter.kinds.isEmpty || filter.kinds.contains(kind.kind))
                && !emitted.contains(where: { $0.kind == kind.kind })
            {
                emitted.append(kind)
            }
        }
        let table = try ObservationTable(kinds: emitted, writesEmpty: writesEmpty) {
            try form.file(try ByteWriter(output), $0, generator: generator, keepsFormulas: keepsFormulas)
        }
        for file in files {
            let reader = try TrackFileReader(path: file.path, kinds: kinds)
            while var frame = try reader.next() {
                if cancellation.isCancelled { throw CancelledError() }
                frame.observations.removeAll { !filter.passes($0) }
                try table.write(frame, clip: file.id)
            }
        }
        try table.finish()
        try output.commit()
        return filter.sentence(on: without, of: all).map { [$0] } ?? []
    }
}
