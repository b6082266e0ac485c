public import Annotate

/// A line of text.
public struct TextFinding: Finding {
    public static let kind = "text"
    public static let doc = "A line of text; its polygon starts at its own top left."
    public static let place = Place.polygon
    public static let style: DrawStyle = {
        var style = DrawStyle()
        style.confidence = false
        return style
    }()

    /// As recognised.
    public var text = ""
    /// Words or characters; empty where they aren't asked for.
    public var parts: [TextPart] = []

    public init() {}

    init(text: String, parts: [TextPart]) {
        self.text = text
        self.parts = parts
    }

    public static let fields: [Field<TextFinding>] = [
        Field("text", \.text, .text(), doc: "The string, as recognised."),
        Field(
            "parts", \.parts, .list(.record(doc: "A word or a character.")), .optional, tellsDefault: false,
            doc: "The string's words or characters, where they are asked for."),
    ]

    public func title(_ head: Observation) -> String? { text }
}

/// A word or a character of a recognised string.
public struct TextPart: Record, Hashable {
    public var text = ""
    /// Corners, clockwise from its own top left.
    public var polygon: [Point] = []
    public var confidence = 0.0

    public init() {}

    init(text: String, polygon: [Point], confidence: Double) {
        self.text = text
        self.polygon = polygon
        self.confidence = confidence
    }

    public static let fields: [Field<TextPart>] = [
        Field("text", \.text, .text(), doc: "What it says."),
        Field(
            "polygon", \.polygon, .list(.point, count: 4...4), unit: "px",
            doc: "Corners, clockwise from its own top left."),
        Field("confidence", \.confidence, .number(Bounds(0, 1), decimals: 3), doc: "0…1."),
    ]
}
