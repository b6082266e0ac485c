/// The stage types that a program offers, in the order in which it lists them.
public struct StageCatalog: Sendable {
    /// The stage types, in order.
    public let blueprints: [any StageBlueprint.Type]
    /// Files and folders that stages read whatever their options, outside of the system's folders.
    package let resources: [String]
    /// Who compiles the networks of these stages; nil where none has any.
    package let compiler: (any ModelCompiler.Type)?

    /// A catalogue of stage types; that their names differ is up to the caller.
    /// - Parameters:
    ///   - blueprints: The types, in the order in which they are listed.
    ///   - resources: Files and folders that they read whatever their options, outside of the system's folders.
    public init(_ blueprints: [any StageBlueprint.Type], resources: [String] = []) {
        self.init(blueprints, resources: resources, compiler: nil)
    }

    package init(
        _ blueprints: [any StageBlueprint.Type], resources: [String], compiler: (any ModelCompiler.Type)?
    ) {
        self.blueprints = blueprints
        self.resources = resources
        self.compiler = compiler
    }

    /// The catalogue with more stage types behind its own.
    public func adding(_ more: [any StageBlueprint.Type]) -> StageCatalog {
        StageCatalog(blueprints + more, resources: resources, compiler: compiler)
    }

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
