/// Projects points in front of a camera into its picture, distortion and all (as `cv::projectPoints` does).
public struct CameraProjection: Sendable {
    private let camera: CameraIntrinsics
    /// Coefficients of lens distortion: k1, k2, p1, p2, k3, k4, k5, k6.
    private let k: [Double]
    /// The largest distance from the optical axis, in units of depth, at which the lens model still maps farther points
    /// farther out, and not beyond what any picture shows. Fitted distortion folds over outside of where it was fitted.
    private let reach: Double

    /// Distance from the camera within which nothing is drawn, metres.
    static let near = 1e-3

    /// The projection of a camera, whose focal lengths aren't 0. It takes some time to find how far its lens model can
    /// be trusted: make one for many points.
    public init(_ camera: CameraIntrinsics) {
        self.camera = camera
        let k = Array((camera.distortion + [Double](repeating: 0, count: 8)).prefix(8))
        self.k = k
        isBent = k.contains { $0 != 0 }
        let farthest = Point(
            max(camera.principalPoint.x, Double(camera.width) - camera.principalPoint.x) / camera.focalLength.x,
            max(camera.principalPoint.y, Double(camera.height) - camera.principalPoint.y) / camera.focalLength.y)
        // Room for what begins in the picture and ends outside of it.
        let limit = 3 * farthest.length
        var (reach, last) = (0.0, 0.0)
        for step in 1...300 {
            let r = limit * Double(step) / 300
            let distorted = r * Self.radial(r * r, k)
            guard distorted > last else { break }
            (reach, last) = (r, distorted)
        }
        self.reach = reach
    }

    /// Whether the lens bends straight lines.
    public var isDistorted: Bool { isBent }
    private let isBent: Bool

    private static func radial(_ r2: Double, _ k: [Double]) -> Double {
        (1 + r2 * (k[0] + r2 * (k[1] + r2 * k[4]))) / (1 + r2 * (k[5] + r2 * (k[6] + r2 * k[7])))
    }

    /// Projection of a point of camera coordinates, pixels; the point lies inside the planes that `clip` cuts at.
    public func project(_ p: SIMD3<Double>) -> Point {
        let (x, y) = (p.x / p.z, p.y / p.z)
        let r2 = x * x + y * y
        let radial = Self.radial(r2, k)
        let xd = x * radial + 2 * k[2] * x * y + k[3] * (r2 + 2 * x * x)
        let yd = y * radial + k[2] * (r2 + 2 * y * y) + 2 * k[3] * x * y
        return Point(
            camera.focalLength.x * xd + camera.principalPoint.x, camera.focalLength.y * yd + camera.principalPoint.y)
    }

    /// The direction, with a depth of 1, of what is seen at a pixel: `project` turned round, by iteration as in
    /// `cv::undistortPoints`. Within the lens model's reach.
    package func ray(through p: Point) -> SIMD3<Double> {
        let (xd, yd) = (
            (p.x - camera.principalPoint.x) / camera.focalLength.x,
            (p.y - camera.principalPoint.y) / camera.focalLength.y
        )
        guard isBent else { return [xd, yd, 1] }
        var (x, y) = (xd, yd)
        for _ in 0..<20 {
            let r2 = x * x + y * y
            let radial = Self.radial(r2, k)
            let nextX = (xd - 2 * k[2] * x * y - k[3] * (r2 + 2 * x * x)) / radial
            let nextY = (yd - k[2] * (r2 + 2 * y * y) - 2 * k[3] * x * y) / radial
            let change = abs(nextX - x) + abs(nextY - y)
            (x, y) = (nextX, nextY)
            if change < 1e-7 { break }
        }
        return [x, y, 1]
    }

    // MARK: Clipping

    /// Whether a point needs no clipping.
    package func shows(_ p: SIMD3<Double>) -> Bool {
        let slope = reach * 0.707 * p.z
        return p.z >= Self.near && abs(p.x) <= slope && abs(p.y) <= slope
    }

    /// Signed distances of a point to the five planes that bound what is drawn, positive inside: a square frustum
    /// within the lens model's reach, cut off near the camera.
    private func distances(_ p: SIMD3<Double>) -> [Double] {
        // The corner of a square of this half side is at the reach.
        let slope = reach * 0.707
        return [p.z - Self.near, slope * p.z - p.x, slope * p.z + p.x, slope * p.z - p.y, slope * p.z + p.y]
    }

    /// The part of a segment that can be drawn (Liang and Barsky); nil for none.
    func clip(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> (SIMD3<Double>, SIMD3<Double>)? {
        var (from, to) = (0.0, 1.0)
        for (start, end) in zip(distances(a), distances(b)) {
            if start < 0, end < 0 { return nil }
            if start < 0 { from = max(from, start / (start - end)) }
            if end < 0 { to = min(to, start / (start - end)) }
        }
        return from < to ? (a + (b - a) * from, a + (b - a) * to) : nil
    }

    /// The part of a polygon that can be drawn (Sutherland and Hodgman); fewer than three points for none.
    package func clip(_ polygon: [SIMD3<Double>]) -> [SIMD3<Double>] {
        var points = polygon
        for plane in 0..<5 {
            var kept: [SIMD3<Double>] = []
            for (index, b) in points.enumerated() {
                let a = points[index == 0 ? points.count - 1 : index - 1]
                let (start, end) = (distances(a)[plane], distances(b)[plane])
                if (start < 0) != (end < 0) { kept.append(a + (b - a) * (start / (start - end))) }
                if end >= 0 { kept.append(b) }
            }
            points = kept
        }
        return points
    }

    // MARK: Lines as they are seen

    /// The projected axes of a thing, x, y and z: for each a line from the thing's middle, which may be empty; nil for
    /// a thing whose size nobody knows.
    package func axes(of thing: EstimatedPose) -> [[Point]]? {
        let side = min(thing.extent.x, thing.extent.y) * 0.75
        guard side > 0, thing.pose.translation.z.isFinite else { return nil }
        let ends: [SIMD3<Double>] = [[side, 0, 0], [0, side, 0], [0, 0, side]]
        return ends.map { path(thing.pose(.zero), thing.pose($0)) }
    }

    /// A straight segment's way through the picture: two points, or more where the lens bends it. Empty where nothing of
    /// it can be seen.
    package func path(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> [Point] {
        guard let (a, b) = clip(a, b) else { return [] }
        let (first, last) = (project(a), project(b))
        guard isDistorted else { return [first, last] }
        // Pieces of about sixteen pixels are straight for any lens.
        let pieces = min(max(Int(inRange: first.distance(to: last) / 16), 1), 64)
        return (0...pieces).map { project(a + (b - a) * (Double($0) / Double(pieces))) }
    }

    /// A flat polygon's outline in the picture; empty where nothing of it can be seen.
    package func outline(_ polygon: [SIMD3<Double>]) -> [Point] {
        let visible = clip(polygon)
        guard visible.count > 2 else { return [] }
        return visible.indices.flatMap { path(visible[$0], visible[($0 + 1) % visible.count]).dropLast() }
    }
}
