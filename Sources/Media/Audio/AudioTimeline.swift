/// Places decoded sound in time, so that every sample is heard when its time stamp says.
struct AudioTimeline {
    /// Seconds by which stamps may be off: they are held for inexact then (Matroska's are whole milliseconds), and the
    /// sound runs on.
    private static let tolerance = 0.05
    /// Longest gap that is filled with silence, seconds.
    private static let longestSilence = 600.0
    /// Longest overlap, seconds. Where stamps go back farther the clock was set anew, and the sound runs on, as the
    /// pictures do.
    private static let longestOverlap = 10.0
    /// Largest stamp, in samples; one beyond is taken for none (it is far from overflowing, and some six thousand years
    /// from zero).
    private static let farthest = Int64(1) << 53

    /// What is done before a piece of sound is put in.
    struct Placement: Equatable {
        /// Samples of silence to put before it.
        var silence = 0
        /// Samples to cut from its beginning.
        var trimmed = 0
        /// The time that it goes to, in samples, instead of after the last one: of the first piece, and of one after a
        /// very long gap.
        var leap: Int64?
    }

    /// Samples a second; times are counted in samples.
    let rate: Int
    /// Time of the next sample; nil before the first one.
    private(set) var end: Int64?
    /// True while an overlap that is longer than a piece is being cut, so that it is cut to its end.
    private var isCutting = false

    init(rate: Int, end: Int64? = nil) {
        self.rate = rate
        self.end = end
    }

    /// Places the next piece.
    ///
    /// - Parameters:
    ///   - stamp: The time of its first sample; nil where the source has none.
    ///   - isExact: Fill any gap: something is known to be missing.
    mutating func place(_ stamp: Int64?, samples: Int, isExact: Bool = false) -> Placement {
        var placement = Placement()
        let stamp = stamp.flatMap { (-Self.farthest...Self.farthest).contains($0) ? $0 : nil }
        guard let end else {
            placement.leap = stamp ?? 0
            self.end = (stamp ?? 0) + Int64(samples)
            return placement
        }
        let gap = (stamp ?? end) - end
        let seconds = Double(gap) / Double(max(rate, 1))
        if seconds > Self.longestSilence {
            placement.leap = end + gap
        } else if seconds > Self.tolerance || isExact && gap > 0 {
            placement.silence = Int(gap)
        } else if seconds < (isCutting ? 0 : -Self.tolerance), seconds >= -Self.longestOverlap {
            placement.trimmed = min(Int(-gap), samples)
        }
        isCutting = placement.trimmed > 0 && placement.trimmed == samples
        self.end = (placement.leap ?? end) + Int64(placement.silence + samples - placement.trimmed)
        return placement
    }
}
