internal import CFFmpeg

extension EncodeSettings {
    /// A codec of the annotated video: a row of the table below, which is all that knows of it.
    public struct Codec: RawRepresentable, CaseIterable, Sendable {
        /// The word in a manifest.
        public let rawValue: String
        /// FFmpeg's encoder for it; nil for no video.
        public private(set) var encoder: String?
        /// The file format of a codec that makes one picture of one; nil for videos.
        package private(set) var picture: PictureFormat?
        /// The file's container; nil for no video.
        package private(set) var container: Container?
        package private(set) var isLossless = false
        /// Default of the constant rate factor; nil for a codec without one.
        package private(set) var crf: Int?
        package private(set) var crfRange = 0...63
        /// Default preset; nil for a codec without presets.
        package private(set) var preset: String?
        package private(set) var presets: [String] = []
        private var options: [(key: String, value: String)] = []
        /// Whether a process has one encoder of it at a time.
        private(set) var isAlone = false
        /// How many threads its library starts, whatever it is told; 0 for as many as it is told, or so.
        private(set) var libraryThreads = 0
        /// The stream's code (`codec_tag`) in an MP4; nil for FFmpeg's own choice.
        private(set) var tag: UInt32?
        /// What keeps what was hidden out of the video: nil where nothing is lost, or nothing is known to.
        private(set) var covers: CoverCare?
        /// The bit stream filter that states a frame rate in the stream's headers, and its ticks a frame.
        private(set) var rateFilter: (name: String, ticks: Int32)?

        /// An encoder that is to save may leave what it showed before under a cover, whose pixels differ little from those.
        struct CoverCare: Sendable {
            /// The constant rate factor up to which it doesn't.
            var crf: Int
            /// How much finer it is to be under covers where it is coarser.
            var more = 6
            /// Whether it can be told to spend more on covers.
            var emphasizes = false
            /// Options by which it doesn't give up blocks early that look like what was there in brightness alone.
            var careful: [(key: String, value: String)] = []
            /// The presets that don't listen, and options by which they do.
            var deaf: [String] = []
            var options: [(key: String, value: String)] = []
        }

        private static let x26xPresets = [
            "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
        ]

        /// Has x264 do without AVX-512, whose code reads behind rows of macroblocks that aren't whole sixteens, where nobody wrote: what it
        /// makes then depends on what was there, and differs from every other processor's.
        private static let withoutAVX512 = [("x264-params", "asm=AVX2,FMA3,BMI1,BMI2")]

        /// Parameters of x265: more than one picture at a time isn't the same each time, and its own words name the processor.
        private static let x265 = "log-level=error:info=0:frame-threads=1"

        /// H.264 in MP4 (x264).
        public static let h264 = Codec(
            name: "h264", encoder: "libx264", container: .mp4, crf: 20, crfRange: 0...51, preset: "veryfast",
            // Captions aren't kept elsewhere either.
            presets: x26xPresets, options: [("a53cc", "0")], rateFilter: ("h264_metadata", 2),
            covers: CoverCare(
                crf: 22, emphasizes: true, deaf: ["ultrafast"], options: [("aq-mode", "1"), ("aq-strength", "0.01")]))
        /// HEVC in MP4 (x265).
        public static let hevc = Codec(
            name: "hevc", encoder: "libx265", container: .mp4, crf: 24, crfRange: 0...51, preset: "veryfast",
            presets: x26xPresets, options: [("x265-params", x265)],
            // “hvc1”: Safari plays no “hev1”.
            tag: 0x3163_7668, rateFilter: ("hevc_metadata", 1),
            covers: CoverCare(
                crf: 20, emphasizes: true, careful: [("x265-params", x265 + ":rskip=0")],
                deaf: ["ultrafast", "superfast"],
                options: [("x265-params", x265 + ":rskip=0:aq-mode=1:aq-strength=0.01")]))
        /// AV1 in MP4 (SVT-AV1). Its encoders share tables and the list of processors, which each writes anew when it is opened and
        /// one that ends frees, whatever the others are about: they crash, one in some hundred openings.
        public static let av1 = Codec(
            name: "av1", encoder: "libsvtav1", container: .mp4, crf: 32, preset: "8",
            presets: (0...13).map(String.init), isAlone: true,
            // 86 on two cores, of release 1.4; each of its steps has some a core.
            libraryThreads: 80 + 8 * Machine.cores, rateFilter: ("av1_metadata", 1),
            covers: CoverCare(crf: 32))
        /// FFV1 in Matroska: lossless.
        public static let ffv1 = Codec(
            name: "ffv1", encoder: "ffv1", container: .matroska, isLossless: true,
            // Every picture a key, checked by sums; the number of slices follows from the size, not from the threads.
            options: [("level", "3"), ("g", "1"), ("slicecrc", "1")])
        /// No encoding: the source's own packets in Matroska, and an overlay as subtitles.
        public static let copy = Codec(name: "copy", container: .matroska)
        /// JPEG, for photos.
        public static let jpeg = Codec(name: "jpeg", encoder: "mjpeg", container: .jpeg, picture: .jpg)
        /// PNG, for photos: lossless.
        public static let png = Codec(name: "png", encoder: "png", container: .png, isLossless: true, picture: .png)
        /// No video at all.
        public static let none = Codec(name: "none")

