/// `detect`: anybody's detection network, on the frame, on tiles of it, or on the regions of its inputs.
public struct DetectBlueprint: StageBlueprint {
    /// The options of `detect`: the network, how its pictures are made and its answers read, and which of them count.
    public struct Options: Record {
        var model: String?
        var labels: String?
        var decoder = DetectorLayout.auto
        var classes: [String] = []
        var minimumConfidence = LeastConfidence()
        var overlap: Double?
        var agnostic = false
        var tiles = [1, 1]
        var margin = 0.0
        var channelOrder: Preprocessing.ChannelOrder?
        var layout: Preprocessing.Layout?
        var size: [Int]?
        var scale: Double?
        var mean: [Double]?
        var std: [Double]?
        var resize: DetectorPreparation.Resize?

        public init() {}

        private static let usual = "What is usual for the model's kind when left out."

        public static let fields: [Field<Options>] = [
            Field(
                "model", \.model, .text(.path),
                doc:
                    "An ONNX, OpenVINO (.xml), TensorFlow Lite or frozen TensorFlow (.pb) file; the program's own, which finds "
                    + "people, when left out."),
            Field(
                "labels", \.labels, .text(.path),
                doc: "A text file with a class a line; the model's own names, or its numbers, when left out."),
            Field(
                "decoder", \.decoder, .choice(otherNames: DetectorLayout.otherNames), .optional,
                doc: "How the model's outputs are read; auto finds it out, and the track file's header says what."),
            Field(
                "classes", \.classes, .list(.text()), .optional,
                doc: "The names of those that are wanted; all when left out."),
            Field(
                "minimumConfidence", \.minimumConfidence, .leastConfidence, .optional,
                doc: "Things with less are left out: a number for all, or one for each of some classes."),
            Field(
                "overlap", \.overlap, .number(Bounds(0, 1)),
                doc:
                    "Boxes of a class whose intersection over union is more are one thing; when left out 0.45, and nothing where "
                    + "the model sees to it."),
            Field("agnostic", \.agnostic, .flag, .optional, doc: "Boxes of different classes are one thing as well."),
            Field(
                "tiles", \.tiles, .list(.integer(1...16), count: 2...2), .optional,
                doc:
                    "[columns, rows]: overlapping parts of the frame that are looked at beside the whole of it, for small things."
            ),
            Field(
                "margin", \.margin, .number(Bounds(0, 2)), .optional, unit: "of the region's size",
                doc: "How much around a region is looked at as well, on every side."),
            Field("channelOrder", \.channelOrder, .choice(), doc: "The order of the model's channels. " + usual),
            Field(
                "layout", \.layout, .choice(),
                doc: "The order of the model's dimensions. When left out, it is read from the model's shape."),
            Field(
                "size", \.size, .list(.integer(1...8192), count: 2...2), unit: "px",
                doc:
                    "[width, height] of the input, for a model that leaves them open; what it says, or 640 × 640, when left out."
            ),
            Field(
                "scale", \.scale, .number(), doc: "input = (value · scale − mean) ÷ std, where value is 0…255. " + usual
            ),
            Field(
                "mean", \.mean, .list(.number(), count: 1...3),
                doc: "By channel, in the input's order; one number for all. " + usual),
            Field(
                "std", \.std, .list(.number(), count: 1...3),
                doc: "By channel, in the input's order; one number for all. " + usual),
            Field(
                "resize", \.resize, .choice(),
                doc:
                    "stretch scales the picture to the input's size; fit adds grey bars around it, fitTopLeft to its right and "
                    + "below. " + usual),
        ]
    }

    public static let contract = StageContract(
        type: "detect", summary: "Finds things with a detection network: anybody's, or the program's own for people.",
        consumes: [.frame, .regions], produces: [.regions], keepsState: false, emits: [DetectionFinding.self],
        options: Options.self,
        details: [
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property(
                "labels", .map(of: .any, keys: .any, doc: "The labels file."), doc: "The labels file's hash and size."),
            Property(
                "reader", .map(of: .any, keys: .any, doc: "The reader."),
                doc:
                    "How a detector's outputs are read, and by what that was found out; what read text: its engine, Tesseract's "
                    + "languages, or the networks' names and hashes."),
            Property(
                TrackFileHeader.Stage.gives, .array(of: .string()),
                doc: "Names of the things that it can give; left out where nobody knows them."),
        ], searchesPictures: true)

