public import Annotate

/// Remarks that reviewers made on a page and exported.
public struct Remarks: Sendable {
    private(set) var json: JSONValue
    /// Decisions on clips, with a hash of the video that was looked at, where the page knew one.
    public private(set) var decisions: [ReleaseDecisions.Decision]
    private let path: String
    /// What the file says of its batch.
    private let batch: BatchIdentity

    /// Reads a file.
    /// - Throws: `FileError` for one that can't be read or isn't what a review's page exports.
    public init(path: String) throws {
        func refuse(_ reason: String) -> FileError { FileError("read the remarks in", path: path, reason: reason) }
        let root: JSONNode
        do {
            root = try JSONParser.parse(Files.read(path))
        } catch let error as JSONSyntaxError {
            throw refuse("line \(error.position.line), column \(error.position.column): \(error.message)")
        }
        guard root["format"]?.string == "annotate-review" else {
            throw refuse("it has no “format” of “annotate-review”; expected a file that a review's page exported")
        }
        guard root["version"]?.integer == 1 else { throw refuse("its “version” isn't 1, the only one that there is") }
        var validator = ShapeValidator(file: path)
        validator.validate(root, against: Self.shape)
        if let problem = validator.log.problems.first {
            let place = jsonPointer(problem.path)
            throw refuse("line \(problem.position.line): \(place.isEmpty ? "/" : place): \(problem.message)")
        }
        json = root.value
        self.path = path
        batch = BatchIdentity(remarks: root)
        decisions = (root["decisions"]?.elements ?? []).compactMap { node in
            guard let job = node["job"]?.string,
                let word = node["decision"]?.string.flatMap(ReleaseDecisions.Decision.Word.init(rawValue:))
            else { return nil }
            return ReleaseDecisions.Decision(
                job: job, decision: word, text: node["text"]?.string.flatMap { $0.isEmpty ? nil : $0 },
                video: node["video"]?.string)
        }
    }

    /// Takes what they say of a batch, without what is of other videos than its jobs'.
    /// - Returns: A sentence on what was left out; nil for nothing.
    /// - Throws: `FileError` for remarks on another batch.
    mutating func take(of batch: BatchIdentity) throws -> String? {
        if let reason = self.batch.whyOther(than: batch) {
            throw FileError("take the remarks in", path: path, reason: reason)
        }
        let strangers = self.batch.strangers(to: batch)
        if case .object(let members) = json, !strangers.isEmpty {
            json = .object(members.map { Self.without(strangers, $0) })
            decisions.removeAll { strangers.contains($0.job) }
        }
        return BatchIdentity.sentence(on: strangers)
    }

    /// A member of remarks without what it says of some jobs.
    private static func without(_ jobs: Set<String>, _ member: JSONMember) -> JSONMember {
        guard let elements = member.value.elements else { return member }
        let others = elements.filter { !jobs.contains($0["job"]?.string ?? $0.string ?? "") }
        return JSONMember(key: member.key, value: JSONNode(.array(others)))
    }

    static let shape = Shape.object(
        ObjectShape(
            doc: "What reviewers noted.",
            properties: [
                Property(
                    "format", .constant(.string("annotate-review")), required: true, doc: "What kind of file this is."),
                Property("version", .constant(.integer(1)), required: true, doc: "The format's version."),
                Property("generator", .string(), doc: "The program and its version."),
                Property("batch", .string(), doc: "The folder's name."),
                Property("manifest", .string(), doc: "The manifest's name."),
                Property(
                    "contents", .map(of: .string(), keys: .any, doc: "Hashes by job."),
                    doc: "Hashes of what the jobs' videos hold, by which it is known whether remarks are of a batch."),
                Property("reviewed", .array(of: .string()), doc: "Ids of the jobs that somebody has seen through."),
                Property("decisions", .array(of: .object(decision)), doc: "What was decided before a release."),
                Property("remarks", .array(of: .object(remark)), doc: "What was noted."),
            ]))

    private static let decision = ObjectShape(
        doc: "What was decided of one clip.",
        properties: [
            Property("job", .string(), required: true, doc: "The job's id."),
            Property(
                "decision", .choice(ReleaseDecisions.Decision.Word.allCases.map(\.rawValue)), required: true,
                doc: "Whether it is handed out, covered anew first, or kept."),
            Property("text", .string(), doc: "Why."),
            Property("video", .string(), doc: "A hash of the annotated video that was looked at."),
        ])

    private static let remark = ObjectShape(
        doc: "One note.",
        properties: [
            Property("job", .string(), required: true, doc: "The job's id."),
            Property(
                "frame", .integer(0...Int.mostCounted), required: true, doc: "The frame, as the track file counts."),
            Property("time", .number(), unit: "s", doc: "Its time."),
            Property("track", .integer(1...Int.mostCounted), doc: "The track; left out for the frame as a whole."),
            Property("mark", .choice(["right", "wrong", "unsure"]), doc: "What the reviewer thinks of it."),
            Property("text", .string(), doc: "What the reviewer says of it."),
        ])
}
