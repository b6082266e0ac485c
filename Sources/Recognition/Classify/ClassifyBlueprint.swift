/// `classify`: an ONNX network over the whole frame, or over each region of its inputs.
public struct ClassifyBlueprint: StageBlueprint {
    /// The options of `classify`: the network, how its pictures are made, and which of its scores are told as what.
    public struct Options: Record {
        var model = ""
        var labels: String?
        var topK = 5
        var minimumConfidence: Double?
        var softmax = false
        var smoothing = 0.0
        var input = PreprocessingOptions(scale: 1.0 / 255)
        var resize: Preprocessing.Resize = .stretch
        var margin = 0.0
        var antialias = false

        public init() {}

        public static let fields: [Field<Options>] =
            [
                Field(
                    "model", \.model, .text(.path), doc: "An ONNX file with one picture as input and one score a class."
                ),
                Field(
                    "labels", \.labels, .text(.path),
                    doc: "A text file with a class a line, in the order of the model's output; numbers when left out."),
                Field(
                    "topK", \.topK, .integer(1...1000), .optional, doc: "How many classes are given, the best first."),
                Field(
                    "minimumConfidence", \.minimumConfidence, .number(),
                    doc: "Classes with less are left out; none when it is not given."),
                Field(
                    "softmax", \.softmax, .flag, .optional,
                    doc: "Turns the model's scores into probabilities; for models that don't do it themselves."),
                Field(
                    "smoothing", \.smoothing, .number(Bounds(0, 60)), .optional, unit: "s",
                    doc:
                        "Averages scores over time with this time constant, per track or over the whole frame; 0 for none."
                ),
            ]
            + PreprocessingOptions.fields(
                in: \.input, channelOrders: Preprocessing.ChannelOrder.allCases, largest: 8192)
            + [
                Field(
                    "resize", \.resize, .choice(), .optional,
                    doc:
                        "stretch scales the region to the input's size; centerCrop cuts out its middle first; fit adds black bars."
                ),
                Field(
                    "margin", \.margin, .number(Bounds(0, 2)), .optional, unit: "of the region's size",
                    doc: "How much around a region is looked at as well, on every side."),
                Field(
                    "antialias", \.antialias, .flag, .optional,
                    doc: "Averages where the region is over twice the input's size, instead of bilinear samples."),
            ]
    }

    public static let contract = StageContract(
        type: "classify", summary: "Names the whole frame, or each region of its inputs, with an ONNX model.",
        consumes: [.frame, .regions], produces: [.labels], keepsState: true, emits: [ClassificationFinding.self],
        options: Options.self,
        details: [
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property(
                "labels", .map(of: .any, keys: .any, doc: "The labels file."), doc: "The labels file's hash and size."),
        ], attachmentUse: .toStages)

    private let classifier: Classifier
    private let names: [String]?
    private let options: Options
    private let takesRegions: Bool
    public let details: [JSONMember]
    public let files: [String]

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        self.options = options
        let path = try context.existing(options.model, option: "model", expected: "an ONNX model")
        var preprocessing = try options.input.preprocessing()
        preprocessing.resize = options.resize
        preprocessing.antialias = options.antialias
        classifier = try context.model(options.model) { path in
            try Classifier(
                path: path, preprocessing: preprocessing, layoutIsGiven: context.isGiven(\Options.input.layout))
        }
        if let labels = options.labels {
            names = try Self.readLabels(labels, context, classes: classifier.classes)
        } else {
            names = nil
        }
        takesRegions = context.hasInputs
        var details = [
            JSONMember(
                key: "model",
                value: JSONNode(
                    .members([
                        "sha256": .string(try ModelFile.sha256(path)), "input": .string(classifier.inputDescription),
                        "preprocessing": classifier.preprocessing.json,
                    ])))
        ]
        if let file = options.labels {
            details.append(
                JSONMember(
                    key: "labels",
                    value: JSONNode(
                        .members([
                            "sha256": .string(try SHA256.hash(file: context.resolve(file))),
                            "classes": .integer(names?.count ?? 0),
                        ]))))
        }
        self.details = details
        files = try ModelFile.data(of: [path])
    }

    private static func readLabels(_ file: String, _ context: OptionContext, classes: Int?) throws -> [String] {
        let names = try context.classNames(file)
        if let classes, classes != names.count {
            throw StageOptionError(
                option: "labels", "“\(file)” has \(names.count) classes and the model \(classes); expected as many")
        }
        return names
    }

    /// No labels: its results have none.
    public var labels: LabelSources? { LabelSources() }

    public func makeStage(_ context: StageContext) -> Stage {
        Stage(
            ScoreDetector(classifier: classifier, options: options, takesRegions: takesRegions),
            ScoreTracker(id: context.id, names: names, options: options))
    }
}
