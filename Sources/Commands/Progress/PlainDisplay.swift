import Annotate
import Glibc

/// A line when a job ends, for logs, and now and then one of a job that takes long.
struct PlainDisplay: ProgressDisplay {
    private var summary = UpToDateSummary()
    private var pace = PlainPace()

    mutating func show(_ state: BatchState) {
        for index in state.justEnded where !summary.takes(index, state) {
            Console.tell(place(index, state) + outcomeLine(state.jobs[index]))
        }
        for line in summary.lines(state) { Console.tell(line) }
        guard !state.isLast, let index = pace.next(state.running.map { ($0, state.watches[$0].elapsed) }, state.elapsed)
        else { return }
        let (job, watch) = (state.jobs[index], state.watches[index])
        let total = job.expectedFrames.map { " of \($0)" } ?? " frames"
        let isFinishing = job.expectedFrames.map { watch.frames >= $0 } ?? false
        let left =
            isFinishing ? ", finishing" : watch.secondsLeft(of: job.expectedFrames).map { ", \(clock($0)) left" } ?? ""
        let batch =
            state.jobs.count > 1
            ? "; \(state.endedCount) of \(state.jobs.count) jobs ended"
                + (state.secondsLeft.map { ", about \(clock($0)) left" } ?? "") : ""
        Console.tell(
            "\(place(index, state))\(job.id): \(watch.frames)\(total), \(Int(watch.rate.rounded())) frames/s\(left)\(batch)"
        )
    }
}

/// The pace of lines in a log: a running job has one at 10, 30 and 60 s of it, then each minute at most; and over the
/// whole batch ever less often, so that a log stays short however long it takes and however many jobs run at once.
struct PlainPace {
    /// How many lines each running job has had.
    private var told: [Int: Int] = [:]
    private var last = 0.0

    /// Longest time without a line, seconds: some machines take a job of theirs for dead that says nothing for longer.
    private static let longestSilence = 600.0

    /// - Parameter running: Places of jobs, and seconds since they began.
    /// - Returns: The job to tell of now; nil for none.
    mutating func next(_ running: [(job: Int, seconds: Double)], _ elapsed: Double) -> Int? {
        guard elapsed - last >= min(Self.longestSilence, elapsed / 3) else { return nil }
        let due = running.filter { $0.seconds >= Self.due(told[$0.job] ?? 0) }
        // Who had the fewest lines comes first.
        guard let (job, _) = due.min(by: { (told[$0.job] ?? 0, $0.job) < (told[$1.job] ?? 0, $1.job) }) else {
            return nil
        }
        told[job, default: 0] += 1
        last = elapsed
        return job
    }

    /// Seconds of a job at which it is told of once more.
    private static func due(_ told: Int) -> Double { told < 2 ? [10, 30][told] : 60 * Double(told - 1) }
}

/// Tells of jobs that were up to date in one line, when all of them are known.
struct UpToDateSummary {
    private var waiting: [Int] = []
    private var isTold = false

    /// Whether a job that has ended is told of here, or need not be told of.
    mutating func takes(_ index: Int, _ state: BatchState) -> Bool {
        if state.jobs[index].outcome?.share?.isEmpty == true { return true }
        guard state.jobs[index].outcome?.status == .upToDate else { return false }
        waiting.append(index)
        return true
    }

    /// The line, when the first job runs: most that are up to date are known then. Those that are found beside running ones have
    /// one at the end.
    mutating func lines(_ state: BatchState) -> [String] {
        guard !waiting.isEmpty, state.isLast || !state.running.isEmpty && !isTold else { return [] }
        defer { (waiting, isTold) = ([], true) }
        if waiting.count == 1 { return [place(waiting[0], state) + outcomeLine(state.jobs[waiting[0]])] }
        return ["\(waiting.count) \(isTold ? "more " : "")jobs up to date (--force runs them all the same)"]
    }
}

/// A job's place in the batch: `[3/12] `.
func place(_ index: Int, _ state: BatchState) -> String { "[\(index + 1)/\(state.jobs.count)] " }
