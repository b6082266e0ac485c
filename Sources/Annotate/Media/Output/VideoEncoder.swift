internal import CFFmpeg

/// Encodes pictures of one size into packets, with the source's own time stamps.
final class VideoEncoder {
    /// What the encoder needs to know of the source.
    struct Source {
        var timeBase: Rational
        var frameRate: Rational?
        /// The first picture: its size, aspect ratio and colour tags become the stream's.
        var first: FrameBuffer
        /// The decoder's own first picture, where it has more bits or other colours.
        var original: FrameBuffer?
        /// Ticks to add to every stamp.
        var offset: Int64 = 0
        /// Where audio and what else is to be passed on comes from.
        var demuxer: Demuxer?
    }

    /// The output's name, for messages.
    private let path: String
    private let codec: EncodeSettings.Codec
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let timeBase: AVRational
    private let offset: Int64
    private let pixelFormat: AVPixelFormat
    private let scaler = Scaler()
    /// Durations of the pictures inside the encoder, by their time stamp: x264 doesn't pass them through.
    private var durations: [Int64: Int64] = [:]

    init(path: String, source: Source, settings: EncodeSettings) throws {
        self.path = path
        codec = settings.codec
        timeBase = source.timeBase.av
        offset = source.offset
        let name = settings.codec.encoder ?? "libx264"
        guard let encoder = avcodec_find_encoder_by_name(name) else {
            throw FileError("encode", path: path, reason: "this FFmpeg has no encoder “\(name)”")
        }
        guard let context = avcodec_alloc_context3(encoder) else { throw outOfMemory("create", path) }
        self.context = context
        pixelFormat = settings.format(for: (source.original ?? source.first).format)
        // From here on `deinit` frees the context, also where this throws.
        try open(encoder, source: source, settings: settings)
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
    }

    private func open(_ encoder: UnsafePointer<AVCodec>, source: Source, settings: EncodeSettings) throws {
        let first = source.first.av.pointee
        // Subsampled chroma has no odd sizes in H.264, HEVC and AV1: the last column and row are repeated.
        let descriptor = av_pix_fmt_desc_get(pixelFormat)?.pointee
        func padded(_ size: Int32, _ shift: UInt8?) -> Int32 {
            settings.codec.isLossless || shift == 0 ? size : (size + 1) & ~1
        }
        context.pointee.width = padded(first.width, descriptor?.log2_chroma_w)
        context.pointee.height = padded(first.height, descriptor?.log2_chroma_h)
        context.pointee.pix_fmt = pixelFormat
        context.pointee.time_base = timeBase
        if let rate = source.frameRate { context.pointee.framerate = rate.av }
        context.pointee.sample_aspect_ratio = first.sample_aspect_ratio
        context.pointee.color_range = source.first.isFullRange ? AVCOL_RANGE_JPEG : first.color_range
        // Grey's full range is a convention; a video of limited range plays right everywhere. Lossless means lossless.
        if source.first.format == AV_PIX_FMT_GRAY8, !settings.codec.isLossless {
            context.pointee.color_range = AVCOL_RANGE_MPEG
        }
        // RGB's “matrix” is none, and these planes have one.
        context.pointee.colorspace = first.colorspace == AVCOL_SPC_RGB ? AVCOL_SPC_UNSPECIFIED : first.colorspace
        context.pointee.color_primaries = first.color_primaries
        context.pointee.color_trc = first.color_trc
        context.pointee.chroma_sample_location = first.chroma_location
        context.pointee.thread_count = Int32(settings.threads)
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        var options = options(settings)
        defer { av_dict_free(&options) }
        _ = takeFFmpegLog()
        try check(avcodec_open2(context, encoder, &options), "open the encoder for", path)
    }

    private func options(_ settings: EncodeSettings) -> OpaquePointer? {
        var options: OpaquePointer?
        if settings.codec == .ffv1 {
            // Every picture a key, checked by sums; the number of slices follows from the size, not from the threads.
            context.pointee.level = 3
            context.pointee.gop_size = 1
            av_dict_set(&options, "slicecrc", "1", 0)
            return options
        }
        av_dict_set(&options, "preset", settings.preset, 0)
        switch settings.quality {
        case .crf(let value): av_dict_set(&options, "crf", String(value), 0)
        case .bitrate(let value): context.pointee.bit_rate = Int64(value)
        }
        if settings.codec == .hevc { av_dict_set(&options, "x265-params", "log-level=error", 0) }
        return options
    }

