internal import Glibc

/// Folders that may not lie outside of another.
extension HeldFolder {
    /// A folder that is opened first and looked at then: what was looked at is what is held. It is made where there is none,
    /// with those above it.
    /// - Parameter root: The folder that it may not lie outside of, links followed; nil for no such bound.
    /// - Throws: `FileError`, before anything is made outside.
    package static func made(_ path: String, inside root: String?) throws -> HeldFolder {
        let root = root.map(Files.canonical)
        var (there, missing) = (path, [String]())
        var held: HeldFolder
        while true {
            do {
                held = try HeldFolder(there)
                break
            } catch let error as FileError where error.code == -ENOENT && Files.parent(of: there) != there {
                // A link that leads nowhere has its name already.
                guard !Files.isLink(there) else { throw error }
                missing.append(Files.name(of: there))
                there = Files.parent(of: there)
            }
        }
        try held.check(inside: root, path)
        for name in missing.reversed() {
            guard Files.isPlainName(name) || name == "." else {
                throw FileError(
                    "create the folder", path: path,
                    reason: "“\(name)” stands behind a folder that isn't there; expected a path without")
            }
            if name == "." { continue }
            if mkdirat(held.descriptor, name, 0o777) != 0, errno != EEXIST {
                throw systemError("create the folder", path)
            }
            do {
                held = try HeldFolder(name, in: held)
            } catch let error as FileError {
                // There may be no descriptor left.
                throw FileError(
                    "create the folder", path: path, code: error.mayPass ? error.code : 0,
                    reason: error.mayPass ? error.reason : "“\(name)” is no folder there")
            }
        }
        return try held.called(path)
    }

    /// A folder that exists, held; nil where there is none.
    /// - Throws: `FileError` where it lies outside of the root.
    package static func existing(_ path: String, inside root: String) throws -> HeldFolder? {
        // Who needs it makes it, or says why it can't be opened.
        guard let held = try? HeldFolder(path) else { return nil }
        try held.check(inside: Files.canonical(root), path)
        return held
    }

    private func check(inside root: String?, _ path: String) throws {
        guard let root, !OpenFile.isInside(descriptor, root) else { return }
        throw FileError("use", path: path, reason: "it leads out of the folder that --root allows")
    }

    /// The same folder, under the path that people know it by.
    private func called(_ path: String) throws -> HeldFolder {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw systemError("open the folder", path) }
        return HeldFolder(path, descriptor: copy)
    }
}

/// Questions about an open file, by its descriptor, whatever has become of its path.
package enum OpenFile {
    /// Whether an open file lies in a folder.
    /// - Parameter root: The folder's path, without links and dots.
    package static func isInside(_ descriptor: Int32, _ root: String) -> Bool {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count - 1)
        guard length > 0 else { return false }
        let path = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path == root || root == "/" || path.hasPrefix(root + "/")
    }
}
