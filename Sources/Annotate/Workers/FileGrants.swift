internal import CWorker
internal import Glibc
internal import Synchronization

/// The files of people that a worker may read: those of its job, and none while it has no job. What of the system it reads
/// is for the kernel to allow.
final class FileGrants: Sendable {
    /// A folder, with what lies in it and below.
    struct Tree: Hashable {
        var folder: String
        /// Ending of the names of files in it; empty for all.
        var ending: String
        /// True where no link may lead out of it: a model's parts came with the model, which may be anybody's.
        var isSealed = false

        /// Whether a path, spelled as the folder is, stays in it. Two dots in the folder's own spelling are whoever's who
        /// named it.
        func holds(_ path: String) -> Bool {
            path.utf8.elementsEqual(folder.utf8) || Files.isSpelledInside(path, folder)
        }
    }

    private struct State {
        var paths: PathSet = []
        var trees: [Tree] = []
        var root: String?
        /// Files of this program's own, wherever they lie.
        var own: PathSet = []

        /// What is this program's own isn't looked at.
        /// - Returns: Folders of which what is opened must lie in one; none for anywhere. nil for what isn't granted.
        func grants(_ path: String, isFolder: Bool) -> [String]? {
            if paths.contains(path) { return [] }
            let holding = trees.filter { $0.holds(path) && (isFolder || path.hasSuffix($0.ending)) }
            if holding.isEmpty { return nil }
            return holding.contains { !$0.isSealed } ? [] : holding.map(\.folder)
        }
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - paths: Files, and folders whose names may be listed, as they are opened.
    ///   - root: The folder that no path may leave, links followed; nil for none.
    ///   - trees: Folders of which more is granted.
    ///   - own: Files that this program has written for itself, which lie under no root.
    func set(
        _ paths: some Sequence<String>, trees: some Sequence<Tree> = [], root: String?, own: some Sequence<String> = []
    ) {
        var all: PathSet = []
        for path in paths {
            let path = Self.absolute(path)
            all.insert(path)
            // Whoever follows the links first opens where they lead.
            all.insert(Files.canonical(path))
        }
        let canonicalRoot = root.map(Files.canonical)
        let folders = trees.flatMap { tree -> [Tree] in
            let folder = Self.absolute(tree.folder)
            return PathSet([folder, Files.canonical(folder)]).map {
                Tree(folder: $0, ending: tree.ending, isSealed: tree.isSealed)
            }
        }
        let own = PathSet(own.map(Self.absolute))
        state.withLock { $0 = State(paths: all, trees: folders, root: canonicalRoot, own: own) }
    }

    /// Whether a path is granted, links followed where they may not lead anywhere. This program's own files aren't what
    /// anybody's job may name.
    func covers(_ path: String) -> Bool {
        let path = Self.absolute(path)
        guard let folders = state.withLock({ $0.grants(path, isFolder: false) }) else { return false }
        return folders.isEmpty || folders.contains { Files.isInside(path, $0) }
    }

    /// Opens a file for who may read it.
    /// - Returns: A descriptor; a negative errno where it can't be opened; nil for what isn't granted.
    func open(_ path: String, flags: Int32) -> Int32? {
        let path = Self.absolute(path)
        let (granted, root): ([String]?, String?) = state.withLock { state in
            if state.own.contains(path) { return ([], nil) }
            return (state.grants(path, isFolder: flags & O_DIRECTORY != 0), state.root)
        }
        guard flags & (O_ACCMODE | O_CREAT | O_TRUNC) == O_RDONLY, cwk_opens_nothing(flags) == 0,
            let folders = granted
        else { return nil }
        // A pipe that took the file's place must not hold up who asks.
        let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags & (O_DIRECTORY | O_NOFOLLOW))
        guard descriptor >= 0 else { return -errno }
        var status = stat()
        let isPlain =
            fstat(descriptor, &status) == 0 && [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
        // What was opened counts, not what the path meant a moment ago.
        guard isPlain, root.map({ OpenFile.isInside(descriptor, $0) }) ?? true,
            folders.isEmpty || folders.contains(where: { OpenFile.isInside(descriptor, Files.canonical($0)) })
        else {
            close(descriptor)
            return -EACCES
        }
        _ = fcntl(descriptor, F_SETFL, 0)
        return descriptor
    }

    /// One spelling for a path: from the root of the file system on, without empty parts and single dots.
    private static func absolute(_ path: String) -> String {
        var whole = path
        if !path.hasPrefix("/") {
            guard let folder = getcwd(nil, 0) else { return path }
            defer { free(folder) }
            whole = String(cString: folder) + "/" + path
        }
        return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}
