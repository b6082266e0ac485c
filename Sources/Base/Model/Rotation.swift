internal import Glibc

/// A rotation in space, kept as a unit quaternion.
public struct Rotation: Sendable, Hashable {
    /// The cosine of half the angle.
    private var scalar: Double
    /// The axis times the sine of half the angle.
    private var vector: SIMD3<Double>

    private init(scalar: Double, vector: SIMD3<Double>) {
        let length = (scalar * scalar + (vector * vector).sum()).squareRoot()
        // Of a rotation and its negative, which turn alike, the one with the smaller angle.
        let factor = (scalar < 0 ? -1 : 1) / length
        self.scalar = scalar * factor
        self.vector = vector * factor
    }

    /// The identity: no turn.
    public init() { self.init(scalar: 1, vector: .zero) }

    /// The rotation about an axis by an angle.
    /// - Parameter rodrigues: The axis times the angle in radians (Rodrigues; `cv::Rodrigues`).
    public init(rodrigues: SIMD3<Double>) {
        let written = Rotation(written: rodrigues)
        self.init(scalar: written.scalar, vector: written.vector)
    }

    /// The rotation with an axis-angle vector that `rodrigues` gave. An angle a little over π, as rounding leaves it,
    /// stays as it is, so that what was read is written again.
    package init(written rodrigues: SIMD3<Double>) {
        let angle = (rodrigues * rodrigues).sum().squareRoot()
        scalar = cos(angle / 2)
        vector = angle > 1e-12 ? rodrigues * (sin(angle / 2) / angle) : rodrigues / 2
    }

    /// The rotation with a matrix.
    /// - Parameters:
    ///   - x: Where it turns the x axis to: the first column of the matrix, a unit vector.
    ///   - y: The same of the y axis.
    ///   - z: The same of the z axis.
    public init(columns x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) {
        // The largest of the four first, which the others are divided by (Shepperd, 1978).
        let trace = x.x + y.y + z.z
        if trace >= max(x.x, y.y, z.z) {
            self.init(scalar: 1 + trace, vector: [y.z - z.y, z.x - x.z, x.y - y.x])
        } else if x.x >= max(y.y, z.z) {
            self.init(scalar: y.z - z.y, vector: [1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z])
        } else if y.y >= z.z {
            self.init(scalar: z.x - x.z, vector: [x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y])
        } else {
            self.init(scalar: x.y - y.x, vector: [z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y])
        }
    }

    /// The unit quaternion: the cosine of half the angle, then the axis times its sine.
    package var quaternion: SIMD4<Double> { [scalar, vector.x, vector.y, vector.z] }

    /// The rotation with a unit quaternion that `quaternion` gave.
    init(quaternion: SIMD4<Double>) {
        (scalar, vector) = (quaternion.x, [quaternion.y, quaternion.z, quaternion.w])
    }

    /// The axis times the angle in radians, 0…π or a little more (Rodrigues).
    public var rodrigues: SIMD3<Double> {
        let sine = (vector * vector).sum().squareRoot()
        guard sine > 1e-12 else { return vector * 2 }
        return vector * (2 * atan2(sine, scalar) / sine)
    }

    /// A turned vector.
    public func callAsFunction(_ v: SIMD3<Double>) -> SIMD3<Double> {
        let t = cross(vector, v) * 2
        return v + t * scalar + cross(vector, t)
    }

    /// The angle between two rotations, 0…π.
    public func angle(to other: Rotation) -> Double {
        let dot = abs(scalar * other.scalar + (vector * other.vector).sum())
        let difference = other.scalar * vector - scalar * other.vector + cross(vector, other.vector)
        return 2 * atan2((difference * difference).sum().squareRoot(), dot)
    }

    /// The rotation that leads from this one to another, about its own axes: the axis times the angle, 0…π.
    package func turn(to other: Rotation) -> SIMD3<Double> {
        let dot = scalar * other.scalar + (vector * other.vector).sum()
        return Rotation(
            scalar: dot, vector: scalar * other.vector - other.scalar * vector - cross(vector, other.vector)
        ).rodrigues
    }

    /// A rotation on the way to another (Shoemake's slerp, 1985).
    ///
    /// - Parameters:
    ///   - other: The rotation that the way leads to; the shorter way is taken.
    ///   - share: 0 for this one, 1 for the other.
    public func interpolated(to other: Rotation, _ share: Double) -> Rotation {
        let dot = scalar * other.scalar + (vector * other.vector).sum()
        let sign = dot < 0 ? -1.0 : 1.0
        let half = acos(min(abs(dot), 1))
        let (a, b) =
            half < 1e-6 ? (1 - share, share) : (sin((1 - share) * half) / sin(half), sin(share * half) / sin(half))
        return Rotation(
            scalar: scalar * a + other.scalar * (b * sign), vector: vector * a + other.vector * (b * sign))
    }
}

/// The cross product of two vectors.
package func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
}
