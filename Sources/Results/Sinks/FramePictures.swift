/// The pictures of a track file's frames, decoded from its video and held against it.
final class FramePictures {
    private let reader: SourceReader
    private let header: TrackFileHeader
    private let video: String
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
        header = whole.header
        video = pictures.video
        self.place = place
        writer = PictureWriter(pictures.format)
        let outcome = whole.outcome
        var options = header.sourceOptions(
            isDamaged: outcome.concealed + outcome.skipped > 0 || outcome.isCutOff)
        options.deinterlaces = header.source.isDeinterlaced
        // A rate that the file itself doesn't say came from the manifest.
        let said = try SourceInfo.probe(path: video, cancellation: cancellation).frameRate
        if let rate = header.source.frameRate, rate != said { options.frameRate = rate }
        reader = try SourceReader(path: video, options: options, cancellation: cancellation)
        if place == .beside {
            let folder = Files.parent(of: path) + "/" + Files.stem(of: path) + ".frames"
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
        guard let frame = try reader.next() else {
            throw differs("it ends before frame \(record.frame)")
        }
        let source = header.source
        guard frame.width == source.width, frame.height == source.height else {
            throw differs(
                "it has \(frame.width)×\(frame.height) pixels, the track file \(source.width)×\(source.height)")
        }
        guard frame.ordinal == record.frame, frame.pts == record.pts else {
            throw differs(
                "it has frame \(frame.ordinal) at \(frame.seconds.text(6)) s where the track file has frame \(record.frame) "
                    + "at \(record.pts.seconds.text(6)) s")
        }
        try writer.write(frame, asPartOf: folder + "/" + name)
    }

    /// Gives a folder of its own its name.
    func finish() throws {
        if let frame = try reader.next() { throw differs("it goes on with frame \(frame.ordinal) behind the last one") }
        try beside?.commit()
    }

    func discard() { beside?.discard() }

    private func differs(_ how: String) -> FileError {
        FileError("take frames from", path: video, reason: "it isn't the track file's video: \(how)")
    }
}
