internal import Glibc

/// Writes bytes to places of a file, in whatever order; those that lie one behind the other in large pieces.
package final class PlacedWriter {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    /// Offset in the file that the buffer belongs to.
    private var start: Int64 = 0
    private var isClosed = false

    package init(path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw systemError("create", path) }
    }

    deinit { if !isClosed { close(descriptor) } }

    /// Writes bytes at an offset from the file's start.
    /// - Throws: `FileError`.
    package func write(_ bytes: some Collection<UInt8>, at offset: Int64) throws {
        if offset != start + Int64(buffer.count) || buffer.count >= 1 << 16 {
            try flush()
            start = offset
        }
        buffer += bytes
    }

    private func flush() throws {
        var written = 0
        while written < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                bytes.baseAddress.map {
                    pwrite(descriptor, $0 + written, bytes.count - written, off_t(start) + off_t(written))
                } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw systemError("write", path) }
            written += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes what is left and closes the file.
    package func finish() throws {
        try flush()
        isClosed = true
        guard close(descriptor) == 0 else { throw systemError("write", path) }
    }
}
