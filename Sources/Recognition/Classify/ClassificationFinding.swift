/// Names for the frame or for a region of it.
struct ClassificationFinding: Finding {
    static let kind = "classification"
    static let doc = "Names, of the whole frame or of what `of` or the polygon says."

    /// Names with their confidences, the best first.
    var labels: [ScoredLabel] = []

    static let fields: [Field<ClassificationFinding>] = [
        Field("labels", \.labels, .list(.record(doc: "A class.")), doc: "Classes, the best first.")
    ]

    func title(_ head: Observation) -> String? { nil }

    func marks(_ head: Observation, in size: PictureSize) -> [Mark] { head.outline + [.names(labels)] }
}

extension ScoredLabel: Record {
    public init() { self.init(label: "", confidence: 0) }

    public static let fields: [Field<ScoredLabel>] = [
        Field("label", \.label, .text(), doc: "Its name."),
        Field(
            "confidence", \.confidence, .number(decimals: 3), doc: "0…1 after a softmax; the model's score otherwise."),
    ]
}

/// The corners of the region that was named, also where the track file names its track alone.
struct ClassifiedRegion: Attachment {
    var corners: [Point]
}
