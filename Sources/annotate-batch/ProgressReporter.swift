import Annotate
import ArgumentParser
import Glibc
import Synchronization

enum ProgressStyle: String, ExpressibleByArgument, CaseIterable {
    case auto, bars, plain, json, none
}

/// Shows how far the jobs are, on standard error, until it is stopped.
final class ProgressReporter: Sendable {
    private let jobs: [JobProgress]
    private let style: ProgressStyle
    private let isStopped = Atomic<Bool>(false)
    private let isDone = Atomic<Bool>(false)

    init(jobs: [JobProgress], style: ProgressStyle) {
        self.jobs = jobs
        // Lines are redrawn on a terminal alone, also where bars are asked for.
        self.style = style == .auto || style == .bars ? (Console.canRedraw ? .bars : .plain) : style
    }

    func start() throws {
        Console.watch(jobs)
        guard style != .none else { return isDone.store(true, ordering: .releasing) }
        try BackgroundThread.start { [self] in
            var display: any ProgressDisplay =
                switch style {
                case .bars: BarDisplay()
                case .json: JSONDisplay()
                default: PlainDisplay()
                }
            var state = BatchState(jobs)
            while true {
                // Looked at before the jobs, so that the last state is shown once more after the end.
                state.isLast = isStopped.load(ordering: .acquiring)
                state.look()
                display.show(state)
                if state.isLast { break }
                usleep(100_000)
            }
            isDone.store(true, ordering: .releasing)
        }
    }

    /// Shows the last state and returns when it stands there.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        while !isDone.load(ordering: .acquiring) { usleep(5_000) }
    }
}

protocol ProgressDisplay {
    mutating func show(_ state: BatchState)
}

/// How a finished job is told of: `desk-01: done, 300 frames in 4.2 s (71 frames/s), 7 tracks`.
func outcomeLine(_ job: JobProgress) -> String {
    guard let outcome = job.outcome else { return job.id }
    switch outcome.status {
    case .done:
        var seconds = JSONWriter()
        seconds.value(outcome.seconds, decimals: 1)
        let rate = outcome.seconds > 0 ? Int((Double(outcome.frames) / outcome.seconds).rounded()) : 0
        let notes = outcome.notes.dropFirst(outcome.foretold).map { "; \($0)" }.joined()
        let found = outcome.found.map { ": \($0)" } ?? ""
        return "\(job.id): done, \(plural(outcome.frames, "frame"))\(found) (\(seconds.text) s, \(rate) frames/s)"
            + notes
    case .upToDate: return "\(job.id): up to date (--force runs it all the same)"
    case .unexpected:
        let found = outcome.found.map { ": \($0)" } ?? ""
        return "\(job.id): unexpected: " + outcome.complaints.joined(separator: "; ")
            + " (\(plural(outcome.frames, "frame"))\(found))"
    case .failed: return "\(job.id): failed: \(outcome.error ?? "")" + outcome.notes.map { "; \($0)" }.joined()
    case .interrupted: return "\(job.id): interrupted"
    case .notRun: return "\(job.id): not run"
    }
}

func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// `1:02:03` or `2:03`.
func clock(_ seconds: Double) -> String {
    let total = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return total >= 3600
        ? "\(total / 3600):\(two(total / 60 % 60)):\(two(total % 60))" : "\(total / 60):\(two(total % 60))"
}
