internal import Glibc

/// The files of people that a command opens, said before it opens any of them. It can open nothing else.
public struct FileAccess: Sendable, Equatable {
    /// Files that it reads, and folders with all that is in them.
    public private(set) var read: PathSet = []
    /// Folders whose names it lists, with those below.
    public private(set) var listed: PathSet = []
    /// Files and folders that it writes, each by the very path that it writes to.
    public private(set) var written: PathSet = []
    /// Whether it reads standard input.
    public private(set) var readsStandardInput = false
    /// Whether it makes files that get no name.
    public var needsScratch = false

    /// Access to no file.
    public init() {}

    /// Reads a file, or a folder with all that is in it.
    public mutating func read(_ path: String) {
        if MediaInput.isStandardInput(path) || Self.standardInputs.contains(path) { readsStandardInput = true }
        read.insert(path)
    }

    /// Reads a file or folder like `read(_:)`, where one is named; nil for none.
    public mutating func read(_ path: String?) {
        if let path { read(path) }
    }

    private static let standardInputs = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"]

    /// Lists the names in a folder.
    public mutating func list(_ folder: String) { listed.insert(folder) }

    /// Reads pictures: a video or photo, numbered pictures, or standard input. What stands beside it is no part of it.
    public mutating func read(media path: String) {
        switch MediaInput(path: path) {
        case .standardInput: readsStandardInput = true
        case .file(let path): read(path)
        case .sequence(let pictures):
            list(Files.parent(of: path))
            for file in pictures.files { read(file) }
        }
    }

    /// Reads the files that a glob matches, and lists their folders.
    public mutating func read(glob path: String) {
        let sign = path.firstIndex { "*?[".contains($0) } ?? path.endIndex
        let folder = path[..<sign].lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        list(folder.isEmpty ? "/" : folder)
        for file in Files.glob(path) { read(file) }
    }

    /// Reads a JSON file that somebody wrote, and the files that its texts may mean: pictures of a scene, models of a drawing.
    public mutating func read(naming path: String?) {
        guard let path else { return }
        read(path)
        // One that can't be read names nothing, and is told of by who needs it. A pipe is read once, by that.
        guard Files.isRegular(path), let bytes = try? Files.read(path), let node = try? JSONParser.parse(bytes) else {
            return
        }
        read(named: node, from: Files.parent(of: path))
    }

    /// Reads the files that texts may mean.
    /// - Parameter directory: The folder that relative paths start from.
    mutating func read(named node: JSONNode, from directory: String, root: String? = nil) {
        let grants = ManifestGrants(ManifestPaths(directory: directory, root: root), node)
        for path in grants.paths where root.map({ Files.isInside(path, $0) }) ?? true { read(path) }
        for folder in grants.folders where Files.isDirectory(folder) { list(folder) }
        for tree in grants.trees where tree.isSealed {
            for file in Self.parts(in: tree) where Files.isInside(file, root ?? tree.folder) { read(file) }
        }
    }

    /// How deep parts of a model lie at most, and how many there are.
    private static let (deepest, mostParts) = (3, 4096)

    /// Files of a folder and of those below that end so.
    private static func parts(in tree: FileGrants.Tree) -> [String] {
        var (found, looked): ([String], Int) = ([], 0)
        var left = [(folder: tree.folder, depth: 0)]
        while let (folder, depth) = left.popLast() {
            // What can't be listed has no parts.
            for name in (try? Files.list(folder)) ?? [] {
                looked += 1
                guard looked < mostParts else { return found }
                let path = folder + "/" + name
                if name.hasSuffix(tree.ending), Files.isRegular(path) { found.append(path) }
                if depth < deepest, !Files.isLink(path), Files.isDirectory(path) { left.append((path, depth + 1)) }
            }
        }
        return found
    }

    /// Writes a file or folder, and reads the one that has the name now. It takes the name as a whole.
    public mutating func write(_ path: String) {
        written.insert(path)
        read.insert(path)
    }

    /// Writes a file or folder, where one is named; nil for none.
    public mutating func write(_ path: String?) {
        if let path { write(path) }
    }
}
