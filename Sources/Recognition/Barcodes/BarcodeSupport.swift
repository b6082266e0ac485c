/// What speaks for a code that one attempt at a picture has read and that nothing has been held against yet.
struct BarcodeSupport: Sendable, Hashable {
    /// Which of the picture's attempts read it, and whether that left the grey values alone.
    var attempt = 0
    var isPlain = true
    /// Lines of the picture that gave it, and the height over which they lie, in their length.
    var lines = 0
    var height = 0.0
    /// Its outline where its bars don't show theirs; nil for where the lines are.
    var stretched: [Point]?
}

extension BarcodeSupport: Record, Storable {
    static let fields: [Field<Self>] = [
        Field("attempt", \.attempt, .integer(), doc: "Which attempt read it."),
        Field("isPlain", \.isPlain, .flag, doc: "Whether that left the grey values alone."),
        Field("lines", \.lines, .integer(), doc: "Lines that gave it."),
        Field("height", \.height, .number(), doc: "The height over which they lie, in their length."),
        Field("stretched", \.stretched, .list(.exactPoint), unit: "px", doc: "Its outline where its bars show none."),
    ]
}
