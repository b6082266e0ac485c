/// The kinds of things that jobs of a program may give their stages: those that every manifest has, and those that its
/// stages take.
struct GivenKinds: Sendable {
    /// Kinds of every manifest.
    static let own = StageCatalog.givenToAll

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

    /// The lists of a job that may lie in a file: those of what it gives, and what it hides.
    var inFiles: [SeedShape] { all.map(SeedShape.init) + [.cover] }

    /// What is wrong with a graph none of whose stages takes what its job gives.
    func complaint(of kind: any Given.Type) -> String {
        let types = takers[kind.word] ?? []
        let expected = types.isEmpty ? "none: no stage type does" : "one of type \(list(types))"
        return "the graph has no stage that \(kind.use); expected \(expected)"
    }
}

/// A list of a job that may lie in a file of its own.
struct SeedShape: Sendable {
    /// The member of a job, and of a file, that lists them.
    let word: String
    /// What they are called.
    let noun: String
    /// One of them.
    let shape: ObjectShape

    static let cover = SeedShape(word: "cover", noun: "covers", shape: HandCover.shape)

    init(_ kind: any Given.Type) { self.init(word: kind.word, noun: kind.word, shape: kind.shape) }

    private init(word: String, noun: String, shape: ObjectShape) {
        (self.word, self.noun, self.shape) = (word, noun, shape)
    }

    /// The list, or the path of a file with it.
    var orPath: Shape {
        .anyOf([.string(.path), .array(of: .object(shape))], doc: "a list of \(noun), or the path of a file with one")
    }
}

extension Given {
    /// The list, or the path of a file with it.
    static var property: Property {
        Property(
            word, SeedShape(Self.self).orPath, default: .array([]), doc: doc)
    }
}
