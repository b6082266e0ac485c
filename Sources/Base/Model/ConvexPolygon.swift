/// A convex polygon, whichever way round its corners run.
public struct ConvexPolygon: Sendable, Hashable {
    /// Corners, pixels, ordered so that what is inside lies where the cross product with a side is positive.
    public let corners: [Point]

    /// A polygon by its corners, pixels, either way round; that it is convex isn't checked.
    public init(_ corners: [Point]) {
        self.corners = Self.signedArea(corners) < 0 ? corners.reversed() : corners
    }

    /// Area, square pixels.
    public var area: Double { Self.signedArea(corners) }

    private static func signedArea(_ corners: [Point]) -> Double {
        guard let first = corners.first else { return 0 }
        // About a corner: coordinates far from 0 lose nothing.
        let sum = zip(corners, corners.dropFirst()).reduce(0.0) { $0 + ($1.0 - first).cross($1.1 - first) }
        return sum / 2
    }

    /// The intersection of two polygons (Sutherland and Hodgman, 1974).
    public func intersection(_ other: ConvexPolygon) -> ConvexPolygon {
        ConvexPolygon(corners.cut(along: other.corners))
    }

    /// Intersection over union, 0…1.
    public func intersectionOverUnion(_ other: ConvexPolygon) -> Double {
        guard let box = Box(around: corners), let others = Box(around: other.corners),
            box.intersection(others) != nil
        else { return 0 }
        let common = intersection(other).area
        let union = area + other.area - common
        return union > 0 ? min(max(common / union, 0), 1) : 0
    }
}

extension [Point] {
    /// The part of a polygon, convex or not, that lies in a box: parts of one are joined by lines along the box's sides.
    package func inside(_ box: Box) -> [Point] { cut(along: box.corners) }

    /// The part that lies inside a convex polygon (Sutherland and Hodgman, 1974).
    fileprivate func cut(along sides: [Point]) -> [Point] {
        var rest = self
        for index in sides.indices {
            let (a, b) = (sides[index], sides[(index + 1) % sides.count])
            func depth(_ point: Point) -> Double { (b - a).cross(point - a) }
            var kept: [Point] = []
            for place in rest.indices {
                let (from, to) = (rest[place], rest[(place + 1) % rest.count])
                let (start, end) = (depth(from), depth(to))
                if start >= 0 { kept.append(from) }
                if (start < 0) != (end < 0) { kept.append(from + (to - from) * (start / (start - end))) }
            }
            rest = kept
        }
        return rest
    }
}
