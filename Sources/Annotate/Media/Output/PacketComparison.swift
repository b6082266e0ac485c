internal import CFFmpeg
internal import Glibc

/// Holds a copied video's packets against its source's, byte by byte.
struct PacketComparison {
    /// Whether a video is a copy with an overlay.
    static func isCopy(_ path: String, cancellation: Cancellation?) throws -> Bool {
        let demuxer = try Demuxer(path: path, cancellation: cancellation)
        // The streams are the demuxer's own memory.
        return withExtendedLifetime(demuxer) {
            demuxer.streams.contains { stream in
                guard stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_ASS,
                    let title = av_dict_get(stream.pointee.metadata, "title", nil, 0)
                else { return false }
                return String(cString: title.pointee.value) == CopiedVideo.title
            }
        }
    }

    /// Where they differ; nil where the containers put the same pictures down differently, and packets say nothing.
    static func problems(source: String, copy: String, cancellation: Cancellation?) throws -> [String]? {
        let theirs = try Demuxer(path: source, cancellation: cancellation)
        let ours = try Demuxer(path: copy, cancellation: cancellation)
        let (original, copied) = (try theirs.videoStream(), try ours.videoStream())
        guard !withExtendedLifetime(theirs, { hasStartCodes(original) }) else { return nil }
        var number = 0
        while true {
            let (one, other) = (try next(theirs, original), try next(ours, copied))
            guard let one, let other else {
                if one == nil, other == nil { return [] }
                return [
                    "the video has \(one == nil ? "more" : "fewer") packets than the source, which has "
                        + (one == nil ? "\(number)" : "over \(number)")
                ]
            }
            let (a, b) = (one.av.pointee, other.av.pointee)
            if a.size != b.size || memcmp(a.data, b.data, Int(a.size)) != 0 {
                return ["packet \(number) of the video is not the source's"]
            }
            number += 1
        }
    }

    /// In a transport stream each unit of H.264 or HEVC begins with a code, in Matroska with its length.
    private static func hasStartCodes(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.codec_id == AV_CODEC_ID_H264 || parameters.codec_id == AV_CODEC_ID_HEVC else { return false }
        guard let data = parameters.extradata, parameters.extradata_size > 0 else { return true }
        return data[0] == 0
    }

    private static func next(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) throws -> Packet? {
        while let packet = try demuxer.next() {
            if packet.av.pointee.stream_index == stream.pointee.index { return packet }
        }
        return nil
    }
}
