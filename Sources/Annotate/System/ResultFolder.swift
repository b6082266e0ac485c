internal import CWorker
internal import Glibc

/// Results that are folders: they appear whole, in place of an earlier one, and go whole. A folder in which somebody has put
/// something is left alone.
package enum ResultFolder {
    /// What such folders hold at their top, and what their readers leave there.
    private static let known: Set<String> = [
        "data.yaml", "classes.txt", "labels", "tracks", "images", "labels.cache", "images.cache",
    ]

    /// What the names of a page's data files end with.
    package static let pageData = ".review.js"

    /// True for a folder, not for a link to one.
    static func isFolder(_ path: String) -> Bool { mode(path) == S_IFDIR }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// True for a folder that holds nothing but what a result does.
    static func isOurs(_ path: String) -> Bool { isFolder(path) && stranger(in: path) == nil }

    /// Something in a folder that no result holds.
    private static func stranger(in path: String) -> String? {
        // One that can't be listed is nobody's to remove.
        guard let names = try? Files.list(path) else { return "what can't be listed" }
        return names.first { !known.contains($0) && !isPicture($0) && !$0.hasSuffix(pageData) }
    }

    private static func isPicture(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count >= 2, let last = parts.last, ["jpg", "png"].contains(last) else { return false }
        let digits = name.dropLast(4).reversed().prefix { $0.isASCII && $0.isNumber }
        return digits.count >= 6
    }

    /// Why no folder can take a name; nil where one can.
    static func whyUnusable(_ target: String) -> String? {
        switch mode(target) {
        case nil: return nil
        case S_IFDIR:
            return stranger(in: target).map {
                "the folder holds “\($0.inOneLine)”, which this program didn't put there; move that away, or name another "
                    + "place"
            }
        case S_IFLNK: return "it is a link; expected a folder, or nothing there"
        case S_IFREG: return "it is a file; expected a folder, or nothing there"
        default: return "it is a pipe or a device; expected a folder, or nothing there"
        }
    }

    /// Bytes of the files in a folder; nil where there is none.
    static func size(_ path: String) -> Int64? {
        guard isFolder(path), let names = try? Files.list(path) else { return nil }
        return names.reduce(0) { sum, name in
            let inner = path + "/" + name
            return sum + (isFolder(inner) ? size(inner) ?? 0 : Files.status(inner)?.size ?? 0)
        }
    }

    /// Brings a folder and all that is in it to the disk.
    static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError("finish", path) }
        defer { close(descriptor) }
        // One call for however many files.
        let code = cwk_sync_file_system(descriptor)
        guard code == 0 else {
            throw FileError("finish", path: path, code: code, reason: String(cString: strerror(-code)))
        }
    }

    /// Gives a folder that is whole its name; an earlier result of that name goes.
    /// - Throws: `FileError`, also where the name is somebody else's.
    static func commit(_ temporary: String, to target: String) throws {
        if let reason = whyUnusable(target) { throw FileError("write", path: target, reason: reason) }
        guard isFolder(target) else {
            guard rename(temporary, target) == 0 else { throw systemError("rename to", target) }
            return
        }
        // Nobody sees a moment without the one or the other.
        let code = cwk_exchange(temporary, target)
        if code == 0 { return remove(temporary) }
        guard code == -EINVAL || code == -ENOSYS else {
            throw FileError("rename to", path: target, code: code, reason: String(cString: strerror(-code)))
        }
        // A file system that can't exchange.
        remove(target)
        guard rename(temporary, target) == 0 else { throw systemError("rename to", target) }
    }

    /// Removes a folder with all that is in it; what links lead to stays.
    static func remove(_ path: String) {
        // A thread that is being ended may put another file there meanwhile.
        for _ in 0..<3 {
            guard let names = try? Files.list(path) else { return }
            for name in names {
                let inner = path + "/" + name
                if isFolder(inner) { remove(inner) } else { unlink(inner) }
            }
            if rmdir(path) == 0 || errno != ENOTEMPTY { return }
        }
    }
}

extension Files {
    /// Bytes of a result: a file, or the files of a folder; nil where there is none.
    static func sizeOfResult(_ path: String) -> Int64? {
        ResultFolder.isFolder(path) ? ResultFolder.size(path) : status(path)?.size
    }

    /// True for what may be removed as a result: a file, or a folder that holds nothing else.
    static func isResult(_ path: String) -> Bool { isRegular(path) || ResultFolder.isOurs(path) }

    /// Removes a result where there is one; a folder in which somebody has put something stays.
    package static func removeResult(_ path: String) {
        if ResultFolder.isOurs(path) { ResultFolder.remove(path) } else { remove(path) }
    }

    /// Removes a file or folder that has its temporary name still.
    static func removeTemporary(_ path: String) {
        if ResultFolder.isFolder(path) { ResultFolder.remove(path) } else { remove(path) }
    }
}
