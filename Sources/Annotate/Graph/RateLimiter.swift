/// Decides on which frames a rate-limited stage runs: at most `rate` times in any second of the video, never by the
/// clock on the wall.
///
/// Runs are paced on a grid of 1/rate seconds, so that a rate that doesn't divide the frame rate is met on average
/// (10 a second at 25 frames a second: every second or third frame).
struct RateLimiter {
    /// Times are read from integer ticks, in time bases as coarse as a millisecond.
    private static let tolerance = 0.002

    private let rate: Double
    private var nextDue = -Double.infinity
    /// The last ⌊rate⌋ runs, oldest first.
    private var recent: [Double] = []

    init(rate: Double) { self.rate = rate }

    /// True where the stage runs on the frame at this time. Call once a frame, in order.
    mutating func runs(at seconds: Double) -> Bool {
        guard seconds >= nextDue - Self.tolerance else { return false }
        let limit = Int(min(rate, 1000))
        if limit > 0, recent.count == limit, let oldest = recent.first, seconds - oldest < 1 - Self.tolerance {
            return false
        }
        if limit > 0 {
            recent.append(seconds)
            if recent.count > limit { recent.removeFirst() }
        }
        let period = 1 / rate
        // After a gap the grid starts anew: what was missed is not made up for.
        nextDue = seconds - nextDue < period ? nextDue + period : seconds + period
        return true
    }
}
