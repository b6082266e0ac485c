/// The results of one kind that one stage gives: what is held against each other of two files.
struct StageKind: Sendable, Hashable, Comparable {
    var stage: String
    var kind: String

    init(stage: String, kind: String) { (self.stage, self.kind) = (stage, kind) }

    init(_ observation: Observation) { (stage, kind) = (observation.stage, observation.kind) }

    static func < (a: StageKind, b: StageKind) -> Bool { (a.stage, a.kind) < (b.stage, b.kind) }
}

extension Observation {
    /// Name of the thing: its label and the region that seeded it; nil for neither.
    var fullName: String? {
        let words = [label, region].compactMap(\.self)
        return words.isEmpty ? nil : words.joined(separator: ", region ")
    }
}
