internal import CVision
public import Graph

/// `faces`: faces with landmarks and angles, tracked.
public struct FacesBlueprint: StageBlueprint {
    static let model = StageOption(
        "model", .text(.path),
        doc: "A YuNet face detector, an ONNX file, instead of the networks that the program brings along.")
    static let cascade = StageOption(
        "cascade", .text(.path), doc: "Withdrawn: faces are found by networks now. Leave it out.")
    static let landmarksModel = StageOption(
        "landmarksModel", .text(.path),
        doc:
            "An ONNX model of 68 landmarks over a square RGB picture of a face, PFLD say, instead of the mesh's or the "
            + "model's own.")
    static let landmarks = StageOption(
        "landmarks", .choice(), default: FaceReader.Landmarks.contours,
        doc:
            "What is reported of the mesh that is fitted to every face: “five” points, “contours” of 68, all 468 of the "
            + "“mesh”, or “none”. Not with a “model” or “landmarksModel”, which have their own.")
    static let inputSize = StageOption(
        "inputSize", .integer(64...4096), default: 640, unit: "px",
        doc:
            "The longest side of the picture that is searched. With a “model” it is never enlarged, and a model of fixed "
            + "size has its own; without, it is the finest of several sizes but one for the smallest faces, twice as large; all "
            + "of them twice the picture's own at the most.")
    static let minimumConfidence = StageOption(
        "minimumConfidence", .number(Bounds(0, 1)), default: 0.6, doc: "A new face needs this confidence.")
    static let trackingConfidence = StageOption(
        "trackingConfidence", .number(Bounds(0, 1)), default: 0.3,
        doc: "A face that is tracked is dropped below this one; “minimumConfidence” at the most.")
    static let minimumSize = StageOption(
        "minimumSize", .number(Bounds(0, 1)), default: 0.015, unit: "of the picture's smaller dimension",
        doc: "Smallest shorter side of a face's box.")
    static let maximumObservations = StageOption(
        "maximumObservations", .integer(0...1000), default: 0,
        doc: "How many faces are tracked at once; 0 for no limit.")
    static let timeout = StageOption(
        "timeout", .number(Bounds(0, 60)), default: 2, unit: "s",
        doc: "How long a face may be out of sight and be found again under its track; then the track ends.")
    static let appearance = StageOption(
        "appearance", .flag, default: true, doc: "Coarse grey pixels help to tell faces that meet apart.")

    public static let contract = StageContract(
        type: "faces", summary: "Finds and tracks faces, with landmarks and the head's angles.",
        produces: [.regions, .tracks], keepsState: true, emits: [FaceFinding.self],
        options: [
            model.property, cascade.property, landmarksModel.property, landmarks.property, inputSize.property,
            minimumConfidence.property, trackingConfidence.property, minimumSize.property, maximumObservations.property,
            timeout.property,
            appearance.property,
        ],
        details: [
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property(
                "landmarksModel", .map(of: .any, keys: .any, doc: "The landmark model."),
                doc: "The landmark model's hash, input and preprocessing."),
            Property(
                "mesh", .map(of: .any, keys: .any, doc: "The mesh."),
                doc: "The face mesh's name, hash, input and preprocessing."),
            Property(
                "sparseModel", .map(of: .any, keys: .any, doc: "A detector."),
                doc: "The second detector's name, hash, input and preprocessing."),
            Property(
                "shortRangeModel", .map(of: .any, keys: .any, doc: "A detector."),
                doc: "The third detector's name, hash, input and preprocessing."),
        ])

    /// What finds faces.
    private enum Source {
        /// A model of the user's, in single frames.
        case model(FaceFinder)
        /// The program's own networks, over time.
        case own(FaceScan)
    }

