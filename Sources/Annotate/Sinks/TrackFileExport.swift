/// Writes a saved track file in another form.
public struct TrackFileExport {
    private let format: any Sink.Type
    private let stages: [String]
    private let kinds: FindingCatalog
    /// How the stages of a track file are drawn, where that isn't by default.
    public var drawing: (@Sendable (SidecarHeader, FindingCatalog) throws -> [String: [String: DrawStyle]])?

    /// - Parameters:
    ///   - format: A name of `Sinks.formats`.
    ///   - stages: Ids of those whose results are written; all where it is empty.
    /// - Returns: nil where there is no such format, or a track file, which holds all stages, of some is asked for.
    public init?(format: String, stages: [String] = [], kinds: FindingCatalog) {
        guard let format = Sinks.sink(named: format), stages.isEmpty || format.format.takesParts else { return nil }
        self.format = format
        self.stages = stages
        self.kinds = kinds
    }

    /// The name for a track file's export: the track file's with the format's suffix.
    public func name(for tracks: String) -> String {
        let name = Files.name(of: tracks)
        let suffix = TracksSink.format.suffix
        let stem = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : Files.stem(of: name)
        return stem + format.format.suffix
    }

    /// Writes an export piece by piece to whom it may concern, when it is whole.
    /// - Returns: The same.
    public func run(_ tracks: String, _ write: ([UInt8]) throws -> Void) throws -> [String] {
        let folder = try Files.makeTemporaryDirectory()
        defer { Files.removeDirectory(folder) }
        let path = folder + "/" + name(for: tracks)
        defer { Files.remove(path) }
        let notes = try run(tracks, to: path)
        try Files.forEachPiece(of: path, write)
        return notes
    }

    /// How the kinds of the stages are drawn where nobody says anything.
    private func styles(of header: SidecarHeader) -> [String: [String: DrawStyle]] {
        Dictionary(
            header.stages.map { stage in
                let emitted = kinds.kinds(of: stage.type) ?? []
                return (stage.id, Dictionary(emitted.map { ($0.kind, $0.style) }, uniquingKeysWith: { $1 }))
            }, uniquingKeysWith: { $1 })
    }

    /// - Parameters:
    ///   - tracks: A track file's path.
    ///   - path: Where the export goes; nothing stands there before it is whole.
    /// - Returns: What the format can't say of it, a sentence each.
    /// - Throws: `SidecarError` for a file that is no whole track file, or lacks one of the stages.
    @discardableResult
    public func run(_ tracks: String, to path: String) throws -> [String] {
        let reader = try SidecarReader(path: tracks, kinds: kinds)
        var header = reader.header
        if let missing = stages.first(where: { id in !header.stages.contains { $0.id == id } }) {
            throw SidecarError(
                path: tracks, line: nil,
                message: "it has no stage “\(missing)”; expected one of \(list(header.stages.map(\.id)))"
                    + ProblemLog(file: tracks).suggestion(missing, header.stages.map(\.id)))
        }
        let isAll = stages.isEmpty
        if !isAll { header.stages.removeAll { !stages.contains($0.id) } }
        if let reason = OutputFile.whyUnusable(path) { throw FileError("write", path: path, reason: reason) }
        let file = OutputFile(target: path)
        do {
            let styles = try drawing?(reader.header, kinds) ?? styles(of: header)
            let sink = try format.init(file, SinkContext(header: header, kinds: kinds, styles: styles))
            while var frame = try reader.next() {
                if !isAll { frame.observations.removeAll { !stages.contains($0.stage) } }
                try sink.write(frame)
            }
            try sink.finish(reader.outcome, reader.summary ?? SidecarSummary())
            try file.commit()
            return sink.notes
        } catch {
            file.discard()
            throw error
        }
    }
}
