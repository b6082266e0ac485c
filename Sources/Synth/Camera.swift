package import Graph
import Glibc

/// A pinhole camera without distortion. Its principal point is the middle of the picture: ((width − 1) / 2,
/// (height − 1) / 2) in pixel-centre coordinates.
package struct Camera: Sendable {
    /// The lens. Default a horizontal field of view of 60°.
    package var lens: Lens = .fieldOfView(60)

    package init(_ lens: Lens = .fieldOfView(60)) {
        self.lens = lens
    }

    /// A focal length, by itself or by the angle of view.
    package enum Lens: Sendable, Hashable {
        /// The focal length in pixels, 1…100 000.
        case focalLength(Double)
        /// The horizontal field of view in degrees, 1…170.
        case fieldOfView(Double)
    }

    /// The focal length in pixels for a picture of a width.
    package func focalLength(width: Int) -> Double {
        switch lens {
        case .focalLength(let pixels): pixels
        case .fieldOfView(let degrees): Double(width) / 2 / tan(degrees * .pi / 360)
        }
    }
}

extension Scene {
    /// The focal length in pixels, the same in x and y.
    package var focalLength: Double { camera.focalLength(width: width) }
    /// The camera as a manifest's `camera` has it.
    package var intrinsics: CameraIntrinsics {
        CameraIntrinsics(
            width: width, height: height, focalLength: Point(focalLength, focalLength), principalPoint: principalPoint)
    }
    /// The principal point in pixel-centre coordinates.
    package var principalPoint: Point { Point(Double(width - 1) / 2, Double(height - 1) / 2) }
}

/// The placement of a thing in front of the camera: its rotation (columns are its own axes in camera coordinates) and
/// position.
struct Placement {
    let xAxis: SIMD3<Double>
    let yAxis: SIMD3<Double>
    let zAxis: SIMD3<Double>
    let position: SIMD3<Double>

    init(position: SIMD3<Double>, rotation degrees: SIMD3<Double>) {
        let turns = degrees / 360
        let (cx, sx) = (turnCosine(turns.x), turnSine(turns.x))
        let (cy, sy) = (turnCosine(turns.y), turnSine(turns.y))
        let (cz, sz) = (turnCosine(turns.z), turnSine(turns.z))
        // Rz · Ry · Rx, column by column.
        xAxis = [cz * cy, sz * cy, -sy]
        yAxis = [cz * sy * sx - sz * cx, sz * sy * sx + cz * cx, cy * sx]
        zAxis = [cz * sy * cx + sz * sx, sz * sy * cx - cz * sx, cy * cx]
        self.position = position
    }

    /// A direction of camera coordinates in the thing's own plane.
    func inPlane(_ direction: SIMD3<Double>) -> SIMD2<Double> {
        [(xAxis * direction).sum(), (yAxis * direction).sum()]
    }

    /// The depth of a point of the plane, metres.
    func depth(_ p: SIMD2<Double>) -> Double { position.z + xAxis.z * p.x + yAxis.z * p.y }
}

/// The map between the plane of a flat thing (metres) and the picture (pixels): a homography and its inverse.
struct PlaneMap {
    /// Rows of the matrix from the plane to the picture.
    private let forward: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)
    /// Rows of the matrix from the picture to the plane.
    let inverse: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    /// The map of a placement; nil where the plane is seen edge-on, as it shows nothing then.
    init?(_ placement: Placement, focalLength f: Double, principalPoint c: Point) {
        let (a, b, t) = (placement.xAxis, placement.yAxis, placement.position)
        let m0 = SIMD3(f * a.x + c.x * a.z, f * b.x + c.x * b.z, f * t.x + c.x * t.z)
        let m1 = SIMD3(f * a.y + c.y * a.z, f * b.y + c.y * b.z, f * t.y + c.y * t.z)
        let m2 = SIMD3(a.z, b.z, t.z)
        let (c0, c1, c2) = (cross(m1, m2), cross(m2, m0), cross(m0, m1))
        let determinant = (m0 * c0).sum()
        // Relative to a plane that faces the camera at the same distance.
        guard abs(determinant) > 1e-6 * f * f * max((t * t).sum().squareRoot(), 1e-9) else { return nil }
        forward = (m0, m1, m2)
        let scale = 1 / determinant
        inverse = (
            SIMD3(c0.x, c1.x, c2.x) * scale, SIMD3(c0.y, c1.y, c2.y) * scale, SIMD3(c0.z, c1.z, c2.z) * scale
        )
    }

    /// From the plane to the picture.
    func project(_ p: SIMD2<Double>) -> Point {
        let v = SIMD3(p.x, p.y, 1)
        let w = 1 / (forward.2 * v).sum()
        return Point((forward.0 * v).sum() * w, (forward.1 * v).sum() * w)
    }

    /// From the picture to the plane.
    @inline(__always)
    func unproject(_ p: Point) -> SIMD2<Double> {
        let v = SIMD3(p.x, p.y, 1)
        let w = 1 / (inverse.2 * v).sum()
        return [(inverse.0 * v).sum() * w, (inverse.1 * v).sum() * w]
    }

    /// The area in the plane of a pixel, square metres.
    func pixelArea(at p: SIMD2<Double>) -> Double {
        let image = project(p)
        let w = 1 / (inverse.2 * SIMD3(image.x, image.y, 1)).sum()
        let dx = (SIMD2(inverse.0.x, inverse.1.x) - p * inverse.2.x) * w
        let dy = (SIMD2(inverse.0.y, inverse.1.y) - p * inverse.2.y) * w
        return abs(dx.x * dy.y - dx.y * dy.x)
    }
}

private func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
}
