internal import CFFmpeg

/// Converts sound of one format to the encoder's: sample format, rate and channels.
final class AudioResampler {
    private let path: String
    private var context: OpaquePointer?
    private let sampleFormat: Int32
    let sampleRate: Int32
    private var layout = AVChannelLayout()

    /// - Parameters:
    ///   - frame: Has the format of all the sound that will be given.
    ///   - target: The encoder's.
    init(from frame: FrameBuffer, to target: UnsafeMutablePointer<AVCodecContext>, path: String) throws {
        self.path = path
        sampleFormat = frame.av.pointee.format
        sampleRate = frame.av.pointee.sample_rate
        try check(av_channel_layout_copy(&layout, &frame.av.pointee.ch_layout), "convert the sound of", path)
        var known = AVChannelLayout()
        defer { av_channel_layout_uninit(&known) }
        if layout.order == AV_CHANNEL_ORDER_NATIVE {
            try check(av_channel_layout_copy(&known, &layout), "convert the sound of", path)
        } else {
            av_channel_layout_default(&known, layout.nb_channels)
        }
        if try open(&known, target) < 0 {
            // Channels that nobody knows how to mix: the first ones are taken as they are.
            var unknown = AVChannelLayout()
            unknown.order = AV_CHANNEL_ORDER_UNSPEC
            unknown.nb_channels = layout.nb_channels
            try check(try open(&unknown, target, isMixed: false), "convert the sound of", path)
        }
        _ = takeFFmpegLog()
    }

    deinit {
        swr_free(&context)
        av_channel_layout_uninit(&layout)
    }

    private func open(
        _ layout: inout AVChannelLayout, _ target: UnsafeMutablePointer<AVCodecContext>, isMixed: Bool = true
    ) throws -> Int32 {
        swr_free(&context)
        try check(
            swr_alloc_set_opts2(
                &context, &target.pointee.ch_layout, target.pointee.sample_fmt, target.pointee.sample_rate, &layout,
                AVSampleFormat(rawValue: sampleFormat), sampleRate, 0, nil),
            "convert the sound of", path)
        // Mixed channels never clip: by default they do where samples are floating-point.
        try check(
            av_opt_set_double(UnsafeMutableRawPointer(context), "rematrix_maxval", 1, 0), "convert the sound of", path)
        if !isMixed {
            let (rows, columns) = (Int(target.pointee.ch_layout.nb_channels), Int(layout.nb_channels))
            var matrix = [Double](repeating: 0, count: rows * columns)
            for channel in 0..<min(rows, columns) { matrix[channel * columns + channel] = 1 }
            try check(swr_set_matrix(context, matrix, Int32(columns)), "convert the sound of", path)
        }
        return swr_init(context)
    }

    /// Whether a frame has the format that this converts.
    package func takes(_ frame: FrameBuffer) -> Bool {
        frame.av.pointee.format == sampleFormat && frame.av.pointee.sample_rate == sampleRate
            && av_channel_layout_compare(&frame.av.pointee.ch_layout, &layout) == 0
    }

    /// Converts samples into `target`, from its sample `offset` to its end.
    ///
    /// - Parameters:
    ///   - frame: What to convert; nil takes what is left, after which nothing more can be converted.
    ///   - samples: Which of its samples.
    /// - Returns: How many samples were written. What didn't fit comes first the next time.
    func convert(
        _ frame: FrameBuffer?, _ samples: Range<Int>, into target: FrameBuffer, at offset: Int
    ) throws -> Int {
        guard let context else { return 0 }
        let code = cff_resample(
            context, target.av, Int32(offset), frame?.av, Int32(samples.lowerBound), Int32(samples.count))
        return Int(try check(code, "convert the sound of", path))
    }

    /// Silence in the format that this converts.
    func silence(samples: Int) throws -> FrameBuffer {
        let frame = try FrameBuffer()
        frame.av.pointee.format = sampleFormat
        frame.av.pointee.sample_rate = sampleRate
        frame.av.pointee.nb_samples = Int32(samples)
        try check(av_channel_layout_copy(&frame.av.pointee.ch_layout, &layout), "make silence for", path)
        try check(av_frame_get_buffer(frame.av, 0), "make silence for", path)
        try check(cff_silence(frame.av, 0), "make silence for", path)
        return frame
    }
}
