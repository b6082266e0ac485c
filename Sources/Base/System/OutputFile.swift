package import Glibc
internal import Synchronization

/// A file, or a folder of files, that appears under its name only when it is whole: written beside the target under a
/// temporary name, synced, renamed.
///
/// The temporary file is locked for as long as its owner lives, which is how others tell it from what a killed process left,
/// also where process ids mean nothing to them (in another container).
public final class OutputFile: Sendable {
    /// The path that it will have.
    public let target: String
    /// The temporary path, to write to meanwhile.
    public let temporary: String
    /// Whether it is a folder; whoever writes makes the files in it.
    let isFolder: Bool
    /// The folder that it is written in; nil where there is none.
    private let folder: HeldFolder?
    /// The folder in which it gets its name: the same one, but for a process that may not write there.
    private let place: HeldFolder?
    /// Whether the folder that it is written in is another one than it gets its name in.
    private let isElsewhere: Bool
    /// Descriptor that holds the lock; -1 where there is no file.
    private let lock: Int32
    /// Why it couldn't be made, an `errno`; 0 where it was.
    private let code: Int32
    private let isCommitted = Atomic<Bool>(false)
    /// How many writers have begun and not finished.
    private let writers = Atomic<Int>(0)

    /// Names in use, so that all can be removed when the process is about to be ended; from then on no more are made.
    private static let pending = Mutex<(names: [String: HeldFolder], isClosed: Bool)>(([:], false))

    /// A folder in which nothing can be made shows when the file is written.
    package init(target: String, isFolder: Bool = false) {
        self.target = target
        self.isFolder = isFolder
        let parent = Files.parent(of: target)
        let work = Self.workFolders.withLock { $0[parent] }
        isElsewhere = work != nil
        let opened = Result { try HeldFolder(parent) }
        // A worker may not open the other one.
        let own = work.map { work in Result { try HeldFolder(work) } } ?? opened
        (place, folder) = (try? opened.get(), try? own.get())
        let (name, lock, failure) = Self.make(beside: Files.name(of: target), in: folder, isFolder: isFolder)
        (temporary, self.lock) = ((folder?.safePath ?? work ?? parent) + "/" + name, lock)
        if case .failure(let error) = own { code = -((error as? FileError)?.code ?? -ENOENT) } else { code = failure }
    }

    /// Sees that it could be made.
    /// - Throws: `FileError` with the reason why not.
    package func check() throws {
        guard code != 0 else { return }
        throw FileError(
            "write in", path: Files.parent(of: target), code: -code, reason: String(cString: strerror(code)))
    }

    /// For folders in which this process may not write: the folder in which it makes the files that are to go there.
    private static let workFolders = Mutex<[String: String]>([:])

    /// Has files for some folders made in others, from now on.
    /// - Parameter folders: For each target folder, the one to make its files in.
    package static func work(in folders: [String: String]) { workFolders.withLock { $0 = folders } }

    /// Above every process id.
    private static let processes: pid_t = 1 << 22

    /// Makes the temporary file and locks it. What somebody else put where it goes to, a link say, is neither followed nor
    /// written into.
    private static func make(beside target: String, in folder: HeldFolder?, isFolder: Bool) -> (
        name: String, lock: Int32, code: Int32
    ) {
        let start = "." + target + ".partial-"
        guard let folder else { return (start + String(getpid()), -1, ENOENT) }
        var code: Int32 = 0
        for attempt in 0..<pid_t(100) {
            let name = start + String(getpid() + attempt * processes)
            enter(name, folder)
            let descriptor = create(name, in: folder, isFolder: isFolder)
            if descriptor < 0 {
                // A killed process's, or that of a living one of the same number in another container. A folder that isn't
                // there was swept away before it was opened.
                code = errno
                guard code == EEXIST || isFolder && code == ENOENT else { break }
                if code == EEXIST { removeUnowned(name, in: folder) }
                leave(name, folder)
                continue
            }
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            // Who sweeps takes what nobody has locked yet for a killed process's, and has it locked while it goes.
            let isTaken = !isLocked && errno == EWOULDBLOCK
            var status = stat()
            // A file system without locks: nobody sweeps there either.
            if !isTaken, !isLocked || fstat(descriptor, &status) == 0 && status.st_nlink > 0 {
                return (name, descriptor, 0)
            }
            close(descriptor)
            leave(name, folder)
        }
        return (start + String(getpid()), -1, code == 0 ? EAGAIN : code)
    }

    /// Whether a number behind a temporary name is this process's.
    static func isOwner(_ number: pid_t) -> Bool { number > 0 && number % processes == getpid() }

