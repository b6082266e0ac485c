internal import Glibc

/// Reads a stream line by line, and no more of it than the line that is asked for: what isn't taken stays with whoever writes
/// it. Of a long line it is read in pieces, behind whose last one the beginning of others may be, which come next.
struct LineSource {
    enum Line: Equatable {
        case text([UInt8])
        /// It has more bytes than `longest`, and was passed over.
        case tooLong
    }

    /// Bytes that a line may have.
    static let longest = 16 << 20
    /// Bytes from which on a line is a long one, and those of a piece of it.
    private static let long = 4096, piece = 64 << 10

    private let descriptor: Int32
    /// What was read behind the last line's end.
    private var rest: ArraySlice<UInt8> = []

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// The next line without its end; nil at the end of the stream, and where nobody wants it any more.
    /// - Throws: `FileError`.
    mutating func next(isCancelled: () -> Bool) throws -> Line? {
        var line: [UInt8] = []
        var length = 0
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                length += end - rest.startIndex
                if length <= Self.longest { line.append(contentsOf: rest[..<end]) }
                rest = rest[(end + 1)...]
                return length > Self.longest ? .tooLong : .text(line)
            }
            length += rest.count
            if length <= Self.longest { line.append(contentsOf: rest) } else { line = [] }
            rest = []
            guard let more = try read(length < Self.long ? 1 : Self.piece, isCancelled) else { return nil }
            // The last line may lack its end.
            if more.isEmpty { return length > Self.longest ? .tooLong : length == 0 ? nil : .text(line) }
            rest = more
        }
    }

    /// So many bytes at the most; none at the stream's end, nil where nobody wants them any more.
    private func read(_ count: Int, _ isCancelled: () -> Bool) throws -> ArraySlice<UInt8>? {
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, 100) == 0 {
                if isCancelled() { return nil }
                continue
            }
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let taken = Glibc.read(descriptor, buffer.baseAddress, count)
                failure = taken < 0 ? errno : 0
                filled = max(taken, 0)
            }
            if failure == EINTR || failure == EAGAIN { continue }
            errno = failure
            guard failure == 0 else { throw systemError("read", "standard input") }
            return bytes[...]
        }
    }
}
