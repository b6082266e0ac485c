internal import Glibc

/// Keeps other processes that take the same lock out of a folder's shared files.
package struct FolderLock {
    private let descriptor: Int32

    /// Waits until the lock is free.
    package init(_ directory: String) throws {
        let folder = try HeldFolder(directory)
        descriptor = openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("lock the folder", directory) }
        while flock(descriptor, LOCK_EX) != 0 {
            // A file system without locks has no runs beside this one to fear, or none that it can tell of.
            guard errno == EINTR else { break }
        }
    }

    /// Gives the lock up.
    package func release() { close(descriptor) }
}
