/// The pictures of a track file's frames, as files.
final class FramePictures {
    private let source: FrameSource
    private let place: PicturePlace
    private let writer: PictureWriter
    /// The pictures' own folder; nil where they lie in the export's.
    private let beside: OutputFile?
    private var folder = ""

    /// Reads the track file once, so that no picture is written for one that isn't whole.
    ///
    /// - Parameters:
    ///   - tracks: The track file.
    ///   - place: Where the format's readers look for pictures.
    ///   - path: The export's.
    init(
        _ pictures: TrackFileExport.Pictures, of tracks: String, kinds: FindingCatalog, place: PicturePlace,
        beside path: String, cancellation: Cancellation
    ) throws {
        let whole = try TrackFileReader(path: tracks, kinds: kinds)
        while try whole.next() != nil { if cancellation.isCancelled { throw CancelledError() } }
        self.place = place
        writer = PictureWriter(pictures.format)
        source = try FrameSource(pictures.video, whole.header, whole.outcome, cancellation: cancellation)
        if place == .beside {
            let folder = TrackFileExport.picturesFolder(of: path)
            let file = OutputFile(target: folder, isFolder: true)
            if let reason = file.whyUnusable { throw FileError("write", path: folder, reason: reason) }
            beside = file
        } else {
            beside = nil
        }
    }

    /// Begins to write pictures.
    /// - Parameter file: The export.
    func begin(in file: OutputFile) throws {
        if case .inside(let name) = place {
            folder = file.temporary + "/" + name
            try Files.makeDirectory(folder)
        } else {
            folder = beside?.temporary ?? ""
        }
    }

    /// Writes the picture of the next frame.
    /// - Throws: `FileError` where the video has none, or another one.
    func write(_ record: FrameRecord, as name: String) throws {
        try writer.write(try source.next(record), asPartOf: folder + "/" + name)
    }

    /// Gives a folder of its own its name.
    func finish() throws {
        try source.finish()
        try beside?.commit()
    }

    func discard() { beside?.discard() }
}
