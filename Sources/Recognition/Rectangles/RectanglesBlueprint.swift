/// `rectangles`: quads seen in perspective, with the names and defaults of Vision's `VNDetectRectanglesRequest`.
public struct RectanglesBlueprint: StageBlueprint {
    /// The options of `rectangles`: the form, size and confidence that a quad has to have, and how many are told.
    public struct Options: Record {
        var minimumAspectRatio = 0.5
        var maximumAspectRatio = 1.0
        var quadratureTolerance = 30.0
        var minimumSize = 0.2
        var minimumConfidence = 0.0
        var maximumObservations = 1
        var confirmation = 2
        var memory = 0.5

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "minimumAspectRatio", \.minimumAspectRatio, .number(Bounds(0, 1)), .optional,
                unit: "short side ÷ long side",
                doc:
                    "Least aspect ratio. A rectangle that is turned away looks narrower; as much as quadratureTolerance "
                    + "would do it is allowed for."),
            Field(
                "maximumAspectRatio", \.maximumAspectRatio, .number(Bounds(0, 1)), .optional,
                unit: "short side ÷ long side", doc: "Greatest aspect ratio."),
            Field(
                "quadratureTolerance", \.quadratureTolerance, .number(Bounds(0, 45)), .optional, unit: "°",
                doc: "How far each corner may deviate from a right angle."),
            Field(
                "minimumSize", \.minimumSize, .number(Bounds(0, 1)), .optional,
                unit: "of the picture's smaller dimension",
                doc: "Least mean side, the root of the sides' product."),
            Field(
                "minimumConfidence", \.minimumConfidence, .number(Bounds(0, 1)), .optional, doc: "Least confidence."),
            Field(
                "maximumObservations", \.maximumObservations, .integer(0...1000), .optional,
                doc:
                    "At most so many, the most prominent first; 0 is no limit, which is the default where rectangles are "
                    + "hidden."),
            Field(
                "confirmation", \.confirmation, .integer(1...100), .optional, unit: "runs",
                doc: "A rectangle gets its track number when it has been seen so often; in a photo at once."),
            Field(
                "memory", \.memory, .number(Bounds(0, 60)), .optional, unit: "s",
                doc: "How long a rectangle may be out of sight and keep its track."),
        ]
    }

    public static let contract = StageContract(
        type: "rectangles",
        summary: "Finds quads: cards, sheets, screens, drawn shapes, told by brightness or by colour alone.",
        produces: [.regions, .tracks], keepsState: true, emits: [RectangleFinding.self], options: Options.self,
        searchesPictures: true)

    private let options: Options
    /// What isn't told isn't hidden.
    private let optionsWhereHidden: Options

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        guard options.minimumAspectRatio <= options.maximumAspectRatio else {
            throw StageOptionError(
                option: "minimumAspectRatio",
                "\(options.minimumAspectRatio) is over “maximumAspectRatio” \(options.maximumAspectRatio); expected no "
                    + "more than that")
        }
        self.options = options
        var hiding = options
        if !context.isGiven(\Options.maximumObservations) { hiding.maximumObservations = 0 }
        optionsWhereHidden = hiding
    }

    /// No labels: its results have none.
    public var labels: LabelSources? { LabelSources() }

    public func makeStage(_ context: StageContext) -> Stage {
        let options = context.hides ? optionsWhereHidden : options
        return Stage(RectangleDetector(options), RectangleTracker(options, context))
    }
}
