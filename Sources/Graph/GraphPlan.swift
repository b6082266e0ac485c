/// A graph that has been validated as a whole: known types, right inputs, no cycle. The pipeline runs nothing else.
public struct GraphPlan: Sendable {
    /// One stage of the graph.
    public struct Node: Sendable {
        /// Id of the stage in the graph.
        public var id: String
        /// Contract of the stage's type.
        public var contract: StageContract
        /// Indices of the stages whose results it takes; all of them are lower than its own.
        public var inputs: [Int]
        /// The most runs a second of video; nil for every frame.
        public var rate: Double?
        /// Whether everything of its sort in a picture is among its results; nil where the manifest doesn't say.
        public var isComplete: Bool?
        /// Styles of the kinds that the stage emits; empty where nothing is drawn.
        public var styles: [String: DrawStyle]
        /// The stage with its options read.
        public var blueprint: any StageBlueprint
        /// The options in force, defaults included, for the track file's header.
        public var options: [JSONMember]
        /// The stage as the manifest has it, as JSON in a form of its own: two that mean the same are the same text.
        package var text = ""
        /// Whether its type comes with this package: what others give is checked.
        package var isOwn = false
        /// Whether another stage's tracks have the labels of what it finds.
        package var isRetold = false

        /// Whether it has nothing to go by unless the job gives it something: what it takes regions from may do as well.
        package var needsGiven: Bool {
            !contract.takes.isEmpty && (inputs.isEmpty || !contract.consumes.contains(.regions))
        }

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
    package func hides(_ index: Int) -> Bool { hidden[index] }

    private let hidden: [Bool]

    /// Stages in an order in which every one comes after its inputs.
    public let nodes: [Node]

    /// How long stages don't look, seconds, by their ids. Their covers reach as far.
    package let pauses: [String: Double]

    /// Kinds that the program's stages emit, also those that aren't in this graph.
    package let catalog: FindingCatalog

    /// A plan of stages in order.
    /// - Parameter catalog: nil for the kinds that the nodes emit.
    package init(nodes: [Node], catalog: FindingCatalog? = nil) {
        let pauses = LookPauses.of(
            nodes.map { node in
                (node.id, node.inputs.compactMap { nodes.indices.contains($0) ? nodes[$0].id : nil }, node.rate)
            })
        var (nodes, hidden) = (nodes, nodes.map { $0.styles.values.contains { $0.cover != nil } })
        for index in nodes.indices where hidden[index] {
            guard let pause = pauses[nodes[index].id] else { continue }
            for (kind, style) in nodes[index].styles where style.cover != nil {
                nodes[index].styles[kind]?.coverGap = max(style.coverGap, LookPauses.reach(pause))
            }
        }
        // Inputs have lower indices.
        for later in nodes.indices.reversed() where hidden[later] {
            for input in nodes[later].inputs where nodes.indices.contains(input) { hidden[input] = true }
        }
        (self.nodes, self.hidden, self.pauses) = (nodes, hidden, pauses)
        self.catalog = catalog ?? FindingCatalog(nodes.map { ($0.contract.type, $0.contract.emits) })
    }

    /// Skeleton of the joints that a node's stage gives: its own, or that of its inputs.
    package func skeleton(of index: Int) -> Skeleton? {
        let node = nodes[index]
        if let own = node.blueprint.skeleton { return own }
        guard node.contract.emits.contains(where: { $0 is any JointedFinding.Type }) else { return nil }
        return node.inputs.lazy.compactMap(skeleton).first
    }

    /// A check of what a stage gives; nil for one that comes with this package.
    package func check(of index: Int) -> ObservationCheck? {
        let node = nodes[index]
        guard !node.isOwn else { return nil }
        return ObservationCheck(stage: node.id, kinds: node.contract.emits, skeleton: skeleton(of: index))
    }

    /// Kinds that its stages emit.
    var findings: FindingCatalog { FindingCatalog(nodes.map { ($0.contract.type, $0.contract.emits) }) }

    /// Files that the files named in options lead to: paths that can be opened.
    package var otherFiles: [String] {
        nodes.flatMap { node in node.blueprint.files + node.styles.values.flatMap(\.files) }
    }

    /// Whether results depend on the job's camera.
    public var usesCamera: Bool { nodes.contains { $0.blueprint.usesCamera } }

    /// Kinds of things that its stages take from a job, each once.
    package var given: [any Given.Type] {
        nodes.flatMap(\.contract.takes).reduce(into: []) { all, kind in
            if !all.contains(where: { $0 == kind }) { all.append(kind) }
        }
    }

    /// Whether one of its stages takes a kind of thing from a job.
    package func takes(_ kind: any Given.Type) -> Bool { nodes.contains { $0.contract.takes(kind) } }
}
