internal import CWorker
internal import Glibc

/// The few calls to the file system that the program needs.
public enum Files {
    /// Whether there is something at a path, links followed.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Whether a folder, or a link to one, is at a path.
    public static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a plain file, or a link to one, is at a path: not a folder, pipe or device.
    public static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Whether the process may open more files: false where it has hardly any descriptors left.
    package static var mayOpenMore: Bool {
        let wanted = 16
        let found = (0..<wanted).map { _ in open("/dev/null", O_RDONLY | O_CLOEXEC) }
        defer { for descriptor in found where descriptor >= 0 { close(descriptor) } }
        return found.allSatisfy { $0 >= 0 }
    }

    /// Whether a symbolic link is at a path, wherever it leads.
    package static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether a pipe, a terminal or the like is at a path, which can be written into more than once.
    public static func isDevice(_ path: String) -> Bool { exists(path) && !isRegular(path) && !isDirectory(path) }

    /// The lines of a text file without their ends, “\r\n” being one, and without the byte order mark that editors of Windows
    /// begin a file with.
    /// - Throws: `FileError`, also where it isn't UTF-8.
    package static func lines(of path: String) throws -> [String] {
        var bytes = try read(path)[...]
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let sound = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .prefix { String(validating: $0, as: UTF8.self) != nil }
            throw FileError("read", path: path, reason: "line \(sound.count + 1) is not valid UTF-8; save it as UTF-8")
        }
        return
            text
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
    }

    /// Size in bytes and time of the last change in nanoseconds; nil where there is no such file.
    public static func status(_ path: String) -> (size: Int64, modified: Int64)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (Int64(status.st_size), Int64(nanoseconds(status.st_mtim)))
    }

    /// A mark that changes whenever the file does, also where that keeps its size and is given its old time: its inode
    /// and the time of its last change of any kind.
    package static func generation(_ path: String) -> (inode: Int, changed: Int) {
        var status = stat()
        guard stat(path, &status) == 0 else { return (0, 0) }
        return (Int(status.st_ino), nanoseconds(status.st_ctim))
    }

    /// A file's identity, whatever path leads to it.
    package struct Identity: Hashable {
        var device: UInt
        var inode: UInt
    }

    /// A file's state, told without reading it: it changes whenever the file does.
    package struct Stamp: Hashable, Sendable {
        var device: UInt
        var inode: UInt
        /// Size, bytes.
        package var size: Int
        /// Time of the last change of its contents, nanoseconds since 1970.
        var modified: Int
        /// Time of the last change of any kind, nanoseconds since 1970.
        var changed: Int

        /// All of it in one text.
        package var text: String { "\(device) \(inode) \(size) \(modified) \(changed)" }

        /// Whether the file was changed so long ago that another change now would have another time: clocks of files go in steps of
        /// some milliseconds. Nobody can set the time of that, as they can that of contents; where it is to come, the clock was
        /// set back since.
        package var isSettled: Bool {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            return !(-100_000_000...100_000_000).contains(Files.nanoseconds(now) &- changed)
        }
    }

    /// A time as nanoseconds since 1970. A file may have any, also one whose nanoseconds no number holds: it is another than its
    /// neighbours' all the same.
    static func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }

    /// The state of the file at a path; nil where there is none.
    package static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            device: UInt(status.st_dev), inode: UInt(status.st_ino), size: Int(status.st_size),
            modified: nanoseconds(status.st_mtim), changed: nanoseconds(status.st_ctim))
    }

    /// The identity of the file at a path, links followed; nil where there is none.
    package static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(device: UInt(status.st_dev), inode: UInt(status.st_ino)) : nil
    }

    /// A version of a file: differs from that of another file that took its name, and from its own when it has been
    /// written in.
    package struct Version: Hashable {
        var identity: Identity
        var size: Int64
        var modified: Int64

        package init(_ entry: HeldFolder.Entry) {
            (identity, size, modified) = (entry.identity, entry.size, entry.modified)
        }
    }

    /// Whether two paths lead to one file.
    public static func areTheSame(_ a: String, _ b: String) -> Bool { identity(a).map { $0 == identity(b) } ?? false }

    /// The one path of a file, however it was spelled; the path itself where there is no such file.
    package static func canonical(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The one path of a file that may not be there yet: its folder's, as far as that is there, and the rest.
    package static func canonicalOfPossible(_ path: String) -> String {
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            return String(cString: resolved)
        }
        let parent = parent(of: path), name = name(of: path)
        guard parent != path, !name.isEmpty else { return path }
        let folder = canonicalOfPossible(parent)
        // “..” behind something that isn't there leads wherever it will be made; the dots are taken at their word.
        if name == ".." { return Files.parent(of: folder) }
        if name == "." { return folder }
        // What is behind such dots may be there, and be a link.
        let possible = folder + (folder == "/" ? "" : "/") + name
        return canonical(possible)
    }

    /// A path that means the same from any working directory.
    package static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Whether a path is a folder or in it, links followed.
    public static func isInside(_ path: String, _ folder: String) -> Bool {
        let (real, root) = (canonicalOfPossible(path), canonical(folder))
        return real == root || root == "/" || real.hasPrefix(root + "/")
    }

    /// Whether a path lies in a folder by its spelling alone: it begins as the folder's, and has no two dots behind
    /// that.
    package static func isSpelledInside(_ path: String, _ folder: String) -> Bool {
        // By bytes: texts that say the same may name two folders.
        let beginning = folder == "/" ? "/" : folder + "/"
        guard path.utf8.starts(with: beginning.utf8) else { return false }
        return !path.utf8.dropFirst(beginning.utf8.count).split(separator: UInt8(ascii: "/")).contains {
            $0.elementsEqual("..".utf8)
        }
    }

    /// A path as seen from a folder, links resolved.
    package static func relative(_ path: String, to folder: String) -> String {
        let target = canonicalOfPossible(path).split(separator: "/"),
            base = canonicalOfPossible(folder).split(separator: "/")
        let shared = zip(target, base).prefix { $0 == $1 }.count
        return (base.dropFirst(shared).map { _ in ".." } + target.dropFirst(shared).map(String.init))
            .joined(separator: "/")
    }

    /// A file's path as seen from a folder, by the name that it was given: a link's own, not that of where it leads.
    package static func relative(named path: String, to folder: String) -> String {
        let way = relative(parent(of: path), to: folder)
        return way.isEmpty ? name(of: path) : way + "/" + name(of: path)
    }

    /// File systems that hold no files but the kernel's words, `/proc` and `/sys` and what is mounted in them, by the numbers of
    /// `linux/magic.h`: procfs, sysfs, tracefs, debugfs, securityfs, cgroup, cgroup2, configfs, pstore, bpf, efivarfs.
    private static let kernels: Set<Int64> = [
        0x9FA0, 0x6265_6572, 0x7472_6163, 0x6462_6720, 0x7363_6673, 0x0027_E0EB, 0x6367_7270, 0x6265_6570, 0x6165_676C,
        0xCAFE_4A11, 0xDE5E_81E4,
    ]

    /// Whether a file lies where the kernel answers and no files are, links followed: reading it may never end.
    package static func isKernels(_ path: String) -> Bool {
        kernels.contains(cwk_file_system(path))
    }

    /// The reason why a file can't be opened for reading; nil where it can.
    package static func whyUnreadable(_ path: String) -> String? {
        access(path, R_OK) == 0 ? nil : String(cString: strerror(errno))
    }

    /// Removes a file where there is one.
    package static func remove(_ path: String) {
        if unlink(path) != 0, errno == EACCES { _ = broker?.remove(path) }
    }

    /// A file's whole contents.
    /// - Parameters:
    ///   - path: The file's.
    ///   - allowsStreams: true for a file that a user may well give as a pipe, up to `streamLimit` bytes.
    /// - Throws: `FileError`, also for other pipes and devices, which may never end.
    public static func read(_ path: String, allowsStreams: Bool = false) throws -> [UInt8] {
        // A pipe that nobody writes into isn't waited for, unless it is what the user gave.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (allowsStreams ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw systemError("read", path) }
        defer { close(descriptor) }
        return try read(descriptor, path, allowsStreams: allowsStreams)
    }

    /// The whole contents of an open file, whatever its path leads to by now.
    package static func read(_ descriptor: Int32, _ path: String, allowsStreams: Bool = false) throws -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw systemError("read", path) }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFDIR { throw FileError("read", path: path, reason: "it is a folder") }
        guard allowsStreams || kind == S_IFREG else {
            throw FileError("read", path: path, reason: "it is a pipe or a device; expected a file")
        }
        var bytes: [UInt8] = []
        // A hole may be as long as it likes.
        if kind == S_IFREG { bytes.reserveCapacity(min(Int(status.st_size), 256 << 20)) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw systemError("read", path) }
            if count == 0 { return bytes }
            guard bytes.count < streamLimit || kind == S_IFREG else {
                throw FileError(
                    "read", path: path, reason: "it gives more than \(streamLimit >> 20) MiB; expected a file")
            }
            bytes.append(contentsOf: buffer[..<count])
        }
    }

    /// A part of a plain file, shorter where the file ends.
    package static func read(_ path: String, from offset: Int64, count: Int) throws -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("read", path) }
        defer { close(descriptor) }
        return try read(descriptor, path, from: offset, count: count)
    }

    /// Calls `body` with what reads parts of a plain file: so many bytes from a place on, fewer where the file ends.
    package static func withParts<Result>(
        of path: String, _ body: (_ read: (_ offset: Int64, _ count: Int) throws -> [UInt8]) throws -> Result
    ) throws -> Result {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("read", path) }
        defer { close(descriptor) }
        return try body { try read(descriptor, path, from: $0, count: $1) }
    }

    private static func read(
        _ descriptor: Int32, _ path: String, from offset: Int64, count: Int
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw systemError("read", path) }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }

    /// Calls `body` with one piece of a plain file after another.
    package static func forEachPiece(of path: String, _ body: ([UInt8]) throws -> Void) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("read", path) }
        defer { close(descriptor) }
        try forEachPiece(of: descriptor, path, body)
    }

    /// Calls `body` with one piece of an open file after another.
    package static func forEachPiece(of descriptor: Int32, _ path: String, _ body: ([UInt8]) throws -> Void) throws {
        var offset: Int64 = 0
        while true {
            let piece = try read(descriptor, path, from: offset, count: 1 << 20)
            if piece.isEmpty { return }
            try body(piece)
            offset += Int64(piece.count)
        }
    }

    /// The most bytes that are read from what is no plain file.
    private static let streamLimit = 64 << 20

    /// Makes a folder and those above it.
    public static func makeDirectory(_ path: String) throws {
        guard !isDirectory(path) else { return }
        let parent = self.parent(of: path)
        if parent != path, !isDirectory(parent) { try makeDirectory(parent) }
        guard mkdir(path, 0o777) != 0 else { return }
        let error = systemError("create the folder", path)
        if error.code == -EEXIST {
            // Somebody else was quicker.
            if isDirectory(path) { return }
            guard isLink(path), !exists(path) else { throw error }
            throw FileError(
                "create the folder", path: path,
                reason: "it is a link to \(link(at: path)), which isn't there; make that folder, or remove the link")
        }
        if error.code == -EACCES, let broker { return try broker.makeDirectory(path) }
        throw error
    }

    /// What a link says that it leads to; empty for what is none.
    private static func link(at path: String) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &buffer, buffer.count)
        return length > 0 ? String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
    }

    /// Makes a temporary folder.
    package static func makeTemporaryDirectory() throws -> String {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/annotate-batch-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw systemError("create a folder in", parent) }
        return String(cString: made)
    }

    /// Removes an empty folder.
    package static func removeDirectory(_ path: String) { rmdir(path) }

    /// The folder that a path lies in; `.` for a bare name.
    public static func parent(of path: String) -> String {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return "." }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }

    /// Whether a text can be the name of something in a folder: no `/`, neither `.` nor `..`.
    package static func isPlainName(_ text: String) -> Bool {
        !text.isEmpty && text != "." && text != ".." && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// The last part of a path.
    public static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The name without its last extension.
    public static func stem(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// Names in a folder, sorted by their bytes.
    public static func list(_ path: String) throws -> [String] {
        guard let directory = opendir(path) else { throw systemError("list the folder", path) }
        defer { closedir(directory) }
        return names(directory)
    }

    /// Names in a folder that is open, sorted by their bytes.
    static func names(_ directory: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Whether a name matches a shell pattern.
    public static func matches(_ name: String, _ pattern: String) -> Bool { fnmatch(pattern, name, 0) == 0 }
}

/// The error that `errno` says, for an operation on a path.
package func systemError(_ operation: String, _ path: String) -> FileError {
    let code = errno
    return FileError(operation, path: path, code: -code, reason: String(cString: strerror(code)))
}
