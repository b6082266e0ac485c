/// The frames of a track file, decoded from its video and held against it.
final class FrameSource {
    private let reader: SourceReader
    private let header: TrackFileHeader
    private let video: String

    /// - Parameters:
    ///   - video: The video's path.
    ///   - header: The track file's.
    ///   - outcome: What the track file says of its source, which reading it to its end tells.
    init(_ video: String, _ header: TrackFileHeader, _ outcome: SourceOutcome, cancellation: Cancellation) throws {
        (self.video, self.header) = (video, header)
        var options = header.sourceOptions(
            isDamaged: outcome.concealed + outcome.skipped > 0 || outcome.isCutOff)
        options.deinterlacing = header.source.isDeinterlaced ? .always : .never
        // A rate that the file itself doesn't say came from the manifest.
        let said = try SourceInfo.probe(path: video, cancellation: cancellation).frameRate
        if let rate = header.source.frameRate, rate != said { options.frameRate = rate }
        reader = try SourceReader(path: video, options: options, cancellation: cancellation)
    }

    /// The frame of the next record.
    /// - Throws: `FileError` where the video has none, or another one.
    func next(_ record: FrameRecord) throws -> VideoFrame {
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
        return frame
    }

    /// - Throws: `FileError` where the video goes on.
    func finish() throws {
        if let frame = try reader.next() { throw differs("it goes on with frame \(frame.ordinal) behind the last one") }
    }

    private func differs(_ how: String) -> FileError {
        FileError("take frames from", path: video, reason: "it isn't the track file's video: \(how)")
    }
}
