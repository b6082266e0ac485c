/// Draws bodies made of triangles where they are in space: lit, hiding what is behind, with anti-aliased edges.
///
/// Triangles are cut where they can't be projected and bent with the lens by cutting long edges. One thread at a time.
final class ModelPainter {
    private let projection: CameraProjection
    private let raster = TriangleRaster()
    private var seen: [SIMD3<Double>] = []

    /// Longest edge that isn't cut in two where the lens bends, pixels.
    private static let straightLength = 24.0
    /// The most times that an edge is cut.
    private static let mostCuts = 6

    init(projection: CameraProjection) { self.projection = projection }

    /// Draws a body.
    /// - Parameters:
    ///   - size: The longest of the body's extents, metres.
    ///   - opacity: 0…1.
    func draw(_ model: SpaceModel, pose: Pose, size: Double, opacity: Double, onto canvas: Canvas) {
        guard size > 0, opacity > 0, pose.translation.z.isFinite else { return }
        seen.removeAll(keepingCapacity: true)
        for position in model.positions { seen.append(pose(position * size)) }
        let normals = model.normals.map { pose.rotation($0) }
        raster.begin(canvas)
        for triangle in model.triangles {
            let (a, b, c) = (
                seen[Int(triangle.corners.x)], seen[Int(triangle.corners.y)], seen[Int(triangle.corners.z)]
            )
            // Sides aren't told apart: many files turn some of their faces the wrong way.
            var facing = cross(b - a, c - a)
            if (facing * a).sum() > 0 { facing = -facing }
            func corner(_ position: SIMD3<Double>, _ normal: Int32) -> Corner {
                let normal = normals[Int(normal)]
                let light = Self.light(on: (normal * facing).sum() < 0 ? -normal : normal)
                return Corner(position: position, color: triangle.color * Float(light))
            }
            let corners = [
                corner(a, triangle.normals.x), corner(b, triangle.normals.y), corner(c, triangle.normals.z),
            ]
            if corners.allSatisfy({ projection.shows($0.position) }) {
                add(corners[0], corners[1], corners[2], cuts: projection.isDistorted ? Self.mostCuts : 0)
            } else {
                let visible = projection.clip(corners.map(\.position))
                guard visible.count > 2 else { continue }
                let color = (corners[0].color + corners[1].color + corners[2].color) / 3
                for index in 1..<visible.count - 1 {
                    let part = [visible[0], visible[index], visible[index + 1]].map {
                        Corner(position: $0, color: color)
                    }
                    add(part[0], part[1], part[2], cuts: projection.isDistorted ? Self.mostCuts : 0)
                }
            }
        }
        raster.finish(opacity: opacity)
    }

    private struct Corner {
        var position: SIMD3<Double>
        var color: SIMD3<Float>

        static func middle(_ a: Corner, _ b: Corner) -> Corner {
            Corner(position: (a.position + b.position) / 2, color: (a.color + b.color) / 2)
        }
    }

    /// Brightness in the light of a lamp at the upper left of the camera, 0…1.
    private static func light(on normal: SIMD3<Double>) -> Double {
        0.6 + 0.4 * min(max((normal * SIMD3(-0.4, -0.6, -0.7)).sum(), 0), 1)
    }

    /// Adds a triangle, cut where its edges are long. Whether an edge is cut depends on its ends alone, so that
    /// neighbours stay joined.
    private func add(_ a: Corner, _ b: Corner, _ c: Corner, cuts: Int) {
        let places = (
            projection.project(a.position), projection.project(b.position), projection.project(c.position)
        )
        guard cuts > 0 else { return emit((a, b, c), places) }
        let isLong = [
            places.0.distance(to: places.1) > Self.straightLength,
            places.1.distance(to: places.2) > Self.straightLength,
            places.2.distance(to: places.0) > Self.straightLength,
        ]
        guard isLong.contains(true) else { return emit((a, b, c), places) }
        // The polygon with the long edges' middles, cut into triangles about whole corners first.
        let (ab, bc, ca) = (Corner.middle(a, b), Corner.middle(b, c), Corner.middle(c, a))
        switch (isLong[0], isLong[1], isLong[2]) {
        case (true, true, true):
            add(a, ab, ca, cuts: cuts - 1)
            add(ab, b, bc, cuts: cuts - 1)
            add(ca, bc, c, cuts: cuts - 1)
            add(ab, bc, ca, cuts: cuts - 1)
        case (true, true, false): split(b, bc, c, a, ab, cuts - 1)
        case (false, true, true): split(c, ca, a, b, bc, cuts - 1)
        case (true, false, true): split(a, ab, b, c, ca, cuts - 1)
        case (true, false, false): halve(a, ab, b, c, cuts - 1)
        case (false, true, false): halve(b, bc, c, a, cuts - 1)
        default: halve(c, ca, a, b, cuts - 1)
        }
    }

    /// Adds a triangle whose edge from `a` to `b` has a middle.
    private func halve(_ a: Corner, _ middle: Corner, _ b: Corner, _ c: Corner, _ cuts: Int) {
        add(a, middle, c, cuts: cuts)
        add(middle, b, c, cuts: cuts)
    }

    /// Adds a triangle of which both edges at `tip` have middles: `first` towards `a`, `second` towards `b`.
    private func split(
        _ tip: Corner, _ first: Corner, _ a: Corner, _ b: Corner, _ second: Corner, _ cuts: Int
    ) {
        add(tip, first, second, cuts: cuts)
        add(first, a, b, cuts: cuts)
        add(first, b, second, cuts: cuts)
    }

    private func emit(_ corners: (Corner, Corner, Corner), _ places: (Point, Point, Point)) {
        func vertex(_ corner: Corner, _ place: Point) -> TriangleRaster.Vertex {
            .init(place: place, nearness: 1 / corner.position.z, color: corner.color)
        }
        raster.add(vertex(corners.0, places.0), vertex(corners.1, places.1), vertex(corners.2, places.2))
    }
}
