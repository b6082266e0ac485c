import Annotate
import Glibc
import Logging
import Synchronization

/// Opens what is closed of the three standard streams, to nothing: the next file that is opened would get its number
/// otherwise, and be written into as if it were a stream. Call first.
func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
        // The lowest number that is free, which is this one.
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        if descriptor == STDOUT_FILENO { Console.outputWasClosed.store(true, ordering: .relaxed) }
    }
}

/// Writing to the two standard streams.
enum Console {
    /// Whether nobody was there to read results when the program began.
    static let outputWasClosed = Atomic(false)

    /// Writes results to standard output. Where they can't be written, on a full disk say, that is an error of the
    /// program's.
    static func out(_ text: String) { out(Array((text.inLines + "\n").utf8)) }
    static func out(_ bytes: [UInt8]) {
        // A reader that has gone away (`| head`) is no error of ours.
        guard let code = write(bytes, to: STDOUT_FILENO), code != EPIPE else { return }
        error("annotate-batch: could not write the results to standard output: \(String(cString: strerror(code)))")
        exit(EXIT_FAILURE)
    }
    /// Ends the program where results are to be printed and standard output was closed from the start: they would be lost.
    static func requireOutput() {
        guard outputWasClosed.load(ordering: .relaxed) else { return }
        problem(
            "annotate-batch: standard output is closed, and what was asked for is printed there; expected a reader of it, or a "
                + "file, >results.txt")
        conclude(EXIT_FAILURE)
        exit(EXIT_FAILURE)
    }
    /// Writes a line to standard output at once, whole beside those of other threads.
    /// - Returns: Why it couldn't be; nil where it was.
    static func deliver(_ line: String) -> String? {
        let bytes = Array((line + "\n").utf8)
        return delivery.withLock { _ in write(bytes, to: STDOUT_FILENO).map { String(cString: strerror($0)) } }
    }
    private static let delivery = Mutex(())

    /// Writes anything else to standard error. Where that is a stream of events, it is one of them.
    static func error(_ text: String) { say(text) { LogLineEvent("notice", $0) } }
    /// The same, line by line.
    static func errorLines(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { error(String(line)) }
    }
    /// Text as it is, with what commands a terminal.
    static func errorRaw(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// Writes why the program can't begin or go on.
    static func problem(_ text: String) { say(text) { ProblemEvent($0) } }

    /// Writes a line for people alone, as it is.
    static func tell(_ line: String) { say(line) { LogLineEvent("info", $0) } }

    /// Writes an event, where there is a stream of them.
    static func tell(_ event: some ProgressEvent) {
        state.withLock { _ in if speaksJSON { errorRaw(event.line + "\n") } }
    }

    /// Writes a line of the log.
    static func log(_ text: String, _ event: some ProgressEvent) { say(text) { _ in event } }

    /// Names, and what files say, come from anybody: nothing of them commands a terminal, or begins a line of its own.
    /// What is secret of an address is told to nobody.
    private static func say(_ text: String, as event: (String) -> some ProgressEvent) {
        let whole = text.inOneLine.withoutSecrets
        // Sentences begin with this program's name, and are told by others on its library too.
        let isNamed = whole.hasPrefix(name)
        let sentence = isNamed ? String(whole.dropFirst(name.count)) : whole
        let text = isNamed ? "\(AnnotateCommand.current.name): \(sentence)" : whole
        state.withLock { state in
            if speaksJSON {
                errorRaw(event(sentence).line + "\n")
            } else if state.area.lines.isEmpty {
                errorRaw(text + "\n")
            } else {
                errorRaw(state.area.show(state.area.lines, below: [text], in: size))
            }
        }
    }

    private static let name = "annotate-batch: "

    /// - Returns: Why not all of it was written; nil where it was.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.write(descriptor, $0 + offset, buffer.count - offset) } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            offset += count
        }
        return nil
    }

    /// Whether standard error is a terminal that lines may be redrawn on.
    static var canRedraw: Bool {
        isatty(STDERR_FILENO) == 1 && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
    }

    static func environment(_ name: String) -> String? {
        Environment.text(name)
    }

    static var size: TerminalSize {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return TerminalSize() }
        return TerminalSize(
            columns: size.ws_col > 0 ? Int(size.ws_col) : 80, rows: size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    // MARK: While something is looked at

    /// Shows how many of something have been looked at, from any thread, until it is all; nil where nobody would see it.
    static func counter(_ what: String) -> (@Sendable (_ done: Int, _ all: Int) -> Void)? {
        guard canRedraw, !speaksJSON else { return nil }
        let most = Mutex(-1)
        return { done, all in
            most.withLock { most in
                guard done > most else { return }
                most = done
                state.withLock { state in
                    let lines = done < all ? ["\(done) of \(all) \(what)"] : []
                    errorRaw(state.area.show(lines, below: [], in: size))
                }
            }
        }
    }

    // MARK: While a batch runs

    private struct State {
        /// Whether standard error is one JSON object a line, and nothing else.
        var area = TerminalArea()
        var jobs: [JobProgress] = []
        let started = monotonicSeconds()
    }

    private static let state = Mutex(State())

    /// Makes standard error one JSON object a line, from here on.
    static func speakJSON() { isJSON.store(true, ordering: .relaxed) }
    static var speaksJSON: Bool { isJSON.load(ordering: .relaxed) }
    /// Whether standard error is a stream of events. Without a lock: it is set before copies of this process are made,
    /// see `WorkerProcess.fork`.
    private static let isJSON = Atomic<Bool>(false)

    /// Notes the jobs whose end the last event tells of.
    static func watch(_ jobs: [JobProgress]) { state.withLock { $0.jobs = jobs } }

    /// Draws lines at the terminal's bottom, below some that stay.
    static func draw(_ lines: [String], below more: [String]) {
        let (lines, more) = (lines.map(\.inOneLine), more.map(\.inOneLine))
        state.withLock { errorRaw($0.area.show(lines, below: more, in: size)) }
    }

    /// Writes the last event: nothing comes behind it.
    static func conclude(_ exitStatus: Int32) {
        // Whoever ends the program by force doesn't wait for a reader that takes nothing.
        state.withLockIfAvailable { state in
            guard speaksJSON else { return }
            var event = BatchEndEvent()
            event.jobs = state.jobs.count
            for job in state.jobs { event.counts[job.outcome?.status ?? .notRun, default: 0] += 1 }
            event.seconds = monotonicSeconds() - state.started
            event.exitStatus = Int(exitStatus)
            errorRaw(event.line + "\n")
            isJSON.store(false, ordering: .relaxed)
        }
    }
}

/// Writes log messages to standard error, one line each.
struct ConsoleLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let message = "\(event.message)".withoutSecrets
        switch event.level {
        case .info, .notice:
            Console.log("annotate-batch: \(message)", LogLineEvent("\(event.level)", message))
        case .warning: Console.log("annotate-batch: warning: \(message)", WarningEvent(message))
        default: Console.log("annotate-batch: \(event.level): \(message)", LogLineEvent("\(event.level)", message))
        }
    }
}

func makeLogger(_ level: Logger.Level) -> Logger {
    Logger(label: "annotate-batch") { _ in ConsoleLogHandler(logLevel: level) }
}
