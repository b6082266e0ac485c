internal import Glibc

extension Diagnosis {
    /// Where compiled networks are kept from run to run.
    static var modelCache: Finding {
        let part = "compiled networks"
        guard let cache = ModelCache.ofEnvironment else {
            let said = getenv("ANNOTATE_MODEL_CACHE").map { String(cString: $0) } ?? ""
            guard !said.isEmpty, said != "none" else {
                let reason =
                    said.isEmpty
                    ? "HOME is no folder of yours, and ANNOTATE_MODEL_CACHE names none" : "ANNOTATE_MODEL_CACHE=none"
                return Finding(part, holds: true, "not kept: \(reason)")
            }
            return Finding(
                part, holds: false,
                "not kept: ANNOTATE_MODEL_CACHE is “\(said.inOneLine)”; expected a path that begins with / or “none”")
        }
        guard Files.exists(cache.folder) else {
            return Finding(part, holds: true, "will be kept in \(cache.folder.inOneLine)")
        }
        guard cache.isOwn, let held = try? HeldFolder(cache.networks) else {
            return Finding(
                part, holds: false,
                "not kept: \(cache.folder.inOneLine) isn't a folder that its owner alone can open, and you; remove it, or name "
                    + "another with ANNOTATE_MODEL_CACHE")
        }
        // One that can't be listed has none to tell of.
        let sizes = ((try? held.names()) ?? []).compactMap { held.entry($0) }.filter { $0.kind == .file }.map(\.size)
        return Finding(
            part, holds: true,
            "\(sizes.count), \(sizes.reduce(0, +) >> 20) MiB, in \(cache.folder.inOneLine)")
    }
}
