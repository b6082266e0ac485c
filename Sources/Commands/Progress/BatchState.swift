import Annotate
import Glibc

/// The progress of a batch, looked at ten times a second by whoever shows it.
struct BatchState {
    let jobs: [JobProgress]
    private(set) var watches: [Stopwatch]
    /// Places of the jobs at work, in the manifest's order.
    private(set) var running: [Int] = []
    /// Places of the jobs that have ended since the last look.
    private(set) var justEnded: [Int] = []
    private(set) var endedCount = 0
    private(set) var failedCount = 0
    private(set) var upToDateCount = 0
    /// Seconds since the first look.
    private(set) var elapsed = 0.0
    /// Seconds that all jobs that are left will take; nil while nothing is known of them.
    private(set) var secondsLeft: Double?
    /// Whether it is the last look.
    var isLast = false

    private var open: [Int]
    private var started: Double?
    /// Frames of the jobs that ended in this run, and of those whose length is known by their end.
    private var endedFrames = 0
    private var known = (frames: 0, jobs: 0)
    /// Frames and seconds of jobs of this run that ended well, with all that comes before their first frame and after
    /// their last one.
    private var spent = (frames: 0, seconds: 0.0)
    private var estimate = BatchEstimate()

    init(_ jobs: [JobProgress]) {
        self.jobs = jobs
        watches = jobs.map { _ in Stopwatch() }
        open = Array(jobs.indices)
    }

    mutating func look(at now: Double = monotonicSeconds()) {
        started = started ?? now
        elapsed = now - (started ?? now)
        running = []
        justEnded = []
        for index in open {
            switch jobs[index].phase {
            case .waiting: break
            case .running:
                watches[index].look(at: jobs[index], now: now)
                running.append(index)
            case .finished: justEnded.append(index)
            }
        }
        if !justEnded.isEmpty {
            let gone = Set(justEnded)
            open.removeAll { gone.contains($0) }
        }
        for index in justEnded { count(jobs[index]) }
        endedCount += justEnded.count
        let left = framesLeft
        secondsLeft = estimate.look(
            at: now, done: endedFrames + running.reduce(0) { $0 + watches[$1].frames }, left: left,
            byEnded: left.flatMap { left in
                spent.frames > 0 ? left * spent.seconds / Double(spent.frames) / Double(max(1, running.count)) : nil
            },
            atLeast: running.compactMap { watches[$0].secondsLeft(of: jobs[$0].expectedFrames) }.max() ?? 0)
    }

    private mutating func count(_ job: JobProgress) {
        guard let outcome = job.outcome else { return }
        switch outcome.status {
        case .upToDate: upToDateCount += 1
        case .failed: failedCount += 1
        default: break
        }
        // With those that were looked at before any was written.
        let frames = max(job.frames, outcome.frames)
        if outcome.status != .upToDate { endedFrames += frames }
        if outcome.status == .done { spent = (spent.frames + frames, spent.seconds + outcome.seconds) }
        // One that failed tells nothing of the others' length.
        if outcome.status != .failed, frames > 0 { known = (known.frames + frames, known.jobs + 1) }
    }

    /// Frames of all jobs that are left; nil while no job's length is known.
    private var framesLeft: Double? {
        var (frames, count) = (known.frames, known.jobs)
        for index in running {
            guard let expected = jobs[index].expectedFrames else { continue }
            (frames, count) = (frames + expected, count + 1)
        }
        let waiting = open.count - running.count
        let isUnknown = waiting > 0 || running.contains { jobs[$0].expectedFrames == nil }
        guard count > 0 || !isUnknown else { return nil }
        let mean = Double(frames) / Double(max(1, count))
        return running.reduce(Double(waiting) * mean) { sum, index in
            sum + max(0, (jobs[index].expectedFrames.map(Double.init) ?? mean) - Double(watches[index].frames))
        }
    }
}

/// Measures one job's speed.
struct Stopwatch {
    private var started: Double?
    private(set) var elapsed = 0.0
    private(set) var frames = 0

    mutating func look(at job: JobProgress, now: Double) {
        started = started ?? now
        elapsed = now - (started ?? now)
        frames = job.frames
    }

    /// Frames a second since the start.
    var rate: Double { elapsed > 0.2 ? Double(frames) / elapsed : 0 }

    func secondsLeft(of total: Int?) -> Double? {
        guard let total, rate > 0, frames > 0 else { return nil }
        return max(0, Double(total - frames) / rate)
    }
}

/// An estimate of the seconds that are left, without leaps: the mean of what the last minute's speed says and what jobs
/// took that have ended. The first is quick to notice a change, and too hopeful while encoders take their first frames;
/// the second knows all that a job costs.
struct BatchEstimate {
    private var samples: [(time: Double, frames: Int)] = []
    private var shown: (seconds: Double, at: Double)?

    private static let window = 60.0
    /// Seconds in which most of a change is taken over.
    private static let patience = 4.0

    /// - Parameters:
    ///   - done: frames of this run so far, by all jobs.
    ///   - left: frames that are left; nil where nobody knows.
    ///   - byEnded: seconds that are left by what ended jobs took; nil where none has.
    ///   - atLeast: seconds that a single job will take.
    mutating func look(at now: Double, done: Int, left: Double?, byEnded: Double?, atLeast: Double) -> Double? {
        if samples.last.map({ now - $0.time >= 0.5 }) ?? true { samples.append((now, done)) }
        let gone = samples.prefix { now - $0.time > Self.window }.count
        samples.removeFirst(max(0, min(gone, samples.count - 2)))
        guard let first = samples.first, let left, now - first.time >= 1, done > first.frames else {
            // Where nothing moves for a while, the last word stands.
            return left == nil ? nil : shown?.seconds
        }
        let bySpeed = left / (Double(done - first.frames) / (now - first.time))
        let found = max(byEnded.map { (bySpeed + $0) / 2 } ?? bySpeed, atLeast)
        guard let last = shown else {
            shown = (found, now)
            return found
        }
        let expected = max(0, last.seconds - (now - last.at))
        let next = expected + (found - expected) * (1 - exp(-(now - last.at) / Self.patience))
        shown = (next, now)
        return next
    }
}

/// Seconds of a clock that nobody sets.
func monotonicSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