    private let source: Source
    private let reader: FaceReader
    private let minimumSize: Double
    private let settings: FaceTracking.Settings
    public let details: [JSONMember]
    public let files: [String]

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let isGiven = options.isGiven(Self.trackingConfidence)
        let tracking =
            isGiven
            ? options[Self.trackingConfidence]
            : min(options[Self.trackingConfidence], options[Self.minimumConfidence])
        if tracking > options[Self.minimumConfidence] {
            throw StageOptionError(
                option: "trackingConfidence",
                "\(tracking), over “minimumConfidence” \(options[Self.minimumConfidence]); expected as much at the most"
            )
        }
        if options.isGiven(Self.cascade) {
            throw StageOptionError(
                option: "cascade",
                "cascades are no longer supported; leave it out, and the program's own networks find the faces, or name a "
                    + "YuNet “model”")
        }
        let landmarksModel = try Self.landmarksModel(options)
        if options.isGiven(Self.landmarks), landmarksModel != nil || options[Self.model] != nil {
            throw StageOptionError(
                option: "landmarks",
                "with “\(landmarksModel != nil ? "landmarksModel" : "model")”, which has landmarks of its own; expected "
                    + "one of them")
        }
        reader = FaceReader(
            landmarksModel: landmarksModel, landmarks: options[Self.landmarks],
            comparesAppearance: options[Self.appearance])
        minimumSize = options[Self.minimumSize]
        if options[Self.model] != nil {
            let detector = try Self.yuNet(options)
            details = detector.details + [landmarksModel?.details].compactMap(\.self)
            source = .model(
                FaceFinder(
                    detector: detector, reader: reader, minimumConfidence: tracking, minimumSize: minimumSize))
        } else {
            let scan = try Self.scan(options)
            details = scan.details + [landmarksModel?.details].compactMap(\.self)
            source = .own(scan)
        }
        files = try ModelFile.data(
            of: [Self.model, Self.landmarksModel].compactMap { options[$0].map(options.resolve) })
        settings = FaceTracking.Settings(
            minimumConfidence: options[Self.minimumConfidence], trackingConfidence: tracking,
            timeout: options[Self.timeout], maximumObservations: options[Self.maximumObservations])
    }

    private static func yuNet(_ options: StageOptions) throws -> YuNetDetector {
        let path = try file(options, model, expected: "an ONNX face detector")
        return try usable(options, model) {
            try YuNetDetector(path: path, longestSide: options.isGiven(inputSize) ? options[inputSize] : nil)
        }
    }

    private static func scan(_ options: StageOptions) throws -> FaceScan {
        do {
            return try FaceScan(longestSide: options[inputSize])
        } catch let error as InferenceError {
            throw StageOptionError("no “model” is given, and the program's own can't be used: \(error)")
        }
    }

    private static func landmarksModel(_ options: StageOptions) throws -> FaceLandmarkModel? {
        guard options[landmarksModel] != nil else { return nil }
        let path = try file(options, landmarksModel, expected: "an ONNX model of 68 landmarks")
        return try usable(options, landmarksModel) { try FaceLandmarkModel(path: path) }
    }

    private static func file(
        _ options: StageOptions, _ option: StageOption<String?>, expected: String
    ) throws -> String {
        let file = options[option] ?? ""
        let path = options.resolve(file)
        guard Files.isRegular(path) else {
            throw StageOptionError(option: option.property.name, "no file “\(file)”; expected \(expected)")
        }
        return path
    }

    /// Blames the option for what can't be loaded.
    private static func usable<Loaded>(
        _ options: StageOptions, _ option: StageOption<String?>, _ load: () throws -> Loaded
    ) throws -> Loaded {
        let file = options[option] ?? ""
        do {
            return try load()
        } catch let error as InferenceError {
            throw StageOptionError(option: option.property.name, "“\(file)” can't be used: \(error)")
        } catch let error as VisionError {
            throw StageOptionError(option: option.property.name, "“\(file)” can't be used: \(error.reason)")
        }
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        var settings = settings
        settings.width = context.width
        settings.height = context.height
        switch source {
        case .model(let finder):
            return FacesStage(id: context.id, finder: finder, tracking: FaceTracking(settings: settings))
        case .own(let scan):
            let least = minimumSize * Double(min(context.width, context.height))
            let tiles = scan.tiles(width: context.width, height: context.height, minimumSize: least)
            return FollowedFacesStage(
                id: context.id, scan: scan, schedule: FaceSchedule(tiles), isStill: context.isStill, reader: reader,
                settings: settings, minimumSize: least)
        }
    }
}
