internal import CFFmpeg

/// Encodes pictures and writes them, with the source's audio, into an MP4.
///
/// Used from one thread. Time stamps are the source's own ticks in the source's time base, from the first picture to the
/// file.
public final class VideoWriter {
    /// The final name, for messages.
    private let path: String
    /// Where to write.
    private let file: String
    private let format: UnsafeMutablePointer<AVFormatContext>
    private let encoder: UnsafeMutablePointer<AVCodecContext>
    private let videoStream: UnsafeMutablePointer<AVStream>
    private let sourceTimeBase: AVRational
    private var audioStreams: [Int32: (stream: UnsafeMutablePointer<AVStream>, timeBase: AVRational)] = [:]
    private let pixelFormat: AVPixelFormat
    private let scaler = Scaler()
    /// Durations of the pictures inside the encoder, by their time stamp: x264 doesn't pass them through.
    private var durations: [Int64: Int64] = [:]
    /// Audio streams of the source that MP4 can't hold.
    public private(set) var droppedAudio: [String] = []

    /// What the encoder needs to know of the source.
    struct Source {
        var timeBase: Rational
        var frameRate: Rational?
        /// The first picture: its size, aspect ratio and colour tags become the stream's.
        var first: FrameBuffer
        var audio: [UnsafeMutablePointer<AVStream>] = []
    }

