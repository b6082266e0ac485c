internal import CFFmpeg

/// Encodes pictures of one size into packets, with the source's own time stamps.
///
/// `@unchecked Sendable`: one thread makes it and hands it over whole, one at a time uses it.
package final class VideoEncoder: @unchecked Sendable {
    /// The source's properties that the encoder needs.
    package struct Source {
        package var timeBase: Rational
        package var frameRate: Rational?
        /// The first picture: its size, aspect ratio and colour tags become the stream's.
        package var first: FrameBuffer
        /// The decoder's own first picture, where it has more bits or other colours.
        package var original: FrameBuffer?
        /// Ticks to add to every stamp.
        package var offset: Int64 = 0
        /// The source's demuxer, of which audio and what else goes with the video is passed on; nil for none.
        package var demuxer: Demuxer?

        package init(
            timeBase: Rational, frameRate: Rational? = nil, first: FrameBuffer, original: FrameBuffer? = nil,
            offset: Int64 = 0, demuxer: Demuxer? = nil
        ) {
            self.timeBase = timeBase
            self.frameRate = frameRate
            self.first = first
            self.original = original
            self.offset = offset
            self.demuxer = demuxer
        }
    }

    /// The output's name, for messages.
    private let path: String
    private let codec: EncodeSettings.Codec
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let timeBase: AVRational
    /// What makes frames into pictures that the encoder takes.
    let input: EncoderInput
    private let pixelFormat: AVPixelFormat
    /// Durations of the pictures inside the encoder, by their time stamp: x264 doesn't pass them through.
    private var durations: [Int64: Int64] = [:]
    /// Whether it is open, and has got no picture yet.
    private var lacksPictures = false

    init(path: String, source: Source, settings: EncodeSettings) throws {
        initializeMedia()
        self.path = path
        codec = settings.codec
        timeBase = source.timeBase.av
        guard let name = codec.encoder, let encoder = avcodec_find_encoder_by_name(name) else {
            throw FileError("encode", path: path, reason: "this FFmpeg has no encoder “\(codec.encoder ?? "none")”")
        }
        guard let context = avcodec_alloc_context3(encoder) else { throw outOfMemory("create", path) }
        self.context = context
        if codec.isAlone {
            Self.turn.wait { isTaken -> Void? in
                guard !isTaken else { return nil }
                return isTaken = true
            }
        }
        pixelFormat = settings.format(for: (source.original ?? source.first).format)
        input = EncoderInput(offset: source.offset, coverEmphasis: settings.coverEmphasis)
        // From here on `deinit` frees the context, also where this throws.
        try open(encoder, source: source, settings: settings)
    }

    deinit {
        // SVT-AV1 waits for its first picture, also where it is closed.
        if codec.isAlone, lacksPictures,
            let blank = try? FrameBuffer(
                width: Int(context.pointee.width), height: Int(context.pointee.height), format: context.pointee.pix_fmt)
        {
            avcodec_send_frame(context, blank.av)
        }
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
        if codec.isAlone { Self.turn.withLock { $0 = false } }
    }

    /// True while there is an encoder of those that can't share a process with another one: the next waits until it has gone.
    private static let turn = Monitor(false)

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
        input.take(context)
        var options = options(settings)
        defer { av_dict_free(&options) }
        _ = takeFFmpegLog()
        // SVT-AV1 and x265 wait for ever for those that they couldn't start, and others say no more than that they failed.
        let threads = max(codec.libraryThreads, settings.threads + 4)
        if let shortage = Worker.shortage(of: threads) { throw shortage }
        let code = cff_open_encoder(context, encoder, &options)
        if code < 0, let shortage = Worker.shortage(of: threads) { throw shortage }
        try check(code, "open the encoder for", path)
        lacksPictures = true
    }

    private func options(_ settings: EncodeSettings) -> OpaquePointer? {
        var options: OpaquePointer?
        if let preset = settings.preset ?? codec.preset { av_dict_set(&options, "preset", preset, 0) }
        if let bitrate = settings.bitrate {
            context.pointee.bit_rate = Int64(bitrate)
        } else if let crf = settings.crf ?? codec.crf {
            av_dict_set(&options, "crf", String(crf), 0)
        }
        for (key, value) in codec.options(width: Int(context.pointee.width)) { av_dict_set(&options, key, value, 0) }
        if settings.hidesPlaces {
            for (key, value) in codec.covers?.careful ?? [] { av_dict_set(&options, key, value, 0) }
        }
        if settings.coverEmphasis != nil, let care = codec.covers,
            care.deaf.contains(settings.preset ?? codec.preset ?? "")
        {
            for (key, value) in care.options { av_dict_set(&options, key, value, 0) }
        }
        return options
    }

    /// What a decoder has to know before the first packet.
    var parameters: [UInt8] {
        Array(UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
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
        guard rate.num > 0, rate.den > 0, rate.num < .max / 2, let (name, ticks) = codec.rateFilter,
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

    /// How many pictures may be decoded before one that is shown earlier.
    /// - Parameter stream: What `describe` has written.
    func delay(in stream: UnsafeMutablePointer<AVStream>) throws -> Int {
        // FFmpeg's x265 doesn't say: a decoder reads it in the stream's headers.
        guard context.pointee.codec_id == AV_CODEC_ID_HEVC, let codec = avcodec_find_decoder(AV_CODEC_ID_HEVC) else {
            return Int(context.pointee.has_b_frames)
        }
        var decoder = avcodec_alloc_context3(codec)
        defer { avcodec_free_context(&decoder) }
        guard let decoder else { throw outOfMemory("describe the video of", path) }
        try check(avcodec_parameters_to_context(decoder, stream.pointee.codecpar), "describe the video of", path)
        decoder.pointee.thread_count = 1
        try check(avcodec_open2(decoder, codec, nil), "describe the video of", path)
        return Int(decoder.pointee.has_b_frames)
    }

    // MARK: Packets

    /// Encodes a picture that `input` made, drawn on or not; nil flushes.
    /// - Parameter write: gets each finished packet, its stamps in the source's time base.
    func encode(_ frame: FrameBuffer?, _ write: (Packet) throws -> Void) throws {
        if let frame {
            durations[frame.av.pointee.pts] = cff_frame_duration(frame.av)
            lacksPictures = false
        }
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
