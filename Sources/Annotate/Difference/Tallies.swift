/// A figure over many frames: its mean, and the most.
struct Tally: Sendable {
    private(set) var count = 0
    private var sum = 0.0
    private(set) var least = Double.infinity
    private(set) var most = 0.0

    var mean: Double? { count == 0 ? nil : sum / Double(count) }

    mutating func add(_ value: Double) {
        count += 1
        sum += value
        least = min(least, value)
        most = max(most, value)
    }
}

/// Runs of frames in which something is so.
struct Runs: Sendable {
    struct Run: Sendable {
        var first: Moment
        var last: Moment
        var frames = 1
        /// What is so in these frames, in words.
        var what: String
    }

    /// The most runs that are kept, so that what flickers doesn't fill the memory.
    static let most = 100

    /// How many frames all runs have.
    private(set) var frames = 0
    private(set) var count = 0
    /// The first runs.
    private(set) var kept: [Run] = []
    private var current: Run?
    private var lastStep = 0

    /// Takes the next frame in which it is so.
    /// - Parameter step: Counts the frames of the comparison.
    /// - Returns: The run that has ended, where another one begins.
    mutating func add(_ what: String = "", at moment: Moment, step: Int) -> Run? {
        frames += 1
        defer { lastStep = step }
        if var run = current, run.what == what, step <= lastStep + 1 {
            run.last = moment
            // Of what has no track there may be several in a frame.
            if step > lastStep { run.frames += 1 }
            current = run
            return nil
        }
        defer { current = Run(first: moment, last: moment, what: what) }
        return end()
    }

    /// Ends the last run.
    mutating func end() -> Run? {
        guard let run = current else { return nil }
        current = nil
        count += 1
        if kept.count < Self.most { kept.append(run) }
        return run
    }
}
