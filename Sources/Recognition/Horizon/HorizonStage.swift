internal import CVision

/// `horizon`: how the picture is tilted, and where the horizon crosses it.
public struct HorizonBlueprint: StageBlueprint {
    /// The options of `horizon`: how sure a line has to be, how it is smoothed, and how long it is held unseen.
    public struct Options: Record {
        var minimumConfidence = 0.35
        var smoothing = 0.04
        var hold = 0.5

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "minimumConfidence", \.minimumConfidence, .number(Bounds(0, 1)), .optional,
                doc: "Lines below it are left out."),
            Field(
                "smoothing", \.smoothing, .number(Bounds(0, 10)), .optional, unit: "s",
                doc: "Time constant by which the line is steadied; 0 for each frame's own."),
            Field(
                "hold", \.hold, .number(Bounds(0, 60)), .optional, unit: "s",
                doc:
                    "How long the line stays at the most while it isn't seen; its confidence falls to 0 meanwhile, and below "
                    + "`minimumConfidence` it goes."),
        ]
    }

    public static let contract = StageContract(
        type: "horizon",
        summary: "Finds the horizon: its angle, clockwise, and its offset from the picture's middle.",
        produces: [.tracks], keepsState: true, emits: [HorizonFinding.self],
        options: Options.self)

    private let options: Options

    public init(_ options: Options, _ context: OptionContext) {
        _ = openCVIsInitialized
        self.options = options
    }

    /// No labels: its results have none.
    public var labels: LabelSources? { LabelSources() }

    public func makeStage(_ context: StageContext) -> Stage {
        Stage(
            HorizonDetector(minimumConfidence: options.minimumConfidence),
            HorizonTracker(
                id: context.id,
                filter: HorizonFilter(
                    options, height: context.height, confirmation: context.isStill ? 0 : HorizonFilter.confirmation)))
    }
}

/// A frame's own horizon.
struct FoundHorizon: Record, Storable, Hashable {
    var line = HorizonLine()
    var confidence = 0.0

    static let fields: [Field<Self>] = [
        // What users read of the line is rounded.
        Field("angle", \.line, \.angle, .number(), unit: "°", doc: "Clockwise."),
        Field("offset", \.line, \.offset, .number(), unit: "px", doc: "From the picture's middle."),
        Field("confidence", \.confidence, .number(), doc: "0 to 1."),
    ]
}

/// Finds the horizon of one frame.
private struct HorizonDetector: StorableDetector {
    let minimumConfidence: Double

    func detect(_ input: StageInput) throws -> FoundHorizon? {
        var found = ocv_horizon()
        // Smaller pictures show none.
        guard min(input.frame.width, input.frame.height) >= 16 else { return nil }
        try input.frame.withPicture { view in
            var picture = ocv_picture(view)
            try check(ocv_find_horizon(&picture, &found), "look for the horizon")
        }
        guard found.kind != OCV_HORIZON_NONE, found.confidence >= minimumConfidence, found.angle.isFinite,
            found.offset.isFinite
        else { return nil }
        return FoundHorizon(
            line: HorizonLine(angle: found.angle, offset: found.offset), confidence: found.confidence)
    }

}

/// Steadies the horizons of successive frames.
private struct HorizonTracker: Tracker {
    let id: String
    var filter: HorizonFilter

    mutating func update(_ found: FoundHorizon?, _ input: StageInput) -> [Observation] {
        let horizon = filter.update(found.map { ($0.line, $0.confidence) }, at: input.frame.seconds)
        return horizon.map { horizon in
            [
                Observation(
                    HorizonFinding(line: horizon.line), stage: id,
                    track: TrackReference(stage: id, number: horizon.track), confidence: horizon.confidence,
                    state: horizon.isSeen ? .tracked : .predicted)
            ]
        } ?? []
    }
}
