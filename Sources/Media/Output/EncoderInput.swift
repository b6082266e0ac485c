package import CFFmpeg

/// Makes frames into pictures as an encoder takes them, in memory that may be drawn on.
package final class EncoderInput {
    private var width = 0
    private var height = 0
    private var format = AV_PIX_FMT_YUV420P
    private var range = AVCOL_RANGE_UNSPECIFIED
    /// Ticks to add to every stamp.
    private let offset: Int64
    private let scaler = Scaler()
    /// How much the quantizer is changed where something is hidden, of its whole range; nil for not at all.
    private let coverEmphasis: Double?

    package init(offset: Int64, coverEmphasis: Double? = nil) {
        self.offset = offset
        self.coverEmphasis = coverEmphasis
    }

    /// Has the encoder keep what hides something as it is: one that saves there leaves what was to be seen before.
    package func emphasize(_ places: [Box], in picture: FrameBuffer) throws {
        guard let coverEmphasis else { return }
        let boxes = places.flatMap { box in
            [
                Self.pixels(box.x.rounded(.down), picture.width), Self.pixels(box.y.rounded(.down), picture.height),
                Self.pixels(box.right.rounded(.up), picture.width),
                Self.pixels(box.bottom.rounded(.up), picture.height),
            ]
        }
        try check(
            cff_emphasize(picture.av, boxes, Int32(places.count), coverEmphasis), "encode", "what is hidden")
    }

    private static func pixels(_ place: Double, _ size: Int) -> Int32 { Int32(min(max(Int(inRange: place), 0), size)) }

    /// Sets size, format and range of the pictures to what an encoder has been told.
    func take(_ context: UnsafePointer<AVCodecContext>) {
        (width, height) = (Int(context.pointee.width), Int(context.pointee.height))
        (format, range) = (context.pointee.pix_fmt, context.pointee.color_range)
    }

    /// Sets size, format and range of the pictures, where there is no encoder.
    package func take(width: Int, height: Int, format: AVPixelFormat, range: AVColorRange) {
        (self.width, self.height, self.format, self.range) = (width, height, format, range)
    }

    /// A frame's picture: the decoder's own where nobody else holds it and the format is right, a copy otherwise.
    package func picture(of frame: VideoFrame) throws -> FrameBuffer {
        var picture = frame.picture
        if let original = frame.original, !Self.sameLayout(picture.format, format) {
            // The stages' copy has fewer bits or coarser colours than the output.
            picture = try original.converted(to: format, with: scaler, like: frame.picture)
        }
        let out: FrameBuffer
        if Self.sameLayout(picture.format, format), picture.width == width, picture.height == height {
            out = try FrameBuffer(referencing: picture)
            out.av.pointee.format = format.rawValue
        } else {
            out = try FrameBuffer(width: width, height: height, format: format)
            try convert(picture, into: out)
        }
        out.av.pointee.pts = frame.pts.ticks + offset
        out.av.pointee.pict_type = AV_PICTURE_TYPE_NONE
        cff_set_frame_duration(out.av, frame.duration)
        // Newer encoders pass on what a picture says beside its pixels: none of it is in a result.
        for kind in Self.messages { av_frame_remove_side_data(out.av, kind) }
        return out
    }

    /// What encoders write into a stream as messages.
    private static let messages = [
        AV_FRAME_DATA_A53_CC, AV_FRAME_DATA_SEI_UNREGISTERED, AV_FRAME_DATA_DYNAMIC_HDR_PLUS,
        AV_FRAME_DATA_DOVI_METADATA,
        AV_FRAME_DATA_DOVI_RPU_BUFFER, AV_FRAME_DATA_S12M_TIMECODE,
    ]

    /// yuvj420p is yuv420p with another range, which the stream's tags say.
    private static func sameLayout(_ a: AVPixelFormat, _ b: AVPixelFormat) -> Bool {
        func plain(_ format: AVPixelFormat) -> AVPixelFormat {
            switch format {
            case AV_PIX_FMT_YUVJ420P: AV_PIX_FMT_YUV420P
            case AV_PIX_FMT_YUVJ422P: AV_PIX_FMT_YUV422P
            case AV_PIX_FMT_YUVJ440P: AV_PIX_FMT_YUV440P
            case AV_PIX_FMT_YUVJ444P: AV_PIX_FMT_YUV444P
            default: format
            }
        }
        return plain(a) == plain(b)
    }

    private func convert(_ picture: FrameBuffer, into out: FrameBuffer) throws {
        let isPadded = out.width != picture.width || out.height != picture.height
        // The odd picture is converted to its own size and then widened, so that nothing is resampled.
        let target = isPadded ? try FrameBuffer(width: picture.width, height: picture.height, format: format) : out
        for buffer in [target, out] {
            buffer.av.pointee.color_range = range
            buffer.av.pointee.colorspace = picture.av.pointee.colorspace
        }
        try scaler.convert(picture, into: target)
        guard isPadded else { return }
        for (source, wide) in zip(target.planes(), out.planes()) {
            let size = source.pixelSize
            for y in 0..<wide.height {
                let from = source.base + min(y, source.height - 1) * source.stride
                let to = wide.base + y * wide.stride
                to.update(from: from, count: source.width * size)
                for x in source.width..<max(wide.width, source.width) {
                    (to + x * size).update(from: from + (source.width - 1) * size, count: size)
                }
            }
        }
    }
}

extension FrameBuffer {
    /// Draws on the picture: copies it first where the decoder or a stage still holds it.
    package func withCanvas(_ draw: (Canvas) throws -> Void) throws {
        try check(av_frame_make_writable(av), "draw on", "a frame")
        guard let descriptor = av_pix_fmt_desc_get(format) else { return }
        let planes = planes().map {
            MutablePlane(
                base: $0.base, width: $0.width, height: $0.height, stride: $0.stride,
                bitDepth: Int(descriptor.pointee.comp.0.depth))
        }
        guard let luma = planes.first else { return }
        try draw(
            Canvas(
                luma: luma, chroma: planes.count == 3 ? (planes[1], planes[2]) : nil,
                chromaShift: (Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h)),
                colorSpace: colorSpace))
    }
}
