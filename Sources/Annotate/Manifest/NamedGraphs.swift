/// The manifest's `graphs`.
struct NamedGraphs {
    /// Names, in the file's order.
    var names: [String] = []
    var nodes: [String: JSONNode] = [:]
    /// Plans of the graphs without a problem, by name.
    var plans: [String: GraphPlan] = [:]
    /// Files that each graph names: how they are written, and paths that can be opened.
    var files: [String: [String: String]] = [:]
    /// The graph that jobs have from `defaults`; nil for none, and for one with problems.
    var inherited: Graph?
}

/// A graph that can run, and how it is written.
struct Graph {
    var plan: GraphPlan
    var node: JSONNode
    /// Files that it names: how they are written, and paths that can be opened.
    var files: [String: String]
    /// Where it stands in the manifest.
    var path: [PathComponent] = []
}