    init(_ output: OutputFile, source: Source, settings: EncodeSettings) throws {
        path = output.target
        file = output.temporary
        sourceTimeBase = source.timeBase.av
        let name = settings.codec.encoder ?? "libx264"
        guard let codec = avcodec_find_encoder_by_name(name) else {
            throw MediaError("encode", path: path, reason: "this FFmpeg has no encoder “\(name)”")
        }
        var context: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&context, nil, "mp4", file), "create", path)
        guard let context, let encoder = avcodec_alloc_context3(codec) else { throw outOfMemory("create", path) }
        format = context
        self.encoder = encoder
        pixelFormat = Self.pixelFormat(for: settings.pixelFormat)
        guard let stream = avformat_new_stream(context, nil) else { throw outOfMemory("create", path) }
        videoStream = stream
        do {
            try openEncoder(codec, source: source, settings: settings)
            try addAudio(source.audio)
            try writeHeader(settings)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    private var isClosed = false

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        var encoder: UnsafeMutablePointer<AVCodecContext>? = encoder
        avcodec_free_context(&encoder)
        if format.pointee.pb != nil { avio_closep(&format.pointee.pb) }
        avformat_free_context(format)
    }

    private static func pixelFormat(for choice: EncodeSettings.PixelFormat) -> AVPixelFormat {
        switch choice {
        case .auto, .yuv420p: AV_PIX_FMT_YUV420P
        case .yuv422p: AV_PIX_FMT_YUV422P
        case .yuv444p: AV_PIX_FMT_YUV444P
        }
    }

    private func openEncoder(
        _ codec: UnsafePointer<AVCodec>, source: Source, settings: EncodeSettings
    ) throws {
        let first = source.first.av.pointee
        // 4:2:0 has no odd sizes in H.264: the last column and row are repeated.
        encoder.pointee.width = pixelFormat == AV_PIX_FMT_YUV444P ? first.width : (first.width + 1) & ~1
        encoder.pointee.height = pixelFormat == AV_PIX_FMT_YUV420P ? (first.height + 1) & ~1 : first.height
        encoder.pointee.pix_fmt = pixelFormat
        encoder.pointee.time_base = sourceTimeBase
        if let rate = source.frameRate { encoder.pointee.framerate = rate.av }
        encoder.pointee.sample_aspect_ratio = first.sample_aspect_ratio
        encoder.pointee.color_range = source.first.isFullRange ? AVCOL_RANGE_JPEG : first.color_range
        if source.first.format == AV_PIX_FMT_GRAY8 { encoder.pointee.color_range = AVCOL_RANGE_MPEG }
        encoder.pointee.colorspace = first.colorspace
        encoder.pointee.color_primaries = first.color_primaries
        encoder.pointee.color_trc = first.color_trc
        encoder.pointee.chroma_sample_location = first.chroma_location
        encoder.pointee.thread_count = Int32(settings.threads)
        encoder.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "preset", settings.preset, 0)
        av_dict_set(&options, "crf", String(settings.crf), 0)
        if settings.codec == .hevc { av_dict_set(&options, "x265-params", "log-level=error", 0) }
        _ = takeFFmpegLog()
        try check(avcodec_open2(encoder, codec, &options), "open the encoder for", path)
        try check(avcodec_parameters_from_context(videoStream.pointee.codecpar, encoder), "describe the video of", path)
        // “hvc1”: Safari plays no “hev1”.
        if settings.codec == .hevc { videoStream.pointee.codecpar.pointee.codec_tag = 0x3163_7668 }
        try stateFrameRate(settings.codec)
        videoStream.pointee.time_base = sourceTimeBase
        videoStream.pointee.avg_frame_rate = encoder.pointee.framerate
        videoStream.pointee.sample_aspect_ratio = encoder.pointee.sample_aspect_ratio
    }

    /// Writes the nominal frame rate into the stream's headers. The encoder, told the source's fine time base, would state
    /// that as the rate, and readers then know no picture's duration.
    private func stateFrameRate(_ codec: EncodeSettings.Codec) throws {
        let rate = encoder.pointee.framerate
        let filters: [EncodeSettings.Codec: (name: String, ticks: Int32)] = [
            .h264: ("h264_metadata", 2), .hevc: ("hevc_metadata", 1), .av1: ("av1_metadata", 1),
        ]
        guard rate.num > 0, rate.den > 0, let (name, ticks) = filters[codec], let filter = av_bsf_get_by_name(name)
        else {
            return
        }
        var context: UnsafeMutablePointer<AVBSFContext>?
        try check(av_bsf_alloc(filter, &context), "describe the video of", path)
        defer { av_bsf_free(&context) }
        guard let context else { return }
        try check(
            avcodec_parameters_copy(context.pointee.par_in, videoStream.pointee.codecpar), "describe the video of", path
        )
        let tickRate = AVRational(num: rate.num * ticks, den: rate.den)
        try check(
            av_opt_set_q(context.pointee.priv_data, "tick_rate", tickRate, 0), "describe the video of", path)
        try check(av_bsf_init(context), "describe the video of", path)
        // Only the headers are rewritten: packets carry none of their own.
        let tag = videoStream.pointee.codecpar.pointee.codec_tag
        try check(
            avcodec_parameters_copy(videoStream.pointee.codecpar, context.pointee.par_out), "describe the video of",
            path)
        videoStream.pointee.codecpar.pointee.codec_tag = tag
    }

    private func addAudio(_ streams: [UnsafeMutablePointer<AVStream>]) throws {
        for source in streams {
            guard let parameters = source.pointee.codecpar else { continue }
            guard avformat_query_codec(format.pointee.oformat, parameters.pointee.codec_id, FF_COMPLIANCE_NORMAL) == 1
            else {
                droppedAudio.append(String(cString: avcodec_get_name(parameters.pointee.codec_id)))
                continue
            }
            guard let stream = avformat_new_stream(format, nil) else { throw outOfMemory("create", path) }
            try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters), "describe the audio of", path)
            stream.pointee.codecpar.pointee.codec_tag = 0
            stream.pointee.time_base = source.pointee.time_base
            stream.pointee.disposition = source.pointee.disposition
            av_dict_copy(&stream.pointee.metadata, source.pointee.metadata, 0)
            audioStreams[source.pointee.index] = (stream, source.pointee.time_base)
        }
    }

    private func writeHeader(_ settings: EncodeSettings) throws {
        try check(avio_open(&format.pointee.pb, "file:" + file, AVIO_FLAG_WRITE), "create", path)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        if settings.faststart { av_dict_set(&options, "movflags", "+faststart", 0) }
        // The muxer would double a coarse time base until it has 10,000 ticks a second.
        av_dict_set(&options, "video_track_timescale", String(sourceTimeBase.den), 0)
        try check(avformat_write_header(format, &options), "write the header of", path)
    }

    /// The picture as the encoder takes it, in memory that may be drawn on: the decoder's own where nobody else holds
    /// it and the format is right, a copy otherwise.
    func writable(_ frame: VideoFrame) throws -> FrameBuffer {
        let picture = frame.picture
        let isRight =
            Self.sameLayout(picture.format, pixelFormat) && picture.width == Int(encoder.pointee.width)
            && picture.height == Int(encoder.pointee.height)
        let out: FrameBuffer
        if isRight {
            out = try FrameBuffer(referencing: picture)
            out.av.pointee.format = pixelFormat.rawValue
        } else {
            out = try FrameBuffer(
                width: Int(encoder.pointee.width), height: Int(encoder.pointee.height), format: pixelFormat)
            try convert(picture, into: out)
        }
        out.av.pointee.pts = frame.pts.ticks
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
        target.av.pointee.color_range = encoder.pointee.color_range
        target.av.pointee.colorspace = picture.av.pointee.colorspace
        try scaler.convert(picture, into: target)
        guard isPadded else { return }
        for (source, wide) in zip(target.planes(), out.planes()) {
            for y in 0..<wide.height {
                let from = source.base + min(y, source.height - 1) * source.stride
                let to = wide.base + y * wide.stride
                to.update(from: from, count: source.width)
                for x in source.width..<max(wide.width, source.width) { to[x] = from[source.width - 1] }
            }
        }
    }

    /// Encodes a picture that `writable` made, drawn on or not.
    func write(_ frame: FrameBuffer) throws {
        durations[frame.av.pointee.pts] = cff_frame_duration(frame.av)
        try encode(frame)
    }

    /// Copies an audio packet of the source.
    func write(_ packet: Packet) throws {
        guard let (stream, timeBase) = audioStreams[packet.av.pointee.stream_index] else { return }
        av_packet_rescale_ts(packet.av, timeBase, stream.pointee.time_base)
        packet.av.pointee.stream_index = stream.pointee.index
        packet.av.pointee.pos = -1
        try check(av_interleaved_write_frame(format, packet.av), "write", path)
    }

    /// Flushes the encoder and finishes the file.
    func finish() throws {
        try encode(nil)
        try check(av_write_trailer(format), "finish", path)
        let code = avio_closep(&format.pointee.pb)
        try check(code, "finish", path)
        close()
    }

    private func encode(_ frame: FrameBuffer?) throws {
        try check(avcodec_send_frame(encoder, frame?.av), "encode", path)
        while true {
            let packet = try Packet()
            let code = avcodec_receive_packet(encoder, packet.av)
            if code == cff_error_again || code == cff_error_eof { return }
            try check(code, "encode", path)
            packet.av.pointee.stream_index = videoStream.pointee.index
            packet.av.pointee.duration = durations.removeValue(forKey: packet.av.pointee.pts) ?? 0
            av_packet_rescale_ts(packet.av, sourceTimeBase, videoStream.pointee.time_base)
            try check(av_interleaved_write_frame(format, packet.av), "write", path)
        }
    }
}

extension FrameBuffer {
    /// Draws on the picture: copies it first where the decoder or a stage still holds it.
    func withCanvas(_ draw: (Canvas) throws -> Void) throws {
        try check(av_frame_make_writable(av), "draw on", "a frame")
        let planes = planes().map { MutablePlane(base: $0.base, width: $0.width, height: $0.height, stride: $0.stride) }
        guard let luma = planes.first, let descriptor = av_pix_fmt_desc_get(format) else { return }
        try draw(
            Canvas(
                luma: luma, chroma: planes.count == 3 ? (planes[1], planes[2]) : nil,
                chromaShift: (Int(descriptor.pointee.log2_chroma_w), Int(descriptor.pointee.log2_chroma_h)),
                colorSpace: colorSpace))
    }
}
