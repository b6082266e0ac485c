internal import CFFmpeg

/// Encodes pictures and writes them, with the source's audio, into an MP4, or a Matroska file for a lossless codec.
///
/// Used from one thread. Time stamps are the source's own ticks in the source's time base, from the first picture to the
/// file; Matroska rounds them to milliseconds.
public final class VideoWriter {
    /// The final name, for messages.
    private let path: String
    /// The path that is written to.
    private let file: String
    private let format: UnsafeMutablePointer<AVFormatContext>
    private let encoder: SegmentEncoder
    private let videoStream: UnsafeMutablePointer<AVStream>
    private let sourceTimeBase: AVRational
    private let isMP4: Bool
    /// Ticks added to every stamp.
    package let offset: Int64
    private var audio: [Int32: AudioTrack] = [:]
    /// Notes on what of the source is not in the output, or is there in another form.
    public private(set) var notes: [String] = []

    package typealias Source = VideoEncoder.Source

    package init(_ output: OutputFile, source: Source, settings: EncodeSettings) throws {
        path = output.target
        file = output.temporary
        sourceTimeBase = source.timeBase.av
        offset = source.offset
        let container = settings.codec.container ?? .mp4
        isMP4 = container.muxer == "mp4"
        encoder = try SegmentEncoder(path: path, source: source, settings: settings)
        var context: UnsafeMutablePointer<AVFormatContext>?
        try check(avformat_alloc_output_context2(&context, nil, container.muxer, file), "create", path)
        guard let context else { throw outOfMemory("create", path) }
        format = context
        guard let stream = avformat_new_stream(context, nil) else {
            avformat_free_context(context)
            throw outOfMemory("create", path)
        }
        videoStream = stream
        timeline = MP4Timeline()
        // From here on `deinit` closes the file, also where this throws.
        try encoder.describe(stream)
        if let tag = settings.codec.tag { stream.pointee.codecpar.pointee.codec_tag = tag }
        notes += try StreamSideData.pass(from: source, to: stream, path: path)
        if settings.audio == .copy, let demuxer = source.demuxer { try addAudio(demuxer, settings.hidden) }
        notes += source.demuxer.map(Self.otherStreams) ?? []
        try writeHeader(settings)
    }

    deinit { close() }

    private var isClosed = false
    private var timeline: MP4Timeline
    /// Time of the last picture, in Matroska's thousandths of a second.
    private var lastTime: Int64?
    /// The last packet so far, whose duration depends on whether another one follows.
    private var held: Packet?

    private func close() {
        guard !isClosed else { return }
        isClosed = true
        if format.pointee.pb != nil { avio_closep(&format.pointee.pb) }
        avformat_free_context(format)
    }

    private func addAudio(_ demuxer: Demuxer, _ hidden: [HiddenSound]) throws {
        for (index, source) in demuxer.audioStreams.enumerated() {
            do {
                let track = try AudioTrack(
                    source: source, output: format, path: demuxer.path, offset: offset(in: source), hidden: hidden)
                audio[source.pointee.index] = track
                if let codec = track.transcodedCodec {
                    notes.append(
                        "audio track \(index + 1): “\(codec)” \(isMP4 ? "doesn't go into an MP4; " : "")transcoded to AAC"
                    )
                }
            } catch let error as FileError {
                notes.append("audio track \(index + 1) left out: \(error.reason)")
            }
        }
    }

    /// The video's offset in another stream's time base.
    private func offset(in stream: UnsafeMutablePointer<AVStream>) -> Int64 {
        av_rescale_q(offset, sourceTimeBase, stream.pointee.time_base)
    }

    private static func otherStreams(_ demuxer: Demuxer) -> [String] {
        let kinds = [
            AVMEDIA_TYPE_SUBTITLE: "subtitle", AVMEDIA_TYPE_DATA: "data", AVMEDIA_TYPE_ATTACHMENT: "attachment",
        ]
        let others = [AVMEDIA_TYPE_SUBTITLE, AVMEDIA_TYPE_DATA, AVMEDIA_TYPE_ATTACHMENT].compactMap { type -> String? in
            let count = demuxer.streams.count { $0.pointee.codecpar.pointee.codec_type == type }
            guard count > 0, let kind = kinds[type] else { return nil }
            return "\(count) \(kind) \(count == 1 ? "stream" : "streams") left out"
        }
        let pictures = demuxer.streams.count { $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 }
        return others
            + (pictures > 0 ? ["\(pictures) attached \(pictures == 1 ? "picture" : "pictures") left out"] : [])
    }

    private func writeHeader(_ settings: EncodeSettings) throws {
        try check(avio_open(&format.pointee.pb, "file:" + file, AVIO_FLAG_WRITE), "create", path)
        // No dates, versions or random identifiers: the same input gives the same bytes.
        format.pointee.flags |= AVFMT_FLAG_BITEXACT
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        // FLAC in MP4, which browsers play, counts as experimental in FFmpeg.
        format.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
        if isMP4 {
            if settings.faststart { av_dict_set(&options, "movflags", "+faststart", 0) }
            // The muxer would double a coarse time base until it has 10,000 ticks a second.
            av_dict_set(&options, "video_track_timescale", String(sourceTimeBase.den), 0)
            // The edit list, which holds the first picture's time, counts in the movie's own ticks: thousandths otherwise.
            av_dict_set(&options, "movie_timescale", String(sourceTimeBase.den), 0)
        }
        try check(avformat_write_header(format, &options), "write the header of", path)
    }

    /// Makes frames into pictures that can be written.
    package var input: EncoderInput { encoder.input }

    /// Encodes a picture that `input` made, drawn on or not.
    package func write(_ frame: FrameBuffer) throws { try encoder.encode(frame, write) }

    /// Whether there was sound of what nobody is to hear, by its index, when all has been written.
    package func hasHidden(_ index: Int) -> Bool {
        audio.values.contains { $0.hasHidden.indices.contains(index) && $0.hasHidden[index] }
    }

    /// Passes an audio packet of the source on.
    package func writeAudio(_ packet: Packet) throws {
        guard let track = audio[packet.av.pointee.stream_index] else { return }
        try mux(sound: track.packets(for: packet))
    }

    private func mux(sound packets: [Packet]) throws {
        // An encoder's lead-in before zero: MP4 hides it, Matroska would push all other streams back by it.
        for packet in packets where isMP4 || packet.av.pointee.pts >= 0 { try mux(packet) }
    }

    /// Flushes the encoders and finishes the file.
    package func finish() throws {
        try encoder.encode(nil, write)
        if let held {
            timeline.stretch(last: held)
            try mux(held)
        }
        for (_, track) in audio.sorted(by: { $0.key < $1.key }) {
            try mux(sound: track.finish())
            notes += track.notes
        }
        try check(av_write_trailer(format), "finish", path)
        let code = avio_closep(&format.pointee.pb)
        try check(code, "finish", path)
        close()
    }

    private func write(_ packet: Packet) throws {
        packet.av.pointee.stream_index = videoStream.pointee.index
        av_packet_rescale_ts(packet.av, sourceTimeBase, videoStream.pointee.time_base)
        guard isMP4 else {
            try MatroskaTime.check(packet.av.pointee.pts, after: lastTime, path: path)
            lastTime = packet.av.pointee.pts
            return try mux(packet)
        }
        try timeline.add(packet, path: path)
        if let held { try mux(held) }
        held = packet
    }

    private func mux(_ packet: Packet) throws {
        try check(av_interleaved_write_frame(format, packet.av), "write", path)
    }
}
