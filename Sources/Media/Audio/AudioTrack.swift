internal import CFFmpeg

/// One audio stream of the source on its way into the output: copied where the container can hold it, transcoded to AAC
/// where not.
final class AudioTrack {
    private let stream: UnsafeMutablePointer<AVStream>
    /// Time base of the packets that go to the muxer.
    private let timeBase: AVRational
    private let transcoder: AudioTranscoder?
    /// The packet before, as it was handed on.
    private var last: (dts: Int64, duration: Int64)?
    /// Whether the muxer wants each packet later than the one before it, and not as late.
    private let isStrict: Bool
    /// Packets whose time was earlier than that of the one before, and that come behind it now.
    private(set) var moved = 0
    /// When its form changes first, seconds of the output, which a file has no words for; nil where it doesn't.
    private(set) var change: Double?
    /// Ticks of the source's time base to add to its stamps.
    private let offset: Int64
    /// Name of the source's codec, where it couldn't be copied.
    let transcodedCodec: String?

    init(
        source: UnsafeMutablePointer<AVStream>, output: UnsafeMutablePointer<AVFormatContext>, path: String,
        offset: Int64, hidden: [HiddenSound]
    ) throws {
        self.offset = offset
        isStrict = (output.pointee.oformat.map { $0.pointee.flags } ?? 0) & AVFMT_TS_NONSTRICT == 0
        guard let parameters = source.pointee.codecpar else { throw outOfMemory("read the audio of", path) }
        let isHeld = Self.isHeld(parameters.pointee.codec_id, in: output)
        let tick = source.pointee.time_base
        // Made before the output's stream, so that one that can't be made leaves none behind.
        transcoder =
            isHeld && hidden.isEmpty
            ? nil
            : try AudioTranscoder(
                stream: source, path: path, hidden: hidden,
                shift: Double(offset) * Double(tick.num) / Double(max(tick.den, 1)))
        transcodedCodec = isHeld ? nil : String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let stream = avformat_new_stream(output, nil) else { throw outOfMemory("create the audio of", path) }
        self.stream = stream
        if let transcoder {
            try transcoder.describe(stream)
        } else {
            try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters), "describe the audio of", path)
            stream.pointee.codecpar.pointee.codec_tag = 0
            stream.pointee.time_base = source.pointee.time_base
        }
        timeBase = stream.pointee.time_base
        stream.pointee.disposition = source.pointee.disposition
        // Titles, dates and devices may tell of people.
        if let language = av_dict_get(source.pointee.metadata, "language", nil, 0),
            LanguageWord.isOne(String(cString: language.pointee.value))
        {
            av_dict_set(&stream.pointee.metadata, "language", language.pointee.value, 0)
        }
    }

    /// Whether a file of this form holds sound of this codec, and those who play it expect that. From FFmpeg 7 on, MP4 takes PCM
    /// too, which browsers don't play there.
    private static func isHeld(_ codec: AVCodecID, in output: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        let isPCM = AV_CODEC_ID_FIRST_AUDIO.rawValue..<AV_CODEC_ID_ADPCM_IMA_QT.rawValue ~= codec.rawValue
        // Nor Vorbis, for which MP4 has no description of its own.
        let isMP4 = output.pointee.oformat.map { String(cString: $0.pointee.name) == "mp4" } ?? false
        return !(isMP4 && (isPCM || codec == AV_CODEC_ID_VORBIS))
            && avformat_query_codec(output.pointee.oformat, codec, FF_COMPLIANCE_NORMAL) == 1
    }

    /// Notes for the user on sound that isn't as it was.
    var notes: [String] {
        var notes: [String] = []
        let damaged = transcoder?.damaged ?? 0
        if damaged > 0 { notes.append("\(damaged) damaged audio packets in the input, now silence") }
        if moved > 0 {
            notes.append(
                "\(moved) audio \(moved == 1 ? "packet has a time that is" : "packets have times that are") earlier than "
                    + "the one before; made up")
        }
        if let change {
            notes.append(
                "the form of an audio track changes at \(plain(change)) s, which the file can't say: what follows may not be "
                    + "heard; expected an input with one form of sound")
        }
        return notes
    }

    /// Which of what nobody is to hear there was sound of.
    var hasHidden: [Bool] { transcoder?.hasHidden ?? [] }

    /// Packets for the muxer that come of one of the source's.
    func packets(for packet: Packet) throws -> [Packet] {
        if offset != 0 {
            if packet.av.pointee.pts != cff_no_pts { packet.av.pointee.pts &+= offset }
            if packet.av.pointee.dts != cff_no_pts { packet.av.pointee.dts &+= offset }
        }
        if let transcoder { return try transcoder.transcode(packet).map(addressed) }
        let isRedescribed = cff_take_description(packet.av, stream.pointee.codecpar) != 0
        cff_keep_skips_alone(packet.av)
        let copied = addressed(packet)
        order(copied)
        if isRedescribed, change == nil, copied.av.pointee.dts != cff_no_pts {
            let tick = stream.pointee.time_base
            let seconds = Double(copied.av.pointee.dts) * Double(tick.num) / Double(max(tick.den, 1))
            change = (seconds * 1000).rounded() / 1000
        }
        return [copied]
    }

    /// Puts a packet of the source behind the one before it. Times of a damaged file may be any: the muxer refuses what runs over.
    private func order(_ packet: Packet) {
        let av = packet.av
        guard av.pointee.dts != cff_no_pts else { return }
        if let last, av.pointee.dts <= last.dts {
            let tick = stream.pointee.time_base
            if last.dts &- av.pointee.dts <= av_rescale_q(Self.rounding, AVRational(num: 1, den: 1000), tick) {
                // Shorter packets than the source's ticks have the same time twice, which most muxers don't take.
                av.pointee.dts = last.dts &+ (isStrict ? 1 : 0)
            } else {
                // As the pictures', whose times begin anew in the same places.
                av.pointee.dts = last.dts &+ max(1, last.duration)
                moved += 1
            }
            if av.pointee.pts != cff_no_pts { av.pointee.pts = max(av.pointee.pts, av.pointee.dts) }
        }
        last = (av.pointee.dts, av.pointee.duration)
    }

    /// How far back a time may lie that was only rounded, milliseconds.
    private static let rounding: Int64 = 2

    /// Packets for the muxer that are left at the end.
    func finish() throws -> [Packet] { try (transcoder?.finish() ?? []).map(addressed) }

    private func addressed(_ packet: Packet) -> Packet {
        av_packet_rescale_ts(packet.av, timeBase, stream.pointee.time_base)
        packet.av.pointee.stream_index = stream.pointee.index
        packet.av.pointee.pos = -1
        return packet
    }
}
