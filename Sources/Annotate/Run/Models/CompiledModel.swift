/// A network of a batch that has been compiled ahead.
struct CompiledModel: Sendable {
    /// The model's file; nil for one of the program's own, which any job may have.
    var model: String?
    /// Where it is kept.
    var file: String
}

extension Batch {
    /// Files with networks that a job may read: its own models', and the program's own.
    func compiledFiles(for order: JobOrder) -> [String] {
        guard !compiled.isEmpty else { return [] }
        let own = Set(order.dependencies)
        return compiled.filter { $0.model.map(own.contains) ?? true }.map(\.file)
    }
}
