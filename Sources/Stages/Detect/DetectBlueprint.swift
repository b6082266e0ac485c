public import Annotate

/// `detect`: anybody's detection network, on the frame, on tiles of it, or on the regions of its inputs.
public struct DetectBlueprint: StageBlueprint {
    static let model = StageOption(
        "model", .text(.path),
        doc: "An ONNX, OpenVINO (.xml), TensorFlow Lite or frozen TensorFlow (.pb) file; the program's own, which finds people, when left out.")
    static let labels = StageOption(
        "labels", .text(.path),
        doc: "A text file with a class a line; the model's own names, or numbers from 0, when left out.")
    static let decoder = StageOption<DetectorLayout>(
        "decoder", .choice(), default: .auto, doc: "How the model's outputs are read; `auto` finds it out and says so in the track file's header.")
    static let classes = StageOption(
        "classes", .list(.text()), default: [], doc: "The names of those that are wanted; all when left out.")
    static let minimumConfidence = StageOption(
        "minimumConfidence",
        .json(
            .anyOf(
                [
                    .number(Bounds(0, 1)),
                    .map(of: .number(Bounds(0, 1)), keys: .any, doc: "By class; 0.25 for the others."),
                ], doc: "a number from 0 to 1, or an object with one for each of some classes")), 
        doc: "Things with less are left out; 0.25 when it is not given.")
    static let overlap = StageOption(
        "overlap", .number(Bounds(0, 1)),
        doc: "Boxes of a class whose intersection over union is more are one thing; 0.45 when left out, and nothing is done where the model does it itself.")
    static let agnostic = StageOption(
        "agnostic", .flag, default: false, doc: "Boxes of different classes are one thing as well.")
    static let tiles = StageOption(
        "tiles", .list(.integer(1...16), count: 2...2), default: [1, 1],
        doc: "[columns, rows]: overlapping parts of the frame that are looked at beside the whole of it, for small things.")
    static let margin = StageOption(
        "margin", .number(Bounds(0, 2)), default: 0, unit: "of the region's size",
        doc: "How much around a region is looked at as well, on every side.")
    static let channelOrder = StageOption<Preprocessing.ChannelOrder?>(
        "channelOrder", .choice(), doc: "The order of the model's channels; what is usual for its kind when left out.")
    static let layout = StageOption<Preprocessing.Layout?>(
        "layout", .choice(), doc: "The order of the model's dimensions; read from its shape when left out.")
    static let size = StageOption(
        "size", .list(.integer(1...8192), count: 2...2), default: [],
        doc: "[width, height] of the input, for a model that leaves them open; what the model says, or 640 × 640, when left out.")
    static let scale = StageOption(
        "scale", .number(), doc: "input = (value · scale − mean) ÷ std, where value is 0…255; what is usual for the model's kind when left out.")
    static let mean = StageOption(
        "mean", .list(.number(), count: 1...3), doc: "By channel, in the input's order; one number for all; as `scale` when left out.")
    static let std = StageOption(
        "std", .list(.number(), count: 1...3), doc: "By channel, in the input's order; one number for all; as `scale` when left out.")
    static let resize = StageOption<DetectorPreparation.Resize?>(
        "resize", .choice(),
        doc: "stretch scales the picture to the input's size; fit adds grey bars around it, fitTopLeft to its right and below; what is usual for the model's kind when left out."
    )

    public static let contract = StageContract(
        type: "detect", summary: "Finds things with a detection network: anybody's, or the program's own for people.",
        consumes: [.frame, .regions], produces: [.regions], keepsState: false, emits: [DetectionFinding.self],
        options: [
            model.property, labels.property, decoder.property, classes.property, minimumConfidence.property,
            overlap.property, agnostic.property, tiles.property, margin.property, channelOrder.property,
            layout.property, size.property, scale.property, mean.property, std.property, resize.property,
        ],
        details: [
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property(
                "labels", .map(of: .any, keys: .any, doc: "The labels file."), doc: "The labels file's hash and size."),
            Property(
                "reader", .map(of: .any, keys: .any, doc: "The reader."),
                doc: "How the outputs of a detector are read, and by what that was found out."),
        ])

