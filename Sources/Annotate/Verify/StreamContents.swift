internal import CFFmpeg

/// What the pictures' own stream holds beyond what this program's encoders write: what no player shows, and every decoder skips.
enum StreamContents {
    /// What is there besides, in words.
    /// - Throws: `FileError`.
    static func strange(in path: String, cancellation: Cancellation?) throws -> [String] {
        let demuxer = try Demuxer(path: path, cancellation: cancellation)
        defer { withExtendedLifetime(demuxer) {} }
        guard
            let stream = demuxer.streams.first(where: {
                $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                    && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
            })
        else { return [] }
        let parameters = stream.pointee.codecpar.pointee
        var found: [String] = []
        if let format = otherFormat(parameters) { found.append("pictures in the form “\(format)”") }
        func each(_ body: (UnsafeBufferPointer<UInt8>) -> Void) throws {
            while let packet = try demuxer.next() {
                guard packet.av.pointee.stream_index == stream.pointee.index, let data = packet.av.pointee.data else {
                    continue
                }
                body(UnsafeBufferPointer(start: data, count: Int(packet.av.pointee.size)))
            }
        }
        switch parameters.codec_id {
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC:
            var contents = NALContents(parameters)
            try each { contents.add($0) }
            return found + contents.strange
        case AV_CODEC_ID_AV1:
            var contents = AV1Contents(parameters)
            try each { contents.add($0) }
            return found + contents.finished()
        case AV_CODEC_ID_FFV1:
            // Its slices have sums, and end where the packet does.
            return found + (parameters.extradata_size > longest ? ["more in its pictures' parameters than these"] : [])
        default: return found + ["pictures of another coder"]
        }
    }

    /// The most bytes of FFV1's parameters.
    private static let longest: Int32 = 512

    /// Forms that this program draws on: none has a fourth plane.
    private static let forms: Set = [
        "yuv420p", "yuv422p", "yuv440p", "yuv444p", "yuvj420p", "yuvj422p", "yuvj440p", "yuvj444p",
    ]

    private static func otherFormat(_ parameters: AVCodecParameters) -> String? {
        guard let name = av_get_pix_fmt_name(AVPixelFormat(rawValue: parameters.format)).map({ String(cString: $0) })
        else {
            return nil
        }
        var plain = name
        for depth in ["10le", "12le"] + (parameters.codec_id == AV_CODEC_ID_FFV1 ? ["16le"] : [])
        where name.hasSuffix(depth) {
            plain = String(name.dropLast(4))
        }
        return forms.contains(plain) ? nil : name
    }

    /// What a decoder has to know as FFmpeg writes what it read of it; nil where it has no such filter.
    /// - Parameter others: Bytes in place of those that the parameters have.
    static func rewritten(_ parameters: AVCodecParameters, _ filter: String, of others: [UInt8]? = nil) -> [UInt8]? {
        guard let filter = av_bsf_get_by_name(filter) else { return nil }
        var context: UnsafeMutablePointer<AVBSFContext>?
        guard av_bsf_alloc(filter, &context) >= 0 else { return nil }
        defer { av_bsf_free(&context) }
        guard let context else { return nil }
        var parameters = parameters
        guard avcodec_parameters_copy(context.pointee.par_in, &parameters) >= 0 else { return nil }
        if let others, cff_set_extradata(context.pointee.par_in, others, others.count) < 0 { return nil }
        // What can't be read has no form at all.
        guard av_bsf_init(context) >= 0 else { return [] }
        let written = context.pointee.par_out.pointee
        return Array(UnsafeBufferPointer(start: written.extradata, count: max(0, Int(written.extradata_size))))
    }
}
