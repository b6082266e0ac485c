internal import Glibc
internal import Synchronization

/// A file that appears under its name only when it is whole: written beside the target under a temporary name, synced,
/// renamed.
final class OutputFile: Sendable {
    let target: String
    /// Where to write meanwhile.
    let temporary: String
    private let isCommitted = Atomic<Bool>(false)

    /// Names in use, so that a signal's handler can remove them.
    private static let pending = Mutex<Set<String>>([])

    init(target: String) {
        self.target = target
        let name = Files.name(of: target)
        temporary = Files.parent(of: target) + "/.\(name).partial-\(getpid())"
        _ = Self.pending.withLock { $0.insert(temporary) }
    }

    deinit { discard() }

    /// Syncs the file and gives it its name.
    /// - Throws: `FileError`, also where a pipe or a device has the name: it would be no more.
    func commit() throws {
        if let reason = Self.whyUnusable(target) { throw FileError("write", path: target, reason: reason) }
        let descriptor = open(temporary, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("finish", target) }
        let synced = fsync(descriptor)
        close(descriptor)
        guard synced == 0 else { throw systemError("finish", target) }
        guard rename(temporary, target) == 0 else { throw systemError("rename to", target) }
        isCommitted.store(true, ordering: .releasing)
        _ = Self.pending.withLock { $0.remove(temporary) }
        // The folder's entry has to reach the disk too; a file system that can't sync folders has nothing to lose by it.
        let folder = open(Files.parent(of: target), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    /// Why no file can take a name; nil where one can.
    static func whyUnusable(_ target: String) -> String? {
        guard Files.exists(target), !Files.isRegular(target) else { return nil }
        return Files.isDirectory(target) ? "it is a folder" : "it is a pipe or a device; expected a file"
    }

    /// Removes what was written, unless it has its name already.
    func discard() {
        guard !isCommitted.load(ordering: .acquiring) else { return }
        unlink(temporary)
        _ = Self.pending.withLock { $0.remove(temporary) }
    }

    /// Removes the file under its final name too.
    func remove() {
        discard()
        unlink(target)
    }

    /// Removes every unfinished file of the process, for one that is about to be ended.
    static func discardAll() {
        for path in pending.withLock({ $0 }) { unlink(path) }
    }

    /// Removes what killed runs left in a folder: partial files of processes that are no more.
    static func sweep(_ directory: String) {
        // Tidying up: a folder that can't be listed fails the jobs that write there, with their own reason.
        guard let names = try? Files.list(directory) else { return }
        for name in names where name.hasPrefix(".") {
            guard let dot = name.range(of: ".partial-"), let process = pid_t(name[dot.upperBound...]) else { continue }
            if process != getpid(), kill(process, 0) != 0, errno == ESRCH { unlink(directory + "/" + name) }
        }
    }
}

extension String {
    /// The first place of a text, without Foundation.
    func range(of text: String) -> Range<String.Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { return index..<self.index(index, offsetBy: text.count) }
            index = self.index(after: index)
        }
        return nil
    }
}

/// Removes every file that this process has begun and not finished, for a process that is about to be ended.
public func removeUnfinishedFiles() { OutputFile.discardAll() }

extension Files {
    /// Writes a text under a name that it gets only when it is whole.
    public static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    public static func write(_ bytes: [UInt8], to path: String) throws {
        let output = OutputFile(target: path)
        let writer = try ByteWriter(path: output.temporary)
        try writer.write(bytes)
        try writer.finish()
        try output.commit()
    }
}
