internal import Glibc

/// Tells a worker that does nothing any more from one that works or waits for a file: its threads wait for each other or for
/// time, or somebody has stopped them, all of them, it takes next to no time of a processor, and its frames stay as many as
/// they were.
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
        let (frames, work) = (
            worker.status[.decoded] + worker.status[.looked] + worker.status[.written], worker.processorSeconds
        )
        // Where nobody looked for long, this process having been stopped say, nothing is known of the time between.
        let isIdle =
            now < looked + 4 * pause && frames == self.frames && work - self.work < Self.idle * (now - looked)
            && worker.waitsForNoFile
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

    /// Whether all its threads wait for each other, for time, or for a file to be opened, which this program does for them, or
    /// stand still since somebody, or a debugger, stopped them: none runs, reads or writes.
    fileprivate var waitsForNoFile: Bool {
        threads { thread, state in
            if Self.stopped.contains(state) { return true }
            guard state == UInt8(ascii: "S") else { return false }
            // File systems of programs and of networks let a thread sleep as well. Where the kernel doesn't tell of calls,
            // the state has to do.
            guard let call = try? Files.read(thread + "/syscall") else { return true }
            let words = String(decoding: call, as: UTF8.self).split(whereSeparator: \.isWhitespace)
            guard let number = words.first.flatMap({ Int($0) }) else { return words.isEmpty }
            return Self.waits.contains(number) || number == Self.read && words.dropFirst().first == "0x3"
        }
    }

    /// Whether a signal, or a debugger, has stopped it.
    var standsStill: Bool { threads { _, state in Self.stopped.contains(state) } }

    /// Whether something holds of all threads that are there still.
    /// - Parameter holds: Gets a thread's folder and the letter of its state.
    private func threads(_ holds: (_ folder: String, _ state: UInt8) -> Bool) -> Bool {
        guard let threads = try? Files.list("/proc/\(process)/task"), !threads.isEmpty else { return false }
        return threads.allSatisfy { thread in
            let folder = "/proc/\(process)/task/\(thread)"
            guard let line = try? Files.read(folder + "/stat") else { return true }
            // The name, in parentheses, may have any signs.
            guard let name = line.lastIndex(of: UInt8(ascii: ")")), let state = line.dropFirst(name + 2).first else {
                return false
            }
            return holds(folder, state)
        }
    }

    /// States of a thread that a signal, or who traces it, has stopped.
    private static let stopped = [UInt8(ascii: "T"), UInt8(ascii: "t")]

    // By the kernel's tables: futex, nanosleep, clock_nanosleep, poll, ppoll, select, pselect6, epoll_wait, epoll_pwait, pause,
    // rt_sigsuspend, rt_sigtimedwait, restart_syscall, open, openat, futex_waitv. A worker reads its channel, descriptor 3.
    #if arch(x86_64)
        private static let waits: Set = [202, 35, 230, 7, 271, 23, 270, 232, 281, 34, 130, 128, 219, 2, 257, 449]
        private static let read = 0
    #else
        private static let waits: Set = [98, 101, 115, 73, 72, 22, 133, 137, 128, 56, 449]
        private static let read = 63
    #endif
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
