/// Watches what a manifest's reader opens, for whoever watches the reader, and what it isn't to open: an input, a model or any
/// other file can take the reader with it, or all of its time.
struct PlanAttention: Sendable {
    /// Inputs and files of stages that aren't to be opened, as `lookingAt` was told of them.
    var skipped: Set<String> = []
    /// Told of each input or file before it is opened, and of an empty name afterwards.
    var lookingAt: @Sendable (String) -> Void = { _ in }

    /// Calls `body`, which opens something, with whoever watches told of it.
    func look<Result>(at subject: String, _ body: () throws -> Result) rethrows -> Result {
        lookingAt(subject)
        defer { lookingAt("") }
        return try body()
    }

    /// The same of a file without which the manifest means nothing.
    /// - Throws: `FileError` for one that isn't to be opened; what `body` does.
    func read<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
        guard !skipped.contains(file) else {
            throw FileError("read", path: file, reason: "it took too much time or memory")
        }
        return try look(at: file, body)
    }
}

/// Stages of one manifest that are written alike: a thousand jobs with graphs of their own have one and the same.
final class KnownStages {
    private var nodes: [String: GraphPlan.Node] = [:]

    /// A stage by its text.
    subscript(text: String) -> GraphPlan.Node? {
        get { nodes[text] }
        set { nodes[text] = newValue }
    }
}

/// Stands for a stage that isn't to be looked at: its jobs fail, the others go on.
struct SkippedBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "unseen", summary: "", produces: [], keepsState: false, emits: [])

    /// Name of the file that isn't to be opened.
    let subject: String

    init(subject: String) { self.subject = subject }
    init(_ options: NoOptions, _ context: OptionContext) throws { subject = "" }

    func makeStage(_ context: StageContext) throws -> Stage { throw Unseen(subject: subject) }

    private struct Unseen: Error, CustomStringConvertible {
        var subject: String
        var description: String { "\(subject) can't be looked at" }
    }
}

extension GraphPlan {
    /// Name of the first file that wasn't opened; nil where all were.
    var skippedSubject: String? { nodes.lazy.compactMap { ($0.blueprint as? SkippedBlueprint)?.subject }.first }
}
