internal import CFFmpeg

/// What lies before a range, read without decoding: the packets from the last possible start on, and how many pictures
/// come before them.
struct Preroll {
    /// Packets to decode first, in file order.
    private(set) var video: [Packet] = []
    /// Audio that was read on the way and may lie in the range.
    private(set) var audio: [Packet] = []
    /// Time of the picture that decoding starts with; pictures before it may come out incomplete.
    private(set) var start: Int64 = 0
    /// Ordinal of that picture from the file's start.
    private(set) var ordinal = 0

    /// The most compressed video that is kept in memory, bytes; a longer group of pictures is decoded from the file's
    /// start.
    private static let mostBytes = 256 << 20

    /// Reads up to `tick` of the video stream's time base.
    ///
    /// - Parameter isStrict: starts with a picture before `tick`, for a filter that looks back.
    /// - Returns: nil where the pictures can't be counted without decoding; the demuxer has been read from then.
    static func read(
        _ demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>, upTo tick: Int64, isStrict: Bool
    ) throws -> Preroll? {
        let access = RandomAccess(stream: stream)
        guard access.isPossible else { return nil }
        var preroll = Preroll()
        let jump = Jump(demuxer: demuxer, stream: stream, tick: tick)
        /// How many pictures the packets make that were let go.
        var before = 0
        var bytes = 0
        var starts = 0
        /// Parameters that packets so far carried: decoding needs them too.
        var carried: CarriedParameters = []
        while let packet = try demuxer.next() {
            guard packet.av.pointee.stream_index == stream.pointee.index else {
                if jump.mayHoldRange(packet) { preroll.audio.append(packet) }
                continue
            }
            guard access.isOnePicture(packet) else { return nil }
            let pts = packet.av.pointee.pts
            let isKey = access.isStart(packet)
            let own = access.parameters(of: packet)
            let isStart = isKey && carried.isSubset(of: own)
            carried.formUnion(own)
            if preroll.video.isEmpty, !isStart { return nil }
            // Pictures before the first one of a file have lost what they refer to, and don't come out.
            if starts == 1, pts < preroll.start, before == 0 { return nil }
            if isStart, isStrict ? pts < tick : pts <= tick {
                before += preroll.video.count
                preroll.video = []
                (bytes, starts, preroll.start) = (0, starts + 1, pts)
                if starts == 2 {
                    switch try jump.perform(past: before) {
                    case .landed(let count):
                        // What comes next is the first packet at the place that was jumped to.
                        before = count
                        preroll.audio = []
                        continue
                    case .stayed: break
                    case .lost: return nil
                    }
                }
            }
            preroll.video.append(packet)
            bytes += Int(packet.av.pointee.size)
            guard bytes <= mostBytes else { return nil }
            let isPast = isKey && pts > tick || packet.av.pointee.dts != cff_no_pts && packet.av.pointee.dts >= tick
            if isPast { break }
        }
        guard !preroll.video.isEmpty else { return nil }
        preroll.ordinal = before + preroll.video.count { $0.av.pointee.pts < preroll.start }
        return preroll
    }
}

/// The way over most of an MP4 or MOV to shortly before a range: its index lists every picture.
private struct Jump {
    private let demuxer: Demuxer
    private let stream: UnsafeMutablePointer<AVStream>
    private let tick: Int64

    init(demuxer: Demuxer, stream: UnsafeMutablePointer<AVStream>, tick: Int64) {
        self.demuxer = demuxer
        self.stream = stream
        self.tick = tick
    }

    /// True for a packet of another stream that isn't wholly before the range.
    func mayHoldRange(_ packet: Packet) -> Bool {
        guard packet.av.pointee.pts != cff_no_pts,
            let other = demuxer.context.pointee.streams[Int(packet.av.pointee.stream_index)]
        else { return true }
        return av_compare_ts(
            packet.av.pointee.pts &+ max(packet.av.pointee.duration, 0), other.pointee.time_base, tick,
            stream.pointee.time_base) >= 0
    }

    enum Outcome {
        /// Landed: the next packet of the stream has this many pictures before it.
        case landed(Int)
        /// Stayed: there was nothing to gain; the demuxer goes on where it was.
        case stayed
        /// Lost: the index leads elsewhere.
        case lost
    }

    /// Goes to the second-last key picture before the range.
    /// - Parameter count: pictures that lie behind already.
    func perform(past count: Int) throws -> Outcome {
        guard String(cString: demuxer.context.pointee.iformat.pointee.name).hasPrefix("mov,") else { return .stayed }
        var keys: [Int32] = []
        for index in 0..<avformat_index_get_entries_count(stream) {
            guard let entry = avformat_index_get_entry(stream, index), entry.pointee.timestamp <= tick else { break }
            // What an edit list hides isn't counted.
            if cff_index_flags(entry) & AVINDEX_DISCARD_FRAME != 0 { return .lost }
            if cff_index_flags(entry) & AVINDEX_KEYFRAME != 0 { keys.append(index) }
        }
        guard keys.count > 2, let target = keys.dropLast().last, Int(target) > count,
            let entry = avformat_index_get_entry(stream, target)
        else { return .stayed }
        let goal = entry.pointee.timestamp
        try seek(goal)
        // Where the seek led is told by the first packet; it is read again after that.
        while let packet = try demuxer.next() {
            guard packet.av.pointee.stream_index == stream.pointee.index else { continue }
            let landed = av_index_search_timestamp(stream, packet.av.pointee.dts, 0)
            guard landed > 0, let place = avformat_index_get_entry(stream, landed),
                place.pointee.timestamp == packet.av.pointee.dts
            else { return .lost }
            try seek(goal)
            return .landed(Int(landed))
        }
        return .lost
    }

    private func seek(_ timestamp: Int64) throws {
        try check(
            av_seek_frame(demuxer.context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD), "seek in",
            demuxer.path)
    }
}
