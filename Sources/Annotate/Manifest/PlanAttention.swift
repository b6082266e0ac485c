/// What a manifest's reader is looking at, told to whoever watches it, and what it isn't to look at: an input or a model can
/// take the reader with it, or all of its time.
struct PlanAttention {
    /// Inputs, and what stages name, as `lookingAt` was told of them.
    var skipped: Set<String> = []
    /// Told of each before it is looked at, and of an empty name afterwards.
    var lookingAt: (String) -> Void = { _ in }

    /// Calls `body` with eyes on something.
    func look<Result>(at subject: String, _ body: () throws -> Result) rethrows -> Result {
        lookingAt(subject)
        defer { lookingAt("") }
        return try body()
    }
}

/// Stages of one manifest that are written alike: a thousand jobs with graphs of their own have one and the same.
final class KnownStages {
    private var nodes: [String: GraphPlan.Node] = [:]

    /// By their texts.
    subscript(text: String) -> GraphPlan.Node? {
        get { nodes[text] }
        set { nodes[text] = newValue }
    }
}

/// Stands for a stage that isn't to be looked at: its jobs fail, the others go on.
struct UnseenBlueprint: StageBlueprint {
    static let contract = StageContract(
        type: "unseen", summary: "", produces: [], keepsState: false, emits: [])

    /// What can't be looked at.
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
    /// What of it couldn't be looked at, the first of it; nil where everything was.
    var unseen: String? { nodes.lazy.compactMap { ($0.blueprint as? UnseenBlueprint)?.subject }.first }
}
