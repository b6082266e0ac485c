internal import CWorker
internal import Glibc

/// Answers workers that open files: the kernel asks, the worker waits. On threads that are as free as this process was when
/// it was made, whatever the others gave up since: who is confined may not look into a worker.
final class OpeningListener: Sendable {
    /// Path that a worker opens first of all, to see that it is heard.
    static let trial = "/annotate-batch/is/heard"

    private struct Request {
        var number: Int
        var listener: Int32
        var grants: FileGrants
    }

    private struct State {
        var count = 0
        var requests: [Request] = []
        var answers: [Int: Result<Void, any Error>] = [:]
    }

    private let monitor = Monitor(State())

    /// Starts a thread, which takes no signals.
    init() throws {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        // What a fault raises must reach its handler: glibc from 2.41 on ends at once where it is blocked.
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&all, fault) }
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try BackgroundThread.start { [monitor] in
            while true {
                let request = monitor.wait { $0.requests.isEmpty ? nil : $0.requests.removeFirst() }
                let answer = Result { try BackgroundThread.start { Self.begin(request, monitor) } }
                guard case .failure = answer else { continue }
                close(request.listener)
                monitor.withLock { $0.answers[request.number] = answer }
            }
        }
    }

    /// Takes the place of the kernel until the worker is no more.
    /// - Parameter listener: Is closed in the end.
    /// - Throws: `Unavailable`, and `FileError` where no thread can be had.
    func listen(_ listener: Int32, grants: FileGrants) throws {
        let number = monitor.withLock { state in
            state.count += 1
            state.requests.append(Request(number: state.count, listener: listener, grants: grants))
            return state.count
        }
        try monitor.wait { $0.answers.removeValue(forKey: number) }.get()
    }

    private static func begin(_ request: Request, _ monitor: Monitor<State>) {
        let answer = Result { try receiveTrial(request.listener) }
        monitor.withLock { $0.answers[request.number] = answer }
        if case .success = answer { run(request.listener, request.grants) }
        close(request.listener)
    }

    /// Seconds that a worker has to be heard.
    private static let patience = 30.0

    private static func receiveTrial(_ listener: Int32) throws {
        var (opening, path) = (cwk_opening(), noPath)
        var code: Int32 = 0
        let deadline = monotonicSeconds() + patience
        repeat {
            code = cwk_next_opening(listener, 100, &opening, &path, path.count)
            // One that stands still asks for nothing; another one will.
            guard code != 0 || monotonicSeconds() < deadline else {
                throw FileError(
                    "start", path: "a worker", code: -EAGAIN, reason: "it opened nothing for \(plain(patience)) s")
            }
        } while code == 0
        let isRead = code == 1 && opening.unread == 0 && text(path) == trial
        let answer = code == 1 ? cwk_refuse_opening(listener, &opening, ENOENT) : code
        guard isRead, answer == 0 else {
            let reason = code < 0 ? -code : opening.unread != 0 ? opening.unread : EINVAL
            throw Unavailable(reason: String(cString: strerror(reason)))
        }
    }

    /// The error of a kernel, or its settings, that doesn't let this process see what a worker opens.
    struct Unavailable: Error {
        var reason: String
    }

    private static func run(_ listener: Int32, _ grants: FileGrants) {
        var (opening, path) = (cwk_opening(), noPath)
        while true {
            let code = cwk_next_opening(listener, -1, &opening, &path, path.count)
            if code < 0 { break }
            if code == 0 { continue }
            answer(listener, &opening, text(path), grants)
        }
    }

    private static func answer(
        _ listener: Int32, _ opening: inout cwk_opening, _ path: String, _ grants: FileGrants
    ) {
        let flags = opening.flags
        // Before Landlock 3 nothing else keeps a file from being emptied that is opened for reading.
        if flags & O_ACCMODE == O_RDONLY, flags & O_TRUNC != 0 {
            _ = cwk_refuse_opening(listener, &opening, EACCES)
            return
        }
        guard opening.unread == 0 else {
            _ = cwk_refuse_opening(listener, &opening, opening.unread)
            return
        }
        guard let path = wholePath(path, opening), let descriptor = grants.open(path, flags: flags) else {
            // Landlock decides.
            _ = cwk_leave_opening(listener, &opening)
            return
        }
        guard descriptor >= 0 else {
            _ = cwk_refuse_opening(listener, &opening, -descriptor)
            return
        }
        let code = cwk_grant_opening(listener, &opening, descriptor)
        close(descriptor)
        // The worker may have no room for one more descriptor. It waits until it is answered all the same.
        if code != 0 { _ = cwk_refuse_opening(listener, &opening, -code) }
    }

    /// With the folder that it starts from, where that is another than the working one.
    private static func wholePath(_ path: String, _ opening: cwk_opening) -> String? {
        if path.hasPrefix("/") || opening.folder == AT_FDCWD { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/\(opening.process)/fd/\(opening.folder)", &buffer, buffer.count - 1)
        guard length > 0 else { return nil }
        return String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/" + path
    }

    /// Where a path is written, to the longest that the kernel takes.
    private static var noPath: [CChar] { [CChar](repeating: 0, count: Int(PATH_MAX)) }

    private static func text(_ path: [CChar]) -> String {
        String(decoding: path.lazy.map { UInt8(bitPattern: $0) }.prefix { $0 != 0 }, as: UTF8.self)
    }
}
