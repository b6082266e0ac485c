/// Writes a track file of a source that wasn't read: one that a program made.
public final class TrackFileWriter {
    private let file: OutputFile
    private let sink: TracksSink
    private var summary: SummaryBuilder

    /// Begins a track file.
    /// - Parameters:
    ///   - path: The final name; nothing stands there before `finish`.
    ///   - header: What its first line says.
    public init(path: String, header: TrackFileHeader) throws {
        file = OutputFile(target: path)
        summary = SummaryBuilder(stages: header.stages.map(\.id))
        sink = try TracksSink(file, SinkContext(header: header, kinds: FindingCatalog([])))
    }

    /// Writes the next frame's line.
    public func write(_ frame: FrameRecord) throws {
        try sink.write(frame)
        summary.add(frame)
    }

    /// Writes header and summary and gives the file its name.
    public func finish() throws {
        try sink.finish(SourceOutcome(), summary.summary(SourceOutcome()))
        try file.commit()
    }

    deinit { file.discard() }
}
