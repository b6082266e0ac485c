/// Where the segments of a video begin: at the first picture, and at the first one of each span of so many seconds from it.
struct SegmentGrid {
    /// Seconds a segment; nil for one that never ends.
    private let length: Double?
    private let timeBase: Rational
    private var start: Int64?
    /// The span of the current segment, from 0.
    private var span = 0.0
    /// How many segments have begun.
    private(set) var number = 0

    init(seconds: Double?, timeBase: Rational) { (length, self.timeBase) = (seconds, timeBase) }

    /// Whether a segment begins with the next picture.
    /// - Parameter pts: Its time, ticks.
    mutating func begins(_ pts: Int64) -> Bool {
        guard let start else {
            (start, number) = (pts, 1)
            return true
        }
        guard let length else { return false }
        let span = (Double(pts &- start) * timeBase.value / length).rounded(.down)
        guard span > self.span else { return false }
        self.span = span
        number += 1
        return true
    }
}

/// The times at which a stream's packets are decoded, where several encoders made them, by x264's rule: each packet when the
/// picture is shown that comes `delay` pictures earlier, and the first ones as long before the first picture. Behind a long gap
/// none is decoded more than `longest` before the gap ends.
struct DecodingTimes {
    /// How long before it is shown a picture may be decoded, ticks. FFmpeg's readers of MP4, which most programs are, drop
    /// all such times of a file in which one is twice as long.
    static let longest: Int64 = 1 << 27

    /// How many pictures may be decoded before one that is shown earlier.
    let delay: Int
    /// Times of pictures, ticks, in the order in which they are shown; those before `next` are of no use any more.
    private var shown: [Int64] = []
    private var next = 0
    /// How far before the first picture decoding begins, ticks; nil while nobody knows.
    private var lead: Int64?
    /// How many packets have a time before the first picture's.
    private var count = 0
    /// Where in `shown` segments begin behind gaps longer than `longest`: what is decoded there is shown there.
    private var restarts: [Int] = []

    init(delay: Int) { self.delay = delay }

    /// Takes the time of the next picture.
    /// - Parameter begins: Whether a segment begins with it.
    mutating func add(_ pts: Int64, begins: Bool = false) {
        if begins, let last = shown.last, pts &- last > Self.longest { restarts.append(shown.count) }
        shown.append(pts)
        if lead == nil, shown.count > delay { lead = restarts.isEmpty ? pts &- shown[0] : shortLead }
    }

    /// How far before the first picture decoding begins where a gap follows at once: each packet a tick after the other.
    private var shortLead: Int64 { (restarts.first.map { shown[$0 - 1] } ?? shown[0]) &- shown[0] &+ Int64(delay) }

    /// Notes that no more pictures come.
    mutating func end() {
        guard lead == nil, let first = shown.first, let last = shown.last else { return }
        // As many ticks as are needed for each packet to have its own.
        lead = restarts.isEmpty ? last &- first &+ Int64(delay) : shortLead
    }

    /// The decoding time of the next packet; nil while more pictures have to be known.
    mutating func following() -> Int64? {
        guard let lead else { return nil }
        if count < delay {
            guard count < shown.count else { return nil }
            defer { count += 1 }
            let first = restarts.first ?? .max
            let time = count < first ? shown[count] &- lead : shown[first - 1] &- lead &+ Int64(count - first + 1)
            return raised(time, packet: count)
        }
        guard next < shown.count else { return nil }
        defer {
            next += 1
            if next > Self.spare {
                shown.removeFirst(next)
                restarts = restarts.map { $0 - next }.filter { $0 >= 0 }
                next = 0
            }
        }
        return raised(shown[next], packet: next + delay)
    }

    /// A packet's time, no longer than `longest` before the gap behind which it is shown ends.
    /// - Parameter packet: Its place in the order of decoding, which is that of `shown`.
    private func raised(_ time: Int64, packet: Int) -> Int64 {
        restarts.reduce(time) { time, restart in
            guard restart..<restart + delay ~= packet else { return time }
            return max(time, shown[restart] &- Self.longest &+ Int64(packet - restart))
        }
    }

    private static let spare = 1024
}
