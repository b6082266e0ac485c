/// The stage types that a program offers, in the order in which it lists them.
public struct StageCatalog: Sendable {
    /// The stage types, in order.
    public let blueprints: [any StageBlueprint.Type]
    /// Files and folders that stages read whatever their options, outside of the system's folders.
    package let resources: [String]
    /// Names of the types that come with this package.
    private let own: Set<String>
    /// Who compiles the networks of these stages; nil where none has any.
    package let compiler: (any ModelCompiler.Type)?

    /// A catalogue of stage types; `fault` says what is wrong with it.
    /// - Parameters:
    ///   - blueprints: The types, in the order in which they are listed.
    ///   - resources: Files and folders that they read whatever their options, outside of the system's folders.
    public init(_ blueprints: [any StageBlueprint.Type], resources: [String] = []) {
        self.init(blueprints, resources: resources, compiler: nil, own: [])
    }

    /// A catalogue of this package's own types.
    package init(
        own blueprints: [any StageBlueprint.Type], resources: [String], compiler: (any ModelCompiler.Type)?
    ) {
        self.init(
            blueprints, resources: resources, compiler: compiler, own: Set(blueprints.map { $0.contract.type }))
    }

    private init(
        _ blueprints: [any StageBlueprint.Type], resources: [String], compiler: (any ModelCompiler.Type)?,
        own: Set<String>
    ) {
        self.own = own
        self.blueprints = blueprints
        self.resources = resources
        self.compiler = compiler
    }

    /// The catalogue with more stage types behind its own.
    public func adding(_ more: [any StageBlueprint.Type]) -> StageCatalog {
        StageCatalog(blueprints + more, resources: resources, compiler: compiler, own: own)
    }

    /// Kinds of things that jobs of any manifest may give, whatever the stages.
    package static let givenToAll: [any Given.Type] = [Region.self, TappedPoint.self, Line.self, Zone.self]

    /// What is wrong with the catalogue, in a sentence; nil for nothing. `AnnotateCommand` runs nothing with one that has it.
    public var fault: String? {
        var types: Set<String> = [], kinds: [String: any Finding.Type] = [:]
        var given: [String: any Given.Type] = [:]
        for kind in Self.givenToAll { given[kind.word] = kind }
        for contract in contracts {
            guard types.insert(contract.type).inserted else {
                return "two stage types are called “\(contract.type)”; expected a name of its own for each"
            }
            for kind in contract.takes {
                if let other = given[kind.word], other != kind {
                    return
                        "\(other) and \(kind), which jobs give their stages, are both called “\(kind.word)”; expected a name of its "
                        + "own for each"
                }
                given[kind.word] = kind
            }
            for kind in contract.emits {
                if let other = kinds[kind.kind], other != kind {
                    return
                        "\(other) and \(kind) are both called “\(kind.kind)”; expected a name of its own for each kind"
                }
                kinds[kind.kind] = kind
                if let name = kind.repeatedField {
                    return
                        "the kind “\(kind.kind)” has two fields “\(name)”, or one that every observation has; expected a "
                        + "name of its own for each"
                }
            }
        }
        return nil
    }

    /// Whether a type comes with this package.
    package func isOwn(_ type: String) -> Bool { own.contains(type) }

    /// Every kind of result that some stage emits.
    public var findings: FindingCatalog {
        let details = contracts.flatMap(\.details).reduce(into: [Property]()) { all, property in
            if !all.contains(where: { $0.name == property.name }) { all.append(property) }
        }
        return FindingCatalog(
            contracts.map { ($0.type, $0.emits) }, details: details,
            numberKeepers: Set(contracts.filter(\.keepsNumbers).map(\.type)),
            traits: Dictionary(contracts.map { ($0.type, $0.traits) }, uniquingKeysWith: { $1 }))
    }

    /// Contracts of the stage types, in order.
    public var contracts: [StageContract] { blueprints.map { $0.contract } }

    /// The stage type with this name; nil where there is none.
    public func blueprint(for type: String) -> (any StageBlueprint.Type)? {
        blueprints.first { $0.contract.type == type }
    }
}
