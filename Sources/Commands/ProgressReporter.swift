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
    /// Whether there is nothing more to come; whether the last state stands there.
    private let ending = Monitor((isStopped: false, isDone: false))

    init(jobs: [JobProgress], style: ProgressStyle) {
        self.jobs = jobs
        // Lines are redrawn on a terminal alone, also where bars are asked for.
        self.style = style == .auto || style == .bars ? (Console.canRedraw ? .bars : .plain) : style
    }

    func start() throws {
        Console.watch(jobs)
        guard style != .none else { return ending.withLock { $0.isDone = true } }
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
                state.isLast = ending.withLock { $0.isStopped }
                state.look()
                display.show(state)
                if state.isLast { break }
                ending.wait(seconds: 0.1) { $0.isStopped }
            }
            ending.withLock { $0.isDone = true }
        }
    }

    /// Shows the last state and returns when it stands there.
    func stop() {
        ending.withLock { $0.isStopped = true }
        ending.wait { $0.isDone ? () : nil }
    }
}

protocol ProgressDisplay {
    mutating func show(_ state: BatchState)
}

/// The line about a finished job: `desk-01: done, 300 frames: 1 marker (id 0) seen in 41 % (4.2 s, 71 frames/s)`.
func outcomeLine(_ job: JobProgress) -> String {
    guard let outcome = job.outcome else { return job.id }
    // What is known before anything runs has been told of.
    let notes = outcome.isUpToDate ? [] : outcome.notes.dropFirst(outcome.foretold)
    let found = plural(outcome.frames, "frame") + (outcome.found.map { ": \($0)" } ?? "")
    let line =
        switch outcome.status {
        case .done:
            "done, \(found)\(pace(outcome))"
                + (outcome.takenOver.map { "; \($0)" } ?? "")
        case .upToDate: "up to date (--force runs it all the same)"
        case .unexpected: "unexpected: \(outcome.complaints.joined(separator: "; ")) (\(found))"
        case .failed: "failed: \(outcome.error ?? "")"
        case .interrupted: "interrupted"
        case .notRun: outcome.share ?? "not run"
        }
    return "\(job.id): \(line)" + notes.map { "; \($0)" }.joined()
}

/// ` (4.2 s, 71 frames/s)`; of what took no time that says anything, nothing.
private func pace(_ outcome: JobOutcome) -> String {
    let seconds = plain(outcome.seconds, decimals: 1)
    guard outcome.seconds >= 0.05 else { return "" }
    // A rate is one of a stretch of time: of a tenth of a second it is chance.
    guard outcome.seconds >= 0.5, outcome.frames > 1 else { return " (\(seconds) s)" }
    return " (\(seconds) s, \(Int((Double(outcome.frames) / outcome.seconds).rounded())) frames/s)"
}

private func plain(_ number: Double, decimals: Int) -> String {
    var json = JSONWriter()
    json.value(number, decimals: decimals)
    return json.text
}

func plural(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// A span of time: `1:02:03` or `2:03`.
func clock(_ seconds: Double) -> String {
    let total = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return total >= 3600
        ? "\(total / 3600):\(two(total / 60 % 60)):\(two(total % 60))" : "\(total / 60):\(two(total % 60))"
}
