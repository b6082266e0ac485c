/// A face.
struct FaceFinding: JointedFinding {
    static let kind = "face"
    static let doc = "A face, with its features and the head's angles where they were looked for."
    static let place = Place.box
    static let style = DrawStyle {
        $0.color = RGB(0, 255, 0)
        $0.landmarks = true
    }

    /// Landmarks, pixels: 5, 68 or 468; empty where none were looked for. `FaceFeatures` says what they are.
    var landmarks: [Point] = []
    var angles: HeadAngles?

    static let fields: [Field<FaceFinding>] = [
        Field(
            "landmarks", \.landmarks, .list(.point, count: 5...468), .optional, tellsDefault: false, unit: "px",
            doc: FaceFeatures.doc),
        Field(
            "angles", \.angles, .record(doc: "A head's angles; all 0 looks straight out of the picture."), unit: "°",
            doc: "How a head is turned, by its landmarks on a generic head; good to some 10°."),
    ]

    /// Its landmarks, each found and seen as far as anybody knows.
    var joints: [Joint] { landmarks.map { Joint($0) } }
    var skeleton: Skeleton? { landmarks.isEmpty ? nil : FaceFeatures.skeleton(of: landmarks.count) }
    static let jointsField = "landmarks"

    /// Paths through 68 landmarks, also those among the mesh's; points for any other number.
    func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        var landmarks = landmarks
        if landmarks.count == FaceMesh.count { landmarks = FaceFeatures.sixtyEightOfMesh.map { landmarks[$0] } }
        guard landmarks.count == 68 else { return head.outline + (landmarks.isEmpty ? [] : [.dots(landmarks)]) }
        return head.outline
            + FaceFeatures.sixtyEight.map { .path(Array(landmarks[$0.indices]), isClosed: $0.isClosed) }
    }
}

/// The angles of a head, degrees. 0, 0, 0 looks straight out of the picture.
struct HeadAngles: Record, Hashable {
    /// Roll: clockwise in the picture, −180…180.
    var roll = 0.0
    /// Yaw: towards the picture's right, −90…90.
    var yaw = 0.0
    /// Pitch: upwards, −180…180.
    var pitch = 0.0

    static let fields: [Field<HeadAngles>] = [
        Field("roll", \.roll, .number(Bounds(-180, 180), decimals: 1), unit: "°", doc: "Clockwise in the picture."),
        Field("yaw", \.yaw, .number(Bounds(-90, 90), decimals: 1), unit: "°", doc: "Towards the picture's right."),
        Field("pitch", \.pitch, .number(Bounds(-180, 180), decimals: 1), unit: "°", doc: "Upwards."),
    ]
}
