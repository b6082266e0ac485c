/// A graph that has been validated as a whole: known types, right inputs, no cycle. The pipeline runs nothing else.
public struct GraphPlan: Sendable {
    public struct Node: Sendable {
        public var id: String
        public var contract: StageContract
        /// Indices of the stages whose results it takes; all are lower than its own.
        public var inputs: [Int]
        /// Runs a second of video at the most; nil for every frame.
        public var rate: Double?
        /// How each kind is drawn that the stage emits; empty where nothing is.
        public var styles: [String: DrawStyle]
        public var blueprint: any StageBlueprint
        /// The options in force, defaults included, for the track file's header.
        public var options: [JSONMember]
        /// The stage as the manifest has it, as JSON: what is written alike is alike.
        package var text = ""

        package init(
            id: String, contract: StageContract, inputs: [Int], rate: Double? = nil, styles: [String: DrawStyle],
            blueprint: any StageBlueprint, options: [JSONMember], text: String = ""
        ) {
            self.id = id
            self.contract = contract
            self.inputs = inputs
            self.rate = rate
            self.styles = styles
            self.blueprint = blueprint
            self.options = options
            self.text = text
        }
    }

    /// True where the annotated video hides what a stage finds, or what stages find by it.
    package func hides(_ index: Int) -> Bool {
        var hides = nodes.map { $0.styles.values.contains { $0.cover != nil } }
        // Inputs have lower indices.
        for later in nodes.indices.reversed() where hides[later] {
            for input in nodes[later].inputs { hides[input] = true }
        }
        return hides[index]
    }

    /// Stages in an order in which every one comes after its inputs.
    public let nodes: [Node]

    /// What the program's stages emit, also those that aren't in this graph.
    package let catalog: FindingCatalog

    /// - Parameter catalog: nil for what the nodes emit.
    package init(nodes: [Node], catalog: FindingCatalog? = nil) {
        self.nodes = nodes
        self.catalog = catalog ?? FindingCatalog(nodes.map { ($0.contract.type, $0.contract.emits) })
    }

    /// What the joints are that a node's stage gives: as it says itself, or as its inputs have them.
    package func skeleton(of index: Int) -> Skeleton? {
        let node = nodes[index]
        if let own = node.blueprint.skeleton { return own }
        guard node.contract.emits.contains(where: { $0 is any JointedFinding.Type }) else { return nil }
        return node.inputs.lazy.compactMap(skeleton).first
    }

    /// What its stages emit.
    var findings: FindingCatalog { FindingCatalog(nodes.map { ($0.contract.type, $0.contract.emits) }) }

    /// The files that those that it names lead to: paths that can be opened.
    package var otherFiles: [String] {
        nodes.flatMap { node in node.blueprint.files + node.styles.values.flatMap(\.files) }
    }

    /// True where results depend on the job's camera.
    public var usesCamera: Bool { nodes.contains { $0.blueprint.usesCamera } }

    /// What its stages want of that which a job gives, each kind once.
    package var given: [any Given.Type] {
        nodes.flatMap(\.contract.takes).reduce(into: []) { all, kind in
            if !all.contains(where: { $0 == kind }) { all.append(kind) }
        }
    }

    /// Whether one of its stages wants a kind of that which a job gives.
    package func takes(_ kind: any Given.Type) -> Bool { nodes.contains { $0.contract.takes(kind) } }
}
