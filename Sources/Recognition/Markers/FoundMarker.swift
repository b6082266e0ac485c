/// A marker in one frame, before it has a track.
package struct FoundMarker: Sendable, Hashable {
    var id: Int
    var confidence: Double
    /// Corners, pixels, clockwise from the marker's own top left.
    var corners: [Point]
    /// Whether the corners rest on the whole code, not on the sides alone.
    var isFitted = false
    /// Whether its code is a mere rectangle, which a ring or a letter may be taken for.
    var isPlain = false
    /// Whether every cell was read as its code and its border have it.
    var isFaultless = false
    /// Poses that it may have, the smaller reprojection error first; none where its size isn't known.
    var poses: [Pose] = []
}

extension FoundMarker: Record {
    package init() { self.init(id: 0, confidence: 0, corners: []) }

    package static let fields: [Field<FoundMarker>] = [
        Field("id", \.id, .integer(), doc: "In the dictionary."),
        Field("confidence", \.confidence, .number(), doc: "0 to 1."),
        Field(
            "corners", \.corners, .list(.exactPoint, count: 4...4), unit: "px",
            doc: "Clockwise from the marker's own top left."),
        Field("isFitted", \.isFitted, .flag, doc: "Whether the corners rest on the whole code."),
        Field("isPlain", \.isPlain, .flag, doc: "Whether its code is a mere rectangle."),
        Field("isFaultless", \.isFaultless, .flag, doc: "Whether no cell was read wrongly."),
        Field("poses", \.poses, .list(.exactPose), doc: "Those at which it may be."),
    ]
}
