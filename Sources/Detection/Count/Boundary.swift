/// A boundary that divides a picture in two: a line's left and right, a zone's outside and inside.
///
/// The second side, `true`, is the line's right and the zone's inside.
protocol Boundary: Sendable {
    func side(of point: Point) -> Bool
    /// The changes of side on a straight way, in its order. Their number is even where both ends lie on one side.
    func changes(of way: DirectedLine) -> [SideChange]
    /// Distance of a point from it, pixels.
    func distance(to point: Point) -> Double
    /// A path's trembling across it; nil where nobody knows yet.
    func bounds(of tremble: PathTremble) -> TrembleBounds?
}

/// One change of side.
struct SideChange: Sendable, Hashable {
    /// The share of the way before it, 0…1.
    var share: Double
    /// Whether the line was crossed. False where it was passed beside its ends: the side changes, and nothing was
    /// crossed.
    var isMet: Bool
    /// Which of the lines of a chain was; 0 where there is one.
    var member = 0
}

/// A line of a job. Past its ends it divides the picture too, but nobody crosses it there.
struct LineBoundary: Boundary {
    let line: DirectedLine

    func side(of point: Point) -> Bool { line.hasOnRight(point) }

    func changes(of way: DirectedLine) -> [SideChange] {
        line.change(of: way).map { [SideChange(share: $0, isMet: line.meeting(of: way) != nil)] } ?? []
    }

    func distance(to point: Point) -> Double { line.distance(to: point) }

    func bounds(of tremble: PathTremble) -> TrembleBounds? {
        let way = line.to - line.from
        return tremble.bounds(along: Point(-way.y, way.x) * (1 / max(way.length, .leastNormalMagnitude)))
    }
}

/// A zone of a job: inside is where a ray to the edge of the picture meets an odd number of its sides.
struct ZoneBoundary: Boundary {
    let sides: [DirectedLine]
    /// Those over which something can come and go: not what lies on the picture's edge.
    private let open: [DirectedLine]
    /// Where anchors are; nil for anywhere. What is cut off by the picture's edge has its anchor on it or beyond: it counts as
    /// just inside, so that a zone which ends there has what stands there.
    private let picture: PictureSize?

    /// Pixels from the picture's edge at which what reaches it counts as standing.
    private static let inset = 1e-3

    init(_ polygon: [Point], in picture: PictureSize? = nil) {
        sides = polygon.indices.map { DirectedLine(polygon[$0], polygon[($0 + 1) % polygon.count]) }
        self.picture = picture
        guard let picture else {
            open = sides
            return
        }
        let (width, height) = (Double(picture.width), Double(picture.height))
        open = sides.filter { side in
            let isAcross = side.from.y == side.to.y && (side.from.y <= 0 || side.from.y >= height)
            return !isAcross && !(side.from.x == side.to.x && (side.from.x <= 0 || side.from.x >= width))
        }
    }

    private func placed(_ point: Point) -> Point {
        guard let picture else { return point }
        let (width, height) = (Double(picture.width), Double(picture.height))
        return Point(
            min(max(point.x, Self.inset), width - Self.inset), min(max(point.y, Self.inset), height - Self.inset))
    }

    func side(of point: Point) -> Bool {
        let point = placed(point)
        var isInside = false
        for side in sides where (side.from.y > point.y) != (side.to.y > point.y) {
            // The ray runs to the right: it meets the side where the point lies to the left of it in the picture.
            if side.hasOnRight(point) == (side.to.y > side.from.y) { isInside.toggle() }
        }
        return isInside
    }

    func changes(of way: DirectedLine) -> [SideChange] {
        let way = DirectedLine(placed(way.from), placed(way.to))
        let shares = sides.compactMap { $0.meeting(of: way) }.sorted()
        guard shares.count.isMultiple(of: 2) != (side(of: way.from) == side(of: way.to)) else {
            return shares.map { SideChange(share: $0, isMet: true) }
        }
        // Numbers are too coarse to tell, by a hair's breadth from a corner: the ends' sides hold.
        return side(of: way.from) == side(of: way.to) ? [] : [SideChange(share: shares.first ?? 1, isMet: true)]
    }

    func distance(to point: Point) -> Double {
        let point = placed(point)
        return open.map { $0.distanceWithinEnds(to: point) }.min() ?? .infinity
    }

    func bounds(of tremble: PathTremble) -> TrembleBounds? {
        guard let across = tremble.bounds(along: Point(1, 0)), let down = tremble.bounds(along: Point(0, 1))
        else { return nil }
        return across.joined(with: down)
    }
}
