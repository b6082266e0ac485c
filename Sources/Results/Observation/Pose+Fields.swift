/// How poses stand in a track file.
extension Pose: Record {
    public static let fields: [Field<Pose>] = [
        Field(
            "rotation", \.rotation, .rotation, unit: "rad", doc: "Axis times angle (Rodrigues), to 0.00001."),
        Field("translation", \.translation, .vector(decimals: 6), unit: "m", doc: "Of its middle, to 0.000001."),
        Field(
            "reprojectionError", \.reprojectionError, .number(Bounds(0), decimals: 3), unit: "px",
            doc: "Root mean square over its corners, to 0.001."),
    ]
}

extension EstimatedPose: Record {
    public static let fields: [Field<EstimatedPose>] =
        Pose.fields.map { $0.lifted(to: \.pose) } + [
            Field(
                "alternative", \.alternative, .record(doc: "A pose."),
                doc: "The other pose that explains the corners of a flat thing, with its error."),
            Field(
                "extent", \.extent, .extent(decimals: 6), .optional, tellsDefault: false, unit: "m",
                doc: "Width and height of the thing, to 0.000001; left out where they aren't known."),
        ]

    /// The member of a finding that says where a thing is in space.
    public static func field<Root: Record>(_ path: Member<Root, EstimatedPose?>) -> Field<Root> {
        Field(
            "pose", path, .record(doc: "A pose.", name: "pose"),
            doc:
                "Where a thing of known size is, in OpenCV's camera coordinates (x right, y down, z forward); its own are x "
                + "right, y up, z out of it, from its middle.")
    }
}

/// A kind whose things may have a pose.
///
/// Its fields have `EstimatedPose.field(\.pose)`. What is expected of reprojection errors, and of how steady positions and
/// rotations are, is judged by it.
public protocol PosedFinding: Finding {
    /// The pose; nil where it isn't known.
    var pose: EstimatedPose? { get }
}

extension Format where Value == Rotation {
    /// The axis times the angle in radians, [x, y, z].
    fileprivate static var rotation: Format {
        let vector = Format<SIMD3<Double>>.vector(decimals: 5)
        return Format(
            vector.shape,
            columns: vector.columns.map { column in
                Column(column.name, column.type) { column.text($0.rodrigues) }
            } + quaternion,
            rounded: { rotation in Rotation(written: vector.rounded?(rotation.rodrigues) ?? rotation.rodrigues) },
            write: { vector.write($0.rodrigues, &$1) }, read: { vector.read($0).map(Rotation.init(written:)) })
    }

    /// The same as a unit quaternion, which programs take that know no rotation vectors.
    private static var quaternion: [Column<Rotation>] {
        ["w", "x", "y", "z"].enumerated().map { index, axis in
            // No unit: it has length 1.
            Column("quaternion_\(axis)", .number, unit: "") { $0.quaternion[index].text(6) }
        }
    }
}
