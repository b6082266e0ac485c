/// Writes a saved track file in another form.
public struct TrackFileExport {
    private let format: any Sink.Type
    /// The filter of observations that are written.
    public var filter: ExportFilter
    private let kinds: FindingCatalog
    /// Styles by the stage's id and the kind, where stages aren't drawn as by default; nil for the defaults.
    public var drawing: (@Sendable (TrackFileHeader, FindingCatalog) throws -> [String: [String: DrawStyle]])?

    /// Whether texts in tables stay as they are, also those that a spreadsheet takes for formulas.
    public var keepsFormulas = false
    /// Whether tables have a row for a frame in which nothing was seen.
    public var writesEmpty = false

    /// An export to one format.
    /// - Parameters:
    ///   - format: A name of `SinkCatalog.formats`.
    ///   - filter: What of it is written.
    ///   - kinds: Kinds of results that the program knows.
    ///   - sinks: The formats that there are.
    /// - Returns: nil where there is no such format, or a track file, which holds everything, of some is asked for.
    public init?(format: String, filter: ExportFilter, kinds: FindingCatalog, sinks: SinkCatalog) {
        guard let format = sinks.sink(named: format), filter.isEmpty || format.format.takesParts else { return nil }
        self.format = format
        self.filter = filter
        self.kinds = kinds
    }

    /// Pictures of the frames that go with an export.
    public struct Pictures: Sendable {
        /// The video's path.
        public var video: String
        /// Format of the pictures.
        public var format: PictureFormat

        /// The pictures of a video, which is opened when they are written.
        public init(of video: String, as format: PictureFormat) { (self.video, self.format) = (video, format) }
    }

    /// The name for a track file's export: the track file's with the format's suffix.
    public func name(for tracks: String) -> String {
        let name = Files.name(of: tracks)
        let suffix = TracksSink.format.suffix
        let stem = name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : Files.stem(of: name)
        return stem + format.format.suffix
    }

    /// The folder of the pictures beside an export.
    public static func picturesFolder(of path: String) -> String {
        Files.parent(of: path) + "/" + Files.stem(of: path) + ".frames"
    }

    /// Writes an export, when it is whole, piece by piece to `write`. Not for a format of folders.
    /// - Returns: What the format can't say of it, a sentence each.
    public func run(_ tracks: String, _ write: ([UInt8]) throws -> Void) throws -> [String] {
        let folder = try Files.makeTemporaryDirectory()
        defer { Files.removeDirectory(folder) }
        let path = folder + "/" + name(for: tracks)
        defer { Files.remove(path) }
        let notes = try run(tracks, to: path)
        try Files.forEachPiece(of: path, write)
        return notes
    }

    /// Writes an export to a file.
    /// - Parameters:
    ///   - tracks: A track file's path.
    ///   - path: Where the export goes; nothing stands there before it is whole.
    ///   - pictures: The frames' pictures, written where the format's readers look for them; nil for none.
    ///   - cancellation: Ends the work, with `CancelledError`; nothing is written then.
    /// - Returns: What the format can't say of it, a sentence each.
    /// - Throws: `TrackFileError` for a file that is no whole track file, or lacks what the filter names; `FileError`,
    ///   also for a video that isn't the track file's.
    @discardableResult
    public func run(
        _ tracks: String, to path: String, pictures: Pictures? = nil, cancellation: Cancellation = Cancellation()
    ) throws -> [String] {
        let frames = try pictures.map {
            try FramePictures(
                $0, of: tracks, kinds: kinds, place: format.format.pictures ?? .beside, beside: path,
                cancellation: cancellation)
        }
        let reader = try TrackFileReader(path: tracks, kinds: kinds)
        let (header, written) = try filter.applied(to: reader.header, kinds, path: tracks)
        let file = OutputFile(target: path, isFolder: format.format.isFolder)
        if let reason = file.whyUnusable { throw FileError("write", path: path, reason: reason) }
        var context = SinkContext(header: header, kinds: written, styles: header.defaultStyles(kinds))
        if let pictures { context.pictures = pictures.format }
        (context.keepsFormulas, context.writesEmpty) = (keepsFormulas, writesEmpty)
        do {
            if let drawing { context.styles = try drawing(reader.header, kinds) }
            let sink = try format.init(file, context)
            try frames?.begin(in: file)
            while var frame = try reader.next() {
                if cancellation.isCancelled { throw CancelledError() }
                try frames?.write(frame, as: context.pictureName(frame.frame))
                if !filter.isEmpty { frame.observations.removeAll { !filter.passes($0) } }
                try sink.write(frame)
            }
            try sink.finish(reader.outcome, reader.summary ?? TrackFileSummary())
            try frames?.finish()
            try file.commit()
            return sink.notes
        } catch {
            file.discard()
            frames?.discard()
            throw error
        }
    }
}
