internal import CFFmpeg

/// How much of a file has been read, to be held against what it says that it holds: a file that was cut off, or whose
/// middle can't be made out, ends like a whole one.
struct SourceExtent {
    /// Packets of the video that have been read.
    private var packets: Int64 = 0
    /// Time at which the last packet of any stream ends, seconds.
    private var furthest = -Double.infinity

    /// Where in the file the packet of any stream that is furthest behind begins, and its own bytes; nil where that isn't told.
    private(set) var last: (place: Int64, size: Int64)?

    mutating func add(_ packet: Packet, of format: UnsafeMutablePointer<AVFormatContext>, isVideo: Bool) {
        if isVideo { packets += 1 }
        let av = packet.av.pointee
        if av.pos >= last?.place ?? 0 { last = (av.pos, Int64(av.size)) }
        guard av.pts != cff_no_pts, let stream = format.pointee.streams[Int(av.stream_index)] else { return }
        let end = MediaTime(ticks: av.pts &+ max(0, av.duration), timeBase: Rational(stream.pointee.time_base))
        furthest = max(furthest, end.seconds)
    }

    /// What is missing at the end of a file that was read from its start; nil where nothing tells of more.
    ///
    /// MP4 and MOV have an index of their pictures (without those that an edit list leaves out), Matroska says how long it
    /// is. What other containers say of their length is a guess.
    func shortfall(
        of stream: UnsafeMutablePointer<AVStream>, _ info: SourceInfo
    ) -> Shortfall? {
        let listed = Int64(avformat_index_get_entries_count(stream))
        if info.container.hasPrefix("mov,"), packets < listed {
            return Shortfall(
                pictures: Int(listed - packets),
                reason: "it is cut off or damaged: it lists \(listed) pictures and holds \(packets)")
        }
        // Some writers count the duration from zero, others from where the streams start: the benefit of the doubt.
        let tolerance = max(0.25, info.frameRate.map { 3 / $0.value } ?? 0)
        guard info.container.hasPrefix("matroska"), let duration = info.duration, furthest < duration - tolerance
        else { return nil }
        let end = furthest.isFinite ? "ends at \(plain((furthest * 100).rounded() / 100)) s" : "has no picture"
        return Shortfall(reason: "it is cut off or damaged: it should last \(plain(duration)) s and \(end)")
    }
}
