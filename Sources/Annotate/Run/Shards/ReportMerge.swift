/// Merges several reports, of shards say, into one.
public enum ReportMerge {
    /// The error of a file that should be a report and isn't.
    public struct InvalidReportError: Error, CustomStringConvertible {
        /// The file's path.
        public var path: String
        /// The fault of the file, in words that go behind its path.
        public var reason: String

        public var description: String { "\(path): \(reason); expected a report as run writes it" }
    }

    /// Merges reports.
    /// - Parameters:
    ///   - paths: The reports'. Of a job that several tell of, the youngest that says how it ended is believed.
    ///   - directory: The folder that the new one is for: places in it start there.
    ///   - generator: The program and its version.
    /// - Returns: The report, and how each job ended.
    /// - Throws: `InvalidReportError`.
    public static func merge(
        _ paths: [String], for directory: String, generator: String
    ) throws -> (manifest: String, text: String, jobs: [(id: String, outcome: JobOutcome, directory: String)]) {
        var manifest: String?
        var entries: [String: (node: JSONNode, folder: String)] = [:]
        for path in Report.oldestFirst(paths) {
            let root: JSONNode
            do {
                root = try JSONParser.parse(try Files.read(path))
            } catch let error as JSONSyntaxError {
                if let kind = FileKind(path: path), ![.json, .report].contains(kind) {
                    throw InvalidReportError(path: path, reason: "it is \(kind.words), no report")
                }
                throw InvalidReportError(path: path, reason: error.message)
            } catch {
                throw InvalidReportError(path: path, reason: "\(error)")
            }
            guard root["format"]?.string == "annotate-report", root["version"]?.integer == 1,
                let jobs = root["jobs"]?.elements
            else {
                throw InvalidReportError(path: path, reason: "it is no report of version 1")
            }
            manifest = manifest ?? root["manifest"]?.string
            for job in jobs {
                guard let id = job["id"]?.string, status(job) != nil else { continue }
                if let known = entries[id], status(known.node)?.isWhole == true, status(job)?.saysNothing != false {
                    continue
                }
                entries[id] = (job, Files.parent(of: path))
            }
        }
        let sorted = entries.sorted { $0.key < $1.key }
        var text = Report.head(manifest ?? "", generator: generator)
        text += sorted.map { "\n    " + Report.entry(moved($0.value.node, from: $0.value.folder, to: directory)) }
            .joined(separator: ",")
        text += sorted.isEmpty ? "]\n}\n" : "\n  ]\n}\n"
        let outcomes = Report.outcomes(sorted.map { ($0.key, $0.value.node) }, has: OutputPlaces.isPlace)
        return (
            manifest ?? "", text,
            sorted.compactMap { id, entry in outcomes[id].map { (id, $0, entry.folder) } }
        )
    }

    private static func status(_ entry: JSONNode) -> JobOutcome.Status? {
        entry["status"]?.string.flatMap(JobOutcome.Status.init(rawValue:))
    }

    /// An entry whose places start from another folder.
    private static func moved(_ entry: JSONNode, from folder: String, to directory: String) -> JSONNode {
        guard !Files.areTheSame(folder, directory), var members = entry.members else { return entry }
        for index in members.indices where ["source", "manifest"].contains(members[index].key) {
            guard let path = members[index].value.string, !path.hasPrefix("/") else { continue }
            members[index].value = JSONNode(.string(Files.relative(folder + "/" + path, to: directory)))
        }
        members.removeAll { $0.key == "directory" }
        members.append(JSONMember(key: "directory", value: JSONNode(.string(Files.relative(folder, to: directory)))))
        return JSONNode(.object(members))
    }
}
