/// One table of the track files of many jobs: the columns of all their kinds, a job's id in the first.
public struct ResultsTable {
    private let filter: ExportFilter
    private let kinds: FindingCatalog
    /// Whether texts stay as they are, also those that a spreadsheet takes for formulas.
    public var keepsFormulas = false
    /// Whether there is a row for a frame in which nothing was seen.
    public var writesEmpty = false

    public init(filter: ExportFilter, kinds: FindingCatalog) { (self.filter, self.kinds) = (filter, kinds) }

    /// Writes the table.
    /// - Parameters:
    ///   - files: Ids and paths of track files, in the table's order.
    ///   - path: Nothing stands there before it is whole.
    /// - Throws: `TrackFileError` for one that is no whole track file, `FileError`.
    public func write(
        _ files: [(id: String, path: String)], to path: String, cancellation: Cancellation = Cancellation()
    ) throws {
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
        let table = try CSVTable(
            try ByteWriter(output), kinds: emitted, keepsFormulas: keepsFormulas, writesEmpty: writesEmpty)
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
    }
}
