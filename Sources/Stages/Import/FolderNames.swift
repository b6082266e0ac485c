internal import Glibc
internal import Graph

/// Names in folders with a file for each frame of many clips: each is listed once, until it changes, and not once for each clip.
enum FolderNames {
    private static let known = ReadFiles<[String]>()

    /// What `Files.glob` finds, in the same order.
    static func glob(_ pattern: String) -> [String] {
        let (folder, name) = (Files.parent(of: pattern), Files.name(of: pattern))
        // What is literal at the beginning of a name leads to where those that match begin.
        let start = String(name.prefix { !Files.isPattern(Substring(String($0))) })
        guard !start.isEmpty, start != name, !start.hasPrefix("."), !Files.isPattern(Substring(folder)),
            let names = try? known.value(of: folder, { try names(in: folder) })
        else { return Files.glob(pattern) }
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].utf8.lexicographicallyPrecedes(start.utf8) { low = middle + 1 } else { high = middle }
        }
        let prefix = pattern.dropLast(name.count)
        return names[low...].prefix { $0.utf8.starts(with: start.utf8) }
            .filter { fnmatch(name, $0, FNM_PERIOD) == 0 }
            .map { prefix + $0 }.filter { !Files.isDirectory($0) }
    }

    /// All names that can be written, sorted by their bytes.
    private static func names(in folder: String) throws -> [String] {
        guard let directory = opendir(folder) else {
            throw FileError("read", path: folder, code: -errno, reason: String(cString: strerror(errno)))
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
