internal import Glibc

extension Files {
    /// Files that match a glob, sorted by their bytes; `**` stands for any number of folders, also none. It looks into no
    /// hidden folder, and into none that a link leads to.
    public static func glob(_ pattern: String) -> [String] {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        let paths = parts.contains("**") ? Array(matches(parts)) : plainGlob(pattern)
        return paths.filter { !isDirectory($0) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// What C's `glob` finds.
    private static func plainGlob(_ pattern: String) -> [String] {
        var matches = glob_t()
        defer { globfree(&matches) }
        guard Glibc.glob(pattern, GLOB_NOSORT, nil, &matches) == 0 else { return [] }
        return (0..<Int(matches.gl_pathc)).compactMap { matches.gl_pathv[$0].map { String(cString: $0) } }
    }

    private static func matches(_ parts: [Substring]) -> Set<String> {
        // What is literal stays as it was written.
        let top = parts.prefix { !isPattern($0) }
        let rest = parts.dropFirst(top.count).filter { !$0.isEmpty }
        var places: Set = [top == [""] ? "/" : top.joined(separator: "/")]
        for (index, part) in rest.enumerated() {
            let isLast = index == rest.count - 1
            var next: Set<String> = []
            if part == "**" {
                // What all folders below hold is also what those between hold.
                for place in places where next.insert(place).inserted { addFolders(below: place, to: &next) }
                if isLast { next = Set(next.flatMap { children(of: $0, matching: "*") }) }
            } else if isPattern(part) {
                next = Set(places.flatMap { children(of: $0, matching: String(part)) })
            } else {
                next = Set(places.map { join($0, String(part)) }.filter(exists))
            }
            places = next
        }
        return places
    }

    private static func isPattern(_ part: Substring) -> Bool { part.contains { "*?[\\".contains($0) } }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
    }

    private static func children(of folder: String, matching pattern: String) -> [String] {
        // A folder that can't be listed holds nothing that could be read.
        let names = (try? list(folder.isEmpty ? "." : folder)) ?? []
        return names.filter { fnmatch(pattern, $0, FNM_PERIOD) == 0 }.map { join(folder, $0) }
    }

    private static func addFolders(below top: String, to folders: inout Set<String>) {
        var waiting = [top]
        while let folder = waiting.popLast() {
            for path in children(of: folder, matching: "*") where isOwnFolder(path) && folders.insert(path).inserted {
                waiting.append(path)
            }
        }
    }

    /// False for a link to a folder, which may lead back to where it lies.
    private static func isOwnFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
