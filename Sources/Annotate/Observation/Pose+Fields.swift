/// How poses stand in a track file.
extension Pose: Record {
    public static let fields: [Field<Pose>] = fields(\.self)

    /// The members of a pose in an object that has more of them.
    fileprivate static func fields<Root: Record>(_ path: Member<Root, Pose>) -> [Field<Root>] {
        [
            Field(
                "rotation", .rotation, .always, unit: "rad", doc: "Axis times angle (Rodrigues), to 0.00001.",
                get: { $0[keyPath: path].rotation }, set: { $1[keyPath: path].rotation = $0 }),
            Field(
                "translation", .vector(decimals: 6), .always, unit: "m", doc: "Of its middle, to 0.000001.",
                get: { $0[keyPath: path].translation }, set: { $1[keyPath: path].translation = $0 }),
            Field(
                "reprojectionError", .number(Bounds(0), decimals: 3), .always, unit: "px",
                doc: "Root mean square over its corners, to 0.001.", get: { $0[keyPath: path].reprojectionError },
                set: { $1[keyPath: path].reprojectionError = $0 }),
        ]
    }

    fileprivate static func all() -> [Field<EstimatedPose>] { fields(\.pose) }
}

extension EstimatedPose: Record {
    public static let fields: [Field<EstimatedPose>] =
        Pose.all() + [
            Field(
                "alternative", \.alternative, .record(doc: "A pose."),
                doc: "The other pose that explains the corners of a flat thing, with its error.")
        ]

    /// The member of a finding that says where a thing is in space.
    public static func field<Root: Record>(_ path: Member<Root, EstimatedPose?>) -> Field<Root> {
        Field(
            "pose", path, .record(doc: "A pose."),
            doc:
                "Where a thing of known size is, in OpenCV's camera coordinates (x right, y down, z forward); its own are x "
                + "right, y up, z out of it, from its middle.")
    }
}

extension Format where Value == Rotation {
    /// Axis times angle.
    fileprivate static var rotation: Format {
        let vector = Format<SIMD3<Double>>.vector(decimals: 5)
        return Format(
            vector.shape, columns: vector.columns.map { column in Column(column.name) { column.text($0.rodrigues) } },
            write: { vector.write($0.rodrigues, &$1) }, read: { vector.read($0).map(Rotation.init(written:)) })
    }
}
