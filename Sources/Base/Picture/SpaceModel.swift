/// A body made of triangles, to be drawn on things that have a pose. Immutable.
///
/// Its own coordinates: x right, y up on the sheet, z out of it; it stands on z = 0 with the middle of its outline over the
/// origin, and the longest of its three extents is 1. Two are equal where they are the same object.
public final class SpaceModel: Sendable, Hashable {
    /// One triangle of the surface.
    package struct Triangle: Sendable {
        /// Indices of the corners' positions.
        package var corners: SIMD3<Int32>
        /// Indices of the corners' normals.
        package var normals: SIMD3<Int32>
        /// R′G′B′, 0…255.
        package var color: SIMD3<Float>

        package init(corners: SIMD3<Int32>, normals: SIMD3<Int32>, color: SIMD3<Float>) {
            (self.corners, self.normals, self.color) = (corners, normals, color)
        }
    }

    package let positions: [SIMD3<Double>]
    /// Unit vectors.
    package let normals: [SIMD3<Double>]
    package let triangles: [Triangle]
    /// SHA-256 of the files that it was read from.
    package let hashes: [String]

    /// - Throws: `ModelError` where the positions span nothing.
    package init(
        positions: [SIMD3<Double>], normals: [SIMD3<Double>], triangles: [Triangle], hashes: [String] = []
    ) throws(ModelError) {
        var (low, high) = (SIMD3(repeating: Double.infinity), SIMD3(repeating: -Double.infinity))
        for triangle in triangles {
            for corner in 0..<3 {
                let position = positions[Int(triangle.corners[corner])]
                low.replace(with: position, where: position .< low)
                high.replace(with: position, where: position .> high)
            }
        }
        let largest = (high - low).max()
        guard largest > 0, largest.isFinite else {
            throw ModelError("it has no extent; expected faces that span a body")
        }
        let foot = SIMD3((low.x + high.x) / 2, (low.y + high.y) / 2, low.z)
        self.positions = positions.map { ($0 - foot) / largest }
        self.normals = normals
        self.triangles = triangles
        self.hashes = hashes
    }

    public static func == (a: SpaceModel, b: SpaceModel) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The axis that points up in a model's file.
public enum ModelUp: String, Sendable, CaseIterable {
    /// The file's y axis, or its z axis.
    case y, z
}

/// The error of a model's file that can't be used.
package struct ModelError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
