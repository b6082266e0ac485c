internal import CVision
public import Annotate

/// `faces`: faces with landmarks and angles, tracked.
public struct FacesBlueprint: StageBlueprint {
    static let model = StageOption(
        "model", .text(.path),
        doc: "A YuNet face detector, an ONNX file. When left out, OpenCV's frontal-face cascade is used.")
    static let cascade = StageOption(
        "cascade", .text(.path),
        doc: "Another cascade of OpenCV's form instead of its frontal-face one; not with a model.")
    static let landmarksModel = StageOption(
        "landmarksModel", .text(.path),
        doc: "An ONNX model of 68 landmarks over a square RGB picture of a face, PFLD say.")
    static let inputSize = StageOption(
        "inputSize", .integer(64...4096), default: 640, unit: "px",
        doc: "The longest side of the picture that is searched, which is never enlarged; a model of fixed size has its "
            + "own.")
    static let minimumConfidence = StageOption(
        "minimumConfidence", .number(Bounds(0, 1)), default: 0.6, doc: "A new face needs this confidence.")
    static let trackingConfidence = StageOption(
        "trackingConfidence", .number(Bounds(0, 1)), default: 0.3,
        doc: "A face that is tracked is dropped below this one; “minimumConfidence” at the most.")
    static let minimumSize = StageOption(
        "minimumSize", .number(Bounds(0, 1)), default: 0.03, unit: "of the picture's smaller dimension",
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
        type: "faces", summary: "Finds and tracks faces, with 5 or 68 landmarks and the head's angles.",
        produces: [.regions, .tracks], keepsState: true, emits: [FaceFinding.self],
        options: [
            model.property, cascade.property, landmarksModel.property, inputSize.property, minimumConfidence.property,
            trackingConfidence.property, minimumSize.property, maximumObservations.property, timeout.property,
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
                "cascade", .map(of: .any, keys: .any, doc: "The cascade."),
                doc: "The face cascade's name, hash and number of stages."),
        ])

    private let finder: FaceFinder
    private let settings: FaceTracking.Settings
    public var details: [JSONMember] { finder.details }

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
        finder = FaceFinder(
            detector: try Self.detector(options), landmarks: try Self.landmarks(options),
            comparesAppearance: options[Self.appearance], minimumConfidence: tracking,
            minimumSize: options[Self.minimumSize])
        settings = FaceTracking.Settings(
            minimumConfidence: options[Self.minimumConfidence], trackingConfidence: tracking,
            timeout: options[Self.timeout], maximumObservations: options[Self.maximumObservations])
    }

    private static func detector(_ options: StageOptions) throws -> any FaceDetector {
        guard options[model] == nil else {
            if options.isGiven(cascade) {
                throw StageOptionError(option: "cascade", "“model” and “cascade” together; expected one of them")
            }
            let path = try file(options, model, expected: "an ONNX face detector")
            return try usable(options, model) {
                try YuNetDetector(path: path, longestSide: options.isGiven(inputSize) ? options[inputSize] : nil)
            }
        }
        if options.isGiven(cascade) {
            let path = try file(options, cascade, expected: "a cascade of OpenCV's form")
            return try usable(options, cascade) {
                try CascadeDetector(path: path, longestSide: options[inputSize])
            }
        }
        guard let path = CascadeDetector.installed() else {
            throw StageOptionError(
                "no “model” is given, and OpenCV's frontal-face cascade is not installed; expected the package "
                    + "opencv-data, or a “model” or “cascade”")
        }
        return try CascadeDetector(path: path, longestSide: options[inputSize])
    }

    private static func landmarks(_ options: StageOptions) throws -> FaceLandmarkModel? {
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
        return FacesStage(id: context.id, finder: finder, settings: settings)
    }
}

/// Detects in any order, then tracks in order.
///
/// `@unchecked Sendable`: `tracking` is touched by `update` alone, which is never run twice at once.
private final class FacesStage: Stage, @unchecked Sendable {
    private let id: String
    private let finder: FaceFinder
    private var tracking: FaceTracking

    init(id: String, finder: FaceFinder, settings: FaceTracking.Settings) {
        self.id = id
        self.finder = finder
        tracking = FaceTracking(settings: settings)
    }

    func detect(_ input: StageInput) throws -> [FoundFace] { try finder.faces(in: input.frame) }

    func update(_ found: [FoundFace], _ input: StageInput) throws -> [Observation] {
        tracking.update(found, at: input.frame.seconds).map { face in
            let detection = face.detection.map { found[$0] }
            return Observation(
                FaceFinding(landmarks: detection?.landmarks ?? [], angles: detection?.angles), stage: id,
                track: TrackReference(stage: id, number: face.track), confidence: face.confidence, state: face.state,
                box: face.box)
        }
    }
}
