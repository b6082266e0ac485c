internal import CFFmpeg

/// Turns the packets of an audio stream that MP4 can't hold into AAC, at the same time as the source's.
///
/// Used from one thread. The first sample keeps its presentation time. After that, samples follow each other; gaps in
/// the time stamps become silence, and what overlaps is cut. As FFmpeg's encoders do, packets begin one frame before
/// the first sample (`initial_padding`), which an MP4's edit list hides.
final class AudioTranscoder {
    /// Packets that the decoder refused: they are left out, and the time that they stood for becomes silence.
    private(set) var damaged = 0

    private let path: String
    private let decoder: Decoder
    private let encoder: AudioEncoder
    /// Resampler from the decoder's present format; nil before the first frame and after a leap.
    private var resampler: AudioResampler?
    private var timeline: AudioTimeline
    /// True from a refused packet to the next sound.
    private var isAfterDamage = false

    /// - Parameters:
    ///   - path: The source's, for messages.
    ///   - hidden: What nobody is to hear.
    ///   - shift: Seconds by which the packets' times are later than the source's.
    init(
        stream: UnsafeMutablePointer<AVStream>, path: String, hidden: [HiddenSound] = [], shift: Double = 0
    ) throws {
        self.path = path
        // One thread: a packet's frames come at once, and nothing depends on scheduling.
        decoder = try Decoder(stream: stream, path: path, threads: .slices(1), maximumPixels: MediaLimits().pixels)
        guard let parameters = stream.pointee.codecpar, parameters.pointee.sample_rate > 0,
            parameters.pointee.ch_layout.nb_channels > 0
        else {
            throw FileError("decode", path: path, reason: "its audio has no sample rate or no channels")
        }
        let sampleRate = Int(parameters.pointee.sample_rate)
        encoder = try AudioEncoder(AudioFormat(near: sampleRate, parameters.pointee.ch_layout), path: path)
        timeline = AudioTimeline(rate: sampleRate)
        if !hidden.isEmpty { encoder.hider = SoundHider(hidden, rate: rate, shift: shift) }
    }

    /// Which of what nobody is to hear there was sound of.
    var hasHidden: [Bool] { encoder.hider?.hasHidden ?? [] }

    /// Samples a second of what it makes.
    var rate: Int { Int(timeBase.den) }

    /// Has somebody listen to all that is encoded: the mean of the channels before something is hidden and after, with the
    /// time of its first sample.
    func listen(_ body: @escaping (_ before: [Float], _ now: [Float], _ start: Int64) -> Void) {
        encoder.listener = body
    }

    /// The time base of the packets that this makes: one sample.
    var timeBase: AVRational { encoder.timeBase }

    /// Describes an output stream for the packets that this makes.
    func describe(_ stream: UnsafeMutablePointer<AVStream>) throws {
        try check(
            avcodec_parameters_from_context(stream.pointee.codecpar, encoder.context), "describe the audio of", path)
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = timeBase
    }

    /// Transcodes a packet of the source's stream.
    ///
    /// - Returns: As many packets as are ready, times in `timeBase`, without a stream's index.
    func transcode(_ packet: Packet) throws -> [Packet] {
        _ = try tolerant { try decoder.send(packet) }
        return try drain()
    }

    /// Packets that are left, after the source's last one.
    func finish() throws -> [Packet] {
        _ = try tolerant { try decoder.send(nil) }
        return try drain() + flush() + encoder.finish()
    }

    private func drain() throws -> [Packet] {
        var packets: [Packet] = []
        while let frame = try tolerant({ try decoder.receive() }) ?? nil { packets += try take(frame) }
        return packets
    }

    /// Goes on past what the decoder refuses, as players do, and counts it.
    private func tolerant<Result>(_ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch let error as FileError where error.code != cff_error_no_memory {
            damaged += 1
            isAfterDamage = true
            return nil
        }
    }

    private func take(_ frame: FrameBuffer) throws -> [Packet] {
        let samples = Int(frame.av.pointee.nb_samples), sampleRate = frame.av.pointee.sample_rate
        guard samples > 0, sampleRate > 0, frame.av.pointee.ch_layout.nb_channels > 0 else { return [] }
        var packets: [Packet] = []
        if let resampler, !resampler.takes(frame) { packets += try flush() }
        let tick = AVRational(num: 1, den: sampleRate)
        if timeline.rate != Int(sampleRate) {
            let end = timeline.end == nil ? nil : av_rescale_q(encoder.position, timeBase, tick)
            timeline = AudioTimeline(rate: Int(sampleRate), end: end)
        }
        let placement = timeline.place(time(of: frame, in: tick), samples: samples, isExact: isAfterDamage)
        isAfterDamage = false
        if let leap = placement.leap {
            packets += try flush()
            packets += try encoder.leap(to: av_rescale_q(leap, tick, timeBase))
        }
        let resampler = try self.resampler ?? AudioResampler(from: frame, to: encoder.context, path: path)
        self.resampler = resampler
        packets += try encodeSilence(placement.silence, by: resampler)
        return packets + (try encode(frame, placement.trimmed..<samples, by: resampler))
    }

    /// The time of a frame's first sample; nil where the source says nothing.
    private func time(of frame: FrameBuffer, in tick: AVRational) -> Int64? {
        var stamp = frame.av.pointee.best_effort_timestamp
        if stamp == cff_no_pts, timeline.end == nil { stamp = decoder.stream.pointee.start_time }
        return stamp == cff_no_pts ? nil : av_rescale_q(stamp, decoder.stream.pointee.time_base, tick)
    }

    private func encode(
        _ frame: FrameBuffer, _ samples: Range<Int>, by resampler: AudioResampler
    ) throws -> [Packet] {
        var rest = samples
        return try encoder.encode { target, offset in
            // All is given at once; what doesn't fit waits inside the resampler.
            defer { rest = rest.upperBound..<rest.upperBound }
            return try resampler.convert(frame, rest, into: target, at: offset)
        }
    }

    private func encodeSilence(_ samples: Int, by resampler: AudioResampler) throws -> [Packet] {
        guard samples > 0 else { return [] }
        let piece = try resampler.silence(samples: min(samples, 8192))
        var packets: [Packet] = []
        var left = samples
        while left > 0 {
            let count = min(left, 8192)
            packets += try encode(piece, 0..<count, by: resampler)
            left -= count
        }
        return packets
    }

    /// Encodes what the resampler still holds, and ends it.
    private func flush() throws -> [Packet] {
        guard let resampler else { return [] }
        self.resampler = nil
        return try encoder.encode { try resampler.convert(nil, 0..<0, into: $0, at: $1) }
    }
}