    /// Writes what the encoder makes into an output's stream.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try check(avcodec_parameters_from_context(stream.pointee.codecpar, context), "describe the video of", path)
        try stateFrameRate(stream)
        stream.pointee.time_base = timeBase
        stream.pointee.avg_frame_rate = context.pointee.framerate
        stream.pointee.sample_aspect_ratio = context.pointee.sample_aspect_ratio
    }

    /// Writes the nominal frame rate into the stream's headers. The encoder, told the source's fine time base, would state
    /// that as the rate, and readers then know no picture's duration.
    private func stateFrameRate(_ stream: UnsafeMutablePointer<AVStream>) throws {
        let rate = context.pointee.framerate
        let filters: [EncodeSettings.Codec: (name: String, ticks: Int32)] = [
            .h264: ("h264_metadata", 2), .hevc: ("hevc_metadata", 1), .av1: ("av1_metadata", 1),
        ]
        guard rate.num > 0, rate.den > 0, rate.num < .max / 2, let (name, ticks) = filters[codec],
            let filter = av_bsf_get_by_name(name)
        else {
            return
        }
        var context: UnsafeMutablePointer<AVBSFContext>?
        try check(av_bsf_alloc(filter, &context), "describe the video of", path)
        defer { av_bsf_free(&context) }
        guard let context else { return }
        try check(
            avcodec_parameters_copy(context.pointee.par_in, stream.pointee.codecpar), "describe the video of", path)
        let tickRate = AVRational(num: rate.num * ticks, den: rate.den)
        try check(av_opt_set_q(context.pointee.priv_data, "tick_rate", tickRate, 0), "describe the video of", path)
        try check(av_bsf_init(context), "describe the video of", path)
        // Only the headers are rewritten: packets carry none of their own.
        try check(
            avcodec_parameters_copy(stream.pointee.codecpar, context.pointee.par_out), "describe the video of", path)
    }

    // MARK: Pictures

    /// The picture as the encoder takes it, in memory that may be drawn on: the decoder's own where nobody else holds
    /// it and the format is right, a copy otherwise.
    func writable(_ frame: VideoFrame) throws -> FrameBuffer {
        var picture = frame.picture
        if let original = frame.original, !Self.sameLayout(picture.format, pixelFormat) {
            // The stages' copy has fewer bits or coarser colours than the output.
            picture = try original.converted(to: pixelFormat, with: scaler, like: frame.picture)
        }
        let isRight =
            Self.sameLayout(picture.format, pixelFormat) && picture.width == Int(context.pointee.width)
            && picture.height == Int(context.pointee.height)
        let out: FrameBuffer
        if isRight {
            out = try FrameBuffer(referencing: picture)
            out.av.pointee.format = pixelFormat.rawValue
        } else {
            out = try FrameBuffer(
                width: Int(context.pointee.width), height: Int(context.pointee.height), format: pixelFormat)
            try convert(picture, into: out)
        }
        out.av.pointee.pts = frame.pts.ticks + offset
        out.av.pointee.pict_type = AV_PICTURE_TYPE_NONE
        cff_set_frame_duration(out.av, frame.duration)
        return out
    }

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
        let target = isPadded ? try FrameBuffer(width: picture.width, height: picture.height, format: pixelFormat) : out
        for buffer in [target, out] {
            buffer.av.pointee.color_range = context.pointee.color_range
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

    // MARK: Packets

    /// Encodes a picture that `writable` made, drawn on or not; nil flushes.
    /// - Parameter write: gets each finished packet, its stamps in the source's time base.
    func encode(_ frame: FrameBuffer?, _ write: (Packet) throws -> Void) throws {
        if let frame { durations[frame.av.pointee.pts] = cff_frame_duration(frame.av) }
        try check(avcodec_send_frame(context, frame?.av), "encode", path)
        while true {
            let packet = try Packet()
            let code = avcodec_receive_packet(context, packet.av)
            if code == cff_error_again || code == cff_error_eof { return }
            try check(code, "encode", path)
            packet.av.pointee.duration = durations.removeValue(forKey: packet.av.pointee.pts) ?? 0
            try write(packet)
        }
    }
}

extension FrameBuffer {
    /// Draws on the picture: copies it first where the decoder or a stage still holds it.
    func withCanvas(_ draw: (Canvas) throws -> Void) throws {
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
