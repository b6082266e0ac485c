/// A skeleton: names of the joints of one kind of thing, in their order, and which belong together.
public struct Skeleton: Sendable, Hashable {
    /// Two joints by their places in the order.
    public struct Pair: Sendable, Hashable {
        /// The first joint's place in the order, from 0.
        public var first: Int
        /// The second joint's place in the order, from 0.
        public var second: Int

        /// Two joints by their places in the order, from 0.
        public init(_ first: Int, _ second: Int) { (self.first, self.second) = (first, second) }
    }

    /// Names of the joints, in order: `left_elbow`.
    public var names: [String] = []
    /// Bones: joints that a line joins.
    public var edges: [Pair] = []
    /// Joints that change places in a mirror: the left one and the right one.
    public var mirrored: [Pair] = []

    public init() {}

    /// A skeleton by its joints' names and pairs of their places among them, which `fault` checks.
    public init(names: [String], edges: [Pair] = [], mirrored: [Pair] = []) {
        self.names = names
        self.edges = edges
        self.mirrored = mirrored
    }

    /// The mirror image of each joint: the joint of the other side, or itself where it has none.
    public var mirror: [Int] {
        var mirror = Array(names.indices)
        for pair in mirrored where mirror.indices.contains(pair.first) && mirror.indices.contains(pair.second) {
            (mirror[pair.first], mirror[pair.second]) = (pair.second, pair.first)
        }
        return mirror
    }

    /// Why the skeleton can't be used; nil where it can.
    public var fault: String? {
        if names.isEmpty { return "it has no names" }
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            return "“\(twice)” stands there twice"
        }
        let pairs = edges + mirrored
        let wrong = pairs.first { !names.indices.contains($0.first) || !names.indices.contains($0.second) }
        return wrong.map { "[\($0.first), \($0.second)] names joints beyond its \(names.count)" }
    }
}
