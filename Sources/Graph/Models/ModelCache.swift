internal import Glibc
internal import Synchronization

/// Compiled networks of earlier runs, in a folder of the user's own: `index` says what there is, `networks` has them. Who
/// works on jobs reads all of the first, and of the second what its job needs; only the process that the user started writes.
package struct ModelCache: Sendable {
    /// What is kept of one network.
    package struct Entry: Record {
        /// What it depends on, in full.
        package var key = ""
        /// Name of its file.
        package var file = ""
        /// Hash of that file's contents.
        package var contents = ""
        /// What stages want to know of it, as JSON.
        package var description = ""

        package init() {}

        package static let fields: [Field<Entry>] = [
            Field("key", \.key, .text(), doc: "What it depends on."),
            Field("file", \.file, .text(), doc: "Its file's name."),
            Field("contents", \.contents, .text(), doc: "Hash of that."),
            Field("description", \.description, .text(), doc: "Its inputs and outputs, as JSON."),
        ]
    }

    /// What is known of a model's file while it stays as it is, so that not everybody has to read it.
    package struct Facts: Record {
        /// The file's state.
        package var stamp = ""
        /// SHA-256 of its contents.
        package var sha256 = ""
        /// Names of files beside it that belong to it.
        package var data: [String] = []

        package init() {}

        package static let fields: [Field<Facts>] = [
            Field("stamp", \.stamp, .text(), doc: "The file's state."),
            Field("sha256", \.sha256, .text(), doc: "Of its contents."),
            Field("data", \.data, .list(.text()), doc: "Files beside it that belong to it."),
        ]
    }

    /// The folder of all of it.
    package let folder: String
    /// Whether somebody named it.
    package let isNamed: Bool
    /// Folder of what is known of each.
    package var index: String { folder + "/index" }
    /// Folder of the networks.
    package var networks: String { folder + "/networks" }

    package init(folder: String, isNamed: Bool) { (self.folder, self.isNamed) = (folder, isNamed) }

    /// The place that the environment names, `ANNOTATE_MODEL_CACHE`, else `annotate-batch/compiled` in the user's folder for what can
    /// be made again. nil where it says `none` or a path that doesn't begin at the root, and where there is no such folder of
    /// the user's own: with another's `HOME`, as `sudo` may leave it, what is kept would be in the way there.
    package static var ofEnvironment: ModelCache? {
        if let own = Environment.text("ANNOTATE_MODEL_CACHE") {
            return own.hasPrefix("/") ? ModelCache(folder: own, isNamed: true) : nil
        }
        guard let home = Environment.ownHome else { return nil }
        let caches = Environment.folder("XDG_CACHE_HOME") ?? home + "/.cache"
        return ModelCache(folder: caches + "/annotate-batch/compiled", isNamed: false)
    }

    /// Whether the folder is this user's alone, so that nobody else has put anything there.
    package var isOwn: Bool { [folder, index, networks].allSatisfy(Self.isOwn) }

    private static func isOwn(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
    }

    /// Makes the folders.
    /// - Returns: Whether they are there, and this user's alone.
    package func make() -> Bool {
        // What is in the way is told of by `doctor`.
        guard (try? Files.makeDirectory(Files.parent(of: folder))) != nil else { return false }
        for path in [folder, index, networks] { mkdir(path, 0o700) }
        return isOwn
    }

    /// Name of what is known of a network.
    package static func name(of key: String) -> String { SHA256.hash(Array(key.utf8)) + ".json" }

    /// Name of the facts about a file in a state.
    package static func name(of stamp: Files.Stamp) -> String { SHA256.hash(Array(stamp.text.utf8)) + ".facts.json" }

    /// The facts about a file in a state; nil where there are none.
    package func facts(of stamp: Files.Stamp) -> Facts? {
        guard isOwn, let bytes = try? Files.read(index + "/" + Self.name(of: stamp)),
            let node = try? JSONParser.parse(bytes)
        else { return nil }
        let facts = Facts(node)
        return facts.stamp == stamp.text && facts.sha256.utf8.count == 64 ? facts : nil
    }

    /// What is kept of a network; nil for nothing, and for what can't be read.
    package func entry(for key: String) -> Entry? {
        guard isOwn, let bytes = try? Files.read(index + "/" + Self.name(of: key)),
            let node = try? JSONParser.parse(bytes)
        else { return nil }
        let entry = Entry(node)
        return entry.key == key && Files.isPlainName(entry.file) ? entry : nil
    }

    /// SHA-256 of those of some files that are known as models in the state that they are in.
    package func models(among paths: some Sequence<String>) -> Set<String> {
        // Where nothing was kept there is no folder.
        let names = isOwn ? (try? Files.list(index)) ?? [] : []
        let known = Set(names.filter { $0.hasSuffix(".facts.json") })
        if known.isEmpty { return [] }
        return Set(
            paths.compactMap { path in
                guard let stamp = Files.stamp(path), known.contains(Self.name(of: stamp)) else { return nil }
                return facts(of: stamp)?.sha256
            })
    }

    /// Files of the networks that are kept and whose keys are wanted.
    package func files(where isWanted: (String) -> Bool) -> [String] {
        // Where nothing was kept there is no folder.
        let names = isOwn ? (try? Files.list(index)) ?? [] : []
        return names.filter { $0.hasSuffix(".json") && !$0.hasSuffix(".facts.json") }.compactMap { name in
            // One that can't be read is of no use to anybody.
            guard let bytes = try? Files.read(index + "/" + name), let node = try? JSONParser.parse(bytes) else {
                return nil
            }
            let entry = Entry(node)
            guard Self.name(of: entry.key) == name, Files.isPlainName(entry.file), isWanted(entry.key) else {
                return nil
            }
            return networks + "/" + entry.file
        }
    }

    /// The bytes of a network; nil where they can't be read, or aren't what they were.
    package func bytes(of entry: Entry) -> [UInt8]? {
        guard let bytes = try? Files.read(networks + "/" + entry.file), ContentHash.of(bytes) == entry.contents else {
            return nil
        }
        return bytes
    }
}

/// Whether networks that stages look at are compiled at once, to see that they can be, or when they are used.
package enum ModelChecks {
    private static let wanted = Atomic<Bool>(true)

    package static var areWanted: Bool {
        get { wanted.load(ordering: .relaxed) }
        set { wanted.store(newValue, ordering: .relaxed) }
    }
}
