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
/// picture is shown that comes `delay` pictures earlier, and the first ones as long before the first picture.
struct DecodingTimes {
    /// How many pictures may be decoded before one that is shown earlier.
    let delay: Int
    /// Times of pictures, ticks, in the order in which they are shown; those before `next` are of no use any more.
    private var shown: [Int64] = []
    private var next = 0
    /// How far before the first picture decoding begins, ticks; nil while nobody knows.
    private var lead: Int64?
    /// How many packets have a time before the first picture's.
    private var count = 0

    init(delay: Int) { self.delay = delay }

    /// Takes the time of the next picture.
    mutating func add(_ pts: Int64) {
        shown.append(pts)
        if lead == nil, shown.count > delay { lead = pts &- shown[0] }
    }

    /// Notes that no more pictures come.
    mutating func end() {
        guard lead == nil, let first = shown.first, let last = shown.last else { return }
        // As many ticks as are needed for each packet to have its own.
        lead = last &- first &+ Int64(delay)
    }

    /// The decoding time of the next packet; nil while more pictures have to be known.
    mutating func following() -> Int64? {
        guard let lead else { return nil }
        if count < delay {
            guard count < shown.count else { return nil }
            defer { count += 1 }
            return shown[count] &- lead
        }
        guard next < shown.count else { return nil }
        defer {
            next += 1
            if next > Self.spare {
                shown.removeFirst(next)
                next = 0
            }
        }
        return shown[next]
    }

    private static let spare = 1024
}
