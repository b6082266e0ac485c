import Glibc
import Logging

/// Opens what is closed of the three standard streams, to nothing: the next file that is opened would get its number
/// otherwise, and be written into as if it were a stream. Call first.
func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
        // The lowest number that is free, which is this one.
        _ = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY)
    }
}

/// Writing to the two standard streams.
enum Console {
    /// Results. Where they can't be written, on a full disk say, that is an error of the program's.
    static func out(_ text: String) { out(Array((text + "\n").utf8)) }
    static func out(_ bytes: [UInt8]) {
        guard let code = write(bytes, to: STDOUT_FILENO) else { return }
        error("annotate-batch: could not write the results to standard output: \(String(cString: strerror(code)))")
        exit(EXIT_FAILURE)
    }
    /// Everything else.
    static func error(_ text: String) { errorRaw(text + "\n") }
    static func errorRaw(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// - Returns: Why not all of it was written; nil where it was.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.write(descriptor, $0 + offset, buffer.count - offset) } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            // A reader that has gone away (`| head`) is no error of ours.
            if count < 0, errno == EPIPE { return nil }
            guard count > 0 else { return errno }
            offset += count
        }
        return nil
    }

    /// True where standard error is a terminal that lines may be redrawn on.
    static var canRedraw: Bool {
        isatty(STDERR_FILENO) == 1 && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Columns of the terminal.
    static var width: Int {
        var size = winsize()
        return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
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
        let level = event.level == .info || event.level == .notice ? "" : "\(event.level): "
        Console.error("annotate-batch: \(level)\(event.message)")
    }
}

func makeLogger(_ level: Logger.Level) -> Logger {
    Logger(label: "annotate-batch") { _ in ConsoleLogHandler(logLevel: level) }
}
