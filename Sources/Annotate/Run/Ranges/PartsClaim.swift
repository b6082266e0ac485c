internal import Glibc

/// Keeps other processes from running a job whose parts are all there.
final class PartsClaim: Sendable {
    private let file: Int32

    /// - Parameter name: The file whose lock it is.
    init?(_ name: String, in folder: HeldFolder) {
        func open(_ mode: Int32) -> Int32 {
            openat(folder.descriptor, name, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        }
        // NFS locks only what may be written.
        let writable = open(O_RDWR)
        let file = writable >= 0 ? writable : open(O_RDONLY)
        guard file >= 0 else { return nil }
        // A file system without locks: two may run it, which costs time and spoils nothing.
        let isTaken = flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
        var status = stat()
        // Who had it before has removed the file.
        guard !isTaken, fstat(file, &status) == 0, status.st_nlink > 0 else {
            close(file)
            return nil
        }
        self.file = file
    }

    deinit { close(file) }
}
