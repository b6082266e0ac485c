internal import Glibc
internal import Synchronization

/// Something that the file system, or FFmpeg with a file, would not do.
public struct FileError: Error, Sendable, CustomStringConvertible {
    /// The operation that failed, in words that go behind “could not”: “open”, “decode a packet of”, ….
    public var operation: String
    /// The file's path.
    public var path: String
    /// FFmpeg's error code, which for an error of the system is minus its `errno`; 0 where the error is this program's
    /// own.
    public var code: Int32
    /// The reason, for people.
    public var reason: String

    /// An error of an operation, in words that go behind “could not”. A path that this process alone opens a file by is
    /// told as the one that people know, also within the reason.
    public init(_ operation: String, path: String, code: Int32 = 0, reason: String) {
        self.operation = operation
        self.path = OwnPaths.shown(path)
        self.code = code
        // What a library said may name such a path, too.
        self.reason = OwnPaths.shown(in: reason)
    }

    /// Whether the reason may pass by itself: no space, no memory, too many open files.
    public var mayPass: Bool { [ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE, EAGAIN].contains(-code) }

    /// Whether it is about the file of a path, which may be one that this process alone knows.
    package func isAbout(_ path: String) -> Bool { self.path == OwnPaths.shown(path) }

    public var description: String {
        let sentence = "could not \(operation) \(RemoteAddress.shown(path)): \(reason.withoutSecrets)"
        return [ENOENT, ENOTDIR].contains(-code) ? sentence + RemoteAddress.advice(for: path) : sentence
    }
}

/// Paths by which this process opens what lies in folders that it holds, and names that files have until they are whole: nobody
/// else knows them.
enum OwnPaths {
    private static let folders = Mutex<[Int32: String]>([:])
    private static let (start, middle) = ("/proc/self/fd/", ".partial-")

    /// Notes a folder that is held.
    static func note(_ path: String, _ descriptor: Int32) { folders.withLock { $0[descriptor] = path } }

    static func forget(_ descriptor: Int32) { _ = folders.withLock { $0.removeValue(forKey: descriptor) } }

    /// The path that people know for one of these; any other as it is.
    static func shown(_ path: String) -> String {
        var (whole, isOwn) = (path, false)
        if path.hasPrefix(start) {
            let rest = path.dropFirst(start.count)
            let number = rest.prefix { $0 != "/" }
            if let folder = Int32(number).flatMap({ number in folders.withLock { $0[number] } }) {
                (whole, isOwn) = (folder + rest.dropFirst(number.count), true)
            }
        }
        guard whole.range(of: middle) != nil else { return whole }
        let parts = whole.split(separator: "/", omittingEmptySubsequences: false).map { ($0, target(of: $0)) }
        isOwn = isOwn || parts.contains { $0.1.map { OutputFile.isOwner($0.process) } ?? false }
        guard isOwn else { return whole }
        return parts.compactMap { part, target -> String? in
            guard let target else { return String(part) }
            // A worker's folder, and that of a command, which nobody named.
            return target.name.hasPrefix(ResultFolder.workName + "-") ? nil : target.name
        }.joined(separator: "/")
    }

    /// A text, its words being such paths or not, as people know them.
    static func shown(in text: String) -> String {
        guard text.range(of: start) != nil else { return text }
        return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let path = word.prefix { !",:;)'".contains($0) }
            return path.hasPrefix(start) ? shown(String(path)) + word.dropFirst(path.count) : String(word)
        }.joined(separator: " ")
    }

    /// What a temporary name is for, and the number of who made it; nil for another name.
    private static func target(of part: Substring) -> (name: String, process: Int32)? {
        let part = String(part)
        guard part.hasPrefix("."), let mark = part.range(of: middle), let process = Int32(part[mark.upperBound...])
        else { return nil }
        return (String(part[..<mark.lowerBound].dropFirst()), process)
    }
}
