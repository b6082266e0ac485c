internal import Glibc

/// Reads a stream line by line, and never more of it than the line that is asked for: what isn't taken stays with whoever
/// writes it.
struct LineSource {
    enum Line: Equatable {
        case text([UInt8])
        /// It has more bytes than `longest`, and was passed over.
        case tooLong
    }

    /// Bytes that a line may have.
    static let longest = 16 << 20

    let descriptor: Int32

    /// The next line without its end; nil at the end of the stream, and where nobody wants it any more.
    /// - Throws: `FileError`.
    func next(isCancelled: () -> Bool) throws -> Line? {
        var line: [UInt8] = []
        var isTooLong = false
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 100) == 0 {
                if isCancelled() { return nil }
                continue
            }
            var byte: UInt8 = 0
            let count = read(descriptor, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw systemError("read", "standard input") }
            // The last line may lack its end.
            if count == 0 { return isTooLong ? .tooLong : line.isEmpty ? nil : .text(line) }
            if byte == 0x0A { return isTooLong ? .tooLong : .text(line) }
            isTooLong = isTooLong || line.count >= Self.longest
            if !isTooLong { line.append(byte) }
        }
    }
}
