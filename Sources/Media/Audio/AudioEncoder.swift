internal import CFFmpeg

/// Makes AAC packets of sound that comes in pieces of any length.
final class AudioEncoder {
    /// Bits a second and channel.
    private static let bitRate: Int64 = 64000
    /// Largest sample that isn't taken for damage; full scale is 1.
    private static let loudest: Float = 1e6

    let path: String
    let context: UnsafeMutablePointer<AVCodecContext>
    /// The frame that is being filled, and how many of its samples are there.
    private var frame: FrameBuffer?
    private var filled = 0
    /// The time of the frame's first sample, in samples.
    private var start: Int64 = 0
    /// Takes sound away; nil where none is hidden.
    var hider: SoundHider?
    /// Gets every frame's mean of the channels, as it came and as it is encoded, with the time of its first sample.
    var listener: ((_ before: [Float], _ now: [Float], _ start: Int64) -> Void)?

    init(_ format: AudioFormat, path: String) throws {
        self.path = path
        guard let codec = avcodec_find_encoder_by_name("aac") else {
            throw FileError("encode the sound of", path: path, reason: "this FFmpeg has no encoder “aac”")
        }
        guard let context = avcodec_alloc_context3(codec) else { throw outOfMemory("encode the sound of", path) }
        // From here on, a failure runs `deinit`.
        self.context = context
        context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        context.pointee.sample_rate = Int32(format.sampleRate)
        try format.setLayout(&context.pointee.ch_layout, path)
        context.pointee.bit_rate = Self.bitRate * Int64(context.pointee.ch_layout.nb_channels)
        context.pointee.time_base = AVRational(num: 1, den: Int32(format.sampleRate))
        // The stream doesn't name the encoder's version.
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT
        context.pointee.thread_count = 1
        try check(avcodec_open2(context, codec, nil), "open the audio encoder for", path)
    }

    deinit {
        var closing: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&closing)
    }

    /// Time base of the packets: one sample.
    var timeBase: AVRational { context.pointee.time_base }

    /// The time of the next sample.
    var position: Int64 { start + Int64(filled) }

    /// Goes on at another time, in samples: a frame that was begun is filled with silence.
    /// - Returns: Packets that are ready.
    func leap(to time: Int64) throws -> [Packet] {
        var packets: [Packet] = []
        if let frame, filled > 0 {
            try check(cff_silence(frame.av, Int32(filled)), "encode the sound of", path)
            filled = Int(frame.av.pointee.nb_samples)
            packets = try encodeFrame()
        }
        start = time
        return packets
    }

    /// Encodes what `source` gives: it writes samples into a frame, from an offset on, and says how many, until it has
    /// none left.
    func encode(from source: (FrameBuffer, Int) throws -> Int) throws -> [Packet] {
        var packets: [Packet] = []
        while true {
            let frame = try self.frame ?? makeFrame()
            self.frame = frame
            filled += try source(frame, filled)
            guard filled >= Int(frame.av.pointee.nb_samples) else { return packets }
            packets += try encodeFrame()
        }
    }

    /// Packets that the encoder still holds, at the end.
    func finish() throws -> [Packet] {
        var packets: [Packet] = []
        if let frame, filled > 0 {
            frame.av.pointee.nb_samples = Int32(filled)
            packets = try encodeFrame()
        }
        try check(avcodec_send_frame(context, nil), "encode the sound of", path)
        return packets + (try receive())
    }

    private func makeFrame() throws -> FrameBuffer {
        let frame = try FrameBuffer()
        frame.av.pointee.format = context.pointee.sample_fmt.rawValue
        frame.av.pointee.sample_rate = context.pointee.sample_rate
        frame.av.pointee.nb_samples = context.pointee.frame_size
        try check(
            av_channel_layout_copy(&frame.av.pointee.ch_layout, &context.pointee.ch_layout), "encode the sound of", path
        )
        try check(av_frame_get_buffer(frame.av, 0), "encode the sound of", path)
        return frame
    }

    /// Makes samples that are no number silent: the encoder would refuse the frame.
    private func repair(_ frame: FrameBuffer) {
        for channel in 0..<Int(frame.av.pointee.ch_layout.nb_channels) {
            guard let bytes = frame.av.pointee.extended_data[channel] else { continue }
            bytes.withMemoryRebound(to: Float.self, capacity: Int(frame.av.pointee.nb_samples)) { samples in
                for index in 0..<filled where !(abs(samples[index]) < Self.loudest) { samples[index] = 0 }
            }
        }
    }

    private func hide(_ frame: FrameBuffer) {
        guard listener != nil || hider != nil else { return }
        let channels = (0..<Int(frame.av.pointee.ch_layout.nb_channels)).compactMap { channel in
            frame.av.pointee.extended_data[channel].map {
                UnsafeMutableRawPointer($0).assumingMemoryBound(to: Float.self)
            }
        }
        // Channels that are each other's opposites don't take each other away.
        func mean() -> [Float] {
            (0..<filled).map { index in
                channels.enumerated().reduce(0) { $0 + $1.element[index] / Float($1.offset + 1) }
            }
        }
        let before = listener == nil ? [] : mean()
        hider?.hide(channels, filled, from: start)
        if let listener { listener(before, mean(), start) }
    }

    private func encodeFrame() throws -> [Packet] {
        guard let frame else { return [] }
        repair(frame)
        hide(frame)
        frame.av.pointee.pts = start
        start += Int64(filled)
        filled = 0
        self.frame = nil
        try check(avcodec_send_frame(context, frame.av), "encode the sound of", path)
        return try receive()
    }

    private func receive() throws -> [Packet] {
        var packets: [Packet] = []
        while true {
            let packet = try Packet()
            let code = avcodec_receive_packet(context, packet.av)
            if code == cff_error_again || code == cff_error_eof { return packets }
            try check(code, "encode the sound of", path)
            packets.append(packet)
        }
    }
}
