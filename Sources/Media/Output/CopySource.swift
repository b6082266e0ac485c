internal import CFFmpeg

/// The packets of a source that is to be copied.
///
/// Some are read at once, since where the source begins has to be known before the first frame is drawn.
package final class CopySource {
    package let demuxer: Demuxer
    /// Ticks of the main video's time base to add to the copy's stamps: 0 but for a source that starts before zero.
    package let offset: Int64
    /// Packets that were read at once.
    private var ahead: ArraySlice<Packet> = []

    /// The most packets that are read at once.
    private static let mostPackets = 4096
    private static let mostBytes = 16 << 20
    /// Packets of each stream that are looked at for its start: the first in the file needn't be the first shown.
    private static let looksAt = 32

    /// Reads the packets by which the source's start is known.
    /// - Parameter demuxer: At the start of the file.
    /// - Throws: `FileError` where pictures have no times.
    package init(_ demuxer: Demuxer) throws {
        self.demuxer = demuxer
        let video = try demuxer.videoStream()
        let (main, timeBase) = (video.pointee.index, video.pointee.time_base)
        var counts: [Int32: Int] = [:]
        for stream in demuxer.streams {
            let type = stream.pointee.codecpar.pointee.codec_type
            let isAwaited = type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO
            if isAwaited, stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0 {
                counts[stream.pointee.index] = 0
            }
        }
        guard counts[main] != nil else {
            throw FileError("copy", path: demuxer.path, reason: "its only picture is a cover; expected a video")
        }
        var (earliest, bytes): (Int64, Int) = (0, 0)
        while ahead.count < Self.mostPackets, bytes < Self.mostBytes,
            counts.values.contains(where: { $0 < Self.looksAt })
        {
            guard let packet = try demuxer.next() else { break }
            ahead.append(packet)
            bytes += Int(packet.av.pointee.size)
            let (index, pts) = (packet.av.pointee.stream_index, packet.av.pointee.pts)
            guard let count = counts[index], let stream = demuxer.context.pointee.streams[Int(index)] else { continue }
            counts[index] = count + 1
            if pts == cff_no_pts {
                guard index == main else { continue }
                throw FileError(
                    "copy", path: demuxer.path,
                    reason:
                        "its packets say no times of their pictures, which Matroska needs; encode it, or remux it first"
                )
            }
            earliest = min(earliest, av_rescale_q_rnd(pts, stream.pointee.time_base, timeBase, AV_ROUND_DOWN))
        }
        guard earliest > -(1 << 52) else {
            throw FileError("copy", path: demuxer.path, reason: "its time stamps run out of all bounds (\(earliest))")
        }
        offset = -earliest
    }

    func next() throws -> Packet? { try ahead.popFirst() ?? demuxer.next() }
}
