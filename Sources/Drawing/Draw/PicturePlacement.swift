/// The placement of a flat picture in a frame: its outline, and the way back from a pixel to a place on it.
struct PicturePlacement {
    /// Outline in the frame's pixels, clipped to what can be drawn; bent where the lens bends it.
    let outline: [Point]
    private let map: Map

    private enum Map {
        /// The rows of a homography.
        case homography(SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
        case plane(Plane, CameraProjection)
    }

    /// A plane in camera coordinates.
    private struct Plane {
        var middle: SIMD3<Double>
        /// Vector from the middle, by the picture's width and height.
        var right: SIMD3<Double>
        var down: SIMD3<Double>
        var normal: SIMD3<Double>
        /// Distance of the plane from the camera, along the normal.
        var distance: Double
    }

    /// A placement on a quad, whose corners run clockwise from the picture's own top left; nil for one that isn't
    /// convex.
    init?(quad: [Point]) {
        guard let back = Homography(unitSquareTo: quad)?.inverse, quad.allSatisfy(\.isDrawable) else { return nil }
        outline = quad
        let m = back.elements
        map = .homography([m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]])
    }

    /// A placement in the plane of a thing in space, about its middle; nil where nothing of it can be seen.
    ///
    /// - Parameter size: Width and height, metres.
    init?(pose: Pose, size: SIMD2<Double>, projection: CameraProjection) {
        guard size.x > 0, size.y > 0, pose.translation.z.isFinite else { return nil }
        let half = size / 2
        let corners: [SIMD3<Double>] = [
            [-half.x, half.y, 0], [half.x, half.y, 0], [half.x, -half.y, 0], [-half.x, -half.y, 0],
        ]
        outline = projection.outline(corners.map { pose($0) })
        guard outline.count > 2, outline.allSatisfy(\.isDrawable) else { return nil }
        let normal = pose.rotation([0, 0, 1])
        map = .plane(
            Plane(
                middle: pose.translation, right: pose.rotation([1 / size.x, 0, 0]),
                down: pose.rotation([0, -1 / size.y, 0]), normal: normal, distance: (normal * pose.translation).sum()),
            projection)
    }

    /// The place on the flat picture that is seen at a pixel: 0…1 from its left and top edge. Inside the outline only.
    func place(_ x: Double, _ y: Double) -> SIMD2<Double> {
        switch map {
        case .homography(let first, let second, let third):
            let w = 1 / (third.x * x + third.y * y + third.z)
            return [(first.x * x + first.y * y + first.z) * w, (second.x * x + second.y * y + second.z) * w]
        case .plane(let plane, let projection):
            let ray = projection.ray(through: Point(x, y))
            let offset = ray * (plane.distance / (plane.normal * ray).sum()) - plane.middle
            return [(plane.right * offset).sum() + 0.5, (plane.down * offset).sum() + 0.5]
        }
    }
}
