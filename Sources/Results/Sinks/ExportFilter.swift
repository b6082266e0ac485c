/// A filter of the observations of a track file that are written: all, where it says nothing.
public struct ExportFilter: Sendable {
    /// Ids of stages whose observations are written; all where it is empty.
    public var stages: [String] = []
    /// Kinds of observations that are written; all where it is empty.
    public var kinds: [String] = []
    /// The least confidence, 0…1; observations without one are written.
    public var minimumConfidence: Double?

    /// Whether a file may lack a stage or kind that is named, as one of a folder may: others have it.
    var allowsMissing = false

    /// A filter of stages by id, of kinds by name, and by confidence, 0…1; without arguments everything passes.
    public init(stages: [String] = [], kinds: [String] = [], minimumConfidence: Double? = nil) {
        (self.stages, self.kinds, self.minimumConfidence) = (stages, kinds, minimumConfidence)
    }

    var isEmpty: Bool { stages.isEmpty && kinds.isEmpty && minimumConfidence == nil }

    func passes(_ observation: Observation) -> Bool {
        if !stages.isEmpty, !stages.contains(observation.stage) { return false }
        if !kinds.isEmpty, !kinds.contains(observation.kind) { return false }
        guard let minimumConfidence, let confidence = observation.confidence else { return true }
        return confidence >= minimumConfidence
    }

    /// The header and the kinds that a sink is told: stages and kinds that are written.
    /// - Throws: `TrackFileError` for a stage or kind that the file hasn't, unless it may lack some.
    func applied(to header: TrackFileHeader, _ catalog: FindingCatalog, path: String) throws -> (
        TrackFileHeader, FindingCatalog
    ) {
        var header = header
        try check(stages, among: header.stages.map(\.id), "stage", path)
        if !stages.isEmpty { header.stages.removeAll { !stages.contains($0.id) } }
        let emitted = header.stages.flatMap { catalog.kinds(of: $0.type) ?? [] }.map { $0.kind }
        try check(kinds, among: emitted.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }, "kind", path)
        return (header, kinds.isEmpty ? catalog : catalog.only(kinds))
    }

    func check(
        _ wanted: [String], among known: [String], _ noun: String, _ path: String, saying lack: String = "it has no"
    ) throws {
        guard !allowsMissing, let missing = wanted.first(where: { !known.contains($0) }) else { return }
        let expected = known.isEmpty ? "; there is none" : "; expected one of \(list(known))"
        throw TrackFileError(
            path: path, line: nil,
            message: "\(lack) \(noun) “\(missing)”\(expected)"
                + ProblemLog(file: path).suggestion(missing, known))
    }
}
