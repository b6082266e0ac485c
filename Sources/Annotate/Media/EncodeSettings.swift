internal import CFFmpeg

/// How the annotated video is encoded.
public struct EncodeSettings: Sendable, Hashable {
    public enum Codec: String, Sendable, CaseIterable {
        case h264, hevc, av1
        /// No video, only the sidecar.
        case none

        /// FFmpeg's encoder for it.
        public var encoder: String? {
            switch self {
            case .h264: "libx264"
            case .hevc: "libx265"
            case .av1: "libsvtav1"
            case .none: nil
            }
        }

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

    public enum PixelFormat: String, Sendable, CaseIterable {
        case auto, yuv420p, yuv422p, yuv444p
    }

    public enum Audio: String, Sendable, CaseIterable {
        case copy, drop
    }

    public var codec = Codec.h264
    public var preset = Codec.h264.defaultPreset
    public var crf = Codec.h264.defaultCRF
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
}
