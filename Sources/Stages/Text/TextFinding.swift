internal import Annotate

/// A line of text.
struct TextFinding: Finding {
    static let kind = "text"
    static let doc = "A line of text; its polygon starts at its own top left."
    static let place = Place.polygon
    static let style = DrawStyle { $0.confidence = false }

    /// As recognised.
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
