internal import CFFmpeg

/// How the annotated video is encoded.
public struct EncodeSettings: Sendable, Hashable {
    public enum Codec: String, Sendable, CaseIterable {
        case h264, hevc, av1
        /// Lossless, in Matroska.
        case ffv1
        /// No video, only the sidecar.
        case none

        /// FFmpeg's encoder for it.
        public var encoder: String? {
            switch self {
            case .h264: "libx264"
            case .hevc: "libx265"
            case .av1: "libsvtav1"
            case .ffv1: "ffv1"
            case .none: nil
            }
        }

        /// What the video's name ends in; nil where there is none.
        public var fileExtension: String? { self == .none ? nil : self == .ffv1 ? "mkv" : "mp4" }

        public var isLossless: Bool { self == .ffv1 }

        /// The encoder's own default where the manifest names none.
        public var defaultCRF: Int { self == .h264 ? 20 : self == .hevc ? 24 : 32 }
        public var defaultPreset: String { self == .av1 ? "8" : "veryfast" }
        public var crfRange: ClosedRange<Int> { self == .av1 ? 0...63 : 0...51 }
        public var presets: [String] {
            self == .av1
                ? (0...13).map(String.init)
                : [
                    "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow",
                    "placebo",
                ]
        }
    }

    /// FFmpeg's names, and two that depend on the source.
    public enum PixelFormat: String, Sendable, CaseIterable {
        /// yuv420p, which every browser plays; the source's own for a lossless codec.
        case auto
        /// The nearest to the source's own that the encoder takes.
        case source
        case yuv420p, yuv422p, yuv444p
        case yuv420p10le, yuv422p10le, yuv444p10le
        case yuv420p12le, yuv422p12le, yuv444p12le

        /// nil where it depends on the source.
        var av: AVPixelFormat? { self == .auto || self == .source ? nil : av_get_pix_fmt(rawValue) }
    }

    public enum Quality: Sendable, Hashable {
        /// Constant quality on the encoder's own scale, lower is better.
        case crf(Int)
        /// Bits a second on average.
        case bitrate(Int)
    }

    public enum Audio: String, Sendable, CaseIterable {
        case copy, drop
    }

    public var codec = Codec.h264
    public var preset = Codec.h264.defaultPreset
    public var quality = Quality.crf(Codec.h264.defaultCRF)
    public var pixelFormat = PixelFormat.auto
    public var faststart = true
    public var audio = Audio.copy
    /// Threads of the encoder. A fixed number, since x264's output depends on it: 3 is its own choice on two cores.
    public var threads = 3

    public init() {}

    /// True where this FFmpeg has the encoder.
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
            var list = encoder.pointee.pix_fmts
        else { return [] }
        var formats: [AVPixelFormat] = []
        while list.pointee != AV_PIX_FMT_NONE {
            formats.append(list.pointee)
            list += 1
        }
        return formats
    }

    /// What a source in `format` is encoded in: one of the formats that can be drawn on.
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
