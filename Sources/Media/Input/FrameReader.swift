/// Reads the pictures of a video or photo one after the other, upright, for work that is no job.
public final class FrameReader {
    private let reader: SourceReader

    public init(path: String, cancellation: Cancellation? = nil) throws {
        var options = SourceOptions()
        options.threads = 2
        reader = try SourceReader(path: path, options: options, cancellation: cancellation)
    }

    /// - Returns: nil after the last one.
    public func next() throws -> VideoFrame? { try reader.next() }
}
