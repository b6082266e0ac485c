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
        guard style != .none else { return isDone.store(true, ordering: .releasing) }
        try BackgroundThread.start { [self] in
            var display: any ProgressDisplay =
                switch style {
                case .bars: BarDisplay(jobs: jobs)
                case .json: JSONDisplay()
                default: PlainDisplay()
                }
            var watches = jobs.map { _ in Stopwatch() }
            while true {
                // Looked at before the jobs, so that the last state is shown once more after the end.
                let isLast = isStopped.load(ordering: .acquiring)
                for index in jobs.indices { watches[index].look(at: jobs[index]) }
                display.show(jobs, watches)
                if isLast { break }
                usleep(100_000)
            }
            display.end()
            isDone.store(true, ordering: .releasing)
        }
    }

    /// Shows the last state and returns when it stands there.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        while !isDone.load(ordering: .acquiring) { usleep(5_000) }
    }
}

/// Measures one job's speed.
struct Stopwatch {
    private var started: Double?
    private(set) var elapsed = 0.0
    private(set) var frames = 0

    mutating func look(at job: JobProgress) {
        guard job.phase == .running else { return }
        let now = seconds()
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

    private func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

protocol ProgressDisplay {
    mutating func show(_ jobs: [JobProgress], _ watches: [Stopwatch])
    mutating func end()
}

/// One line a job, redrawn in place; finished jobs scroll away above.
struct BarDisplay: ProgressDisplay {
    private let nameWidth: Int
    private var drawn = 0
    private var told: Set<Int> = []

    init(jobs: [JobProgress]) { nameWidth = min(24, jobs.map(\.id.count).max() ?? 0) }

    mutating func show(_ jobs: [JobProgress], _ watches: [Stopwatch]) {
        var text = drawn > 0 ? "\u{1B}[\(drawn)A\r\u{1B}[J" : ""
        for (index, job) in jobs.enumerated() where job.phase == .finished && told.insert(index).inserted {
            text += outcomeLine(job) + "\n"
        }
        drawn = 0
        for (index, job) in jobs.enumerated() where job.phase == .running {
            text += clip(line(job, watches[index])) + "\n"
            drawn += 1
        }
        Console.errorRaw(text)
    }

    func end() {}

    private func line(_ job: JobProgress, _ watch: Stopwatch) -> String {
        let name = job.id.count > nameWidth ? String(job.id.prefix(nameWidth - 1)) + "…" : job.id
        var line = name + String(repeating: " ", count: nameWidth - name.count) + " "
        let total = job.expectedFrames
        if let total {
            let share = min(1, Double(job.frames) / Double(max(1, total)))
            let filled = Int(share * 24)
            line += String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
            line += " \(job.frames)/\(total)"
        } else {
            line += "\(job.frames) frames"
        }
        line += "  \(Int(watch.rate.rounded())) frames/s"
        if let left = watch.secondsLeft(of: total) { line += "  \(clock(left)) left" }
        return line
    }

    private func clip(_ line: String) -> String { String(line.prefix(max(20, Console.width - 1))) }
}

/// A line when a job starts and ends, and one every ten seconds between, for logs.
struct PlainDisplay: ProgressDisplay {
    private var started: Set<Int> = []
    private var told: Set<Int> = []
    private var nextReport: [Int: Double] = [:]

    mutating func show(_ jobs: [JobProgress], _ watches: [Stopwatch]) {
        for (index, job) in jobs.enumerated() where job.phase != .waiting {
            let watch = watches[index]
            let count = "[\(index + 1)/\(jobs.count)] "
            if job.phase == .running, started.insert(index).inserted {
                Console.error(count + "\(job.id): started")
                nextReport[index] = 10
            }
            if job.phase == .running, watch.elapsed >= nextReport[index] ?? .infinity {
                nextReport[index] = watch.elapsed + 10
                let total = job.expectedFrames.map { " of \($0)" } ?? " frames"
                let left = watch.secondsLeft(of: job.expectedFrames).map { ", \(clock($0)) left" } ?? ""
                Console.error(count + "\(job.id): \(job.frames)\(total), \(Int(watch.rate.rounded())) frames/s\(left)")
            }
            if job.phase == .finished, told.insert(index).inserted { Console.error(count + outcomeLine(job)) }
        }
    }

    func end() {}
}

/// One JSON object a line: `start`, `progress` and `end` events.
struct JSONDisplay: ProgressDisplay {
    private var started: Set<Int> = []
    private var told: Set<Int> = []
    private var lastFrames: [Int: Int] = [:]

    mutating func show(_ jobs: [JobProgress], _ watches: [Stopwatch]) {
        for (index, job) in jobs.enumerated() where job.phase != .waiting {
            if started.insert(index).inserted { event("start", job) { _ in } }
            if job.phase == .running, lastFrames[index] != job.frames {
                lastFrames[index] = job.frames
                event("progress", job) { json in
                    json.key("frames")
                    json.value(job.frames)
                    if let total = job.expectedFrames {
                        json.key("of")
                        json.value(total)
                    }
                    json.key("framesPerSecond")
                    json.value(watches[index].rate, decimals: 1)
                    if let left = watches[index].secondsLeft(of: job.expectedFrames) {
                        json.key("secondsLeft")
                        json.value(left, decimals: 1)
                    }
                }
            }
            if job.phase == .finished, told.insert(index).inserted, let outcome = job.outcome {
                event("end", job) { json in
                    json.key("status")
                    json.value(outcome.status.rawValue)
                    json.key("frames")
                    json.value(outcome.frames)
                    json.key("seconds")
                    json.value(outcome.seconds, decimals: 2)
                    if let error = outcome.error {
                        json.key("error")
                        json.value(error)
                    }
                }
            }
        }
    }

    func end() {}

    private func event(_ name: String, _ job: JobProgress, _ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object { json in
            json.key("event")
            json.value(name)
            json.key("job")
            json.value(job.id)
            members(&json)
        }
        Console.error(json.text)
    }
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
