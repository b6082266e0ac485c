/// A projective map of the plane: how one view of something flat maps onto another.
///
/// Nine numbers, row by row; `(x, y)` goes to `(m0·x + m1·y + m2, m3·x + m4·y + m5) ÷ (m6·x + m7·y + m8)`.
public struct Homography: Sendable, Hashable {
    /// The matrix's nine numbers, row by row.
    public var elements: [Double]

    /// The map with a matrix.
    /// - Parameter elements: nine numbers, row by row.
    public init(elements: [Double]) {
        precondition(elements.count == 9, "a homography has nine elements")
        self.elements = elements
    }

    /// The map that takes the unit square's corners (0, 0), (1, 0), (1, 1), (0, 1) to a quad's (Heckbert 1989, section
    /// 2.2); nil where three of its corners are in line or it isn't convex.
    public init?(unitSquareTo quad: [Point]) {
        guard quad.count == 4, Self.isConvex(quad) else { return nil }
        let (a, b, c, d) = (quad[0], quad[1], quad[2], quad[3])
        let sum = a - b + c - d
        let (u, v) = (b - c, d - c)
        let denominator = u.cross(v)
        guard denominator != 0, denominator.isFinite else { return nil }
        let g = sum.cross(v) / denominator
        let h = u.cross(sum) / denominator
        elements = [
            b.x - a.x + g * b.x, d.x - a.x + h * d.x, a.x,
            b.y - a.y + g * b.y, d.y - a.y + h * d.y, a.y,
            g, h, 1,
        ]
    }

    /// The map that takes one quad's corners to another's; nil where one of them isn't convex.
    public init?(_ source: [Point], to target: [Point]) {
        guard let back = Homography(unitSquareTo: source)?.inverse, let forth = Homography(unitSquareTo: target) else {
            return nil
        }
        self = forth * back
    }

    /// The image of a point; not finite for a point on the map's horizon.
    public func callAsFunction(_ p: Point) -> Point {
        let m = elements
        let w = m[6] * p.x + m[7] * p.y + m[8]
        return Point((m[0] * p.x + m[1] * p.y + m[2]) / w, (m[3] * p.x + m[4] * p.y + m[5]) / w)
    }

    /// The third homogeneous coordinate of a point's image: its sign tells on which side of the horizon it lies.
    public func depth(_ p: Point) -> Double { elements[6] * p.x + elements[7] * p.y + elements[8] }

    /// The product of two maps: first `b` is applied, then `a`.
    public static func * (a: Homography, b: Homography) -> Homography {
        var product = [Double](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for index in 0..<3 {
                    product[3 * row + column] += a.elements[3 * row + index] * b.elements[3 * index + column]
                }
            }
        }
        return Homography(elements: product)
    }

    /// The inverse map; nil for a map that folds the plane onto a line.
    public var inverse: Homography? {
        let m = elements
        let adjugate = [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
        let determinant = m[0] * adjugate[0] + m[1] * adjugate[3] + m[2] * adjugate[6]
        guard determinant != 0, determinant.isFinite else { return nil }
        return Homography(elements: adjugate.map { $0 / determinant })
    }

    /// Whether four corners turn one way all round, clockwise or anticlockwise, by more than rounding.
    public static func isConvex(_ quad: [Point]) -> Bool {
        let turns = quad.indices.map { index in
            let (a, b, c) = (quad[index], quad[(index + 1) % quad.count], quad[(index + 2) % quad.count])
            return (b - a).cross(c - b)
        }
        return turns.allSatisfy { $0 > 1e-9 } || turns.allSatisfy { $0 < -1e-9 }
    }
}
