internal import CFFmpeg

/// Turns the packets of one stream into pictures, in presentation order, or into pieces of sound.
final class Decoder {
    let path: String
    let stream: UnsafeMutablePointer<AVStream>
    private let context: UnsafeMutablePointer<AVCodecContext>
    private var isDraining = false
    /// What the codec's threads tell of damage; nil where it isn't watched.
    private let hint: OpaquePointer?

    /// Where a codec may use several threads.
    enum Threads {
        /// Within one picture, as far as the codec tells the same of damage then as on one thread.
        case slices(Int)
        /// On several pictures at once. What it tells of damage comes late or never then; that there may be some is hinted.
        case pictures(Int)
    }

    /// - Parameters:
    ///   - threads: how many threads the codec may use, and what for.
    ///   - toleratesDamage: whether pictures are taken that are damaged: what they leave out is grey then, whatever the codec.
    ///   - maximumPixels: larger pictures are refused before memory is taken for them.
    init(
        stream: UnsafeMutablePointer<AVStream>, path: String, threads: Threads, toleratesDamage: Bool = false,
        maximumPixels: Int
    ) throws {
        self.path = path
        self.stream = stream
        guard let parameters = stream.pointee.codecpar, let codec = avcodec_find_decoder(parameters.pointee.codec_id)
        else {
            let name =
                stream.pointee.codecpar.map { String(cString: avcodec_get_name($0.pointee.codec_id)) } ?? "unknown"
            throw FileError("decode", path: path, reason: "this FFmpeg has no decoder for “\(name)”")
        }
        guard let context = avcodec_alloc_context3(codec) else { throw outOfMemory("decode", path) }
        self.context = context
        if case .pictures = threads { hint = cff_hint_new() } else { hint = nil }
        // From here on `deinit` frees the context, also where this throws.
        try check(avcodec_parameters_to_context(context, parameters), "set up the decoder of", path)
        cff_keep_numbers(context)
        context.pointee.pkt_timebase = stream.pointee.time_base
        switch threads {
        case .slices(let count):
            // With several threads FFmpeg's H.264 decoder neither patches damaged slices up nor tells of them, and what
            // damaged HEVC, VP8 and MPEG-1 and 2 look like, or whether they fail, depends on their number. Others are
            // decoded on several pictures at once, or not at all, which `pictures` is for.
            let isSensitive = [
                AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1,
                AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO,
            ].contains(codec.pointee.id)
            context.pointee.thread_count = isSensitive ? 1 : Int32(count)
            context.pointee.thread_type = FF_THREAD_SLICE
        case .pictures(let count):
            guard let hint else { throw outOfMemory("decode", path) }
            cff_hint_watch(hint, context)
            context.pointee.thread_count = Int32(count)
            context.pointee.thread_type = FF_THREAD_FRAME
        }
        context.pointee.max_pixels = Int64(maximumPixels)
        // What a damaged picture leaves out must not be what was in memory, which is chance: these alone fill it in, and not in
        // all cases.
        let conceals = [
            AV_CODEC_ID_H264, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H263,
        ].contains(codec.pointee.id)
        // A picture in which nothing is damaged has all of itself.
        let isWhole = codec.pointee.id == AV_CODEC_ID_H264 && hint != nil
        if codec.pointee.type == AVMEDIA_TYPE_VIDEO, !conceals || toleratesDamage, !isWhole {
            cff_use_grey_buffers(context)
        }
        try check(avcodec_open2(context, codec, nil), "open the decoder of", path)
    }

    /// True where pictures may come out in another order than their packets went in.
    var reorders: Bool { delay > 0 }

    /// How many pictures it keeps back to put them in order, by what it has learnt of the stream so far.
    var delay: Int32 {
        get { context.pointee.has_b_frames }
        set { context.pointee.has_b_frames = newValue }
    }

    /// Whether something that it was given may be damaged.
    var hintsAtDamage: Bool { hint.map { cff_hint_is_given($0) != 0 } ?? false }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
        cff_hint_free(hint)
    }

    /// Forgets the pictures that it has decoded, but not the parameters that came with them.
    func forgetPictures() { avcodec_flush_buffers(context) }

    /// Gives the decoder a packet; nil means that there are no more.
    func send(_ packet: Packet?) throws {
        if packet == nil { isDraining = true }
        if let packet, context.pointee.codec_id == AV_CODEC_ID_WEBP { try WebPPacket.cut(packet) }
        if let packet, [AV_CODEC_ID_PNG, AV_CODEC_ID_TIFF].contains(context.pointee.codec_id) {
            try CarriedOrientation.add(to: packet, codec: context.pointee.codec_id)
        }
        cff_forget_log()
        if let packet, !RawVideoPacket.isWhole(packet, in: context.pointee) {
            try checkCodec(cff_error_invalid_data, "decode", path)
        }
        let code = avcodec_send_packet(context, packet?.av)
        if code == cff_error_eof, isDraining { return }
        try checkCodec(code, "decode", path)
    }

    /// The next frame; nil when the decoder wants more packets or, after the last one, is empty.
    func receive() throws -> FrameBuffer? {
        let frame = try FrameBuffer()
        let code = avcodec_receive_frame(context, frame.av)
        if code == cff_error_again || code == cff_error_eof { return nil }
        try checkCodec(code, "decode", path)
        return frame
    }
}
