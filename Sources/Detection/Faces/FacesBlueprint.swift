internal import CVision

/// `faces`: faces with landmarks and angles, tracked.
public struct FacesBlueprint: StageBlueprint {
    /// The options of `faces`: the networks, how sure and how large a face has to be, and how long one is remembered.
    public struct Options: Record {
        var model: String?
        var cascade: String?
        var landmarksModel: String?
        var landmarks = FaceReader.Landmarks.contours
        var inputSize = 640
        var minimumConfidence = 0.6
        var trackingConfidence = 0.3
        var minimumSize = 0.015
        var maximumObservations = 0
        var timeout = 2.0
        var appearance = true
        var margin = 0.1

        public init() {}

        /// Options by which half of the confidence makes a face, but none that isn't tracked on.
        func doubting() -> Options {
            var options = self
            options.minimumConfidence = max(minimumConfidence / 2, trackingConfidence)
            return options
        }

        public static let fields: [Field<Options>] = [
            Field(
                "model", \.model, .text(.path),
                doc: "A YuNet face detector, an ONNX file, instead of the networks that the program brings along."),
            Field("cascade", \.cascade, .text(.path), doc: "Withdrawn: faces are found by networks now. Leave it out."),
            Field(
                "landmarksModel", \.landmarksModel, .text(.path),
                doc:
                    "An ONNX model of 68 landmarks over a square RGB picture of a face, PFLD say, instead of the mesh's or the "
                    + "model's own."),
            Field(
                "landmarks", \.landmarks, .choice(), .optional,
                doc:
                    "What is reported of the mesh that is fitted to every face: “five” points, “contours” of 68, all 468 of the "
                    + "“mesh”, or “none”. Not with a “model” or “landmarksModel”, which have their own."),
            Field(
                "inputSize", \.inputSize, .integer(64...4096), .optional, unit: "px",
                doc:
                    "The longest side of the picture that is searched, with “inputs” of each region. With a “model” it is never enlarged, and a model of fixed "
                    + "size has its own; without, it is the finest of several sizes but one for the smallest faces, twice as large; all "
                    + "of them twice the picture's own at the most."),
            Field(
                "minimumConfidence", \.minimumConfidence, .number(Bounds(0, 1)), .optional,
                doc: "A new face needs this confidence; left out, half of it is enough where faces are covered."),
            Field(
                "trackingConfidence", \.trackingConfidence, .number(Bounds(0, 1)), .optional,
                doc: "A face that is tracked is dropped below this one; “minimumConfidence” at the most."),
            Field(
                "minimumSize", \.minimumSize, .number(Bounds(0, 1)), .optional,
                unit: "of the picture's smaller dimension", doc: "Smallest shorter side of a face's box."),
            Field(
                "maximumObservations", \.maximumObservations, .integer(0...1000), .optional,
                doc: "How many faces are tracked at once; 0 for no limit."),
            Field(
                "timeout", \.timeout, .number(Bounds(0, 60)), .optional, unit: "s",
                doc: "How long a face may be out of sight and be found again under its track; then the track ends."),
            Field(
                "appearance", \.appearance, .flag, .optional,
                doc: "Coarse grey pixels help to tell faces that meet apart."),
            Field(
                "margin", \.margin, .number(Bounds(0, 2)), .optional, unit: "of the region's size",
                doc: "With “inputs”: how much around a region is looked at as well, on every side."),
        ]
    }

