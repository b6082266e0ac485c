/// Finds single pictures of a video or photo, exactly: the ones that a job has under the same numbers.
///
/// Used from one thread. Pictures that follow one another closely cost least in their order.
public final class FrameFinder {
    /// Facts on the video that are known before it is decoded.
    public let info: SourceInfo
    /// The times of its pictures.
    public let times: FrameTimes
    private let path: String
    private let cancellation: Cancellation?
    /// The reader that goes on behind the last picture that was found.
    private var reader: SourceReader?
    /// Number of the picture that the reader gives next.
    private var next = 0

    /// Pictures up to which it is decoded on, rather than jumped.
    private static let stretch = 100

    /// Reads the times of a file's pictures.
    /// - Throws: `FileError`.
    public init(path: String, cancellation: Cancellation? = nil) throws {
        guard MediaInput(path: path) != .standardInput else {
            throw FileError(
                "take a frame from", path: "standard input", reason: "it can be read only once; expected a file")
        }
        self.path = path
        self.cancellation = cancellation
        times = try FrameTimes(path: path, cancellation: cancellation)
        info = try SourceInfo.probe(path: path, cancellation: cancellation)
    }

    /// The picture of a number from 0, in the order of presentation.
    /// - Throws: `FileError`, also where there are fewer.
    public func frame(_ number: Int) throws -> VideoFrame {
        guard (0..<times.count).contains(number) else { throw missing("no frame \(number)") }
        if reader == nil || next > number || number - next > Self.stretch {
            reader = try opened(at: number)
        }
        if let frame = try read(number) { return frame }
        // Where it lies somewhere else than its packets say, the way from the start is the sure one.
        reader = try opened(at: 0)
        if let frame = try read(number) { return frame }
        throw missing("no frame \(number) when it is decoded")
    }

    /// The picture that a player shows at a time of the source's own, seconds.
    /// - Throws: `FileError`, also for a time behind the end.
    public func frame(shownAt seconds: Double) throws -> VideoFrame {
        guard let number = times.frame(shownAt: seconds) else { throw missing("nothing at \(plain(seconds)) s") }
        return try frame(number)
    }

    private func read(_ number: Int) throws -> VideoFrame? {
        while let frame = try reader?.next() {
            if cancellation?.isCancelled == true { throw CancelledError() }
            next = frame.ordinal + 1
            if frame.ordinal == number { return frame }
            if frame.ordinal > number { break }
        }
        reader = nil
        return nil
    }

    private func opened(at number: Int) throws -> SourceReader {
        var options = SourceOptions()
        options.threads = 2
        if number > 0 { options.range = FrameRange(start: times.time(number).seconds, end: nil) }
        return try SourceReader(path: path, options: options, cancellation: cancellation)
    }

    private func missing(_ what: String) -> FileError {
        func seconds(_ frame: Int) -> String { plain(times.time(frame).seconds.rounded(toDecimals: 6)) }
        let count = times.count == 1 ? "one frame, 0" : "\(times.count) frames, 0 to \(times.count - 1)"
        return FileError(
            "take a frame from", path: path,
            reason: "\(what); it has \(count), the last from \(seconds(times.count - 1)) s to \(seconds(times.count)) s"
        )
    }
}
