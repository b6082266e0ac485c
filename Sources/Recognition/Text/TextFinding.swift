/// A line of text.
struct TextFinding: Finding {
    static let kind = "text"
    static let doc = "A line of text; its polygon starts at its own top left."
    static let place = Place.polygon
    static let style = DrawStyle {
        $0.confidence = false
        // A few mean values of a line may still be read.
        $0.usualCover = .fill
    }

    /// The text as recognised.
    var text = ""
    /// Words or characters; empty where they aren't asked for.
    var parts: [TextPart] = []

    static let fields: [Field<TextFinding>] = [
        Field("text", \.text, .text(), doc: "The string, as recognised."),
        Field(
            "parts", \.parts, .list(.record(doc: "A word or a character.")), .optional, tellsDefault: false,
            doc: "The string's words or characters, where they are asked for."),
    ]

    func title(_ head: Observation) -> String? { text }
}

/// A word or a character of a recognised string.
struct TextPart: Record, Hashable {
    var text = ""
    /// Corners, clockwise from its own top left.
    var polygon: [Point] = []
    var confidence = 0.0

    static let fields: [Field<TextPart>] = [
        Field("text", \.text, .text(), doc: "What it says."),
        Field(
            "polygon", \.polygon, .list(.point, count: 4...4), unit: "px",
            doc: "Corners, clockwise from its own top left."),
        Field("confidence", \.confidence, .number(Bounds(0, 1), decimals: 3), doc: "0…1."),
    ]
}

extension TextFinding {
    /// The observation of a line in one frame: where it is and its parts are, while it is in sight.
    /// - Parameter about: The thing of another stage that the line stands on.
    static func observation(
        of reading: TextReading, at polygon: [Point], stage: String, track: Int, about: TrackReference? = nil,
        state: TrackState, parts kind: TextParts
    ) -> Observation {
        var parts: [TextPart] = []
        if state.isInSight, kind != .none, let map = Homography(unitSquareTo: polygon) {
            parts = (kind == .words ? reading.words : reading.characters).map {
                TextPart(text: $0.text, polygon: $0.corners.map { map($0) }, confidence: $0.confidence)
            }
        }
        return Observation(
            TextFinding(text: reading.text, parts: parts), stage: stage,
            track: TrackReference(stage: stage, number: track), about: about, confidence: reading.confidence,
            state: state,
            polygon: state.isInSight ? polygon : nil)
    }
}
