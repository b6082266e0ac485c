/// A box in camera coordinates that stands on a flat thing, towards the side from which it is seen.
struct SpaceBox {
    struct Face {
        /// Camera coordinates, metres.
        var corners: [SIMD3<Double>]
        /// Whether its outside is turned towards the camera.
        var isFront: Bool
        /// Brightness, 0…1, by how it is turned to a light at the upper left of the camera.
        var light: Double
    }

    struct Edge {
        var from: SIMD3<Double>
        var to: SIMD3<Double>
        /// Whether a front face has it.
        var isFront: Bool
    }

    let faces: [Face]
    let edges: [Edge]

    /// Corner numbers: bit 0 is x, bit 1 is y, bit 2 is z. Each face with its outside normal.
    private static let sides: [(corners: [Int], normal: SIMD3<Double>)] = [
        ([0, 2, 3, 1], [0, 0, -1]), ([4, 5, 7, 6], [0, 0, 1]), ([0, 4, 6, 2], [-1, 0, 0]), ([1, 3, 7, 5], [1, 0, 0]),
        ([0, 1, 5, 4], [0, -1, 0]), ([2, 6, 7, 3], [0, 1, 0]),
    ]

    /// A box on a thing.
    /// - Parameters:
    ///   - extent: Of the base, metres.
    ///   - height: Metres.
    init(pose: Pose, extent: SIMD2<Double>, height: Double) {
        let corners = (0..<8).map { index in
            pose([
                extent.x * (index & 1 == 0 ? -0.5 : 0.5), extent.y * (index & 2 == 0 ? -0.5 : 0.5),
                index & 4 == 0 ? 0 : height,
            ])
        }
        let toLight = SIMD3(-0.4, -0.6, -0.7)
        let faces = Self.sides.map { side in
            let normal = pose.rotation(side.normal)
            let points = side.corners.map { corners[$0] }
            return Face(
                corners: points, isFront: (normal * points[0]).sum() < 0,
                light: 0.45 + 0.55 * max((normal * toLight).sum(), 0))
        }
        self.faces = faces
        edges = (0..<8).flatMap { from in
            [1, 2, 4].filter { from & $0 == 0 }.map { bit in
                let ends = [from, from | bit]
                let isFront = zip(Self.sides, faces).contains { side, face in
                    face.isFront && ends.allSatisfy(side.corners.contains)
                }
                return Edge(from: corners[ends[0]], to: corners[ends[1]], isFront: isFront)
            }
        }
    }
}
