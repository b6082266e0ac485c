/// What the joints of one kind of thing are called, in their order, and which belong together.
public struct Skeleton: Sendable, Hashable {
    /// Two joints by their places in the order.
    public struct Pair: Sendable, Hashable {
        public var first: Int
        public var second: Int

        public init(_ first: Int, _ second: Int) { (self.first, self.second) = (first, second) }
    }

    /// A joint each: `left_elbow`.
    public var names: [String] = []
    /// Bones: joints that a line joins.
    public var edges: [Pair] = []
    /// Joints that change places in a mirror: the left one and the right one.
    public var mirrored: [Pair] = []

    public init() {}

    public init(names: [String], edges: [Pair] = [], mirrored: [Pair] = []) {
        self.names = names
        self.edges = edges
        self.mirrored = mirrored
    }

    /// For each joint the one that it is in a mirror: itself, where it has no other side.
    public var mirror: [Int] {
        var mirror = Array(names.indices)
        for pair in mirrored where mirror.indices.contains(pair.first) && mirror.indices.contains(pair.second) {
            (mirror[pair.first], mirror[pair.second]) = (pair.second, pair.first)
        }
        return mirror
    }

    /// Why no joints can be told by it; nil where they can.
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
