internal import CFFmpeg

/// Facts on a video before it is decoded.
public struct SourceInfo: Sendable {
    /// One audio stream.
    public struct Audio: Sendable {
        /// FFmpeg's name of its codec.
        public var codec: String
        /// How many channels it has.
        public var channels: Int
        /// Samples a second.
        public var sampleRate: Int
    }

    /// The file's name without its folder.
    public var name: String
    /// FFmpeg's name of the container.
    public var container: String
    /// FFmpeg's name of the video's codec.
    public var codec: String
    /// FFmpeg's name of the stored pixels' format.
    public var pixelFormat: String
    /// Width of the picture as shown, rotation applied, pixels.
    public var width: Int
    /// Height of the picture as shown, pixels.
    public var height: Int
    /// Degrees clockwise by which stored pictures are turned to be shown.
    public var rotation: Int
    /// Whether stored pictures are mirrored to be shown.
    public var isMirrored: Bool
    /// Seconds a tick of the video's stamps.
    public var timeBase: Rational
    /// Frames a second, nil where the file doesn't say.
    public var frameRate: Rational?
    /// Width ÷ height of a pixel; nil where the file doesn't say.
    public var sampleAspectRatio: Rational?
    /// The order of fields as the stream has it, which each picture says anew; nil where it is progressive or says nothing.
    public var fieldOrder: FieldOrder?
    /// How many frames the container says there are, a hint for progress; nil where it says nothing.
    public var expectedFrames: Int?
    /// Duration as the container says, seconds; nil where it says nothing.
    public var duration: Double?
    /// Time of the video's first picture, ticks of `timeBase`; nil where the file doesn't say.
    public var startTime: Int64?
    /// Time at which a player's clock starts, ticks of `timeBase`: the first one of any stream.
    public var clockStart: Int64 = 0
    /// FFmpeg's name of the Y′CbCr matrix; nil where the file doesn't say.
    public var colorSpace: String?
    /// FFmpeg's name of the colour primaries; nil where the file doesn't say.
    public var colorPrimaries: String?
    /// FFmpeg's name of the transfer function; nil where the file doesn't say.
    public var colorTransfer: String?
    /// FFmpeg's name of the codes' range; nil where the file doesn't say.
    public var colorRange: String?
    /// The audio streams, in the file's order.
    public var audio: [Audio]

    /// Looks into a file without decoding it. The orientation that pictures carry themselves is that of the first one, here
    /// alone: who decodes goes by each picture's own.
    /// - Throws: `FileError` when it can't be opened or holds no video.
    public static func probe(
        path: String, limits: MediaLimits = MediaLimits(), cancellation: Cancellation? = nil
    ) throws -> SourceInfo {
        let demuxer = try Demuxer(path: path, limits: limits, cancellation: cancellation)
        let stream = try demuxer.videoStream()
        var info = try SourceInfo(demuxer: demuxer, stream: stream)
        if demuxer.input != .standardInput { info.takeOrientation(from: demuxer, stream) }
        return info
    }

    /// Takes the orientation that the first picture carries, which photos do, in place of the container's.
    private mutating func takeOrientation(from demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        guard CarriedOrientation.codecs.contains(parameters.codec_id) else { return }
        // What can't be read is told of by whoever decodes it.
        while let packet = (try? demuxer.next()).flatMap(\.self) {
            guard packet.av.pointee.stream_index == stream.pointee.index else { continue }
            guard let matrix = CarriedOrientation.matrix(of: packet, codec: parameters.codec_id) else { return }
            let orientation = Orientation(displayMatrix: matrix)
            let (w, h) = (Int(parameters.width), Int(parameters.height))
            (width, height) = orientation.transposed ? (h, w) : (w, h)
            (rotation, isMirrored) = (orientation.degrees, orientation.isMirrored)
            return
        }
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
        let latest = MediaTime.latest(timeBase)
        startTime = (-latest...latest).contains(stream.pointee.start_time) ? stream.pointee.start_time : nil
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

/// The order of an interlaced picture's two fields: the one that is shown first.
public enum FieldOrder: String, Sendable, CaseIterable {
    /// The field with the topmost row is shown first, or the other one.
    case topFirst, bottomFirst
}
