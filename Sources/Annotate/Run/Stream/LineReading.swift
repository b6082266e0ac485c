/// Makes jobs of lines: each is the id of a job of the manifest's, or a job as the manifest would have it.
final class LineReading {
    /// The error of a line that names no job.
    struct InvalidLineError: Error {
        /// The job's id, as far as the line has one.
        var id: String?
        /// One sentence, or several.
        var reason: String
    }

    private let path: String
    private let manifest: [JSONMember]
    private let bytes: [UInt8]
    private let planner: BatchPlanner
    /// The manifest as it was read last.
    private(set) var batch: Batch
    private var known: [String: JobOrder] = [:]
    /// Files that the manifest's jobs depend on.
    private var files = FileVersions()

    /// - Parameters:
    ///   - path: The manifest's.
    ///   - planner: One that keeps its reader.
    /// - Throws: What `BatchPlanner.plan` does.
    init(_ path: String, planner: BatchPlanner) throws {
        (self.path, self.planner) = (path, planner)
        bytes = try ManifestFile.read(path)
        batch = try planner.plan(path, bytes, mayLackJobs: true)
        // It has been read by another process just now.
        manifest = (try? JSONParser.parse(bytes))?.members ?? []
        note()
    }

    private func note() {
        known = Dictionary(batch.jobs.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        files = FileVersions(of: Set(batch.jobs.flatMap(\.dependencies)))
    }

    /// The job that a line means.
    /// - Throws: `InvalidLineError`; `CancelledError`; `FileError` where nothing could be read.
    func order(_ line: [UInt8]) throws -> JobOrder {
        let node: JSONNode
        do {
            node = try JSONParser.parse(line)
        } catch {
            guard String(validating: line, as: UTF8.self) != nil else {
                throw InvalidLineError(
                    reason:
                        "column \(error.position.column): the line is not valid UTF-8 here; expected a job, or an id of "
                        + "the manifest's")
            }
            throw InvalidLineError(
                reason: "column \(error.position.column): \(error.message); expected a job, or an id of the manifest's")
        }
        if let id = node.string { return try order(of: id) }
        guard let members = node.members else {
            throw InvalidLineError(
                reason: "the line is no job; expected an object as under “jobs”, or the id of a job of the manifest's")
        }
        let id = node["id"]?.string
        if node["input"]?.string.map(MediaInput.isStandardInput) ?? false {
            throw InvalidLineError(
                id: id, reason: "standard input has the jobs, and can't be an input too; expected a file")
        }
        let read = try plan(
            manifest.filter { $0.key != "jobs" } + [
                JSONMember(key: "jobs", value: JSONNode(.array([JSONNode(.object(members))])))
            ], id)
        guard read.jobs.count == 1, let order = read.jobs.first else {
            throw InvalidLineError(id: id, reason: "the line makes \(read.jobs.count) jobs; expected one a line")
        }
        return order
    }

    private func plan(_ manifest: [JSONMember], _ id: String?) throws -> Batch {
        var json = JSONWriter()
        json.value(.object(manifest))
        // The manifest's own exceptions are for other lines too.
        return try told(id) { try planner.plan(path, json.bytes, mayLackJobs: true) }
    }

    private func told(_ id: String?, _ plan: () throws -> Batch) throws -> Batch {
        do {
            return try plan()
        } catch let problems as BatchPlanner.Problems {
            let some = problems.complaints.prefix(20).map { complaint -> String in
                guard complaint.hasPrefix(Self.place) else { return complaint }
                let rest = complaint.dropFirst(Self.place.count)
                // What is said of the job itself has no place in it.
                return String(rest.hasPrefix(": ") ? rest.dropFirst(2) : rest)
            }
            let more = problems.count - some.count
            throw InvalidLineError(
                id: id, reason: (some + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "; "))
        }
    }

    /// Where the line's job stands in the manifest that is read.
    private static let place = "/jobs/0"

    /// A job of the manifest's, with its files as they are now.
    private func order(of id: String) throws -> JobOrder {
        if !files.areCurrent {
            batch = try told(id) { try planner.plan(path, bytes, mayLackJobs: true) }
            note()
        }
        guard var order = known[id] else {
            let shown = JobStream.short(id)
            // What is longer than any id is near none.
            let near = shown == id ? nearest(to: id, among: known.keys.sorted()) : nil
            let guess = near.map { "; did you mean “\($0)”?" } ?? ""
            throw InvalidLineError(
                id: id,
                reason:
                    "“\(shown)” is no job of \(Files.name(of: path)); expected an id of one, or a job\(guess)"
            )
        }
        let input = MediaInput(path: order.input)
        guard input != .standardInput else {
            throw InvalidLineError(
                id: id, reason: "standard input has the jobs, and can't be an input too; expected a file")
        }
        if order.stamp != nil { (order.stamp, order.modified) = JobOrder.stamp(of: input.files, order.dependencies) }
        return order
    }
}