    private static func create(_ name: String, in folder: HeldFolder, isFolder: Bool) -> Int32 {
        guard isFolder else {
            return openat(folder.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
        guard mkdirat(folder.descriptor, name, 0o777) == 0 else { return -1 }
        return openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    }

    private static func enter(_ name: String, _ folder: HeldFolder) {
        let isClosed = pending.withLock { pending in
            pending.names[folder.path + "/" + name] = folder
            return pending.isClosed
        }
        // The process ends in a moment.
        while isClosed { pause() }
    }

    private static func leave(_ name: String, _ folder: HeldFolder) {
        _ = pending.withLock { $0.names.removeValue(forKey: folder.path + "/" + name) }
    }

    deinit {
        discard()
        if lock >= 0 { close(lock) }
    }

    /// The file as something that waits for its name. The lock stays with this object.
    package var pending: PendingFile { PendingFile(temporary: temporary, target: target) }

    /// Syncs what is written to the disk, so that its name is all that it needs.
    /// - Throws: `FileError`, also where a writer hasn't finished.
    package func sync() throws {
        guard let folder else { throw noFolder }
        guard writers.load(ordering: .relaxed) == 0 else {
            throw FileError(
                "finish", path: target,
                reason: "who writes it hasn't finished, so that its end is missing; expected finish() of its ByteWriter"
            )
        }
        let name = Files.name(of: temporary)
        if isFolder { return try ResultFolder.sync(name, in: folder) }
        let descriptor = openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("finish", target) }
        let error = fsync(descriptor) == 0 ? nil : systemError("finish", target)
        close(descriptor)
        if let error { throw error }
    }

    /// Opens it for writing, empty; the descriptor is the caller's to close.
    /// - Throws: `FileError`.
    func open() throws -> Int32 {
        guard let folder else {
            throw FileError("create", path: target, code: -code, reason: String(cString: strerror(code)))
        }
        let descriptor = openat(
            folder.descriptor, Files.name(of: temporary), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw systemError("create", target) }
        return descriptor
    }

    /// Notes that a writer begins, or has written all: without the second it isn't whole.
    func begin() { writers.add(1, ordering: .relaxed) }
    func end() { writers.subtract(1, ordering: .relaxed) }

    private var noFolder: FileError {
        FileError("finish", path: target, code: -code, reason: String(cString: strerror(code)))
    }

    /// Syncs the file and gives it its name.
    /// - Throws: `FileError`, also where a pipe or a device has the name: it would be no more.
    package func commit() throws {
        guard let folder else { throw noFolder }
        try sync()
        if isElsewhere, let broker = Files.broker {
            try broker.commit(pending)
        } else {
            try pending.commit(in: folder)
        }
        isCommitted.store(true, ordering: .releasing)
        Self.leave(Files.name(of: temporary), folder)
        folder.sync()
    }

    /// True while what was written has no name yet.
    var isWaiting: Bool { folder?.entry(Files.name(of: temporary)) != nil }

    /// Why it can't have its name; nil where it can.
    package var whyUnusable: String? { place.flatMap { pending.whyUnusable(in: $0, isFolder: isFolder) } }

    /// Removes what was written, unless it has its name already.
    package func discard() {
        guard !isCommitted.load(ordering: .acquiring), let folder else { return }
        let name = Files.name(of: temporary)
        folder.removeTemporary(name)
        Self.leave(name, folder)
    }

    /// Removes every unfinished file of the process, for one that is about to be ended.
    static func discardAll() {
        let names = pending.withLock { pending in
            pending.isClosed = true
            return pending.names
        }
        for (path, folder) in names { folder.removeTemporary(Files.name(of: path)) }
    }

    /// Removes what killed processes left in a folder: partial files that nobody has locked.
    /// - Parameter process: The one that left them; nil for whichever.
    package static func sweep(_ folder: HeldFolder, process: pid_t? = nil) {
        // Tidying up: a folder that can't be listed fails the jobs that write there, with their own reason.
        guard let names = try? folder.names() else { return }
        for name in names where name.hasPrefix(".") {
            guard let dot = name.range(of: ".partial-"), let owner = pid_t(name[dot.upperBound...]), owner > 0,
                process == nil || process == owner % processes
            else { continue }
            removeUnowned(name, in: folder)
        }
    }

    private static func removeUnowned(_ name: String, in folder: HeldFolder) {
        let descriptor = openat(folder.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        // A link is nobody's partial file.
        if descriptor < 0, errno == ELOOP { folder.removeFile(name) }
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var (status, named) = (stat(), stat())
        guard fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG || folder.isResultFolder(name),
            flock(descriptor, LOCK_EX | LOCK_NB) == 0,
            // Its owner may have given it its name, and begun another one under this.
            fstatat(folder.descriptor, name, &named, AT_SYMLINK_NOFOLLOW) == 0, named.st_ino == status.st_ino
        else { return }
        folder.removeTemporary(name)
    }
}

/// A file or folder that is whole and waits for its name; its owner has it locked meanwhile.
package struct PendingFile: Sendable, Hashable {
    package var temporary: String
    /// Path that it will have, in the same folder.
    package var target: String

    package init(temporary: String, target: String) { (self.temporary, self.target) = (temporary, target) }

    /// Renames it to its target.
    /// - Parameter folder: The one that both lie in, held.
    /// - Throws: `FileError`, also where a pipe or a device has the name: it would be no more.
    package func commit(in folder: HeldFolder) throws {
        let (from, name) = (Files.name(of: temporary), Files.name(of: target))
        let isFolder = folder.entry(from)?.kind == .folder
        if let reason = whyUnusable(in: folder, isFolder: isFolder) {
            throw FileError("write", path: target, reason: reason)
        }
        if isFolder { return try ResultFolder.commit(from, to: name, in: folder) }
        try folder.rename(from, to: name)
    }

    /// Why it can't have its name; nil where it can.
    func whyUnusable(in folder: HeldFolder, isFolder: Bool) -> String? {
        let name = Files.name(of: target)
        if isFolder { return ResultFolder.whyUnusable(name, in: folder) }
        // A link goes, not what it leads to; but one to a device is how people say that device.
        return switch folder.destination(name) {
        case nil, .file, .link: nil
        case .folder: "it is a folder"
        case .other: "it is a pipe or a device; expected a file"
        }
    }
}

extension String {
    /// The first place of a text, without Foundation.
    package func range(of text: String) -> Range<String.Index>? {
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

    /// Writes bytes under a name that the file gets only when it is whole.
    /// - Throws: `FileError`.
    public static func write(_ bytes: [UInt8], to path: String) throws {
        let output = OutputFile(target: path)
        let writer = try ByteWriter(output)
        try writer.write(bytes)
        try writer.finish()
        try output.commit()
    }
}
