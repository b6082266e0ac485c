/// The manifest's `overrides`: exceptions by patterns of ids.
final class JobOverrides {
    private struct Entry {
        var pattern: String
        var members: [JSONMember]
        var node: JSONNode
        var isUsed = false
    }

    private var entries: [Entry]

    /// Members of a job by which it is told which jobs there are: no exception has them.
    static let others = ["id", "input", "exclude"]

    private static let path: [PathComponent] = [.key("overrides")]

    init(_ node: JSONNode?) {
        entries = (node?.members ?? []).map { member in
            let members = (member.value.members ?? []).filter { !Self.others.contains($0.key) }
            return Entry(pattern: member.key, members: members, node: member.value)
        }
    }

    /// Whether some are for a job.
    func has(_ id: String) -> Bool {
        var found = false
        for index in entries.indices where Self.fits(id, entries[index].pattern) {
            entries[index].isUsed = true
            found = true
        }
        return found
    }

    /// Whether one that is for a job has a member.
    func gives(_ key: String, to id: String) -> Bool {
        entries.contains { entry in
            Self.fits(id, entry.pattern) && entry.members.contains { $0.key == key }
        }
    }

    /// A job's entry with what it has by exception.
    func complete(_ job: JSONNode, _ id: String, at path: [PathComponent], origins: inout Origins) -> JSONNode {
        entries.filter { Self.fits(id, $0.pattern) }.reduce(job) { job, entry in
            JobDefaults.replace(
                job, by: entry.members, from: Self.path + [.key(entry.pattern)], at: path, origins: &origins)
        }
    }

    /// Complains of those that are for no job.
    func check(_ ids: [String], log: ProblemLog) {
        for entry in entries where !entry.isUsed {
            log.add(
                "no job’s id fits “\(entry.pattern)”; expected a pattern of \(list(Array(ids.prefix(12))))"
                    + log.suggestion(entry.pattern, ids),
                at: entry.node, path: Self.path + [.key(entry.pattern)])
        }
    }

    private static func fits(_ id: String, _ pattern: String) -> Bool { id == pattern || Files.matches(id, pattern) }
}
