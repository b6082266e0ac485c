/// The states of some files, told without reading them, to be held against those that they have later.
package struct FileVersions {
    private var versions: [String: [Int]] = [:]

    /// - Parameter paths: Paths that can be opened.
    package init(of paths: some Sequence<String> = []) { add(paths) }

    /// Notes more files, as they are now.
    package mutating func add(_ paths: some Sequence<String>) {
        for path in paths where versions[path] == nil { versions[path] = Self.version(of: path) }
    }

    /// Whether all files are what they were.
    package var areCurrent: Bool { versions.allSatisfy { Self.version(of: $0.key) == $0.value } }

    private static func version(of path: String) -> [Int] {
        guard let status = Files.status(path) else { return [] }
        let generation = Files.generation(path)
        return [Int(status.size), Int(status.modified), generation.inode, generation.changed]
    }
}
