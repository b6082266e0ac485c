/// The paths of a manifest: what they mean, and where they may lead.
struct ManifestPaths: Sendable {
    /// The manifest's own folder, which relative paths start from.
    let directory: String
    /// The folder that no path may leave, without links and dots; nil where everything may be named.
    let root: String?
    /// Told of the files that are read.
    let attention: PlanAttention

    init(directory: String, root: String? = nil, attention: PlanAttention = PlanAttention()) {
        (self.directory, self.attention) = (directory, attention)
        self.root = root.map(Files.canonical)
    }

    /// A path of the manifest as one that can be opened.
    func resolve(_ path: String) -> String {
        path.hasPrefix("/") || directory == "." ? path : directory + "/" + path
    }

    /// A glob of the manifest as one that can be searched for: of the folder's own name no sign is a pattern's.
    func pattern(_ path: String) -> String {
        path.hasPrefix("/") || directory == "." ? path : Files.literal(directory) + "/" + path
    }

    /// A path as a manifest would have it, from one that can be opened.
    func shown(_ file: String) -> String {
        if let address = RemoteAddress(file) { return address.shown }
        return RemoteAddress.shown(
            file.hasPrefix(directory + "/") ? String(file.dropFirst(directory.count + 1)) : file)
    }

    /// The complaint about a path that leads out of the root, links followed, or to where no files are; nil for one that may be
    /// used.
    /// - Parameters:
    ///   - path: one that can be opened.
    ///   - written: as the manifest has it.
    func complaint(_ path: String, written: String) -> String? {
        if let root, !Files.isInside(path, root) {
            return "“\(written)” leads out of the folder that --root allows; expected a path inside it"
        }
        guard Files.isKernels(path) else { return nil }
        return "“\(written)” lies where the kernel answers and no files are, as in /proc and /sys; expected a file"
    }

    /// The whole of a small file that the manifest names.
    /// - Throws: `FileError`, also for what is no file.
    func read(_ file: String) throws -> [UInt8] {
        try attention.read(file) {
            // Who opens files for the reader would refuse it without a reason.
            if Files.isDirectory(file) { throw FileError("read", path: file, reason: "it is a folder") }
            if Files.isDevice(file) {
                throw FileError("read", path: file, reason: "it is a pipe or a device")
            }
            return try Files.read(file)
        }
    }
}

extension ProblemLog {
    /// A suggestion for the name of a file that isn't there: one that is like it; of an address, what to do about it.
    func suggestion(near file: String) -> String {
        let advice = RemoteAddress.advice(for: file)
        guard advice.isEmpty else { return advice }
        // A folder that can't be listed suggests nothing, and the file is missing all the same.
        return suggestion(Files.name(of: file), (try? Files.list(Files.parent(of: file))) ?? [])
    }
}
