/// The displacement of a thing in one file from its place in the other.
struct Displacement: Sendable {
    /// Intersection over union of its boxes; nil for outlines.
    var overlap: Double?
    /// Mean way of an outline's corners, or the longest way of a box's edge, pixels.
    var mean = 0.0
    /// The longest way of a corner or an edge, pixels.
    var longest = 0.0

    /// The displacement between two observations; nil where one of them has no place.
    init?(_ old: Observation, _ new: Observation) {
        if let a = old.polygon, let b = new.polygon {
            let ways = Self.ways(a, b)
            longest = ways.max() ?? 0
            mean = ways.reduce(0, +) / Double(max(1, ways.count))
            guard let a = old.box, let b = new.box else { return }
            longest = max(longest, Self.edges(a, b))
            return
        }
        guard let a = old.bounds, let b = new.bounds else { return nil }
        overlap = a == b ? 1 : a.intersectionOverUnion(b)
        longest = Self.edges(a, b)
        mean = longest
    }

    private static func edges(_ a: Box, _ b: Box) -> Double {
        max(abs(a.x - b.x), abs(a.y - b.y), abs(a.right - b.right), abs(a.bottom - b.bottom))
    }

    /// Ways from corner to corner; where there are more on one side, from each to the nearest of the other's.
    private static func ways(_ a: [Point], _ b: [Point]) -> [Double] {
        guard a.count != b.count else { return zip(a, b).map { $0.distance(to: $1) } }
        func nearest(_ point: Point, _ others: [Point]) -> Double {
            others.map { $0.distance(to: point) }.min() ?? 0
        }
        return a.map { nearest($0, b) } + b.map { nearest($0, a) }
    }
}

extension Observation {
    /// Its pose in space; nil for kinds that have none.
    func pose(in size: PictureSize) -> Pose? {
        guard type(of: finding.base).saysPoses else { return nil }
        for mark in marks(in: size) {
            if case .posed(let estimated) = mark { return estimated.pose }
        }
        return nil
    }
}

extension Finding {
    fileprivate static var saysPoses: Bool { fields.contains { $0.name == "pose" } }
}
