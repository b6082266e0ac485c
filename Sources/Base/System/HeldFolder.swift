internal import CWorker
internal import Glibc
internal import Synchronization

/// A folder that is held by a descriptor: what is looked at, removed and renamed in it lies in it, whatever becomes of its path
/// meanwhile, and links in it are never followed.
package final class HeldFolder: Sendable {
    /// The folder's path, for messages.
    package let path: String
    package let descriptor: Int32

    /// Links on the way are followed: whoever names the folder means where they lead; or led, when it was pinned.
    /// - Throws: `FileError`.
    package init(_ path: String) throws {
        let pinned = Self.pinned.withLock { $0[path] }
        let descriptor = pinned.map { cwk_hold($0.descriptor, ".", 0) } ?? cwk_hold(AT_FDCWD, path, 1)
        guard descriptor >= 0 else {
            throw FileError(
                "open the folder", path: path, code: descriptor, reason: String(cString: strerror(-descriptor)))
        }
        (self.path, self.descriptor) = (path, descriptor)
        OwnPaths.note(path, descriptor)
    }

    /// A folder that another process has opened.
    /// - Parameter descriptor: Is closed with it.
    package init(_ path: String, descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
        OwnPaths.note(path, descriptor)
    }

    /// Folders that are pinned, by their paths: what each path means to this process.
    private static let pinned = Mutex<[String: HeldFolder]>([:])

    /// From now on its path means this very folder to whoever holds it in this process, whatever somebody puts there.
    package func pin() { Self.pinned.withLock { $0[path] = self } }

    /// A path that leads here for as long as this is held.
    package var ownPath: String { "/proc/self/fd/\(descriptor)" }

    /// A path to open files by: `ownPath` where the folder is pinned; else its path, which says more in a message.
    var safePath: String { Self.pinned.withLock { $0[path] } == nil ? path : ownPath }

    /// A folder in another.
    /// - Throws: `FileError` for what is none, or a link to one.
    package init(_ name: String, in folder: HeldFolder) throws {
        let path = folder.path + "/" + name
        let descriptor = Files.isPlainName(name) ? cwk_hold(folder.descriptor, name, 0) : -EINVAL
        guard descriptor >= 0 else {
            throw FileError(
                "open the folder", path: path, code: descriptor, reason: String(cString: strerror(-descriptor)))
        }
        (self.path, self.descriptor) = (path, descriptor)
        OwnPaths.note(path, descriptor)
    }

    deinit {
        OwnPaths.forget(descriptor)
        close(descriptor)
    }

    /// What lies under a name.
    package struct Entry {
        /// What an entry is.
        package enum Kind { case file, folder, link, other }

        package var kind: Kind
        package var size: Int64
        /// Time of the last change, nanoseconds since 1970.
        package var modified: Int64
        package var identity: Files.Identity
        /// Hard links that the file has.
        var names: Int

        init(_ status: stat) {
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .file
                case S_IFDIR: .folder
                case S_IFLNK: .link
                default: .other
                }
            (size, names) = (Int64(status.st_size), Int(status.st_nlink))
            modified = Int64(Files.nanoseconds(status.st_mtim))
            identity = Files.Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino))
        }
    }

    /// The entry under a name; nil where there is none, and for a text that can't be a name.
    package func entry(_ name: String) -> Entry? {
        var status = stat()
        guard Files.isPlainName(name), fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return Entry(status)
    }

    /// The kind of what a link leads to, or of the entry itself.
    package func destination(_ name: String) -> Entry.Kind? {
        var status = stat()
        guard Files.isPlainName(name), fstatat(descriptor, name, &status, 0) == 0 else { return nil }
        return Entry(status).kind
    }

    /// Names in it, sorted by their bytes.
    /// - Throws: `FileError`.
    package func names() throws -> [String] {
        let reading = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard reading >= 0 else { throw systemError("list the folder", path) }
        guard let directory = fdopendir(reading) else {
            let error = systemError("list the folder", path)
            close(reading)
            throw error
        }
        defer { closedir(directory) }
        return Files.names(directory)
    }

    /// A plain file in it, for reading; its descriptor is the caller's to close.
    /// - Throws: `FileError`, also for a link, a pipe or a device, which are never waited for.
    package func open(_ name: String) throws -> Int32 {
        let full = path + "/" + name
        guard Files.isPlainName(name) else { throw FileError("read", path: full, reason: "it is no file's name") }
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            guard errno != ELOOP else {
                throw FileError("read", path: full, reason: "it is a link; expected a plain file")
            }
            throw systemError("read", full)
        }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw FileError("read", path: full, reason: "it is a folder, a pipe or a device; expected a plain file")
        }
        return file
    }

    /// Makes a file look as if it had been written just now, where it is of this folder alone.
    package func touch(_ name: String) {
        guard let entry = entry(name), entry.kind == .file, entry.names == 1 else { return }
        utimensat(descriptor, name, nil, AT_SYMLINK_NOFOLLOW)
    }

    /// Renames an entry; another entry of the new name is replaced.
    /// - Throws: `FileError`.
    package func rename(_ name: String, to other: String) throws {
        let target = path + "/" + other
        guard Files.isPlainName(name), Files.isPlainName(other) else {
            throw FileError("rename to", path: target, reason: "it is no file's name")
        }
        guard renameat(descriptor, name, descriptor, other) == 0 else { throw systemError("rename to", target) }
    }

    /// Exchanges two names.
    /// - Returns: 0, or minus the system's error.
    package func exchange(_ name: String, _ other: String) -> Int32 { cwk_exchange(descriptor, name, other) }

    /// Removes a file, a link or a pipe; what a link leads to stays.
    @discardableResult
    package func removeFile(_ name: String) -> Bool { Files.isPlainName(name) && unlinkat(descriptor, name, 0) == 0 }

    /// Removes a folder with all that is in it on the same disk; what links in it lead to stays.
    @discardableResult
    package func removeFolder(_ name: String) -> Bool { removeFolder(name, depth: 0) }

    /// How deep folders of a result are nested at most, to be removed. This program makes two.
    private static let deepest = 16

    private func removeFolder(_ name: String, depth: Int) -> Bool {
        // An empty one goes without a descriptor, of which there may be none left.
        if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return true }
        guard depth < Self.deepest, let inner = folder(name), inner.isOnDisk(of: self) else {
            return false
        }
        // A thread that is being ended may put another file there meanwhile.
        for _ in 0..<3 {
            // One that can't be listed stays.
            guard let names = try? inner.names() else { return false }
            for name in names {
                if inner.entry(name)?.kind == .folder {
                    // What can't go now doesn't the next time.
                    guard inner.removeFolder(name, depth: depth + 1) else { return false }
                } else {
                    inner.removeFile(name)
                }
            }
            if unlinkat(descriptor, name, AT_REMOVEDIR) == 0 { return true }
            if errno != ENOTEMPTY, errno != EEXIST { return false }
        }
        return false
    }

    /// False for a folder on which another file system is mounted.
    private func isOnDisk(of other: HeldFolder) -> Bool {
        var (own, theirs) = (stat(), stat())
        return fstat(descriptor, &own) == 0 && fstat(other.descriptor, &theirs) == 0 && own.st_dev == theirs.st_dev
    }

    /// A folder in it; nil for what is none, or a link to one.
    package func folder(_ name: String) -> HeldFolder? { try? HeldFolder(name, in: self) }

    /// Syncs the folder's entries to the disk; a file system that can't do it has nothing to lose by it.
    package func sync() {
        let folder = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
