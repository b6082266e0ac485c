/// What the reader of a manifest may read: the files that its texts may mean, and no other.
///
/// The texts are looked at without knowing what each is for: one that isn't meant as a path names no file, or one that lies
/// beside the manifest under that very name.
struct ManifestGrants {
    /// Paths of files as they are opened.
    private(set) var paths: Set<String> = []
    /// Folders with what lies in them and below and ends so.
    private(set) var trees: Set<FileGrants.Tree> = []
    /// Folders whose names may be listed: a suggestion comes from there.
    private(set) var folders: Set<String> = []

    /// - Parameters:
    ///   - manifest: Its path.
    ///   - bytes: What is in it. What is no JSON means nothing.
    init(_ manifest: String, _ bytes: [UInt8]) {
        let directory = ManifestPaths(directory: Files.parent(of: manifest))
        guard let root = try? JSONParser.parse(bytes) else { return }
        var left = [root]
        while let node = left.popLast() {
            if let text = node.string { add(text, directory) }
            left += node.elements ?? []
            left += node.members?.map(\.value) ?? []
        }
    }

    /// Characters that begin patterns and templates.
    private static let signs: Set<Character> = ["*", "?", "[", "{", "%"]
    private static let longest = 4096

    private mutating func add(_ text: String, _ directory: ManifestPaths) {
        guard !text.isEmpty, text.utf8.count < Self.longest else { return }
        let path = directory.resolve(text)
        guard let first = path.firstIndex(where: Self.signs.contains) else {
            folders.insert(Files.parent(of: path))
            guard Files.isRegular(path) else { return }
            paths.insert(path)
            for ending in ModelParts.endings(of: path) {
                trees.insert(.init(folder: Files.parent(of: path), ending: ending))
            }
            return
        }
        // A sign may be meant as itself.
        if Files.isRegular(path) { paths.insert(path) }
        let folder = path[..<first].lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let closing = path.lastIndex { Self.signs.contains($0) || $0 == "]" || $0 == "}" } ?? first
        var ending = path[path.index(after: closing)...]
        if path[closing] == "%" { ending = ending.drop { $0.isNumber }.dropFirst() }
        trees.insert(.init(folder: folder.isEmpty ? "/" : folder, ending: String(ending)))
    }
}
