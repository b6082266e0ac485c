/// What a comparison forgives of a thing.
public struct Tolerance: Record, Hashable {
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
    /// Tracks of a stage and kind that may be in one file alone: one that was broken in two, say.
    public var ids = 0

    public init() {}

    public static let fields: [Field<Tolerance>] = [
        Field(
            "px", \.pixels, .number(Bounds(0)), .optional, unit: "px",
            doc:
                "Pixels that corners, edges and points may be apart; over 0, numbers that follow from places don't count."
        ),
        Field("gone", \.gone, .integer(0...Int.max), .optional, doc: "Frames of a thing that may be gone."),
        Field("came", \.came, .integer(0...Int.max), .optional, doc: "Frames of a thing that may have come."),
        Field("states", \.states, .integer(0...Int.max), .optional, doc: "Frames in which its state may be another."),
        Field(
            "text", \.text, .integer(0...Int.max), .optional, doc: "Frames in which its label or text may be another."),
        Field(
            "ids", \.ids, .integer(0...Int.max), .optional,
            doc: "Tracks of a stage and kind that may be in one file alone, one that was broken in two say."),
    ]

    var forgivesNothing: Bool { self == Tolerance() }
}

/// What a comparison forgives, by stage and kind.
public struct Tolerances: Sendable {
    private struct Entry: Sendable {
        var stage: String?
        var kind: String?
        var tolerance: Tolerance
    }

    /// What is forgiven where nothing else is said, pixels.
    public let pixels: Double
    private var entries: [Entry] = []

    /// The same for all.
    public init(pixels: Double) { self.pixels = pixels }

    /// Reads the list under `tolerances` of a file.
    /// - Throws: `InvalidFileError` with all problems; `FileError`.
    public init(path: String, pixels: Double = 0) throws {
        self.pixels = pixels
        let root: JSONNode
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            throw InvalidFileError(problems: [
                Problem(file: path, position: error.position, path: [], message: error.message)
            ])
        }
        var validator = ShapeValidator(file: path)
        validator.validate(root, against: .object(Self.shape))
        guard validator.log.isEmpty else { throw InvalidFileError(problems: validator.log.sorted) }
        entries = (root["tolerances"]?.elements ?? []).map { node in
            var tolerance = Tolerance(node)
            if node["px"] == nil { tolerance.pixels = pixels }
            return Entry(stage: node["stage"]?.string, kind: node["kind"]?.string, tolerance: tolerance)
        }
    }

    /// What such a file looks like; it may have bounds of figures too.
    static let shape = ObjectShape(
        doc: "What compare forgives.",
        properties: [
            Property("version", .constant(.integer(1)), doc: "1."),
            Property("tolerances", .array(of: .object(entry)), required: true, doc: "The last one that fits counts."),
            Property("bounds", .any, doc: "Bounds of figures."),
        ])

    private static let entry = ObjectShape(
        doc: "What is forgiven of some things.",
        properties: [
            Property("stage", .string(), doc: "Of this stage alone."),
            Property("kind", .string(), doc: "Of this kind alone."),
        ] + Tolerance.properties)

    /// What is forgiven of a stage's results of a kind: the last entry that fits.
    func of(_ stage: String, _ kind: String) -> Tolerance {
        if let entry = entries.last(where: { ($0.stage ?? stage) == stage && ($0.kind ?? kind) == kind }) {
            return entry.tolerance
        }
        var tolerance = Tolerance()
        tolerance.pixels = pixels
        return tolerance
    }

    /// How it is called in a sentence: `within 0.5 px`.
    var words: String { entries.isEmpty ? "within \(plain(pixels)) px" : "within the tolerances" }
}
