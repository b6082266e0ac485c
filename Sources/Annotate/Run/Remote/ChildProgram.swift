internal import CWorker
internal import Glibc
internal import Synchronization

/// Runs another program for this process: no shell, its words as they are. It ends with this process, and with it all that
/// it has started, whoever ends this process and how.
enum ChildProgram {
    private static let living = Mutex<Set<pid_t>>([])

    /// Ends all programs that run, for a process that is about to be ended.
    static func killAll() { for process in living.withLock({ $0 }) { kill(-process, SIGKILL) } }

    /// Runs a program to its end. The thread that calls this waits here: with it the program would end.
    /// - Parameters:
    ///   - words: The program's name, looked for in `PATH`, and its arguments.
    ///   - input: What it reads on standard input; a pipe's fill at the most.
    ///   - errors: Where what it says goes.
    ///   - whyEnd: Asked many times a second: a reason ends the program with all that it has started.
    /// - Returns: Its exit status, 128 and the signal where one ended it.
    /// - Throws: What `whyEnd` gives; `FileError` where it can't be started.
    static func run(
        _ words: [String], input: String = "", errors: String, whyEnd: () -> (any Error)?
    ) throws -> Int32 {
        var pipe: [Int32] = [0, 0]
        guard Glibc.pipe(&pipe) == 0 else { throw systemError("start", words[0]) }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let text = Array(input.utf8)
        _ = fcntl(pipe[1], F_SETFL, O_NONBLOCK)
        let written = text.withUnsafeBytes { write(pipe[1], $0.baseAddress, $0.count) }
        // A pipe's fill is one write.
        let error = text.isEmpty || written == text.count ? nil : systemError("start", words[0])
        close(pipe[1])
        defer { close(pipe[0]) }
        if let error { throw error }
        let process = try start(words, input: pipe[0], errors: errors)
        _ = living.withLock { $0.insert(process) }
        defer { _ = living.withLock { $0.remove(process) } }
        var status: Int32 = 0
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { break }
            if ended < 0, errno != EINTR { throw systemError("wait for", words[0]) }
            if let reason = whyEnd() {
                kill(-process, SIGKILL)
                while waitpid(process, &status, 0) < 0, errno == EINTR {}
                throw reason
            }
            sleep(seconds: 0.01)
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    /// - Returns: The number of a process that ends as the program does, and of the group that both are in.
    private static func start(_ words: [String], input: Int32, errors: String) throws -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        // A process without /proc has no environment to hand on.
        let bytes = (try? Files.read("/proc/self/environ", allowsStreams: true)) ?? []
        var environment: [UnsafeMutablePointer<CChar>?] =
            bytes.split(separator: 0).map { strdup(String(decoding: $0, as: UTF8.self)) } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        let process = cwk_keep(&arguments, &environment, input, errors)
        guard process > 0 else {
            throw FileError(
                "start", path: "the program “\(words[0])”", code: process, reason: String(cString: strerror(-process)))
        }
        return process
    }
}
