import Glibc
import Logging

/// Writing to the two standard streams.
enum Console {
    /// Results.
    static func out(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }
    /// Everything else.
    static func error(_ text: String) { write(text + "\n", to: STDERR_FILENO) }
    static func errorRaw(_ text: String) { write(text, to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        let bytes = Array(text.utf8)
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                buffer.baseAddress.map { Glibc.write(descriptor, $0 + offset, buffer.count - offset) } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            // A reader that has gone away (`| head`) is no error of ours.
            guard count > 0 else { return }
            offset += count
        }
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
