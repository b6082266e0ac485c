internal import Glibc

/// The polygons that `Painter`'s shapes cover, integer coordinates being pixel centres.
enum StrokeOutlines {
    /// Pixels by which a polygon may be off the circle that it stands for.
    private static let tolerance = 0.04

    private static func sides(radius: Double) -> Int {
        let half = acos(max(1 - tolerance / max(radius, tolerance), -1))
        return min(max(Int(inRange: (2 * Double.pi / (2 * half)).rounded(.up)), 8), 256)
    }

    static func circle(at center: Point, radius: Double) -> [Point] {
        let count = sides(radius: radius)
        // The polygon's area is the circle's.
        let turn = 2 * Double.pi / Double(count)
        let reach = radius * (turn / sin(turn)).squareRoot()
        return (0..<count).map { index in
            let angle = Double(index) * turn
            return Point(center.x + reach * cos(angle), center.y + reach * sin(angle))
        }
    }

    /// A straight line with round caps.
    static func line(from a: Point, to b: Point, thickness: Double) -> [Point] {
        let radius = thickness / 2
        guard a.distance(to: b) > 1e-6 else { return circle(at: a, radius: radius) }
        return cap(at: a, from: a - b, radius: radius) + cap(at: b, from: b - a, radius: radius)
    }

    /// Half a circle about a line's end, clockwise.
    /// - Parameter way: The line's direction at the end, outward.
    private static func cap(at end: Point, from way: Point, radius: Double) -> [Point] {
        let count = max(sides(radius: radius) / 2, 3)
        let start = atan2(way.y, way.x) - Double.pi / 2
        return (0...count).map { index in
            let angle = start + Double(index) / Double(count) * Double.pi
            return Point(end.x + radius * cos(angle), end.y + radius * sin(angle))
        }
    }

    /// A box with rounded corners, which is of whole pixels: its left edge is half a pixel before its first column's centre.
    static func box(_ box: Box, radius: Double) -> [Point] {
        let radius = min(max(radius, 0), min(box.width, box.height) / 2)
        let (left, top) = (box.x - 0.5, box.y - 0.5)
        let (right, bottom) = (left + box.width, top + box.height)
        guard radius > 0 else {
            return [Point(left, top), Point(right, top), Point(right, bottom), Point(left, bottom)]
        }
        let count = max(sides(radius: radius) / 4, 2)
        let corners = [
            Point(right - radius, bottom - radius), Point(left + radius, bottom - radius),
            Point(left + radius, top + radius), Point(right - radius, top + radius),
        ]
        return corners.enumerated().flatMap { corner, center in
            (0...count).map { index in
                let angle = (Double(corner) + Double(index) / Double(count)) * Double.pi / 2
                return Point(center.x + radius * cos(angle), center.y + radius * sin(angle))
            }
        }
    }

    /// A closed outline's sides with their mitres, dash by dash; they overlap at the corners.
    static func outline(of polygon: [Point], thickness: Double, dash: Dash?) -> [[Point]] {
        guard let first = polygon.first else { return [] }
        let edges = StrokeEdge.around(polygon, thickness: thickness)
        if edges.isEmpty { return [circle(at: first, radius: thickness / 2)] }
        guard edges.count > 2 else {
            return edges.map { line(from: $0.start, to: $0.start + $0.direction * $0.length, thickness: thickness) }
        }
        return edges.flatMap { edge in pieces(of: edge, thickness: thickness, dash: dash) }
    }

    /// The most dashes of one side: what lies far outside of the picture has no end.
    private static let mostDashes = 10_000

