internal import Glibc

extension Files {
    /// The files that a glob matches.
    package struct Matches {
        /// Paths that can be opened, sorted by their bytes.
        package var paths: [String] = []
        /// Files whose names aren't UTF-8, with the wrong bytes replaced: nobody can name them in a manifest or a
        /// report.
        package var nameless: [String] = []

        /// - Parameter folder: The folder that a relative path starts from.
        fileprivate mutating func add(_ path: UnsafePointer<CChar>, in folder: Int32 = AT_FDCWD) {
            if let path = String(validatingCString: path) {
                paths.append(path)
                return
            }
            var status = stat()
            guard fstatat(folder, path, &status, 0) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
            nameless.append(String(cString: path))
        }

        fileprivate var sorted: Matches {
            func inOrder(_ paths: [String]) -> [String] {
                paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            }
            return Matches(paths: inOrder(paths.filter { !isDirectory($0) }), nameless: inOrder(nameless))
        }
    }

    /// Signs of patterns, and what takes their meaning away.
    private static let signs = "*?[\\"

    /// The glob that a path alone matches.
    package static func literal(_ path: String) -> String {
        path.reduce(into: "") { $0 += signs.contains($1) ? "\\\($1)" : "\($1)" }
    }

    /// Files that match a glob, sorted by their bytes; `**` stands for any number of folders, also none. It looks into no
    /// hidden folder, and into none that a link leads to.
    public static func glob(_ pattern: String) -> [String] { matches(of: pattern).paths }

    /// Files that match a glob, with those whose names can't be written in a manifest kept apart.
    package static func matches(of pattern: String) -> Matches {
        let parts = pattern.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.contains("**") else { return plainGlob(pattern).sorted }
        var nameless: PathSet = []
        let paths = matches(parts, &nameless)
        return Matches(paths: Array(paths), nameless: Array(nameless)).sorted
    }

    /// What C's `glob` finds.
    private static func plainGlob(_ pattern: String) -> Matches {
        var matches = glob_t()
        defer { globfree(&matches) }
        guard Glibc.glob(pattern, GLOB_NOSORT, nil, &matches) == 0 else { return Matches() }
        var found = Matches()
        for index in 0..<Int(matches.gl_pathc) { if let path = matches.gl_pathv[index] { found.add(path) } }
        return found
    }

    private static func matches(_ parts: [Substring], _ nameless: inout PathSet) -> PathSet {
        // What is literal stays as it was written.
        let top = parts.prefix { !isPattern($0) }
        let rest = parts.dropFirst(top.count).filter { !$0.isEmpty }
        var places: PathSet = [top == [""] ? "/" : top.joined(separator: "/")]
        for (index, part) in rest.enumerated() {
            let isLast = index == rest.count - 1
            var next: PathSet = []
            if part == "**" {
                // What all folders below hold is also what those between hold.
                for place in places where next.insert(place) { addFolders(below: place, to: &next) }
                if isLast { next = PathSet(next.flatMap { children(of: $0, matching: "*", &nameless) }) }
            } else if isPattern(part) {
                next = PathSet(places.flatMap { children(of: $0, matching: String(part), &nameless) })
            } else {
                next = PathSet(places.map { join($0, String(part)) }.filter(exists))
            }
            places = next
        }
        return places
    }

    /// Whether a part of a path has signs of patterns.
    package static func isPattern(_ part: Substring) -> Bool { part.contains(where: signs.contains) }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.isEmpty || folder == "/" ? folder + name : folder + "/" + name
    }

    private static func children(
        of folder: String, matching pattern: String, _ nameless: inout PathSet
    ) -> [String] {
        // A folder that can't be listed holds nothing that could be read.
        guard let directory = opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { closedir(directory) }
        var found = Matches()
        while let entry = readdir(directory) {
            withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { name in
                    if fnmatch(pattern, name, FNM_PERIOD) == 0 { found.add(name, in: dirfd(directory)) }
                }
            }
        }
        nameless.formUnion(found.nameless.map { join(folder, $0) })
        return found.paths.filter { $0 != "." && $0 != ".." }.map { join(folder, $0) }
    }

    private static func addFolders(below top: String, to folders: inout PathSet) {
        var waiting = [top]
        while let folder = waiting.popLast() {
            // What doesn't match the part after it is nobody's business.
            var others: PathSet = []
            for path in children(of: folder, matching: "*", &others)
            where isOwnFolder(path) && folders.insert(path) {
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
