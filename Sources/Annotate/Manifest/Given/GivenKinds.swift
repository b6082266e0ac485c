/// The kinds of things that jobs of a program may give their stages: those that every manifest has, and those that its
/// stages take.
struct GivenKinds: Sendable {
    /// Kinds of every manifest.
    static let own: [any Given.Type] = [Region.self, TappedPoint.self, Line.self, Zone.self]

    let all: [any Given.Type]
    /// A job, whatever its graph looks like.
    let job: Shape
    /// Stage types by the words of what they take.
    private let takers: [String: [String]]

    init(_ catalog: StageCatalog) {
        let all = catalog.contracts.flatMap(\.takes).reduce(into: Self.own) { all, kind in
            if !all.contains(where: { $0 == kind }) { all.append(kind) }
        }
        self.all = all
        job = .object(JobDeclaration.shape(graph: .any, given: all))
        takers = Dictionary(
            catalog.contracts.flatMap { contract in contract.takes.map { ($0.word, [contract.type]) } },
            uniquingKeysWith: +)
    }

    /// The members under which a job has them.
    var words: [String] { all.map { $0.word } }

    /// What is wrong with a graph none of whose stages takes what its job gives.
    func complaint(of kind: any Given.Type) -> String {
        let types = takers[kind.word] ?? []
        let expected = types.isEmpty ? "none: no stage type does" : "one of type \(list(types))"
        return "the graph has no stage that \(kind.use); expected \(expected)"
    }
}

extension Given {
    /// The list, or the path of a file with it.
    static var property: Property {
        Property(
            word,
            .anyOf(
                [.string(.path), .array(of: .object(shape))], doc: "a list of \(word), or the path of a file with one"),
            default: .array([]), doc: doc)
    }
}
