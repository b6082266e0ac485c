internal import CFFmpeg

/// Gives each decoded picture its time: the source's own stamp and duration wherever there are any.
struct PictureClock {
    /// A picture's time and duration, ticks of the stream's time base.
    struct Time {
        var pts: Int64
        var duration: Int64
    }

    /// Time of the first picture of a stream without any stamps.
    private let start: Int64
    /// Duration of a picture by the nominal rate.
    private let nominalDuration: Int64
    private var last: Time?
    /// Pictures whose stamp was missing, repeated or earlier than the one before.
    private(set) var corrected = 0
    /// Whether a picture had no stamp, or one that FFmpeg didn't trust: its time is its packet's place in the file.
    private(set) var isGuessed = false

    private let path: String
    private let latest: Int64

    init(stream: UnsafeMutablePointer<AVStream>, frameRate: Rational?, path: String) {
        self.path = path
        latest = MediaTime.latest(Rational(stream.pointee.time_base))
        // The mark for a missing stamp is outside as well.
        start = (-latest...latest).contains(stream.pointee.start_time) ? stream.pointee.start_time : 0
        nominalDuration =
            frameRate.map {
                max(1, av_rescale_q(1, AVRational(num: $0.av.den, den: $0.av.num), stream.pointee.time_base))
            } ?? 1
    }

    /// Time at which the last picture ends.
    var end: Int64? { last.map { $0.pts &+ $0.duration } }

    /// Whether the next picture has to be known for this one's duration: the container doesn't say how long it lasts.
    static func needsNext(_ picture: FrameBuffer) -> Bool { cff_frame_duration(picture.av) <= 0 }

    /// The next picture's time.
    /// - Parameter next: the picture after it, where `needsNext` asks for it; nil for the last one.
    /// - Throws: `FileError` where the times run out of what can be written.
    mutating func time(of picture: FrameBuffer, next: FrameBuffer?) throws -> Time {
        let pts = stamp(of: picture)
        var duration = cff_frame_duration(picture.av)
        if duration <= 0 {
            // It lasts until the next picture, the last one as long as the one before it.
            let following = next?.av.pointee.best_effort_timestamp ?? cff_no_pts
            if isUsable(following), following > pts {
                duration = following - pts
            } else {
                duration = last.map(\.duration) ?? nominalDuration
            }
        }
        // A duration beyond what a container can mean is damage.
        let time = Time(pts: pts, duration: min(max(duration, 1), max(1, latest)))
        guard pts <= latest else {
            throw FileError("read", path: path, reason: "its time stamps run out of all bounds (\(pts))")
        }
        last = time
        return time
    }

    private func isUsable(_ stamp: Int64) -> Bool { (-latest...latest).contains(stamp) }

    private mutating func stamp(of picture: FrameBuffer) -> Int64 {
        let stamp = picture.av.pointee.best_effort_timestamp
        let isUsable = isUsable(stamp)
        if picture.av.pointee.pts != stamp { isGuessed = true }
        guard let last else { return isUsable ? stamp : start }
        if isUsable, stamp > last.pts { return stamp }
        // The picture follows the one before it.
        corrected += 1
        return last.pts + last.duration
    }
}
