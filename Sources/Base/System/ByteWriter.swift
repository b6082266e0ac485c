internal import Glibc

/// Writes bytes to a file in large pieces.
public final class ByteWriter {
    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isClosed = false
    private var file: OutputFile?

    package init(path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw systemError("create", path) }
    }

    /// A writer into a file that isn't whole yet, opened by its folder, whatever becomes of that one's path.
    /// - Throws: `FileError`.
    public init(_ file: OutputFile) throws {
        path = file.target
        descriptor = try file.open()
        self.file = file
        file.begin()
    }

    deinit { if !isClosed { close(descriptor) } }

    /// Appends bytes.
    /// - Throws: `FileError`.
    public func write(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= 1 << 16 { try flush() }
    }

    private func flush() throws {
        var offset = 0
        while offset < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                bytes.baseAddress.map { Glibc.write(descriptor, $0 + offset, bytes.count - offset) } ?? 0
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw systemError("write", path) }
            offset += count
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Writes what is left and closes the file, which else doesn't get its name.
    /// - Throws: `FileError`.
    public func finish() throws {
        try flush()
        isClosed = true
        guard close(descriptor) == 0 else { throw systemError("write", path) }
        file?.end()
        file = nil
    }
}
