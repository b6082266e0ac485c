/// Reads the pictures of a video or photo one after the other, upright, for work that is no job.
public final class FrameReader {
    private let reader: SourceReader

    /// Opens a video or photo.
    /// - Throws: `FileError`.
    public init(path: String, cancellation: Cancellation? = nil) throws {
        var options = SourceOptions()
        options.threads = 2
        reader = try SourceReader(path: path, options: options, cancellation: cancellation)
    }

    /// The next picture; nil after the last one.
    /// - Throws: `FileError`.
    public func next() throws -> VideoFrame? { try reader.next() }
}
