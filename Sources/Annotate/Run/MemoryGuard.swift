internal import CFFmpeg
internal import Glibc
internal import Synchronization

/// Ends the running jobs when the process grows over a limit, before the kernel would end the process.
final class MemoryGuard: Sendable {
    let limit: Int
    private let isOver = Atomic<Bool>(false)
    private let jobs = Mutex<[ObjectIdentifier: Cancellation]>([:])

    /// - Parameter limit: bytes of resident memory; nil for nine tenths of what there is.
    init(limit: Int?) {
        self.limit = limit ?? Self.share
    }

    /// Memory that may be taken where no limit is given, bytes.
    static var share: Int { Machine.memory / 10 * 9 }

    /// Why a job ends that grew over a limit.
    static func reason(_ limit: Int) -> String {
        "the program grew over the \(limit >> 20) MiB of memory that it may take; fewer --jobs or --threads take less, "
            + "--max-memory allows more"
    }

    /// Looks at the memory until `stop`.
    func start() throws {
        try BackgroundThread.start { [self] in
            while !isOver.load(ordering: .acquiring) {
                if residentMemory() > limit { end() }
                usleep(50_000)
            }
        }
    }

    func stop() { isOver.store(true, ordering: .releasing) }

    /// Notes what ends a job, or a part of one, of which several may run.
    func enter(_ job: Cancellation) { jobs.withLock { $0[ObjectIdentifier(job)] = job } }
    func leave(_ job: Cancellation) { jobs.withLock { $0[ObjectIdentifier(job)] = nil } }

    private func end() {
        let running = jobs.withLock { $0 }
        for (_, cancellation) in running { cancellation.cancel(because: Self.reason(limit)) }
        // Those that begin meanwhile are not to blame.
        while !isOver.load(ordering: .acquiring), jobs.withLock({ now in running.keys.contains { now[$0] != nil } }) {
            usleep(20_000)
        }
        cff_trim_memory()
    }
}
