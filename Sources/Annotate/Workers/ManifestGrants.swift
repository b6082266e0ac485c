/// What the reader of a manifest may read: the files that its texts may mean, and no other. Nor may its jobs, whatever the
/// reader says of them.
///
/// The texts are looked at without knowing what each is for: one that isn't meant as a path names no file, or one that lies
/// beside the manifest under that very name.
struct ManifestGrants {
    /// Paths of files as they are opened.
    private(set) var paths: PathSet = []
    /// Folders with what lies in them and below and ends so.
    private(set) var trees: Set<FileGrants.Tree> = []
    /// Folders whose names may be listed: a suggestion comes from there.
    private(set) var folders: PathSet = []
    /// Texts that may mean files elsewhere.
    private(set) var addresses: Set<String> = []
    /// Whether a text may mean standard input.
    private(set) var hasStandardInput = false

    /// - Parameters:
    ///   - paths: What the manifest's paths mean.
    ///   - manifest: What is in it.
    init(_ paths: ManifestPaths, _ manifest: JSONNode) {
        var left = [manifest]
        while let node = left.popLast() {
            if let text = node.string { add(text, paths) }
            if let folder = node["against"]?.string { addAccepted(folder, paths) }
            left += node.elements ?? []
            left += node.members?.map(\.value) ?? []
        }
    }

    /// Characters that begin patterns and templates.
    private static let signs: Set<Character> = ["*", "?", "[", "{", "%"]
    private static let longest = 4096
    /// Folders in and above which data sets have been looked for.
    private var sets: PathSet = []

    /// Adds a folder of accepted results, which has one of each job.
    private mutating func addAccepted(_ text: String, _ directory: ManifestPaths) {
        guard !text.isEmpty, text.utf8.count < Self.longest else { return }
        trees.insert(.init(folder: directory.resolve(text), ending: TracksSink.format.suffix))
    }

    private mutating func add(_ text: String, _ directory: ManifestPaths) {
        guard !text.isEmpty, text.utf8.count < Self.longest else { return }
        if MediaInput.isStandardInput(text) { hasStandardInput = true }
        guard RemoteAddress(text) == nil else {
            addresses.insert(text)
            return
        }
        // A file of regions that may be absent.
        if text.hasSuffix(".json?") { return add(String(text.dropLast()), directory) }
        let path = directory.resolve(text)
        // Which frames a data set's files are of stands beside them.
        if sets.insert(Files.parent(of: path)) { paths.formUnion(DataSetRecord.files(near: path)) }
        guard let first = path.firstIndex(where: Self.signs.contains) else {
            folders.insert(Files.parent(of: path))
            // One that isn't there is nobody's yet; a job may have to say so.
            if !Files.exists(path) { paths.insert(path) }
            guard Files.isRegular(path) else { return }
            paths.insert(path)
            for ending in ModelParts.endings(of: path) {
                trees.insert(.init(folder: Files.parent(of: path), ending: ending, isSealed: true))
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
