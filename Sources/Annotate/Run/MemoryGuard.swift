internal import CFFmpeg
internal import Glibc
internal import Synchronization

/// Ends the running jobs when the process grows over a limit, before the kernel would end the process.
final class MemoryGuard: Sendable {
    private let limit: Int
    private let isOver = Atomic<Bool>(false)
    private let jobs = Mutex<[String: Cancellation]>([:])

    /// - Parameter limit: bytes of resident memory; nil for nine tenths of what the machine, or the group of processes
    ///   that this one belongs to, has.
    init(limit: Int?) {
        self.limit = limit ?? Self.available / 10 * 9
    }

    /// Looks at the memory until `stop`.
    func start() throws {
        try BackgroundThread.start { [self] in
            while !isOver.load(ordering: .acquiring) {
                if Self.resident > limit { end() }
                usleep(50_000)
            }
        }
    }

    func stop() { isOver.store(true, ordering: .releasing) }

    func enter(_ job: String, _ cancellation: Cancellation) { jobs.withLock { $0[job] = cancellation } }
    func leave(_ job: String) { jobs.withLock { $0[job] = nil } }

    private func end() {
        let running = jobs.withLock { $0 }
        for (_, cancellation) in running {
            cancellation.cancel(
                because: "the program grew over the \(limit >> 20) MiB of memory that it may take; fewer --jobs or "
                    + "--threads take less, --max-memory allows more")
        }
        // Those that begin meanwhile are not to blame.
        while !isOver.load(ordering: .acquiring), jobs.withLock({ now in running.keys.contains { now[$0] != nil } }) {
            usleep(20_000)
        }
        cff_trim_memory()
    }

    private static var resident: Int {
        // Without the kernel's word nothing is ended.
        guard let bytes = try? Files.read("/proc/self/statm") else { return 0 }
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return (fields.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    private static var available: Int {
        let machine = Int(sysconf(Int32(_SC_PHYS_PAGES))) * Int(sysconf(Int32(_SC_PAGESIZE)))
        // No such file where there is no such group, “max” where it has no limit.
        let group = (try? Files.read("/sys/fs/cgroup/memory.max")).flatMap {
            Int(String(decoding: $0, as: UTF8.self).filter { $0 != "\n" })
        }
        return min(machine, group ?? machine)
    }
}
