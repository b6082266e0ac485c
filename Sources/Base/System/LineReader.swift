internal import Glibc

/// Reads a plain file line by line, without holding more than one line.
package final class LineReader {
    private static let longestLine = 64 << 20

    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isRead = false
    /// Number of the line that was given last, from 1.
    package private(set) var number = 0

    /// Bytes of the file that are in the buffer or were given.
    private var taken: Int64

    /// - Parameters:
    ///   - offset: The byte with which a line begins, the first that is given.
    ///   - number: The line before that, from 1; 0 where there is none.
    package init(path: String, from offset: Int64 = 0, after number: Int = 0) throws {
        (self.path, taken, self.number) = (path, offset, number)
        // Nobody waits for who writes into a pipe.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw systemError("read", path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError("read", path: path, reason: "it is no plain file")
        }
        guard offset == 0 || lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else {
            let error = systemError("read", path)
            close(descriptor)
            throw error
        }
    }

    /// Where in the file the next line begins.
    package var offset: Int64 { taken - Int64(buffer.count - position) }

    deinit { close(descriptor) }

    /// True where no line follows.
    package var isAtEnd: Bool { isRead && position == buffer.count }

    /// Length from which a line isn't copied out of the buffer, bytes.
    private static let long = 1 << 20

    /// The line that ends there, in the memory that it was read into.
    private func takeAll(upTo end: Int) -> [UInt8] {
        let rest = Array(buffer[(end + 1)...])
        var line: [UInt8] = []
        swap(&line, &buffer)
        line.removeSubrange(end...)
        line.removeFirst(position)
        (buffer, position) = (rest, 0)
        return line
    }

    /// The next line without its end; nil at the end of the file.
    package func next() throws -> [UInt8]? {
        // What has been looked through for the line's end already.
        var scanned = position
        while true {
            if let end = buffer[scanned...].firstIndex(of: 0x0A) {
                number += 1
                if end - position > Self.long { return takeAll(upTo: end) }
                defer { position = end + 1 }
                return Array(buffer[position..<end])
            }
            if isRead {
                defer { position = buffer.count }
                guard position < buffer.count else { return nil }
                number += 1
                return Array(buffer[position...])
            }
            guard buffer.count - position < Self.longestLine else {
                throw FileError(
                    "read", path: path,
                    reason: "line \(number + 1) has over \(Self.longestLine >> 20) MiB; expected shorter ones")
            }
            buffer.removeFirst(position)
            scanned = buffer.count
            position = 0
            var piece = [UInt8](repeating: 0, count: 1 << 18)
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw systemError("read", path) }
            if count == 0 { isRead = true }
            buffer += piece[..<count]
            taken += Int64(count)
        }
    }
}
