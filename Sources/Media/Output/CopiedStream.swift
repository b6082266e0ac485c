internal import CFFmpeg

/// One stream of a source on its way into a Matroska file as it is.
final class CopiedStream {
    private let source: UnsafeMutablePointer<AVStream>
    private let stream: UnsafeMutablePointer<AVStream>
    /// A cover picture, which became an attachment, has no packets.
    private let isPacketless: Bool
    /// An MP4's texts lie behind their length.
    private let isText: Bool
    /// True where its pictures are turned to be shown.
    private(set) var isTurned = false
    /// Note for the user on what of the stream isn't as it was; nil for nothing.
    private(set) var note: String?
    /// Whether its description changes on the way, of which Matroska holds the first.
    private(set) var isRedescribed = false

    /// Adds the stream to an output.
    /// - Parameter left: Told of what can't be taken.
    /// - Returns: nil for a stream that can't be taken.
    init?(
        _ source: UnsafeMutablePointer<AVStream>, of demuxer: Demuxer,
        into output: UnsafeMutablePointer<AVFormatContext>,
        path: String, _ left: inout OmittedStreams
    ) throws {
        guard let parameters = source.pointee.codecpar else { throw outOfMemory("read the streams of", demuxer.path) }
        let (type, codec) = (parameters.pointee.codec_type, parameters.pointee.codec_id)
        isText = codec == AV_CODEC_ID_MOV_TEXT
        let isCover = source.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        isPacketless = isCover || type == AVMEDIA_TYPE_ATTACHMENT
        let kind = av_get_media_type_string(type).map { String(cString: $0) } ?? "unknown"
        let isKnown =
            avformat_query_codec(output.pointee.oformat, codec, FF_COMPLIANCE_EXPERIMENTAL) == 1 || isText
            || isPacketless
        let taken = [AVMEDIA_TYPE_VIDEO, AVMEDIA_TYPE_AUDIO, AVMEDIA_TYPE_SUBTITLE, AVMEDIA_TYPE_ATTACHMENT]
        guard isKnown, taken.contains(type) else {
            guard type != AVMEDIA_TYPE_VIDEO || isCover else {
                let name = String(cString: avcodec_get_name(codec))
                throw FileError(
                    "copy", path: demuxer.path, reason: "Matroska holds no video of codec “\(name)”; encode it")
            }
            left.add(kind)
            return nil
        }
        guard let stream = avformat_new_stream(output, nil) else { throw outOfMemory("create", path) }
        (self.source, self.stream) = (source, stream)
        try check(avcodec_parameters_copy(stream.pointee.codecpar, parameters), "describe the streams of", path)
        if !Self.isTagKnown(parameters.pointee, in: output) { stream.pointee.codecpar.pointee.codec_tag = 0 }
        stream.pointee.time_base = source.pointee.time_base
        stream.pointee.avg_frame_rate = source.pointee.avg_frame_rate
        stream.pointee.r_frame_rate = source.pointee.r_frame_rate
        // The container's word on the pixels' form goes before the codec's: Matroska's muxer wants them to be one.
        if source.pointee.sample_aspect_ratio.num > 0 {
            stream.pointee.codecpar.pointee.sample_aspect_ratio = source.pointee.sample_aspect_ratio
        }
        stream.pointee.sample_aspect_ratio = stream.pointee.codecpar.pointee.sample_aspect_ratio
        stream.pointee.disposition = source.pointee.disposition
        av_dict_copy(&stream.pointee.metadata, source.pointee.metadata, 0)
        guard !isCover else {
            try makeAttachment(path)
            return
        }
        try check(cff_copy_side_data(stream, source), "describe the streams of", path)
        isTurned = try check(cff_turn_in_matroska(stream, source), "describe the streams of", path) > 0
        if isText {
            stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_SUBRIP
            try check(cff_set_extradata(stream.pointee.codecpar, nil, 0), "create", path)
            note = "a stream of an MP4's own subtitles became plain text: Matroska doesn't know their styles"
        }
    }

    /// Whether a container that names codecs otherwise takes the source's four letters for one: ProRes' profile and the form of raw
    /// pictures are told by nothing else. As FFmpeg's own copying decides it.
    private static func isTagKnown(
        _ parameters: AVCodecParameters, in output: UnsafeMutablePointer<AVFormatContext>
    ) -> Bool {
        guard let tags = output.pointee.oformat?.pointee.codec_tag else { return true }
        var tag: UInt32 = 0
        return av_codec_get_id(tags, parameters.codec_tag) == parameters.codec_id
            || av_codec_get_tag2(tags, parameters.codec_id, &tag) == 0
    }

    private func makeAttachment(_ path: String) throws {
        let picture = source.pointee.attached_pic
        try check(
            cff_set_extradata(stream.pointee.codecpar, picture.data, Int(picture.size)), "create", path)
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
        stream.pointee.disposition = 0
        let isPNG = stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_PNG
        // What a Matroska file says already stays.
        av_dict_set(&stream.pointee.metadata, "filename", isPNG ? "cover.png" : "cover.jpg", AV_DICT_DONT_OVERWRITE)
        av_dict_set(&stream.pointee.metadata, "mimetype", isPNG ? "image/png" : "image/jpeg", AV_DICT_DONT_OVERWRITE)
    }

    /// One of the source's packets as the muxer takes it; nil for one of which nothing is left.
    /// - Parameters:
    ///   - offset: Added to its stamps, ticks of `timeBase`.
    func packet(_ packet: Packet, offset: Int64, of timeBase: AVRational) throws -> Packet? {
        guard !isPacketless else { return nil }
        let av = packet.av
        if isText {
            let data = UnsafeBufferPointer(start: av.pointee.data, count: Int(av.pointee.size))
            let length = data.count > 1 ? Int(data[0]) << 8 | Int(data[1]) : 0
            guard length > 0, length <= data.count - 2 else { return nil }
            av.pointee.data += 2
            av.pointee.size = Int32(length)
        }
        let shift = av_rescale_q(offset, timeBase, source.pointee.time_base)
        if av.pointee.pts != cff_no_pts { av.pointee.pts &+= shift }
        if av.pointee.dts != cff_no_pts { av.pointee.dts &+= shift }
        av_packet_rescale_ts(av, source.pointee.time_base, stream.pointee.time_base)
        // Of a stream that begins earlier than its first packets say.
        if av.pointee.pts != cff_no_pts, av.pointee.pts < 0 { av.pointee.pts = 0 }
        if av.pointee.pts != cff_no_pts, av.pointee.dts != cff_no_pts {
            av.pointee.dts = min(av.pointee.dts, av.pointee.pts)
        }
        av.pointee.stream_index = stream.pointee.index
        av.pointee.pos = -1
        if cff_take_description(av, source.pointee.codecpar) != 0 { isRedescribed = true }
        return packet
    }
}