    public static let contract = StageContract(
        type: "faces",
        summary:
            "Finds and tracks faces, in the frame or in regions of its inputs, with landmarks and the head's angles.",
        consumes: [.frame, .regions], produces: [.regions, .tracks], keepsState: true, emits: [FaceFinding.self],
        options: Options.self,
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
        ], searchesPictures: true)

    /// The source of faces.
    private enum Source {
        /// A model of the user's, in single frames.
        case model(FaceFinder)
        /// The program's own networks, over time.
        case own(FaceScan)
    }

    private let source: Source
    private let reader: FaceReader
    private let options: Options
    /// The same where the annotated video hides what is found: a doubtful face is rather covered than shown.
    private let optionsWhereHidden: Options
    private let takesRegions: Bool
    public let details: [JSONMember]
    public let files: [String]

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        var options = options
        if !context.isGiven(\Options.trackingConfidence) {
            options.trackingConfidence = min(options.trackingConfidence, options.minimumConfidence)
        }
        if options.trackingConfidence > options.minimumConfidence {
            throw StageOptionError(
                option: "trackingConfidence",
                "\(options.trackingConfidence), over “minimumConfidence” \(options.minimumConfidence); expected as much at "
                    + "the most")
        }
        if options.cascade != nil {
            throw StageOptionError(
                option: "cascade",
                "cascades are no longer supported; leave it out, and the program's own networks find the faces, or name a "
                    + "YuNet “model”")
        }
        self.options = options
        optionsWhereHidden = context.isGiven(\Options.minimumConfidence) ? options : options.doubting()
        takesRegions = context.hasInputs
        let landmarksModel = try options.landmarksModel.map { file in
            try context.model(file, option: "landmarksModel", expected: "an ONNX model of 68 landmarks") {
                try FaceLandmarkModel(path: $0)
            }
        }
        if context.isGiven(\Options.landmarks), landmarksModel != nil || options.model != nil {
            throw StageOptionError(
                option: "landmarks",
                "with “\(landmarksModel != nil ? "landmarksModel" : "model")”, which has landmarks of its own; expected "
                    + "one of them")
        }
        reader = FaceReader(
            landmarksModel: landmarksModel, landmarks: options.landmarks, comparesAppearance: options.appearance)
        if let file = options.model {
            let longestSide = context.isGiven(\Options.inputSize) ? options.inputSize : nil
            let detector = try context.model(file, expected: "an ONNX face detector") {
                try YuNetDetector(path: $0, longestSide: longestSide)
            }
            details = detector.details + [landmarksModel?.details].compactMap(\.self)
            source = .model(
                FaceFinder(
                    detector: detector, reader: reader, minimumConfidence: options.trackingConfidence,
                    minimumSize: options.minimumSize, margin: takesRegions ? options.margin : nil))
        } else {
            let scan = try Self.scan(options)
            details = scan.details + [landmarksModel?.details].compactMap(\.self)
            source = .own(scan)
        }
        files = try ModelFile.data(of: [options.model, options.landmarksModel].compactMap { $0.map(context.resolve) })
    }

    private static func scan(_ options: Options) throws -> FaceScan {
        do {
            return try FaceScan(longestSide: options.inputSize)
        } catch let error as InferenceError {
            throw StageOptionError("no “model” is given, and the program's own can't be used: \(error)")
        }
    }

    /// No labels: its results have none.
    public var labels: LabelSources? { LabelSources() }

    public func makeStage(_ context: StageContext) -> Stage {
        let tracking = FaceTracking(
            context.hides ? optionsWhereHidden : options, width: context.width, height: context.height)
        switch source {
        case .model(let finder):
            let regions = takesRegions ? SearchedRegions(margin: options.margin) : nil
            return Stage(finder, FaceTracker(id: context.id, regions: regions, tracking: tracking))
        case .own(let scan):
            let least = options.minimumSize * Double(min(context.width, context.height))
            let ground: FaceGround =
                takesRegions
                ? .regions(margin: options.margin, scan: scan, minimumSize: least, hides: context.hides)
                : .frame(
                    FaceSchedule(
                        scan.tiles(width: context.width, height: context.height, minimumSize: least),
                        hides: context.hides, isStill: context.isStill))
            return Stage(
                FaceCandidateDetector(
                    scan: scan, ground: ground, isStill: context.isStill, hides: context.hides),
                FollowedFaceTracker(
                    id: context.id, tracking: tracking, reader: reader, minimumSize: least, ground: ground,
                    hides: context.hides,
                    follower: FaceFollower(
                        scan: scan, isStill: context.isStill, hides: context.hides,
                        minimumConfidence: options.trackingConfidence, newConfidence: options.minimumConfidence)))
        }
    }
}
