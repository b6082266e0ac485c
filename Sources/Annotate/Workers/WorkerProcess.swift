internal import CWorker
internal import Glibc
internal import Synchronization

/// A process of this program's own that works for it, as the one who started it sees it.
///
/// Used from one thread, `kill` aside.
final class WorkerProcess: Sendable {
    let process: pid_t
    let channel: Channel
    let status: WorkerStatus
    /// Grants of people's files that it may read.
    let grants = FileGrants()
    private let link: Link
    /// The reading end of its standard error.
    private var errors: Int32 { link.value.errors }
    private let said = Mutex<[UInt8]>([])
    /// Whether it has closed its standard error.
    private let isSilent = Atomic<Bool>(false)
    private let ending = Mutex<Ending?>(nil)

    /// `@unchecked Sendable`: the descriptors and the page stay as they are until `deinit`.
    private final class Link: @unchecked Sendable {
        var value: cwk_link
        init(_ value: cwk_link) { self.value = value }
        deinit { cwk_release(&value) }
    }

    /// How it ended.
    enum Ending: Equatable {
        case exited(Int32)
        case signal(Int32)
    }

    private static let living = Mutex<Set<pid_t>>([])

    private init(_ process: pid_t, _ link: cwk_link) {
        self.process = process
        self.link = Link(link)
        // One that stops in the middle of a word has gone astray.
        channel = Channel(descriptor: link.channel, patience: 2)
        status = WorkerStatus(link.status)
        _ = fcntl(link.errors, F_SETFL, O_NONBLOCK)
        _ = Self.living.withLock { $0.insert(process) }
    }

    deinit {
        kill()
        _ = wait()
    }

    /// Starts a process of this program's own file.
    /// - Parameter arguments: What makes it a worker.
    static func spawn(_ arguments: [String]) throws -> WorkerProcess {
        var words: [UnsafeMutablePointer<CChar>?] = (["annotate-batch"] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var link = cwk_link()
        let process = cwk_spawn("/proc/self/exe", &words, &link)
        guard process > 0 else { throw error(process) }
        return WorkerProcess(process, link)
    }

    private static func error(_ code: pid_t) -> FileError {
        FileError("start", path: "a worker", code: code, reason: String(cString: strerror(-code)))
    }

    /// Ends it at once, whatever it does.
    func kill() { ending.withLock { if $0 == nil { Glibc.kill(process, SIGKILL) } } }

    /// Waits for its end.
    func wait() -> Ending {
        if let ending = ending.withLock({ $0 }) { return ending }
        var status: Int32 = 0
        // Not with the lock held: whoever kills it must not wait for it.
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let end = status & 0x7F == 0 ? Ending.exited(status >> 8 & 0xFF) : .signal(status & 0x7F)
        ending.withLock { $0 = end }
        _ = Self.living.withLock { $0.remove(process) }
        return end
    }

    /// Waits for its end for some seconds; ends it where it hasn't come by then. One that is dying closes its channel first, and
    /// may take long to be gone on a busy machine: what it dies of stays what it is.
    /// - Returns: nil where it had to be ended.
    func waitOrKill(seconds: Double) -> Ending? {
        let deadline = monotonicSeconds() + seconds
        while monotonicSeconds() < deadline {
            var information = siginfo_t()
            // Left as it is, for `wait`.
            if waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0 || information.si_signo != 0
            {
                return wait()
            }
            sleep(seconds: 0.005)
        }
        kill()
        let end = wait()
        return end == .signal(SIGKILL) ? nil : end
    }

    /// Ends all workers of this process.
    static func killAll() {
        for process in living.withLock({ $0 }) { Glibc.kill(process, SIGKILL) }
    }

    /// Waits until a message or words on standard error are there, or it has closed.
    /// - Returns: True where `channel` has something to receive, an end included.
    func poll(milliseconds: Int32) -> Bool {
        var waiting = [
            pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isSilent.load(ordering: .relaxed) ? -1 : errors, events: Int16(POLLIN), revents: 0),
        ]
        guard Glibc.poll(&waiting, nfds_t(waiting.count), milliseconds) > 0 else { return false }
        if waiting[1].revents != 0 { listen() }
        return waiting[0].revents != 0
    }

    /// Takes what it wrote on standard error, of which the last is kept.
    private func listen() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        // One that talks without end is heard again in a while.
        for _ in 0..<64 {
            let count = read(errors, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count == 0 { isSilent.store(true, ordering: .relaxed) }
            guard count > 0 else { return }
            said.withLock { $0 = Array(($0 + buffer[..<count]).suffix(16 << 10)) }
        }
    }

    /// The lines that it wrote on standard error since the last time.
    func takeWords() -> [String] {
        listen()
        let bytes = said.withLock { said in
            defer { said = [] }
            return said
        }
        // It says what it likes: nothing of it commands a terminal.
        return bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self).inOneLine }
    }

    /// Memory that it has, bytes; 0 where the kernel doesn't say.
    var memory: Int { residentMemory(of: String(process)) }
}
