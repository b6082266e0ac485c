internal import Glibc
internal import Synchronization

/// A file, or a folder of files, that appears under its name only when it is whole: written beside the target under a
/// temporary name, synced, renamed.
///
/// The temporary file is locked for as long as its owner lives, which is how others tell it from what a killed process left,
/// also where process ids mean nothing to them (in another container).
package final class OutputFile: Sendable {
    package let target: String
    /// Where to write meanwhile.
    package let temporary: String
    /// True for a folder: whoever writes makes the files in it.
    let isFolder: Bool
    /// Holds the lock; -1 where there is no file.
    private let lock: Int32
    private let isCommitted = Atomic<Bool>(false)

    /// Names in use, so that all can be removed when the process is about to be ended; from then on no more are made.
    private static let pending = Mutex<(names: Set<String>, isClosed: Bool)>(([], false))

    /// A folder in which nothing can be made shows when the file is written.
    package init(target: String, isFolder: Bool = false) {
        self.target = target
        self.isFolder = isFolder
        (temporary, lock) = Self.make(beside: target, isFolder: isFolder)
    }

    /// Above every process id.
    private static let processes: pid_t = 1 << 22

    /// Makes the temporary file and locks it. What somebody else put where it goes to, a link say, is neither followed nor
    /// written into.
    private static func make(beside target: String, isFolder: Bool) -> (path: String, lock: Int32) {
        let start = Files.parent(of: target) + "/." + Files.name(of: target) + ".partial-"
        for attempt in 0..<pid_t(100) {
            let path = start + String(getpid() + attempt * processes)
            enter(path)
            let descriptor =
                isFolder
                ? folder(path) : open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor < 0, errno == EEXIST {
                // A killed process's, or that of a living one of the same number in another container.
                removeUnowned(path)
                leave(path)
                continue
            }
            guard descriptor >= 0 else { break }
            // A file system without locks: nobody sweeps there either.
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            var status = stat()
            // Somebody may have swept it away in between.
            if !isLocked || fstat(descriptor, &status) == 0 && status.st_nlink > 0 { return (path, descriptor) }
            close(descriptor)
            leave(path)
        }
        return (start + String(getpid()), -1)
    }

    private static func folder(_ path: String) -> Int32 {
        mkdir(path, 0o777) == 0 ? open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
    }

    private static func enter(_ path: String) {
        let isClosed = pending.withLock { pending in
            pending.names.insert(path)
            return pending.isClosed
        }
        // The process ends in a moment.
        while isClosed { pause() }
    }

    private static func leave(_ path: String) { _ = pending.withLock { $0.names.remove(path) } }

    deinit {
        discard()
        if lock >= 0 { close(lock) }
    }

    /// What is written, on its way to its name. The lock stays with this file.
    var pending: PendingFile { PendingFile(temporary: temporary, target: target) }

    /// Brings what is written to the disk, so that its name is all that it needs.
    func sync() throws {
        if isFolder { return try ResultFolder.sync(temporary) }
        let descriptor = open(temporary, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("finish", target) }
        let synced = fsync(descriptor)
        close(descriptor)
        guard synced == 0 else { throw systemError("finish", target) }
    }

    /// Syncs the file and gives it its name.
    /// - Throws: `FileError`, also where a pipe or a device has the name: it would be no more.
    package func commit() throws {
        try sync()
        try pending.commit()
        isCommitted.store(true, ordering: .releasing)
        Self.leave(temporary)
        Files.syncDirectory(Files.parent(of: target))
    }

    /// Why it can't have its name; nil where it can.
    package var whyUnusable: String? { isFolder ? ResultFolder.whyUnusable(target) : Self.whyUnusable(target) }

    /// Why no file can take a name; nil where one can.
    static func whyUnusable(_ target: String) -> String? {
        guard Files.exists(target), !Files.isRegular(target) else { return nil }
        return Files.isDirectory(target) ? "it is a folder" : "it is a pipe or a device; expected a file"
    }

    /// Removes what was written, unless it has its name already.
    package func discard() {
        guard !isCommitted.load(ordering: .acquiring) else { return }
        Files.removeTemporary(temporary)
        Self.leave(temporary)
    }

    /// Removes every unfinished file of the process, for one that is about to be ended.
    static func discardAll() {
        let names = pending.withLock { pending in
            pending.isClosed = true
            return pending.names
        }
        for path in names { Files.removeTemporary(path) }
    }

    /// Removes what killed processes left in a folder: partial files that nobody has locked.
    /// - Parameter process: The one that left them; nil for whichever.
    static func sweep(_ directory: String, process: pid_t? = nil) {
        // Tidying up: a folder that can't be listed fails the jobs that write there, with their own reason.
        guard let names = try? Files.list(directory) else { return }
        for name in names where name.hasPrefix(".") {
            guard let dot = name.range(of: ".partial-"), let owner = pid_t(name[dot.upperBound...]),
                process == nil || process == owner % processes
            else { continue }
            removeUnowned(directory + "/" + name)
        }
    }

    private static func removeUnowned(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // A link is nobody's partial file.
        if descriptor < 0, errno == ELOOP { unlink(path) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG || ResultFolder.isOurs(path),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        Files.removeTemporary(path)
    }
}

/// A file or folder that is whole and waits for its name; its owner has it locked meanwhile.
struct PendingFile: Sendable, Hashable {
    var temporary: String
    var target: String

    /// Gives it its name.
    /// - Throws: `FileError`, also where a pipe or a device has the name: it would be no more.
    func commit() throws {
        if ResultFolder.isFolder(temporary) { return try ResultFolder.commit(temporary, to: target) }
        if let reason = OutputFile.whyUnusable(target) { throw FileError("write", path: target, reason: reason) }
        guard rename(temporary, target) == 0 else { throw systemError("rename to", target) }
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
