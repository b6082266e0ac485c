internal import CFFmpeg

/// What is known of a video before it is decoded.
public struct SourceInfo: Sendable {
    public struct Audio: Sendable {
        public var codec: String
        public var channels: Int
        public var sampleRate: Int
    }

    /// The file's name without its folder.
    public var name: String
    public var container: String
    public var codec: String
    public var pixelFormat: String
    /// Pixels of the picture as shown, rotation applied.
    public var width: Int
    public var height: Int
    /// Degrees clockwise by which stored pictures are turned to be shown.
    public var rotation: Int
    public var isMirrored: Bool
    public var timeBase: Rational
    /// Frames a second, nil where the file doesn't say.
    public var frameRate: Rational?
    public var sampleAspectRatio: Rational?
    /// What the stream says of its fields; each picture says it anew.
    public var fieldOrder: FieldOrder?
    /// What the container says; a hint for progress, nothing more.
    public var expectedFrames: Int?
    /// Seconds, as the container says.
    public var duration: Double?
    /// Ticks of `timeBase`.
    public var startTime: Int64?
    /// Ticks of `timeBase` at which a player's clock starts: the first time of any stream.
    public var clockStart: Int64 = 0
    public var colorSpace: String?
    public var colorPrimaries: String?
    public var colorTransfer: String?
    public var colorRange: String?
    public var audio: [Audio]

    /// Looks into a file without decoding it.
    /// - Throws: `FileError` when it can't be opened or holds no video.
    public static func probe(
        path: String, limits: MediaLimits = MediaLimits(), cancellation: Cancellation? = nil
    ) throws -> SourceInfo {
        let demuxer = try Demuxer(path: path, limits: limits, cancellation: cancellation)
        return try SourceInfo(demuxer: demuxer, stream: try demuxer.videoStream())
    }

    init(demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>) throws {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.width > 0, parameters.height > 0 else {
            let log = takeFFmpegLog()
            throw FileError(
                "decode", path: demuxer.path,
                reason:
                    "its video stream has no usable size\(log.isEmpty ? "" : " (\(log))"); the file is damaged or no "
                    + "video, or its pictures are over the limit")
        }
        let orientation = cff_stream_display_matrix(stream).map { Orientation(displayMatrix: $0) } ?? .upright
        name = demuxer.input == .standardInput ? "standard input" : Files.name(of: demuxer.path)
        container = String(cString: demuxer.context.pointee.iformat.pointee.name)
        codec = String(cString: avcodec_get_name(parameters.codec_id))
        let format = AVPixelFormat(rawValue: parameters.format)
        pixelFormat = av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "unknown"
        let (w, h) = (Int(parameters.width), Int(parameters.height))
        (width, height) = orientation.transposed ? (h, w) : (w, h)
        rotation = orientation.degrees
        isMirrored = orientation.isMirrored
        timeBase = Rational(stream.pointee.time_base)
        let rate = Rational(av_guess_frame_rate(demuxer.context, stream, nil))
        frameRate = rate.isPositive ? rate : nil
        let aspect = Rational(parameters.sample_aspect_ratio)
        sampleAspectRatio = aspect.isPositive ? aspect : nil
        fieldOrder =
            switch parameters.field_order {
            // The second letter is the field that is shown first.
            case AV_FIELD_TT, AV_FIELD_BT: .topFirst
            case AV_FIELD_BB, AV_FIELD_TB: .bottomFirst
            default: nil
            }
        // No stamp near the integers' ends means anything.
        startTime = abs(max(stream.pointee.start_time, -.max)) > 1 << 52 ? nil : stream.pointee.start_time
        let clock = demuxer.context.pointee.start_time
        if clock != cff_no_pts, startTime != nil, abs(max(clock, -.max)) < 1 << 52 {
            clockStart = av_rescale_q(clock, AVRational(num: 1, den: AV_TIME_BASE), stream.pointee.time_base)
        }
        if stream.pointee.duration != cff_no_pts, stream.pointee.duration > 0 {
            duration = MediaTime(ticks: stream.pointee.duration, timeBase: timeBase).seconds
        } else if demuxer.context.pointee.duration != cff_no_pts, demuxer.context.pointee.duration > 0 {
            duration = Double(demuxer.context.pointee.duration) / Double(AV_TIME_BASE)
        }
        if stream.pointee.nb_frames > 0 {
            expectedFrames = Int(stream.pointee.nb_frames)
        } else if let duration, let frameRate {
            expectedFrames = Int((duration * frameRate.value).rounded())
        }
        func known(_ text: UnsafePointer<CChar>?) -> String? {
            text.map { String(cString: $0) }.flatMap { $0 == "unknown" ? nil : $0 }
        }
        colorSpace = known(av_color_space_name(parameters.color_space))
        colorPrimaries = known(av_color_primaries_name(parameters.color_primaries))
        colorTransfer = known(av_color_transfer_name(parameters.color_trc))
        colorRange = known(av_color_range_name(parameters.color_range))
        audio = demuxer.audioStreams.map { stream in
            let parameters = stream.pointee.codecpar.pointee
            return Audio(
                codec: String(cString: avcodec_get_name(parameters.codec_id)),
                channels: Int(parameters.ch_layout.nb_channels), sampleRate: Int(parameters.sample_rate))
        }
    }
}

/// Which of an interlaced picture's two fields is shown first.
public enum FieldOrder: String, Sendable, CaseIterable {
    case topFirst, bottomFirst
}
