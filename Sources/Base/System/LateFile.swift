internal import Glibc

/// A file that is written at the end of the work, under a name that it gets only when it is whole. That it can't be is known before
/// the work begins, as far as its folder tells; what an earlier run left goes then, so that it can't be taken for this one's. No
/// place needs to be open to this process meanwhile: a thread that is as free as the process was writes it.
///
/// What can't be put in another's place, a pipe, a terminal or a file of which the folder is another's, is opened, and emptied, at
/// once, and written into at the end.
public final class LateFile: Sendable {
    private struct State {
        var text: String?
        var isGone = false
        var end: Result<Void, any Error>?
    }

    private let path: String
    /// The file that is written into; -1 where one takes its place.
    private let descriptor: Int32
    private let monitor = Monitor(State())

    /// Makes the folder too, where there is none.
    /// - Parameters:
    ///   - path: The name that the file gets.
    ///   - appends: Adds to what is there.
    ///   - isWhole: Refuses what can't be put in another's place: until it is written there must be none.
    /// - Throws: `FileError`.
    public init(_ path: String, appends: Bool = false, isWhole: Bool = false) throws {
        try Files.makeDirectory(Files.parent(of: path))
        self.path = path
        if !appends, let target = Self.replaceable(path) {
            descriptor = -1
            try BackgroundThread.start { [monitor] in
                let text = monitor.wait { state -> String?? in state.isGone ? .some(nil) : state.text.map { .some($0) }
                }
                guard let text else { return }
                let end = Result { try Files.write(text, to: target) }
                monitor.withLock { $0.end = end }
            }
            return
        }
        guard !isWhole else {
            throw FileError(
                "write", path: path, reason: "nothing can be put there; expected a folder that can be written into")
        }
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC), 0o666)
        guard descriptor >= 0 else { throw systemError("write", path) }
    }

    deinit {
        monitor.withLock { $0.isGone = true }
        if descriptor >= 0 { close(descriptor) }
    }

    /// The path, links followed, where another file can take the place of what is there, which is gone then; nil where it can't.
    private static func replaceable(_ path: String) -> String? {
        let target = Files.canonical(path)
        guard !Files.isLink(target), !Files.exists(target) || Files.isRegular(target),
            access(Files.parent(of: target), W_OK | X_OK) == 0
        else { return nil }
        // A file that is mounted can't go.
        return unlink(target) == 0 || errno == ENOENT ? target : nil
    }

    /// Writes the text and closes the file.
    /// - Throws: `FileError`.
    public func write(_ text: String) throws {
        if descriptor < 0 {
            monitor.withLock { $0.text = text }
            do {
                return try monitor.wait { $0.end }.get()
            } catch let error as FileError {
                throw FileError(error.operation, path: path, code: error.code, reason: error.reason)
            }
        }
        var bytes = ArraySlice(text.utf8)
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw systemError("write", path) }
            bytes = bytes.dropFirst(count)
        }
    }
}
