/// The kinds of results that a program knows, and which stage types emit which.
public struct FindingCatalog: Sendable {
    /// Kinds that each stage type emits, in the catalogue's order.
    private let emitters: [(type: String, kinds: [any Finding.Type])]
    /// Members that stages may have in a track file's header beyond their options.
    let details: [Property]
    /// Stage types whose tracks have numbers already, which they keep.
    package let numberKeepers: Set<String>
    /// What is known of stage types; nothing of one that isn't there.
    let traits: [String: StageTraits]

    /// A catalogue by the kinds that each stage type emits.
    /// - Parameters:
    ///   - emitters: The stage types in the order in which they are listed.
    ///   - details: Members that stages may have in a track file's header beyond their options.
    ///   - numberKeepers: Stage types whose tracks have numbers already, which they keep.
    ///   - traits: What is known of the results of stage types; nothing of one that isn't there.
    public init(
        _ emitters: [(type: String, kinds: [any Finding.Type])], details: [Property] = [],
        numberKeepers: Set<String> = [], traits: [String: StageTraits] = [:]
    ) {
        self.emitters = emitters
        self.details = details
        self.numberKeepers = numberKeepers
        self.traits = traits
    }

    /// The catalogue with one more type, which needs to be no stage of a graph.
    /// - Parameters:
    ///   - type: The type's name.
    ///   - kinds: Kinds that it emits.
    ///   - traits: What is known of the type.
    public func adding(
        _ type: String, _ kinds: [any Finding.Type], traits: StageTraits = StageTraits()
    ) -> FindingCatalog {
        FindingCatalog(
            emitters + [(type, kinds)], details: details, numberKeepers: numberKeepers,
            traits: self.traits.merging([type: traits]) { $1 })
    }

    /// The catalogue without other kinds than some.
    func only(_ words: [String]) -> FindingCatalog {
        FindingCatalog(
            emitters.map { emitter in (emitter.type, emitter.kinds.filter { words.contains($0.kind) }) },
            details: details, numberKeepers: numberKeepers, traits: traits)
    }

    /// All kinds, each once.
    public var kinds: [any Finding.Type] {
        emitters.flatMap(\.kinds).reduce(into: []) { all, kind in
            if !all.contains(where: { $0.kind == kind.kind }) { all.append(kind) }
        }
    }

    /// The kinds that a stage type emits; nil for a type that the program doesn't know.
    public func kinds(of type: String) -> [any Finding.Type]? { emitters.first { $0.type == type }?.kinds }

    /// The shape of an observation of any kind.
    package var shape: TaggedShape {
        TaggedShape(
            tag: "kind", noun: "kind of observation",
            common: ObjectShape(
                doc: "One thing that one stage saw.", properties: Observation.head.map(\.property)),
            variants: kinds.map { $0.variant })
    }
}

/// What is known of the results of a stage type, whatever they are.
public struct StageTraits: Sendable, Hashable {
    /// Whether it says where things are.
    public var places: Bool
    /// Whether it looks for its things in the whole of each picture.
    public var searches: Bool
    /// Whether it follows what a job points at, and knows nothing of it before and after.
    public var isPointed: Bool
    /// Whether its things are those of its inputs, told anew.
    public var retells: Bool

    /// The traits of a stage type; each that is left out is false.
    public init(places: Bool = false, searches: Bool = false, isPointed: Bool = false, retells: Bool = false) {
        (self.places, self.searches, self.isPointed, self.retells) = (places, searches, isPointed, retells)
    }
}
