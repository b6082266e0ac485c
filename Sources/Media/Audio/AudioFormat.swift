internal import CFFmpeg

/// The format of AAC that a source's sound is encoded in.
struct AudioFormat: Equatable {
    /// Samples a second.
    var sampleRate: Int
    /// FFmpeg's name of the channel layout.
    var layout: String

    /// The rates of MPEG-4 audio (ISO/IEC 14496-3, table 1.18), up to what browsers play.
    private static let sampleRates = [
        48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
    ]

    /// The format that is nearest to a source's.
    init(near sampleRate: Int, _ layout: AVChannelLayout) {
        // The higher one where two are as near.
        self.sampleRate = Self.sampleRates.min { abs($0 - sampleRate) < abs($1 - sampleRate) } ?? 48000
        // The layouts that have a number in MPEG-4 audio (table 1.19); players know few others.
        switch Self.name(of: layout) {
        case "mono", "stereo", "3.0", "4.0", "5.0", "5.1", "7.1": self.layout = Self.name(of: layout)
        case "5.0(side)": self.layout = "5.0"
        case "5.1(side)": self.layout = "5.1"
        default: self.layout = "stereo"
        }
    }

    /// Puts the layout in place of another one, which is freed.
    func setLayout(_ layout: inout AVChannelLayout, _ path: String) throws {
        av_channel_layout_uninit(&layout)
        try check(av_channel_layout_from_string(&layout, self.layout), "set up the sound of", path)
    }

    /// FFmpeg's name of a layout; an unknown one has the name of the usual one of as many channels.
    static func name(of layout: AVChannelLayout) -> String {
        var layout = layout
        // The copy shares a custom layout's list of channels, which this leaves alone.
        if layout.order != AV_CHANNEL_ORDER_NATIVE { av_channel_layout_default(&layout, layout.nb_channels) }
        var name = [CChar](repeating: 0, count: 128)
        av_channel_layout_describe(&layout, &name, name.count)
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