        /// All codecs, in the order in which they are listed.
        public static let allCases = [h264, hevc, av1, ffv1, copy, jpeg, png, none]

        /// Options of the encoder for pictures of a width, pixels, beyond what the settings say.
        func options(width: Int) -> [(key: String, value: String)] {
            let isWhole = (width + 15) / 16 % 16 == 0
            return options + (self == .h264 && !isWhole && cff_has_avx512() != 0 ? Self.withoutAVX512 : [])
        }

        static let doc =
            "ffv1 is lossless and makes <id>.mkv instead of <id>.mp4; copy keeps all of the source's streams as they are, in "
            + "<id>.mkv, and lays a track of subtitles over them that draws the same; jpeg and png make a photo of a photo, <id>.jpg and <id>.png; none writes the track file alone. "
            + "Default: h264, for a JPEG jpeg, for another photo png."

        /// The codec of `allCases` that a manifest calls by this name; nil where there is none.
        public init?(rawValue: String) {
            guard let codec = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = codec
        }

        private init(
            name: String, encoder: String? = nil, container: Container? = nil, isLossless: Bool = false,
            crf: Int? = nil, crfRange: ClosedRange<Int> = 0...63, preset: String? = nil, presets: [String] = [],
            options: [(key: String, value: String)] = [], isAlone: Bool = false, libraryThreads: Int = 0,
            tag: UInt32? = nil,
            rateFilter: (name: String, ticks: Int32)? = nil, picture: PictureFormat? = nil, covers: CoverCare? = nil
        ) {
            self.covers = covers
            self.picture = picture
            self.isAlone = isAlone
            self.libraryThreads = libraryThreads
            (self.rawValue, self.encoder, self.container, self.isLossless) = (name, encoder, container, isLossless)
            (self.crf, self.crfRange, self.preset, self.presets) = (crf, crfRange, preset, presets)
            (self.options, self.tag, self.rateFilter) = (options, tag, rateFilter)
        }

        /// “20 for h264, 24 for hevc”.
        static func defaults(_ value: (Codec) -> String?) -> String {
            allCases.compactMap { codec in value(codec).map { "\($0) for \(codec.rawValue)" } }.joined(separator: ", ")
        }
    }

    /// A container: its file extension and its muxer.
    package struct Container: Sendable {
        package var fileExtension: String
        /// FFmpeg's name of the muxer.
        var muxer: String

        static let mp4 = Container(fileExtension: "mp4", muxer: "mp4")
        static let jpeg = Container(fileExtension: "jpg", muxer: "image2")
        static let png = Container(fileExtension: "png", muxer: "image2")
        static let matroska = Container(fileExtension: "mkv", muxer: "matroska")
    }
}

extension EncodeSettings.Codec: Hashable {
    public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
