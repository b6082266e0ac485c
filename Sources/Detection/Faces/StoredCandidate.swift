extension FaceCandidate: Record, Storable {
    init() { self.init(score: 0, box: Box(x: 0, y: 0, width: 0, height: 0), points: []) }

    static let fields: [Field<Self>] = [
        Field("score", \.score, .number(), doc: "0 to 1."),
        Field("box", \.box, .exactBox, unit: "px", doc: "About brows to chin."),
        Field("points", \.points, .list(.exactPoint), unit: "px", doc: "Eyes, nose, mouth and ears."),
    ]
}
