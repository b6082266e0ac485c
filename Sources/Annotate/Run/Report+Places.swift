internal import Glibc

/// What a report says of where things are, without what it says of what was seen: a folder's jobs may be many.
extension Report {
    /// Members of an entry that are kept.
    private static let kept: Set<String> = [
        "id", "status", "error", "manifest", "source", "address", "contents", "trackFile", "outputs", "stamp", "etag",
    ]

    /// How the jobs of an output folder ended last time, as `read(directory:)` says it, with their files and sources alone.
    public static func places(directory: String) -> [String: JobOutcome] {
        guard let folder = try? HeldFolder(directory) else { return [:] }
        let names = names(in: directory)
        let ages = names.map { folder.entry($0)?.modified ?? 0 }
        var all: [String: JobOutcome] = [:]
        for (name, _) in zip(names, ages).sorted(by: { $0.1 < $1.1 || $0.1 == $1.1 && $0.0 < $1.0 }) {
            // A report that can't be read tells nothing.
            for (id, outcome) in (try? places(name, in: folder)) ?? [] {
                if outcome.status.saysNothing, all[id]?.status.isWhole == true { continue }
                all[id] = outcome
            }
        }
        return all
    }

    private static func places(_ name: String, in folder: HeldFolder) throws -> [(id: String, outcome: JobOutcome)] {
        guard let entry = folder.entry(name), entry.kind == .file, entry.size <= largest else { return [] }
        let file = try folder.open(name)
        defer { close(file) }
        let path = folder.path + "/" + name
        let reader = JSONElementReader(path: path, keys: ["jobs"]) { offset, count in
            var bytes = [UInt8](repeating: 0, count: count)
            var got = pread(file, &bytes, count, off_t(offset))
            while got < 0, errno == EINTR { got = pread(file, &bytes, count, off_t(offset)) }
            guard got >= 0 else { throw systemError("read", path) }
            bytes.removeLast(count - got)
            return bytes
        }
        var found: [(id: String, outcome: JobOutcome)] = []
        while let element = try reader.next() {
            guard let id = element.node["id"]?.string else { continue }
            let members: [JSONMember] = (element.node.members ?? []).filter { Self.kept.contains($0.key) }
            let outcomes = outcomes([(id, JSONNode(.object(members)))], has: OutputPlaces.isPlace)
            if let outcome = outcomes[id] { found.append((id, outcome)) }
        }
        return found
    }
}
