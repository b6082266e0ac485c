internal import CFFmpeg

/// Turns the packets of one stream into pictures, in presentation order, or into pieces of sound.
final class Decoder {
    let path: String
    let stream: UnsafeMutablePointer<AVStream>
    private let context: UnsafeMutablePointer<AVCodecContext>
    private var isDraining = false

    /// - Parameters:
    ///   - threads: how many threads the codec may use.
    ///   - toleratesDamage: whether pictures are taken that are damaged: what they leave out is grey then, whatever the codec.
    ///   - maximumPixels: larger pictures are refused before memory is taken for them.
    init(
        stream: UnsafeMutablePointer<AVStream>, path: String, threads: Int, toleratesDamage: Bool = false,
        maximumPixels: Int = MediaLimits().pixels
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
        // From here on `deinit` frees the context, also where this throws.
        try check(avcodec_parameters_to_context(context, parameters), "set up the decoder of", path)
        cff_keep_numbers(context)
        context.pointee.pkt_timebase = stream.pointee.time_base
        // With several threads FFmpeg's H.264 decoder neither patches damaged slices up nor tells of them, and what damaged
        // HEVC, VP8 and MPEG-1 and 2 look like, or whether they fail, depends on their number.
        let isSensitive = [
            AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_CODEC_ID_VP8, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO,
        ].contains(codec.pointee.id)
        context.pointee.thread_count = isSensitive ? 1 : Int32(threads)
        // Threads that decode several pictures at once tell of damage too late for the picture that has it, or never, and
        // patch it up from what happens to be there: whether a job fails would be chance.
        context.pointee.thread_type = FF_THREAD_SLICE
        context.pointee.max_pixels = Int64(maximumPixels)
        // What a damaged picture leaves out must not be what was in memory, which is chance: these alone fill it in, and not in
        // all cases.
        let conceals = [
            AV_CODEC_ID_H264, AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_H263,
        ].contains(codec.pointee.id)
        if codec.pointee.type == AVMEDIA_TYPE_VIDEO, !conceals || toleratesDamage { cff_use_grey_buffers(context) }
        try check(avcodec_open2(context, codec, nil), "open the decoder of", path)
    }

    /// True where pictures may come out in another order than their packets went in.
    var reorders: Bool { context.pointee.has_b_frames > 0 }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
    }

    /// Gives the decoder a packet; nil means that there are no more.
    func send(_ packet: Packet?) throws {
        if packet == nil { isDraining = true }
        if let packet, context.pointee.codec_id == AV_CODEC_ID_WEBP { try WebPPacket.cut(packet) }
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
