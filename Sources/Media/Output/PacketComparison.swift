internal import CFFmpeg
internal import Glibc

/// Holds a copied video's packets against its source's: how many there are, when they are shown, and what is in them.
package struct PacketComparison {
    /// Whether a video is a copy with an overlay.
    package static func isCopy(_ path: String, cancellation: Cancellation?) throws -> Bool {
        let demuxer = try Demuxer(path: path, cancellation: cancellation)
        // The streams are the demuxer's own memory.
        return withExtendedLifetime(demuxer) {
            demuxer.streams.contains { stream in
                guard stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_ASS,
                    let title = av_dict_get(stream.pointee.metadata, "title", nil, 0)
                else { return false }
                return String(cString: title.pointee.value) == SourceCopy.overlayTitle
            }
        }
    }

    /// The first difference between the main videos, in words; nil where there is none.
    /// - Parameters:
    ///   - source: At the start of the file, as is `copy`.
    ///   - offset: Ticks that the copy's stamps lie behind the source's.
    package static func problem(_ source: Demuxer, _ copy: Demuxer, offset: Int64, _ cancellation: Cancellation?) throws
        -> String?
    {
        let (original, copied) = (try source.videoStream(), try copy.videoStream())
        let (ours, theirs) = (original.pointee.time_base, copied.pointee.time_base)
        let (before, after) = (PacketParts(original), PacketParts(copied))
        var number = 0
        while true {
            if cancellation?.isCancelled == true { throw CancelledError() }
            let (one, other) = (try next(source, original), try next(copy, copied))
            guard let one, let other else {
                guard one != nil || other != nil else { return nil }
                return "the video has \(one == nil ? "more" : "fewer") packets than the source, which has "
                    + (one == nil ? "\(number)" : "over \(number)")
            }
            guard PacketParts.areSame(before, one, after, other) else {
                return "packet \(number) of the video is not the source's"
            }
            let (pts, dts) = (other.av.pointee.pts, other.av.pointee.dts)
            let wanted = max(0, av_rescale_q(one.av.pointee.pts &+ offset, ours, theirs))
            // Some codecs' packets have only the one in Matroska.
            guard one.av.pointee.pts != cff_no_pts, (pts == cff_no_pts ? dts : pts) == wanted else {
                return "packet \(number) of the video has another time than the source's"
            }
            number += 1
        }
    }

    private static func next(_ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>) throws -> Packet? {
        while let packet = try demuxer.next() {
            if packet.av.pointee.stream_index == stream.pointee.index { return packet }
        }
        return nil
    }
}

/// The parts of a stream's packets that are the same in every container.
///
/// A transport stream begins each unit of H.264 or HEVC with a code, Matroska with its length; it leaves out what
/// begins a unit of time in AV1, and what fills it up.
private struct PacketParts {
    private let codec: AVCodecID
    private let units: NALUnits

    init(_ stream: UnsafeMutablePointer<AVStream>) {
        codec = stream.pointee.codecpar.pointee.codec_id
        units = NALUnits(stream.pointee.codecpar.pointee)
    }

    private func places(in packet: Packet) -> [Range<Int>] {
        let size = Int(packet.av.pointee.size)
        switch codec {
        case AV_CODEC_ID_H264, AV_CODEC_ID_HEVC: return units.places(in: packet)
        case AV_CODEC_ID_AV1: return AV1Units.kept(in: packet) ?? [0..<size]
        default: return [0..<size]
        }
    }

    static func areSame(_ one: PacketParts, _ a: Packet, _ other: PacketParts, _ b: Packet) -> Bool {
        let sizes = (a.av.pointee.size, b.av.pointee.size)
        if sizes.0 == sizes.1, sizes.0 == 0 || memcmp(a.av.pointee.data, b.av.pointee.data, Int(sizes.0)) == 0 {
            return true
        }
        let (mine, theirs) = (one.places(in: a), other.places(in: b))
        guard mine.count == theirs.count, let p = a.av.pointee.data, let q = b.av.pointee.data else { return false }
        return zip(mine, theirs).allSatisfy { here, there in
            here.count == there.count && memcmp(p + here.lowerBound, q + there.lowerBound, here.count) == 0
        }
    }
}
