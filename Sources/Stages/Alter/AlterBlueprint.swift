public import Graph
internal import CVision

/// `alter`: covers tracked quads with altered versions of what is on them.
public struct AlterBlueprint: StageBlueprint {
    static let styles = StageOption<[BuiltInStyle]>(
        "styles", .list(.choice()), default: [],
        doc: "Built-in styles, in the order in which they are shown. All of them where no model is given either.")
    static let models = StageOption(
        "models", .list(.text(.path)), default: [],
        doc: "ONNX models from one picture to another, shown after “styles”. One with a second input has several "
            + "styles: it takes a style's number, or a number for each style.")
    static let modelStyles = StageOption(
        "modelStyles", .integer(1...1000), default: 1, doc: "How many styles a model has that takes a style's number.")
    static let interval = StageOption(
        "interval", .number(Bounds(0, 86_400)), default: 5, unit: "s",
        doc: "Of video, after which the next style follows, the first after the last; 0 for the first alone.")
    static let fade = StageOption(
        "fade", .number(Bounds(0, 3600)), default: 1, unit: "s",
        doc: "Over which a style fades into the next; no longer than “interval”.")
    static let live = StageOption(
        "live", .flag, default: false,
        doc: "Alters what is on the quad anew in every frame, instead of once for each track and style.")
    static let smoothing = StageOption(
        "smoothing", .number(Bounds(0, 10)), default: 0.2, unit: "s",
        doc: "Time constant by which live pictures are blended against flicker; 0 for none.")
    static let resolution = StageOption(
        "resolution", .integer(32...2048), default: 512, unit: "px",
        doc: "The longer side of pictures altered by built-in styles; models have their own size.")
    static let maximumObservations = StageOption(
        "maximumObservations", .integer(1...100), default: 16,
        doc: "How many quads are covered at once, those tracked first.")
    static let input = PreprocessingOptions(channelOrders: [.rgb, .bgr], largest: 4096, scale: 1)
    static let outputScale = StageOption(
        "outputScale", .number(), default: 1, doc: "value = output · outputScale + outputOffset, cut to 0…255.")
    static let outputOffset = StageOption(
        "outputOffset", .number(), default: 0, doc: "value = output · outputScale + outputOffset, cut to 0…255.")

    public static let contract = StageContract(
        type: "alter",
        summary: "Covers the quads of its inputs with altered versions of them: built-in styles or ONNX models.",
        consumes: [.regions], produces: [], keepsState: true, emits: [AlterationFinding.self],
        options: [
            styles.property, models.property, modelStyles.property, interval.property, fade.property, live.property,
            smoothing.property, resolution.property, maximumObservations.property,
        ] + input.properties + [outputScale.property, outputOffset.property],
        details: [
            Property("models", .array(of: .any), doc: "Each model's hash, input and preprocessing.")
        ], handsOn: .toDrawing)

    private let settings: AlterSettings
    public let details: [JSONMember]
    public let files: [String]

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let (interval, fade) = (options[Self.interval], options[Self.fade])
        if options.isGiven(Self.fade), interval > 0, fade > interval {
            throw StageOptionError(
                option: "fade", "\(fade) s, over “interval” \(interval); expected as much at the most")
        }
        var styles = options[Self.styles].map { AlterStyle(name: $0.rawValue, kind: .builtIn($0)) }
        var details: [JSONNode] = []
        for file in options[Self.models] {
            let model = try Self.model(file, options)
            let name = Self.name(of: file)
            styles += (0..<model.styles).map { style in
                AlterStyle(
                    name: model.styles > 1 ? "\(name)/\(style)" : name, kind: .model(model, style: style))
            }
            details.append(try Self.details(model, file: options.resolve(file)))
        }
        if styles.isEmpty { styles = BuiltInStyle.allCases.map { AlterStyle(name: $0.rawValue, kind: .builtIn($0)) } }
        settings = AlterSettings(
            styles: styles,
            sequence: StyleSequence(
                count: styles.count, interval: interval, fade: interval > 0 ? min(fade, interval) : 0),
            isLive: options[Self.live], smoothing: options[Self.smoothing], resolution: options[Self.resolution],
            maximumObservations: options[Self.maximumObservations])
        files = try ModelFile.data(of: options[Self.models].map(options.resolve))
        self.details = details.isEmpty ? [] : [JSONMember(key: "models", value: JSONNode(.array(details)))]
    }

    private static func model(_ file: String, _ options: StageOptions) throws -> StyleModel {
        let path = options.resolve(file)
        guard Files.isRegular(path) else {
            throw StageOptionError(option: "models", "no file “\(file)”; expected an ONNX model")
        }
        var preprocessing = try input.preprocessing(options)
        preprocessing.antialias = true
        do {
            return try StyleModel(
                path: path, preprocessing: preprocessing, layoutIsGiven: options.isGiven(input.layout),
                output: .init(scale: options[outputScale], offset: options[outputOffset]),
                styles: options.isGiven(modelStyles) ? options[modelStyles] : nil)
        } catch let error as InferenceError {
            throw StageOptionError(option: "models", "“\(file)” can't be used: \(error)")
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

    public func makeStage(_ context: StageContext) throws -> any Stage {
        AlterStage(id: context.id, settings: settings, width: context.width, height: context.height)
    }
}

struct AlterSettings: Sendable {
    var styles: [AlterStyle]
    var sequence: StyleSequence
    var isLive: Bool
    /// Seconds.
    var smoothing: Double
    /// Pixels.
    var resolution: Int
    var maximumObservations: Int
}
