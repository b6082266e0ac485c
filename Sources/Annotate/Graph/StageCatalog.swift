/// The stage types that a program offers, in the order in which it lists them.
public struct StageCatalog: Sendable {
    public let blueprints: [any StageBlueprint.Type]

    public init(_ blueprints: [any StageBlueprint.Type]) { self.blueprints = blueprints }

    public var contracts: [StageContract] { blueprints.map { $0.contract } }

    public func blueprint(for type: String) -> (any StageBlueprint.Type)? {
        blueprints.first { $0.contract.type == type }
    }
}
