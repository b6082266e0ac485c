internal import CFFmpeg

/// Settings by which the annotated video is encoded.
public struct EncodeSettings: Record, Hashable {
    /// The format of encoded pixels: FFmpeg's names, and two that depend on the source.
    public enum PixelFormat: String, Sendable, CaseIterable {
        /// `yuv420p`, which every browser plays; the source's own for a lossless codec.
        case auto
        /// The nearest to the source's own that the encoder takes.
        case source
        /// 8 bits a component; chroma is halved both ways, across only, or not at all.
        case yuv420p, yuv422p, yuv444p
        /// The same with 10 bits a component.
        case yuv420p10le, yuv422p10le, yuv444p10le
        /// The same with 12 bits a component.
        case yuv420p12le, yuv422p12le, yuv444p12le

        /// nil where it depends on the source.
        var av: AVPixelFormat? { self == .auto || self == .source ? nil : av_get_pix_fmt(rawValue) }
    }

    /// What becomes of the source's sound.
    public enum Audio: String, Sendable, CaseIterable {
        /// Copied, or transcoded to AAC where the container can't hold it.
        case copy
        /// Left out.
        case drop
    }

    /// The codec.
    public var codec = Codec.h264
    /// The encoder's preset; nil for the codec's own default.
    public var preset: String?
    /// Constant rate factor, lower is better; nil for the codec's own default.
    public var crf: Int?
    /// Bits a second on average, instead of constant quality; nil for constant quality.
    public var bitrate: Int?
    /// The format of encoded pixels.
    public var pixelFormat = PixelFormat.auto
    /// Whether an MP4's index is put at its start, so that a browser can play it while it loads.
    public var faststart = true
    /// What becomes of the source's sound.
    public var audio = Audio.copy
    /// Threads of an encoder. A fixed number, since x264's output depends on it: 3 is its own choice on two cores.
    public var threads = 3
    /// Seconds of video after which another encoder begins, so that several work at once; 0 for one that does it all, nil for the
    /// default.
    public var segment: Double?
    /// How many encoders work at once, at most.
    package var encoders = 1
    /// Times of which the sound is taken away; a job's `cover` says them.
    package var hidden: [HiddenSound] = []
    /// Whether places of pictures are hidden.
    package var hidesPlaces = false

    public init() {}

    public static let fields: [Field<EncodeSettings>] = [
        Field("codec", \.codec, Format<Codec>.choice(), .optional, tellsDefault: false, doc: Codec.doc),
        Field("preset", \.preset, .text(), doc: "The encoder's. Default: \(Codec.defaults(\.preset))."),
        Field(
            "crf", \.crf, .integer(0...63),
            doc: "Constant quality, lower is better. Default: \(Codec.defaults { $0.crf.map(String.init) })."),
        Field(
            "bitrate", \.bitrate, .integer(1000...1_000_000_000), unit: "bit/s", doc: "On average; instead of crf."),
        Field(
            "pixelFormat", \.pixelFormat, Format<PixelFormat>.choice(), .optional,
            doc:
                "auto is yuv420p, which every browser plays, and for ffv1 the source's own; source is the nearest to the "
                + "source's that the encoder takes."),
        Field(
            "faststart", \.faststart, .flag, .optional,
            doc: "The index at the front, so that playing starts at once."),
        Field(
            "audio", \.audio, Format<Audio>.choice(), .optional,
            doc: "copy keeps every track: as it is where the file can hold it, as AAC where not."),
        Field(
            "threads", \.threads, .integer(1...64), .optional, doc: "Of an encoder, whose output depends on them."),
        Field(
            "segment", \.segment, .number(Bounds(0, 3600)), unit: "s",
            doc:
                "After so much video another encoder begins, with a key picture, whatever came before: several work at once where "
                + "--threads has room for them, and the bytes are the same for any number of them. 0 for one encoder. Default: "
                + "\(plain(defaultSegment)), with a bitrate 0."),
    ]

    private static let defaultSegment = 10.0

    /// Seconds of video after which another encoder begins; nil for one alone. One that is to keep to a bitrate has to know all.
    var segmentSeconds: Double? {
        let seconds = segment ?? (bitrate == nil ? Self.defaultSegment : 0)
        return seconds > 0 ? seconds : nil
    }

    /// How much the quantizer is changed where something is hidden, of its whole range; nil for not at all.
    var coverEmphasis: Double? {
        guard hidesPlaces, let care = codec.covers, care.emphasizes else { return nil }
        guard bitrate == nil else { return -0.5 }
        let coarser = (crf ?? codec.crf ?? 0) - care.crf
        return coarser > 0 ? -Double(coarser + care.more) / Double(codec.crfRange.upperBound) : nil
    }

    /// What a user should know of what is hidden and yet may be seen; nil for nothing.
    package var coverWarning: String? {
        guard hidesPlaces, let care = codec.covers, !care.emphasizes, bitrate != nil || crf ?? 0 > care.crf else {
            return nil
        }
        return
            "what is hidden may be seen faintly for a picture or two, as \(codec.rawValue) saves there too: expected a “crf” of "
            + "\(care.crf) or less, or another codec"
    }

    /// Whether this FFmpeg has the codec's encoder.
    public static func isAvailable(_ codec: Codec) -> Bool {
        guard let name = codec.encoder else { return true }
        return avcodec_find_encoder_by_name(name) != nil
    }

    /// The named pixel formats that this FFmpeg's encoder takes.
    public static func pixelFormats(of codec: Codec) -> [PixelFormat] {
        let taken = encoderFormats(codec)
        return PixelFormat.allCases.filter { $0.av.map(taken.contains) ?? true }
    }

    private static func encoderFormats(_ codec: Codec) -> [AVPixelFormat] {
        guard let name = codec.encoder, let encoder = avcodec_find_encoder_by_name(name),
            var list = cff_encoder_formats(encoder)
        else { return [] }
        var formats: [AVPixelFormat] = []
        while list.pointee != AV_PIX_FMT_NONE {
            formats.append(list.pointee)
            list += 1
        }
        return formats
    }

    /// The format that a source in `format` is encoded in: one of those that can be drawn on.
    func format(for format: AVPixelFormat) -> AVPixelFormat {
        if let named = pixelFormat.av { return named }
        guard pixelFormat == .source || codec.isLossless else { return AV_PIX_FMT_YUV420P }
        let drawable = Self.encoderFormats(codec).filter { PixelFormat.drawable.contains($0) } + [AV_PIX_FMT_NONE]
        let best = avcodec_find_best_pix_fmt_of_list(drawable, format, 0, nil)
        return best == AV_PIX_FMT_NONE ? AV_PIX_FMT_YUV420P : best
    }
}

extension EncodeSettings.PixelFormat {
    fileprivate static let drawable: Set<AVPixelFormat> = [
        AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV440P, AV_PIX_FMT_YUV420P10LE,
        AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV444P10LE, AV_PIX_FMT_YUV440P10LE, AV_PIX_FMT_YUV420P12LE,
        AV_PIX_FMT_YUV422P12LE, AV_PIX_FMT_YUV444P12LE, AV_PIX_FMT_YUV440P12LE, AV_PIX_FMT_YUV420P16LE,
        AV_PIX_FMT_YUV422P16LE, AV_PIX_FMT_YUV444P16LE,
    ]
}
