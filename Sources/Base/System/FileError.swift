internal import Glibc

/// Something that the file system, or FFmpeg with a file, would not do.
public struct FileError: Error, Sendable, CustomStringConvertible {
    /// What was tried: “open”, “decode a packet of”, ….
    public var operation: String
    /// The file's path.
    public var path: String
    /// FFmpeg's error code, which for an error of the system is minus its `errno`; 0 where the error is this program's
    /// own.
    public var code: Int32
    /// The reason, for people.
    public var reason: String

    public init(_ operation: String, path: String, code: Int32 = 0, reason: String) {
        self.operation = operation
        self.path = path
        self.code = code
        self.reason = reason
    }

    /// Whether the reason may pass by itself: no space, no memory, too many open files.
    public var mayPass: Bool { [ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE, EAGAIN].contains(-code) }

    public var description: String {
        let sentence = "could not \(operation) \(RemoteAddress.shown(path)): \(reason.withoutSecrets)"
        return [ENOENT, ENOTDIR].contains(-code) ? sentence + RemoteAddress.advice(for: path) : sentence
    }
}
