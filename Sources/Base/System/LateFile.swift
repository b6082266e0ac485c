internal import Glibc

/// A file that is opened, and emptied, before work begins and written at its end: that it can't be is known at once, what an
/// earlier run left in it can't be taken for this one's, and no place needs to be open to this process meanwhile.
public final class LateFile: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Makes the folder too, where there is none.
    /// - Parameter appends: Adds to what is there.
    /// - Throws: `FileError`.
    public init(_ path: String, appends: Bool = false) throws {
        try Files.makeDirectory(Files.parent(of: path))
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC), 0o666)
        guard descriptor >= 0 else { throw systemError("write", path) }
    }

    deinit { close(descriptor) }

    /// Writes the text and closes the file.
    /// - Throws: `FileError`.
    public func write(_ text: String) throws {
        var bytes = ArraySlice(text.utf8)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw systemError("write", path) }
            bytes = bytes.dropFirst(count)
        }
    }
}