    private static func pieces(of edge: StrokeEdge, thickness: Double, dash: Dash?) -> [[Point]] {
        let (low, high) = (-edge.startExtension, edge.length + edge.endExtension)
        var spans = [(low, high)]
        if let dash, case let period = dash.period(along: edge), period > 0 {
            let count = min(max(Int(inRange: (edge.length / period).rounded()), 0), mostDashes)
            spans = (0...count).map { index in
                let middle = Double(index) * period
                return (
                    index == 0 ? low : middle - dash.length / 2, index == count ? high : middle + dash.length / 2
                )
            }
        }
        let half = thickness / 2
        let across = Point(-edge.direction.y, edge.direction.x) * half
        return spans.map { from, to in
            let (a, b) = (edge.start + edge.direction * from, edge.start + edge.direction * to)
            var corners = [a - across, b - across, b + across, a + across]
            for cut in [edge.startCut, edge.endCut] {
                guard let cut else { continue }
                corners = corners.cut(by: .init(point: cut.point + cut.normal * half, normal: cut.normal))
            }
            return corners
        }
    }

    // MARK: Lines through many points

    /// Cosine of the sharpest turn at which a line's parts are joined by a mitre; at sharper ones it begins anew, the
    /// caps being the joint.
    private static let sharpest = cos(Double.pi / 4)
    /// Pixels by which a line may pass by a point that is left out.
    private static let slack = 0.1

    /// A line through points, with round caps: polygons that all turn clockwise, and may cross themselves.
    static func path(through points: [Point], thickness: Double) -> [[Point]] {
        var polygons: [[Point]] = []
        var part: [Point] = []
        func finish() {
            if !part.isEmpty { polygons.append(stroke(through: part, radius: thickness / 2)) }
        }
        for point in simplified(points) {
            if part.count > 1 {
                let (a, b) = (part[part.count - 1] - part[part.count - 2], point - part[part.count - 1])
                if a.dot(b) < sharpest * a.length * b.length {
                    finish()
                    part = [part[part.count - 1]]
                }
            }
            part.append(point)
        }
        finish()
        return polygons
    }

    /// The points without those that lie on the way from the one before to the one after.
    private static func simplified(_ points: [Point]) -> [Point] {
        var kept: [Point] = []
        // Those left out since the last one kept.
        var skipped: [Point] = []
        for point in points {
            guard let last = kept.last else {
                kept.append(point)
                continue
            }
            guard let previous = skipped.last else {
                if point.distance(to: last) > 1e-6 { skipped.append(point) }
                continue
            }
            if skipped.count < 32, skipped.allSatisfy({ isNear($0, last, point) }) {
                skipped.append(point)
            } else {
                kept.append(previous)
                skipped = point.distance(to: previous) > 1e-6 ? [point] : []
            }
        }
        return kept + skipped.suffix(1)
    }

    /// Whether a point is on the way from one point to another.
    private static func isNear(_ point: Point, _ a: Point, _ b: Point) -> Bool {
        let way = b - a
        let length = way.length
        guard length > 1e-6 else { return false }
        let along = (point - a).dot(way) / length
        return along >= 0 && along <= length && abs((point - a).cross(way)) / length <= slack
    }

    private static func stroke(through points: [Point], radius: Double) -> [Point] {
        guard let first = points.first, let last = points.last, points.count > 1 else {
            return points.first.map { circle(at: $0, radius: radius) } ?? []
        }
        let directions = zip(points, points.dropFirst()).map { ($1 - $0) * (1 / $0.distance(to: $1)) }
        // From a point in between to both sides, so that both parts are as thick as they should be.
        let joints = zip(directions, directions.dropFirst()).map { a, b -> Point in
            let middle = a + b
            let normal = Point(-middle.y, middle.x)
            return normal * (radius / max(normal.dot(Point(-a.y, a.x)), 0.1))
        }
        let inner = points.dropFirst().dropLast()
        let back = zip(inner, joints).map { $0 + $1 }
        let forth = zip(inner, joints).map { $0 - $1 }
        return cap(at: first, from: first - points[1], radius: radius) + forth
            + cap(at: last, from: last - points[points.count - 2], radius: radius) + back.reversed()
    }
}
