internal import Glibc

/// What is wrong with a sidecar.
public struct SidecarError: Error, Sendable, CustomStringConvertible {
    public var path: String
    /// From 1; nil for the file as a whole.
    public var line: Int?
    public var message: String

    public var description: String { line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)" }
}

/// Reads a sidecar line by line, without holding more than one line.
public final class SidecarReader {
    /// A line that was held against its shape.
    public enum Line: Sendable {
        case header(JSONNode)
        case frame(JSONNode)
        case summary(JSONNode)
    }

    private static let longestLine = 64 << 20

    private let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var number = 0
    private var isAtEnd = false
    private var hasSummary = false

    public init(path: String) throws {
        self.path = path
        if Files.exists(path), !Files.isRegular(path) {
            throw FileError("read", path: path, reason: "it is no plain file")
        }
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("read", path) }
    }

    deinit { close(descriptor) }

    /// The next line; nil after the summary.
    /// - Throws: `SidecarError` for a line that doesn't fit the schema, and for a file that ends without its summary.
    public func next() throws -> Line? {
        guard let text = try nextText() else {
            guard hasSummary else { throw brokenOff }
            return nil
        }
        number += 1
        guard !hasSummary else { throw failure("a line after the summary; expected the end of the file") }
        let node: JSONNode
        do {
            node = try JSONParser.parse(text)
        } catch {
            // The last line of a run that was killed stops anywhere.
            if isAtEnd, position == buffer.count { throw brokenOff }
            throw failure("column \(error.position.column): \(error.message)")
        }
        let (shape, line): (ObjectShape, Line) =
            if number == 1 {
                (SidecarShape.header, .header(node))
            } else if node["summary"] != nil {
                (SidecarShape.summary, .summary(node))
            } else {
                (SidecarShape.frame, .frame(node))
            }
        var validator = ShapeValidator(file: path)
        validator.validate(node, against: .object(shape))
        if let problem = validator.log.sorted.first {
            let pointer = jsonPointer(problem.path)
            throw failure("\(pointer.isEmpty ? "/" : pointer): \(problem.message)")
        }
        if case .summary = line { hasSummary = true }
        return line
    }

    private var brokenOff: SidecarError {
        SidecarError(
            path: path, line: nil, message: "it ends without its summary line: the run that wrote it was broken off")
    }

    private func failure(_ message: String) -> SidecarError { SidecarError(path: path, line: number, message: message) }

    private func nextText() throws -> [UInt8]? {
        // What has been looked through for the line's end already.
        var scanned = position
        while true {
            if let end = buffer[scanned...].firstIndex(of: 0x0A) {
                defer { position = end + 1 }
                return Array(buffer[position..<end])
            }
            if isAtEnd {
                defer { position = buffer.count }
                return position < buffer.count ? Array(buffer[position...]) : nil
            }
            guard buffer.count - position < Self.longestLine else {
                number += 1
                throw failure("a line of over \(Self.longestLine >> 20) MiB; this is no sidecar")
            }
            buffer.removeFirst(position)
            scanned = buffer.count
            position = 0
            var piece = [UInt8](repeating: 0, count: 1 << 18)
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw systemError("read", path) }
            if count == 0 { isAtEnd = true }
            buffer += piece[..<count]
        }
    }
}
