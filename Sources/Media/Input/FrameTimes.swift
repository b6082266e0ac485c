internal import CFFmpeg

/// When each presented picture of a video or photo is shown, in order.
public struct FrameTimes: Sendable, Hashable {
    /// Presentation times: the source's own stamps in ticks of `timeBase`, each later than the one before.
    public private(set) var pts: [Int64] = []
    /// Duration of the last picture, ticks of `timeBase`.
    public private(set) var lastDuration: Int64 = 1
    /// Seconds a tick.
    public private(set) var timeBase = Rational(1, 1)

    /// Reads a file's packets; where they don't tell its pictures, its pictures.
    /// - Throws: `FileError`, also for a file without a picture.
    public init(path: String, cancellation: Cancellation? = nil) throws {
        if MediaInput(path: path) != .standardInput,
            let counted = try Self.counted(try Demuxer(path: path, cancellation: cancellation), cancellation)
        {
            self = counted
            return
        }
        var options = SourceOptions()
        options.threads = 2
        let reader = try SourceReader(path: path, options: options, cancellation: cancellation)
        timeBase = reader.info.timeBase
        while let frame = try reader.next() {
            if cancellation?.isCancelled == true { throw CancelledError() }
            pts.append(frame.pts.ticks)
            lastDuration = frame.duration
        }
        guard !pts.isEmpty else { throw FileError("decode", path: path, reason: "it holds no picture") }
    }

    private init(timeBase: Rational) { self.timeBase = timeBase }

    /// The times as packets tell them; nil where some packet isn't one picture with a time of its own, or pictures may
    /// be lost at the start.
    private static func counted(_ demuxer: Demuxer, _ cancellation: Cancellation?) throws -> FrameTimes? {
        let stream = try demuxer.videoStream()
        let access = RandomAccess(stream: stream)
        guard access.isPossible else { return nil }
        var times = FrameTimes(timeBase: Rational(stream.pointee.time_base))
        var last: (pts: Int64, duration: Int64) = (.min, 0)
        while let packet = try demuxer.next() {
            if cancellation?.isCancelled == true { throw CancelledError() }
            guard packet.av.pointee.stream_index == stream.pointee.index else { continue }
            guard access.isOnePicture(packet), !times.pts.isEmpty || access.isStart(packet) else { return nil }
            let pts = packet.av.pointee.pts
            // Pictures before the first one have lost what they refer to, and don't come out.
            if let first = times.pts.first, pts < first { return nil }
            times.pts.append(pts)
            if pts > last.pts { last = (pts, packet.av.pointee.duration) }
        }
        times.pts.sort()
        let latest = MediaTime.latest(times.timeBase)
        guard last.duration > 0, let first = times.pts.first, first > -latest, last.pts < latest,
            zip(times.pts, times.pts.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        times.lastDuration = last.duration
        return times
    }

    /// How many pictures there are.
    public var count: Int { pts.count }

    /// Time at which a frame begins; for `count`, that at which the last one ends.
    public func time(_ frame: Int) -> MediaTime {
        MediaTime(
            ticks: frame < count ? pts[frame] : (pts.last ?? 0) + lastDuration, timeBase: timeBase)
    }

    /// The number of the frame that a player shows at a time of the source's own, seconds: the last one that has begun.
    /// Before the first one that is the first.
    /// - Returns: nil behind the end.
    public func frame(shownAt seconds: Double) -> Int? {
        let tick = MediaTime.ticks(atOrBefore: seconds, timeBase: timeBase)
        guard tick < time(count).ticks else { return nil }
        return max(begun(before: tick &+ 1) - 1, 0)
    }

    /// The number of the first frame at or after a time of the source's own, seconds: what `time` of a manifest's
    /// region means.
    /// - Returns: nil behind the last one's beginning.
    public func frame(atOrAfter seconds: Double) -> Int? {
        let number = begun(before: MediaTime.ticks(atOrAfter: seconds, timeBase: timeBase))
        return number < count ? number : nil
    }

    /// How many frames begin before a tick.
    private func begun(before tick: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if pts[middle] < tick { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