    private let detector: ObjectDetector
    private let classes: DetectedClasses
    private let options: Options
    private let takesRegions: Bool
    public let details: [JSONMember]
    public let files: [String]

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        self.options = options
        let given = try options.labels.map { try context.classNames($0) }
        if let file = options.labels, given?.isEmpty ?? false {
            throw StageOptionError(option: "labels", "“\(file)” is empty; expected a class a line")
        }
        takesRegions = context.hasInputs
        if takesRegions, options.tiles != [1, 1] {
            throw StageOptionError(
                option: "tiles",
                "tiles, and regions as “inputs”; expected one of both: the frame is what is looked at in tiles")
        }
        let (path, file) = try Self.model(options, context)
        let wishes = try Self.wishes(options, names: given?.count)
        do {
            detector = try ObjectDetector(path: path, wishes)
        } catch let error as InferenceError {
            throw StageOptionError(option: file == nil ? nil : "model", "“\(file ?? path)” can't be used: \(error)")
        }
        let reading = detector.reading
        let names = given.map { Self.things($0, reading) }
        if let names, let count = detector.reading.classes, !Self.fits(names.count, detector.reading) {
            throw StageOptionError(
                option: "labels",
                "“\(options.labels ?? "")” has \(names.count) classes and the model \(count); expected as many"
                    + Self.told(options.decoder, detector))
        }
        let all = names ?? detector.ownNames
        if names == nil, let all, let count = reading.classes, !Self.fits(all.count, reading) {
            throw StageOptionError(
                option: "model",
                "“\(file ?? path)” names \(all.count) class\(all.count == 1 ? "" : "es") and its outputs have \(count); expected "
                    + "as many, or a file of names as “labels”" + Self.told(options.decoder, detector))
        }
        if file == nil, let word = options.classes.first(where: { !(all ?? []).contains($0) }) {
            throw StageOptionError(
                option: "classes",
                "“\(word)”, and without a “model” people are found alone; expected “person”, or a “model” that knows it"
            )
        }
        classes = try DetectedClasses(
            names: all, detector.reading, wanted: options.classes, least: options.minimumConfidence)
        // Columns, or numbers that things carry, may be more than the names.
        labels = LabelSources(
            names: options.classes.isEmpty ? all ?? [] : options.classes,
            hasNumbers: options.classes.isEmpty && (all == nil || reading.classes != all?.count))
        files = file == nil ? [] : try ModelFile.data(of: [path])
        details =
            try Self.details(detector, path, options.labels.map(context.resolve), names: all)
            + Self.given(options.classes.isEmpty ? all ?? [] : options.classes)
    }

    private static func wishes(_ options: Options, names: Int?) throws -> ObjectDetector.Wishes {
        for (name, values) in [("mean", options.mean), ("std", options.std)] where values?.count == 2 {
            throw StageOptionError(option: name, "2 numbers; expected 1 or 3")
        }
        if options.std?.contains(0) ?? false {
            throw StageOptionError(option: "std", "a 0; expected numbers to divide by")
        }
        return ObjectDetector.Wishes(
            decoder: options.decoder, layout: options.layout, size: options.size.map { ($0[0], $0[1]) },
            channelOrder: options.channelOrder, scale: options.scale, mean: options.mean, std: options.std,
            resize: options.resize, names: names, overlap: options.overlap, isAgnostic: options.agnostic)
    }

    /// The model's file, and how the manifest writes it: nil for the program's own.
    private static func model(
        _ options: Options, _ context: OptionContext
    ) throws -> (path: String, written: String?) {
        guard let file = options.model else {
            do {
                return (try BundledFiles.network("people", "ssdlite.pb"), nil)
            } catch let error as InferenceError {
                throw StageOptionError("\(error)")
            }
        }
        let expected = "an ONNX, OpenVINO, TensorFlow Lite or TensorFlow model"
        return (try context.existing(file, option: "model", expected: expected), file)
    }

    /// A file's names without its first where that is the name of nothing, and the model tells things alone.
    private static func things(_ names: [String], _ reading: DetectorReading) -> [String] {
        let nothing = ["background", "__background__", "bg", "_background_"]
        guard let first = names.first, nothing.contains(first.lowercased()) else { return names }
        let tellsThings = reading.classes.map { $0 == names.count - 1 } ?? DetectedClasses.countsFromOne(reading.layout)
        return tellsThings ? Array(names.dropFirst()) : names
    }

    /// What a decoder that the manifest names makes of the outputs: another one may find as many classes as there are names.
    private static func told(_ decoder: DetectorLayout, _ detector: ObjectDetector) -> String {
        guard decoder != .auto else { return "" }
        return
            ", or another “decoder”: the outputs are \(detector.outputsDescribed), and “\(decoder.rawValue)” reads them as "
            + decoder.expectation
    }

    /// Whether so many names can be a model's. A DETR that wasn't told how many there are has COCO's.
    private static func fits(_ names: Int, _ reading: DetectorReading) -> Bool {
        guard let count = reading.classes, count != names else { return true }
        return [.rfdetr, .detr, .rtdetrLogits].contains(reading.layout) && [90, 91].contains(count) && names <= 91
    }

    private static func details(
        _ detector: ObjectDetector, _ path: String, _ labels: String?, names: [String]?
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
        if let labels {
            details.append(
                JSONMember(
                    key: "labels",
                    value: JSONNode(
                        .members([
                            "sha256": .string(try SHA256.hash(file: labels)), "classes": .integer(names?.count ?? 0),
                        ]))))
        }
        return details
    }

    private static func given(_ names: [String]) -> [JSONMember] {
        guard !names.isEmpty else { return [] }
        return [
            JSONMember(
                key: TrackFileHeader.Stage.gives, value: JSONNode(.array(names.map { JSONNode(.string($0)) })))
        ]
    }

    public var skeleton: Skeleton? { detector.reading.joints.map { DetectedSkeleton.of($0.count) } }

    public let labels: LabelSources?

    public func makeStage(_ context: StageContext) throws -> Stage {
        let tiles = DetectTiles(
            width: context.width, height: context.height, columns: options.tiles[0], rows: options.tiles[1])
        return Stage(
            ThingDetector(
                network: detector, limits: classes.limits, tiles: tiles, margin: takesRegions ? options.margin : nil),
            ThingTeller(id: context.id, classes: classes))
    }
}
