internal import CVision

/// `alter`: covers tracked quads with altered versions of what is on them.
public struct AlterBlueprint: StageBlueprint {
    /// The options of `alter`: the styles and models that make the versions, and when one fades into the next.
    public struct Options: Record {
        var styles: [BuiltInStyle] = []
        var models: [String] = []
        var modelStyles = 1
        var interval = 5.0
        var fade = 1.0
        var live = false
        var smoothing = 0.2
        var resolution = 512
        var maximumObservations = 16
        var input = PreprocessingOptions()
        var outputScale = 1.0
        var outputOffset = 0.0

        public init() {}

        public static let fields: [Field<Options>] =
            [
                Field(
                    "styles", \.styles, .list(.choice()), .optional,
                    doc:
                        "Built-in styles, in the order in which they are shown. All of them where no model is given either."
                ),
                Field(
                    "models", \.models, .list(.text(.path)), .optional,
                    doc:
                        "ONNX models from one picture to another, shown after “styles”. One with a second input has several "
                        + "styles: it takes a style's number, or a number for each style."),
                Field(
                    "modelStyles", \.modelStyles, .integer(1...1000), .optional,
                    doc: "How many styles a model has that takes a style's number."),
                Field(
                    "interval", \.interval, .number(Bounds(0, 86_400)), .optional, unit: "s",
                    doc:
                        "Of video, after which the next style follows, the first after the last; 0 for the first alone."
                ),
                Field(
                    "fade", \.fade, .number(Bounds(0, 3600)), .optional, unit: "s",
                    doc: "Over which a style fades into the next; no longer than “interval”."),
                Field(
                    "live", \.live, .flag, .optional,
                    doc: "Alters what is on the quad anew in every frame, instead of once for each track and style."),
                Field(
                    "smoothing", \.smoothing, .number(Bounds(0, 10)), .optional, unit: "s",
                    doc: "Time constant by which live pictures are blended against flicker; 0 for none."),
                Field(
                    "resolution", \.resolution, .integer(32...2048), .optional, unit: "px",
                    doc: "The longer side of pictures altered by built-in styles; models have their own size."),
                Field(
                    "maximumObservations", \.maximumObservations, .integer(1...100), .optional,
                    doc: "How many quads are covered at once, those tracked first."),
            ] + PreprocessingOptions.fields(in: \.input, channelOrders: [.rgb, .bgr], largest: 4096) + [
                Field(
                    "outputScale", \.outputScale, .number(), .optional,
                    doc: "value = output · outputScale + outputOffset, cut to 0…255."),
                Field(
                    "outputOffset", \.outputOffset, .number(), .optional,
                    doc: "value = output · outputScale + outputOffset, cut to 0…255."),
            ]
    }

    public static let contract = StageContract(
        type: "alter",
        summary: "Covers the quads of its inputs with altered versions of them: built-in styles or ONNX models.",
        consumes: [.regions], produces: [], keepsState: true, emits: [AlterationFinding.self],
        options: Options.self,
        details: [
            Property("models", .array(of: .any), doc: "Each model's hash, input and preprocessing.")
        ], attachmentUse: .toDrawing)

    private let settings: AlterSettings
    public let details: [JSONMember]
    public let files: [String]

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        let (interval, fade) = (options.interval, options.fade)
        if context.isGiven(\Options.fade), interval > 0, fade > interval {
            throw StageOptionError(
                option: "fade", "\(fade) s, over “interval” \(interval); expected as much at the most")
        }
        var styles = options.styles.map { AlterStyle(name: $0.rawValue, kind: .builtIn($0)) }
        var details: [JSONNode] = []
        for file in options.models {
            let model = try Self.model(file, options, context)
            let name = Self.name(of: file)
            styles += (0..<model.styles).map { style in
                AlterStyle(
                    name: model.styles > 1 ? "\(name)/\(style)" : name, kind: .model(model, style: style))
            }
            details.append(try Self.details(model, file: context.resolve(file)))
        }
        if styles.isEmpty { styles = BuiltInStyle.allCases.map { AlterStyle(name: $0.rawValue, kind: .builtIn($0)) } }
        settings = AlterSettings(
            styles: styles,
            sequence: StyleSequence(
                count: styles.count, interval: interval, fade: interval > 0 ? min(fade, interval) : 0),
            options: options)
        files = try ModelFile.data(of: options.models.map(context.resolve))
        self.details = details.isEmpty ? [] : [JSONMember(key: "models", value: JSONNode(.array(details)))]
    }

    private static func model(_ file: String, _ options: Options, _ context: OptionContext) throws -> StyleModel {
        var preprocessing = try options.input.preprocessing()
        preprocessing.antialias = true
        return try context.model(file, option: "models") { path in
            try StyleModel(
                path: path, preprocessing: preprocessing, layoutIsGiven: context.isGiven(\Options.input.layout),
                output: .init(scale: options.outputScale, offset: options.outputOffset),
                styles: context.isGiven(\Options.modelStyles) ? options.modelStyles : nil)
        }
    }

    private static func name(of file: String) -> String {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return name.hasSuffix(".onnx") && name.count > 5 ? String(name.dropLast(5)) : name
    }

    private static func details(_ model: StyleModel, file: String) throws -> JSONNode {
        JSONNode(
            .members([
                "sha256": .string(try ModelFile.sha256(file)), "input": .string(model.inputDescription),
                "styles": .integer(model.styles), "preprocessing": model.preprocessing.json,
            ]))
    }

    func tracker(_ context: StageContext) -> AlterTracker {
        AlterTracker(id: context.id, settings: settings, width: context.width, height: context.height)
    }

    /// No labels: its results have none.
    public var labels: LabelSources? { LabelSources() }

    public func makeStage(_ context: StageContext) -> Stage { Stage(tracker: tracker(context)) }
}

/// Settings of a stage: its styles, their order and how they are shown.
struct AlterSettings: Sendable {
    var styles: [AlterStyle]
    var sequence: StyleSequence
    var options: AlterBlueprint.Options
}
