/// A stroked straight edge with flat ends, which neighbouring edges may cut to a mitre.
///
/// Pixel centres are integer coordinates. A pixel's coverage is that of its extent across the edge: from its centre's
/// distance and from how wide a pixel is in that direction, 1 for upright edges to √2 for diagonal ones. This is exact
/// for upright edges and keeps the stroke's area for the others.
struct StrokeEdge {
    /// The outer side of a neighbouring edge: what lies farther than half the thickness beyond it is cut off.
    struct Cut {
        /// A point on the neighbour's centre line.
        var point: Point
        /// The unit normal that points outward.
        var normal: Point

        func coverage(_ x: Int, _ y: Int, half: Double) -> Double {
            let beyond = (Point(Double(x), Double(y)) - point).dot(normal)
            return (half - beyond) / (abs(normal.x) + abs(normal.y)) + 0.5
        }
    }

    var start: Point
    /// The unit vector from the start to the end.
    var direction: Point
    var length: Double
    /// Length by which the stroke goes on beyond the start, pixels; likewise the end.
    var startExtension = 0.0
    var endExtension = 0.0
    var startCut: Cut?
    var endCut: Cut?

    /// - Returns: nil where the points coincide.
    init?(from start: Point, to end: Point) {
        let vector = end - start
        let length = vector.length
        guard length > 1e-6 else { return nil }
        self.start = start
        self.direction = vector * (1 / length)
        self.length = length
    }

    /// Width of a pixel across the edge, and along it.
    var pixelWidth: Double { abs(direction.x) + abs(direction.y) }
}

extension StrokeEdge {
    /// The sides of a closed outline, joined by mitres where there are more than two; where a corner is so sharp that its
    /// mitre would stick out by more than the thickness, the mitre is cut flat.
    ///
    /// - Parameter polygon: The corners in order, the first not repeated. Coinciding neighbours count once.
    static func around(_ polygon: [Point], thickness: Double) -> [StrokeEdge] {
        guard var previous = polygon.last else { return [] }
        var edges: [StrokeEdge] = []
        edges.reserveCapacity(polygon.count)
        for point in polygon {
            if let edge = StrokeEdge(from: previous, to: point) {
                edges.append(edge)
                previous = point
            }
        }
        guard edges.count > 2 else { return edges }
        for index in edges.indices { miter(&edges, at: index, thickness: thickness) }
        return edges
    }

    /// Joins the edge at `index` with the one before.
    private static func miter(_ edges: inout [StrokeEdge], at index: Int, thickness: Double) {
        let before = index == 0 ? edges.count - 1 : index - 1
        let (a, b) = (edges[before].direction, edges[index].direction)
        let (sine, cosine) = (a.cross(b), a.dot(b))
        let limit = thickness
        // Half the thickness times the tangent of half the turn.
        let full = abs(sine) > 1e-9 ? thickness / 2 * (1 - cosine) / abs(sine) : (cosine > 0 ? 0 : limit)
        let length = min(full, limit)
        edges[before].endExtension = length
        edges[index].startExtension = length
        guard abs(sine) > 1e-3 else { return }
        // The outside is to the left of a turn to the right and the other way round.
        let side = sine > 0 ? 1.0 : -1.0
        let corner = edges[index].start
        edges[before].endCut = .init(point: corner, normal: Point(b.y * side, -b.x * side))
        edges[index].startCut = .init(point: corner, normal: Point(a.y * side, -a.x * side))
    }
}

/// The rhythm of a dashed outline, pixels.
struct Dash: Hashable {
    var length: Double
    var gap: Double

    init(length: Double, gap: Double) { (self.length, self.gap) = (length, gap) }

    /// Dashes of four times the thickness, 8 pixels at least, with gaps of the same length.
    init(thickness: Double) {
        let length = max(4 * thickness, 8)
        self.init(length: length, gap: length)
    }

    /// Length from one dash's middle to the next along an edge, stretched so that both ends are the middle of a dash; 0
    /// where the edge is too short for a gap and is drawn in full.
    func period(along edge: StrokeEdge) -> Double {
        let rhythm = length + gap
        let periods = rhythm > 0 ? max((edge.length / rhythm).rounded(), 1) : 0
        let period = periods > 0 ? edge.length / periods : 0
        return period > length ? period : 0
    }
}
