/// The tolerances of a comparison, by stage and kind.
public struct Tolerances: Sendable {
    /// The tolerance where nothing else is said, pixels.
    public let pixels: Double
    private var entries: [Tolerance] = []

    /// One tolerance for all stages and kinds, pixels.
    public init(pixels: Double) { self.pixels = pixels }

    /// A list, of which the last entry that fits counts.
    init(_ entries: [Tolerance]) { (pixels, self.entries) = (0, entries) }

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
            return tolerance
        }
    }

    /// What such a file looks like; it may have bounds of figures too.
    static let shape = ObjectShape(
        doc: "What compare forgives.",
        properties: [
            Property("version", .constant(.integer(1)), doc: "1."),
            Property(
                "tolerances", .array(of: .object(Tolerance.shape)), required: true,
                doc: "The last one that fits counts."),
            Property("bounds", .any, doc: "Bounds of figures."),
        ])

    /// What is forgiven of a stage's results of a kind: the last entry that fits.
    func of(_ stage: String, _ kind: String) -> Tolerance {
        if let entry = entries.last(where: { $0.isAbout(stage, kind) }) { return entry }
        var tolerance = Tolerance()
        tolerance.pixels = pixels
        return tolerance
    }

    /// Ids of stages of which something is forgiven and that aren't among those that there are.
    func strangers(among stages: Set<String>) -> [String] {
        Set(entries.compactMap(\.stage)).subtracting(stages).sorted()
    }

    /// How it is called in a sentence: `within 0.5 px`.
    var words: String { entries.isEmpty ? "within \(plain(pixels)) px" : "within the tolerances" }
}
