internal import Glibc

/// Tells a worker that does nothing any more from one that works or waits for a disk: its threads sleep, all of them, it takes
/// next to no time of a processor, and its frames stay as many as they were.
///
/// Where a lock or a library of others never lets go, nothing else would end the job.
struct IdleWatch {
    /// Seconds for which it may do nothing.
    let patience: Double
    private let worker: WorkerProcess
    private var frames = -1
    private var work = 0.0
    /// When it did something last, and when it was looked at, seconds.
    private var (active, looked) = (monotonicSeconds(), 0.0)

    /// The share of a processor that one that does nothing takes all the same: a thread of its own looks at its memory.
    private static let idle = 0.01
    /// Seconds between two looks, where the patience isn't shorter.
    private static let pause = 1.0

    init(_ worker: WorkerProcess, patience: Double) { (self.worker, self.patience) = (worker, patience) }

    /// Whether it has done nothing for as long as it may.
    mutating func isOver(at now: Double) -> Bool {
        let pause = min(Self.pause, patience / 4)
        guard now >= looked + pause else { return false }
        let (frames, work) = (worker.status[.decoded] + worker.status[.written], worker.processorSeconds)
        let isIdle = frames == self.frames && work - self.work < Self.idle * (now - looked) && worker.sleeps
        (self.frames, self.work, looked) = (frames, work, now)
        if !isIdle { active = now }
        return now > active + patience
    }
}

extension WorkerProcess {
    /// Time of processors that it has taken, seconds; 0 where the kernel doesn't say.
    fileprivate var processorSeconds: Double {
        var (clock, time) = (clockid_t(), timespec())
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// Whether all its threads sleep: none runs, waits for a disk, or was stopped by somebody.
    fileprivate var sleeps: Bool {
        guard let threads = try? Files.list("/proc/\(process)/task"), !threads.isEmpty else { return false }
        return threads.allSatisfy { thread in
            guard let line = try? Files.read("/proc/\(process)/task/\(thread)/stat") else { return true }
            // The name, in parentheses, may have any signs.
            return line.lastIndex(of: UInt8(ascii: ")")).map { line.dropFirst($0 + 2).first == UInt8(ascii: "S") }
                ?? false
        }
    }
}

extension RunOptions {
    /// The failure of a job whose worker did nothing any more.
    /// - Parameters:
    ///   - seconds: For how long.
    ///   - frame: How far it had come; 0 for not to the first one.
    static func didNothing(_ seconds: Double, frame: Int) -> JobFailure {
        let place = frame > 0 ? "near frame \(frame)" : "before the first frame"
        var failure = JobFailure(
            .worker,
            "its worker did nothing for \(plain(seconds)) s \(place), and was ended; --idle-timeout allows more",
            mayPass: true)
        failure.isIdle = true
        return failure
    }
}
