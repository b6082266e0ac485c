/// Cuts flat polygons of any form into triangles.
enum PolygonTriangulation {
    /// The vector along the normal whose length is twice the area (Newell's method).
    static func areaVector(_ corners: [SIMD3<Double>]) -> SIMD3<Double> {
        guard let origin = corners.first else { return .zero }
        return corners.indices.reduce(SIMD3<Double>.zero) { sum, index in
            sum + cross(corners[index] - origin, corners[(index + 1) % corners.count] - origin)
        }
    }

    /// The unit normal, from which the corners run anticlockwise; nil for a polygon without area.
    static func normal(of corners: [SIMD3<Double>]) -> SIMD3<Double>? {
        let area = areaVector(corners)
        let length = (area * area).sum().squareRoot()
        return length > 1e-300 && length.isFinite ? area / length : nil
    }

    /// Triangles by the numbers of their corners, turning as the polygon does: by ears (Meisters 1975), a fan where it is
    /// convex.
    static func triangles(_ corners: [SIMD3<Double>], normal: SIMD3<Double>) -> [(Int, Int, Int)] {
        guard corners.count > 3 else { return corners.count == 3 ? [(0, 1, 2)] : [] }
        // Seen along the axis that the polygon faces most.
        let size = SIMD3(abs(normal.x), abs(normal.y), abs(normal.z))
        let flat: [Point] = corners.map { corner in
            if size.z >= size.x, size.z >= size.y { return Point(corner.x, normal.z > 0 ? corner.y : -corner.y) }
            if size.x >= size.y { return Point(corner.y, normal.x > 0 ? corner.z : -corner.z) }
            return Point(corner.z, normal.y > 0 ? corner.x : -corner.x)
        }
        var left = Array(corners.indices)
        func turn(_ a: Int, _ b: Int, _ c: Int) -> Double { (flat[b] - flat[a]).cross(flat[c] - flat[b]) }
        let isConvex = left.indices.allSatisfy { index in
            turn(index, (index + 1) % left.count, (index + 2) % left.count) >= 0
        }
        if isConvex { return (1..<corners.count - 1).map { (0, $0, $0 + 1) } }
        var found: [(Int, Int, Int)] = []
        while left.count > 3 {
            let ear = left.indices.first { index in
                let (a, b, c) = (
                    left[(index + left.count - 1) % left.count], left[index], left[(index + 1) % left.count]
                )
                guard turn(a, b, c) > 0 else { return false }
                return !left.contains { other in
                    other != a && other != b && other != c && turn(a, b, other) >= 0 && turn(b, c, other) >= 0
                        && turn(c, a, other) >= 0 && flat[other] != flat[a] && flat[other] != flat[b]
                        && flat[other] != flat[c]
                }
            }
            // A polygon that crosses itself may have none: then any corner will do.
            let index = ear ?? 1
            found.append((left[(index + left.count - 1) % left.count], left[index], left[(index + 1) % left.count]))
            left.remove(at: index)
        }
        found.append((left[0], left[1], left[2]))
        return found
    }
}
