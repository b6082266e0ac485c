internal import CFFmpeg

/// A photo that is drawn on: a picture in, a picture out.
///
/// It is drawn on in Y′CbCr: of a JPEG that is the file's own; for other photos it has 16 bits and full colour resolution, so
/// that what isn't drawn on comes out as it came in.
final class PhotoFile: JobVideo {
    let file: OutputFile
    private let codec: EncodeSettings.Codec
    private let writer: PictureWriter
    private var drawing: Drawing
    private var count = 0
    private var losses: [String] = []

    /// - Parameter path: The final name.
    init(path: String, job: Job, format: PictureFormat, camera: CameraIntrinsics, first: VideoFrame) {
        file = OutputFile(target: path)
        codec = job.encode.codec
        writer = PictureWriter(format)
        let input = EncoderInput(offset: 0)
        input.take(
            width: first.width, height: first.height, format: writer.drawnFormat(of: first),
            range: first.picture.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG)
        drawing = Drawing(
            onto: input, styles: job.graph.stageStyles, hidden: job.covers, camera: camera,
            first: first)
        if first.hasAlpha { losses.append("the photo's transparency is left out") }
        if av_frame_get_side_data((first.original?.picture ?? first.picture).av, AV_FRAME_DATA_ICC_PROFILE) != nil {
            losses.append("the photo's colour profile (ICC) is left out: its colours count as sRGB")
        }
        for (index, cover) in job.covers.enumerated() where cover.audio != nil {
            losses.append("cover \(index) hid nothing: a photo has no sound")
        }
    }

    var offset: Int64 { 0 }
    var notes: [String] { losses + drawing.notes }
    var covered: CoverSummary? { drawing.covered }
    var places: [CoveredPlaces] { drawing.places }

    func add(_ frame: VideoFrame, _ observations: [DrawnObservation]) throws {
        count += 1
        guard count == 1 else {
            throw FileError(
                "write", path: file.target,
                reason: "the input has more than one picture, and “\(codec.rawValue)” makes one; expected a photo, or "
                    + "another codec")
        }
        drawing.add(frame, observations)
    }

    func finish(_ outcome: SourceOutcome) throws {
        while let (_, picture) = try drawing.next(isEnd: true) {
            let bytes = try writer.bytes(of: picture, for: file.target)
            let target = try ByteWriter(file)
            try target.write(bytes)
            try target.finish()
        }
    }

    func discard() { file.discard() }
}

extension VideoFrame {
    /// Whether the source's pixels are see-through in part, as far as the decoder's own picture is there.
    fileprivate var hasAlpha: Bool {
        guard let picture = original?.picture, let descriptor = av_pix_fmt_desc_get(picture.format) else {
            return false
        }
        if picture.format == AV_PIX_FMT_PAL8 { return Self.hasAlpha(indexed: picture.av.pointee) }
        return descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0
    }

    /// Whether one of the colours that its pixels have is see-through: FFmpeg has an alpha for every palette, and for unused colours any.
    private static func hasAlpha(indexed picture: AVFrame) -> Bool {
        guard let pixels = picture.data.0, let palette = picture.data.1 else { return false }
        return palette.withMemoryRebound(to: UInt32.self, capacity: 256) { colors in
            (0..<Int(picture.height)).contains { row in
                let line = pixels + row * Int(picture.linesize.0)
                return (0..<Int(picture.width)).contains { colors[Int(line[$0])] >> 24 != 255 }
            }
        }
    }
}
