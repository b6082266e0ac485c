internal import CVision

/// `track`: follows what the job's regions point at, or what other stages find.
public struct TrackBlueprint: StageBlueprint {
    enum Level: String, CaseIterable, Sendable {
        case accurate, fast
    }

    enum Loss: String, CaseIterable, Sendable {
        case search, end
    }
    /// The options of `track`: how objects are followed, how sure it has to be, and what becomes of one that is lost.
    public struct Options: Record {
        var level: Level = .accurate
        var model: String?
        var headModel: String?
        var minimumConfidence = 0.3
        var patience = 8
        var onLoss: Loss = .search
        var classes: [String] = []
        var seedConfidence = 0.5
        var confirmation = 2
        var timeout = 2.0
        var maximumObservations = 0

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "level", \.level, .choice(), .optional,
                doc: "accurate looks at colour and finely; fast at luma only, several times cheaper."),
            Field(
                "model", \.model, .text(.path),
                doc:
                    "An ONNX backbone of a Siamese tracker, NanoTrack's say, to follow with; with “headModel”. When left out, "
                    + "NanoTrack v2 where `annotate-batch networks get nanotrack-v2` has put it, unless “level” is given; else "
                    + "correlation filters follow."),
            Field(
                "headModel", \.headModel, .text(.path),
                doc: "The head that belongs to “model”: from its features to scores and boxes."),
            Field(
                "minimumConfidence", \.minimumConfidence, .number(Bounds(0, 1)), .optional,
                doc: "A place with this confidence or less is not the object."),
            Field(
                "patience", \.patience, .integer(0...1000), .optional, unit: "frames",
                doc: "Frames in a row without the object that are bridged by prediction before it is lost."),
            Field(
                "onLoss", \.onLoss, .choice(), .optional,
                doc: "What happens to a lost object: it is looked for, or its track ends."),
            Field(
                "classes", \.classes, .list(.text()), .optional,
                doc: "With “inputs”: the labels of those things that begin a track; all when left out."),
            Field(
                "seedConfidence", \.seedConfidence, .number(Bounds(0, 1)), .optional,
                doc: "With “inputs”: what is found with less begins no track."),
            Field(
                "confirmation", \.confirmation, .integer(1...100), .optional, unit: "runs",
                doc:
                    "With “inputs”: what has no track of its own begins one here when it has been found so often, one time after "
                    + "the other, on places that overlap."),
            Field(
                "timeout", \.timeout, .number(Bounds(0, 60)), .optional, unit: "s",
                doc: "With “inputs”: how long a thing that one of them found may be lost; then its track ends."),
            Field(
                "maximumObservations", \.maximumObservations, .integer(0...1000), .optional,
                doc: "With “inputs”: how many of their things are followed at once; 0 for no limit."),
        ]
    }

    public static let contract = StageContract(
        type: "track",
        summary:
            "Follows the job's regions from the frame that seeds them, or what its inputs find from there on, and finds them again "
            + "when lost.",
        consumes: [.frame, .regions], produces: [.regions, .tracks], keepsState: true, takes: [Region.self],
        emits: [ObjectFinding.self],
        options: Options.self,
        details: [
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property(
                "headModel", .map(of: .any, keys: .any, doc: "The head."), doc: "The head's hash and first input."),
        ])

    private let options: Options
    private let siamese: SiameseModel?
    private let takesRegions: Bool

    public var details: [JSONMember] { siamese?.details ?? [] }
    public let files: [String]

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        self.options = options
        takesRegions = context.hasInputs
        try Self.checkInputs(context)
        let isLeftOpen = options.model == nil && options.headModel == nil && !context.isGiven(\Options.level)
        if isLeftOpen, let paths = try Self.installed() {
            do {
                siamese = try SiameseModel(backbone: paths[0], head: paths[1])
            } catch let misfit as SiameseModel.Misfit {
                throw StageOptionError("the network “\(paths[misfit.isHead ? 1 : 0])” can't be used: \(misfit.reason)")
            }
            // They lie with the program's own, which workers read.
            files = []
            return
        }
        siamese = try Self.siamese(options, context)
        files = try ModelFile.data(of: [options.model, options.headModel].compactMap { $0.map(context.resolve) })
        if siamese != nil, context.isGiven(\Options.level) {
            throw StageOptionError(option: "level", "“level” and “model” together; expected one of them")
        }
    }

    /// Refuses what says how inputs are followed where there are none.
    private static func checkInputs(_ context: OptionContext) throws {
        let ofInputs: [PartialKeyPath<Options>] = [
            \.classes, \.seedConfidence, \.confirmation, \.timeout, \.maximumObservations,
        ]
        guard !context.hasInputs, let given = ofInputs.first(where: context.isGiven),
            let name = Options.name(of: given)
        else { return }
        throw StageOptionError(
            option: name,
            "“\(name)” without “inputs”; it is of things that other stages find, so expected “inputs” with such a stage, or the "
                + "job's regions alone")
    }

    /// The networks that `networks get` has fetched: backbone and head; nil where they aren't here.
    /// - Throws: `StageOptionError` where something else is in their place, rather than following by it or without it.
    private static func installed() throws -> [String]? {
        let files = KnownNetwork.nanoTrack.files
        let states = try files.map { try $0.state() }
        if let other = zip(files, states).first(where: { $1 == .other }) {
            throw StageOptionError(
                "“\(other.0.place)” isn't \(KnownNetwork.nanoTrack.name)'s; expected the SHA-256 \(other.0.sha256): fetch it with "
                    + "`annotate-batch networks get \(KnownNetwork.nanoTrack.name)`, remove it, or give “level”")
        }
        return states.allSatisfy { $0 == .here } ? files.map(\.place) : nil
    }

    private static func siamese(_ options: Options, _ context: OptionContext) throws -> SiameseModel? {
        guard let backbone = options.model else {
            guard options.headModel == nil else {
                throw StageOptionError(option: "headModel", "“headModel” without “model”; expected both")
            }
            return nil
        }
        guard let head = options.headModel else {
            throw StageOptionError(option: "model", "“model” without “headModel”; expected both")
        }
        let paths = try [("model", backbone), ("headModel", head)].map { option, file in
            try context.existing(file, option: option, expected: "an ONNX model")
        }
        do {
            return try SiameseModel(backbone: paths[0], head: paths[1])
        } catch let misfit as SiameseModel.Misfit {
            throw StageOptionError(
                option: misfit.isHead ? "headModel" : "model",
                "“\(misfit.isHead ? head : backbone)” can't be used: \(misfit.reason)")
        }
    }

    func tracker(_ context: StageContext) -> RegionTracker {
        let (settings, siamese) = (ocv_tracker_options(options, isThorough: context.hides), siamese)
        return RegionTracker(context: context, endsOnLoss: options.onLoss == .end) {
            try ShimTracker(settings, model: siamese)
        }
    }

    func sightingTracker(_ context: StageContext) -> SightingTracker {
        let (settings, siamese) = (ocv_tracker_options(options, isThorough: context.hides), siamese)
        return SightingTracker(
            context: context, endsOnLoss: options.onLoss == .end, timeout: options.timeout,
            most: options.maximumObservations,
            seeds: SightingSeeds(
                classes: options.classes, leastConfidence: options.seedConfidence, confirmation: options.confirmation)
        ) {
            try ShimTracker(settings, model: siamese)
        }
    }

    public var labels: LabelSources? {
        options.classes.isEmpty || !takesRegions
            ? LabelSources(ofInputs: takesRegions, ofGiven: true) : LabelSources(names: options.classes, ofGiven: true)
    }

    public func makeStage(_ context: StageContext) -> Stage {
        takesRegions ? Stage(tracker: sightingTracker(context)) : Stage(tracker: tracker(context))
    }
}

extension ocv_tracker_options {
    /// - Parameter isThorough: What is followed is hidden: nothing of it is to be seen when it comes back.
    fileprivate init(_ options: TrackBlueprint.Options, isThorough: Bool) {
        self.init(
            level: Int32(options.level == .fast ? OCV_TRACKER_FAST : OCV_TRACKER_ACCURATE),
            minimumConfidence: options.minimumConfidence, patience: Int32(options.patience),
            redetect: options.onLoss == .search ? 1 : 0, thorough: isThorough ? 1 : 0)
    }
}
