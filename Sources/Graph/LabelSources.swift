/// Where the labels of a stage's results come from, as far as that is known before a frame is decoded. Without any of these
/// its results carry no label.
public struct LabelSources: Sendable, Hashable {
    /// Labels of its own.
    public var names: [String]
    /// A class without a name is its number.
    public var hasNumbers: Bool
    /// Results carry on the labels of its inputs' results.
    public var ofInputs: Bool
    /// What has no label there is called by its kind.
    public var namesKinds: Bool
    /// Labels of the regions and points that the job gives the stage.
    public var ofGiven: Bool

    /// The sources of a stage's labels; those that are left out aren't any.
    public init(
        names: [String] = [], hasNumbers: Bool = false, ofInputs: Bool = false, namesKinds: Bool = false,
        ofGiven: Bool = false
    ) {
        self.names = names
        self.hasNumbers = hasNumbers
        self.ofInputs = ofInputs
        self.namesKinds = namesKinds
        self.ofGiven = ofGiven
    }
}

/// The labels that a stage's results can carry.
package struct KnownLabels: Sendable, Hashable {
    /// Each once.
    package var names: [String] = []
    /// Whether numbers from 0 are labels as well.
    package var hasNumbers = false
    /// Whether a result may have none.
    var mayLack = false

    /// Whether a result can carry a label.
    package func has(_ label: String) -> Bool {
        names.contains(label) || hasNumbers && (Int(label).map { $0 >= 0 } ?? false)
    }

    fileprivate mutating func add(_ more: [String]) {
        for name in more where !names.contains(name) { names.append(name) }
    }
}

extension GraphPlan {
    /// The labels that results of a node's stage can carry.
    /// - Parameter given: Those of the things that a job gives a node's stage.
    /// - Returns: nil where nobody knows them.
    package func labels(of index: Int, given: (Node) -> [String]) -> KnownLabels? {
        let node = nodes[index]
        guard let sources = node.blueprint.labels else { return nil }
        var known = KnownLabels(hasNumbers: sources.hasNumbers)
        known.add(sources.names)
        if sources.ofGiven { known.add(given(node)) }
        guard sources.ofInputs else {
            // Things of a job that aren't there have been told of.
            if sources.ofGiven, known.names.isEmpty { return nil }
            known.mayLack = known.names.isEmpty && !known.hasNumbers
            return known
        }
        for input in node.inputs {
            guard let carried = labels(of: input, given: given) else { return nil }
            known.add(carried.names)
            known.hasNumbers = known.hasNumbers || carried.hasNumbers
            guard carried.mayLack else { continue }
            if sources.namesKinds {
                known.add(nodes[input].contract.emits.map { $0.kind })
            } else {
                known.mayLack = true
            }
        }
        return known
    }
}
