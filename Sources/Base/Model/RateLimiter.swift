/// Decides on which frames a rate-limited stage runs: at most `rate` times in any second of the video, never by the
/// clock on the wall.
///
/// Runs are paced on a grid of 1/rate seconds, so that a rate that doesn't divide the frame rate is met on average
/// (10 a second at 25 frames a second: every second or third frame).
package struct RateLimiter {
    /// Seconds by which a frame may be late for its place on the grid: times are read from ticks as coarse as a
    /// millisecond.
    private static let tolerance = 0.002

    private let period: Double
    /// The most runs in any `window` seconds.
    private let limit: Int
    private let window: Double
    private var nextDue = -Double.infinity
    /// Times of the last runs, oldest first, seconds.
    private var recent: [Double] = []

    /// - Parameter rate: The most runs a second.
    package init(rate: Double) {
        period = 1 / rate
        limit = max(1, Int(min(rate, 1000)))
        window = max(1, 1 / rate)
    }

    /// A limiter that has gone some way.
    /// - Parameters:
    ///   - nextDue: nil before the first run.
    ///   - recent: Times of the last runs, oldest first, seconds.
    package init(rate: Double, nextDue: Double?, recent: [Double]) {
        self.init(rate: rate)
        (self.nextDue, self.recent) = (nextDue ?? -.infinity, recent.suffix(limit))
    }

    /// How far it has gone: what makes another one like it.
    package var way: (nextDue: Double?, recent: [Double]) { (nextDue.isFinite ? nextDue : nil, recent) }

    /// Whether the stage runs on the frame at this time. Call once a frame, in order.
    package mutating func runs(at seconds: Double) -> Bool {
        guard seconds >= nextDue - Self.tolerance else { return false }
        if recent.count == limit, let oldest = recent.first {
            guard seconds - oldest >= window - 1e-9 else { return false }
            recent.removeFirst()
        }
        recent.append(seconds)
        // After a gap the grid starts anew: what was missed is not made up for.
        nextDue = seconds - nextDue < period ? nextDue + period : seconds + period
        return true
    }
}