    private let detector: ObjectDetector
    private let known: DetectedClasses
    private let tiles: [Int]
    private let margin: Double
    private let takesRegions: Bool
    public let details: [JSONMember]
    public let files: [String]

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let names = try options[Self.labels].map { try DetectedClasses.read(options.resolve($0), written: $0) }
        let (path, file) = try Self.model(options)
        var wishes = ObjectDetector.Wishes()
        wishes.decoder = options[Self.decoder]
        wishes.layout = options[Self.layout]
        let size = options[Self.size]
        if size.count == 2 { wishes.size = (size[0], size[1]) }
        wishes.channelOrder = options[Self.channelOrder]
        (wishes.scale, wishes.mean, wishes.std) = (options[Self.scale], options[Self.mean], options[Self.std])
        for (name, values) in [("mean", wishes.mean), ("std", wishes.std)] where values?.count == 2 {
            throw StageOptionError(option: name, "2 numbers; expected 1 or 3")
        }
        if wishes.std?.contains(0) ?? false {
            throw StageOptionError(option: "std", "a 0; expected numbers to divide by")
        }
        wishes.resize = options[Self.resize]
        wishes.names = names?.count
        (wishes.overlap, wishes.isAgnostic) = (options[Self.overlap], options[Self.agnostic])
        do {
            detector = try ObjectDetector(path: path, wishes)
        } catch let error as InferenceError {
            throw StageOptionError(option: file == nil ? nil : "model", "“\(file ?? path)” can't be used: \(error)")
        }
        if let names, let count = detector.reading.classes, !Self.fits(names.count, detector.reading) {
            throw StageOptionError(
                option: "labels",
                "“\(options[Self.labels] ?? "")” has \(names.count) classes and the model \(count); expected as many")
        }
        tiles = options[Self.tiles]
        margin = options[Self.margin]
        takesRegions = options.hasInputs
        if takesRegions, tiles != [1, 1] {
            throw StageOptionError(option: "tiles", "tiles and regions; expected one of both: without “inputs” the frame is looked at in tiles")
        }
        let (least, others) = Self.limits(options[Self.minimumConfidence])
        let all = names ?? detector.ownNames
        if file == nil, let word = options[Self.classes].first(where: { !(all ?? []).contains($0) }) {
            throw StageOptionError(
                option: "classes", "“\(word)”, and without a “model” people are found alone; expected “person”, or a “model” that knows it")
        }
        known = try DetectedClasses(
            names: all, detector.reading, wanted: options[Self.classes], least: least, others: others)
        let data = try ModelFile.data(of: [path])
        files = file == nil ? [] : data
        details = try Self.details(detector, path, options, names: all)
    }

    /// The model's file, and how the manifest writes it: nil for the program's own.
    private static func model(_ options: StageOptions) throws -> (path: String, written: String?) {
        guard let file = options[model] else {
            do {
                return (try Supplied.network("people", "ssdlite.pb"), nil)
            } catch let error as InferenceError {
                throw StageOptionError("\(error)")
            }
        }
        let path = options.resolve(file)
        guard Files.isRegular(path) else {
            throw StageOptionError(
                option: "model", "no file “\(file)”; expected an ONNX, OpenVINO, TensorFlow Lite or TensorFlow model")
        }
        return (path, file)
    }

    /// Whether so many names can be a model's. A DETR that wasn't told how many there are has COCO's.
    private static func fits(_ names: Int, _ reading: DetectorReading) -> Bool {
        guard let count = reading.classes, count != names else { return true }
        return [.rfdetr, .detr, .rtdetrLogits].contains(reading.layout) && [90, 91].contains(count) && names <= 91
    }

    private static func limits(_ node: JSONNode?) -> (byName: [String: Double], others: Double) {
        let usual = 0.25
        if let number = node?.number { return ([:], number) }
        let pairs = (node?.members ?? []).compactMap { member in member.value.number.map { (member.key, $0) } }
        return (Dictionary(pairs, uniquingKeysWith: { first, _ in first }), usual)
    }

    private static func details(
        _ detector: ObjectDetector, _ path: String, _ options: StageOptions, names: [String]?
    ) throws -> [JSONMember] {
        var details = [
            JSONMember(
                key: "model",
                value: JSONNode(
                    .members([
                        "name": .string(Files.name(of: path)), "sha256": .string(try ModelFile.sha256(path)),
                        "input": .string(detector.input.described), "preprocessing": detector.preparationJSON,
                    ]))),
            JSONMember(key: "reader", value: JSONNode(detector.readerJSON)),
        ]
        if let file = options[labels] {
            details.append(
                JSONMember(
                    key: "labels",
                    value: JSONNode(
                        .members([
                            "sha256": .string(try SHA256.hash(file: options.resolve(file))),
                            "classes": .integer(names?.count ?? 0),
                        ]))))
        }
        return details
    }

    public var skeleton: Skeleton? { detector.reading.joints.map { DetectedSkeleton.of($0.count) } }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        DetectStage(
            id: context.id, detector: detector, classes: known,
            tiles: DetectTiles(width: context.width, height: context.height, columns: tiles[0], rows: tiles[1]),
            margin: takesRegions ? margin : nil)
    }
}

extension ObjectDetector {
    /// For the track file's header.
    fileprivate var preparationJSON: JSONValue {
        let (size, multiple) =
            switch input.size {
            case .fixed(let width, let height): ([width, height], 0)
            case .open(let width, let height, let multiple): ([width, height], multiple)
            }
        return .members([
            "width": .integer(size[0]), "height": .integer(size[1]), "multipleOf": .integer(max(1, multiple)),
            "layout": .string(input.layout.rawValue), "channelOrder": .string(preparation.channelOrder.rawValue),
            "scale": .number(preparation.scale), "mean": .numbers(preparation.mean), "std": .numbers(preparation.std),
            "resize": .string(preparation.resize.rawValue), "padding": .integer(preparation.padding),
        ])
    }

    fileprivate var readerJSON: JSONValue {
        .members([
            "decoder": .string(reading.layout.rawValue), "by": .string(reading.reasons.joined(separator: "; ")),
            "outputs": .string(outputsDescribed), "classes": .integer(reading.classes ?? ownNames?.count ?? 0),
            "overlap": .number(suppresses ? Double(suppression.overlap) : 1),
        ])
    }
}
