/// A tolerance: the differences of a thing that a comparison forgives.
public struct Tolerance: Record, Hashable {
    /// Id of the stage that it is about; nil for all.
    public var stage: String?
    /// Kind of results that it is about; nil for all.
    public var kind: String?
    /// Pixels that corners, edges and points may be apart. Over 0, numbers that follow from places are forgiven too.
    public var pixels = 0.0
    /// Frames of a thing that may be gone.
    public var gone = 0
    /// Frames of a thing that may have come.
    public var came = 0
    /// Frames in which its state may be another.
    public var states = 0
    /// Frames in which its label, or a text of its own, may be another.
    public var text = 0
    /// Tracks of a stage and kind that may be in one file alone: the second part of one that was broken in two, say. Its frames
    /// are gone from the first part all the same.
    public var ids = 0

    public init() {}

    public static let fields: [Field<Tolerance>] = [
        Field("stage", \.stage, .text(), doc: "Of this stage alone."),
        Field("kind", \.kind, .text(), doc: "Of this kind alone."),
        Field(
            "px", \.pixels, .number(Bounds(0)), .optional, unit: "px",
            doc:
                "Pixels that corners, edges and points may be apart; over 0, numbers that follow from places don't count."
        ),
        Field("gone", \.gone, .integer(0...Int.mostCounted), .optional, doc: "Frames of a thing that may be gone."),
        Field("came", \.came, .integer(0...Int.mostCounted), .optional, doc: "Frames of a thing that may have come."),
        Field(
            "states", \.states, .integer(0...Int.mostCounted), .optional,
            doc: "Frames in which its state may be another."),
        Field(
            "text", \.text, .integer(0...Int.mostCounted), .optional,
            doc: "Frames in which its label or text may be another."),
        Field(
            "ids", \.ids, .integer(0...Int.mostCounted), .optional,
            doc:
                "Tracks of a stage and kind that may be in one file alone: the second part of one that was broken in two, say, "
                + "of which “gone” forgives the frames that the first part lacks."),
    ]

    /// What an entry of a list of tolerances looks like.
    package static let shape = shape(doc: "What is forgiven of some things.", name: "tolerance")

    /// Whether it forgives nothing.
    package var forgivesNothing: Bool {
        var plain = self
        (plain.stage, plain.kind) = (nil, nil)
        return plain == Tolerance()
    }

    /// Whether it is about a stage's results of a kind.
    package func isAbout(_ stage: String, _ kind: String) -> Bool {
        (self.stage ?? stage) == stage && (self.kind ?? kind) == kind
    }
}

/// The source of a comparison's tolerances.
public enum ToleranceSource: Sendable, Hashable {
    /// A file, by its path.
    case file(String)
    /// A list in place; the last entry that fits counts.
    case list([Tolerance])
}

extension Format where Value == ToleranceSource {
    /// The path of a file, or what stands in such a file under `tolerances`.
    package static var tolerances: Format {
        Format(
            .anyOf(
                [.string(.path), .array(of: .object(Tolerance.shape))], doc: "the path of a file, or a list in place"),
            write: { source, json in
                switch source {
                case .file(let path): json.value(path)
                case .list(let tolerances):
                    json.array { json in for tolerance in tolerances { tolerance.write(into: &json) } }
                }
            },
            read: { node in
                node.string.map(ToleranceSource.file) ?? node.elements.map { .list($0.map { Tolerance($0) }) }
            })
    }
}
