internal import CVision
public import Graph

/// `horizon`: how the picture is tilted, and where the horizon crosses it.
public struct HorizonBlueprint: StageBlueprint {
    static let minimumConfidence = StageOption(
        "minimumConfidence", .number(Bounds(0, 1)), default: 0.35, doc: "Lines below it are left out.")
    static let smoothing = StageOption(
        "smoothing", .number(Bounds(0, 10)), default: 0.04, unit: "s",
        doc: "Time constant by which the line is steadied; 0 for each frame's own.")
    static let hold = StageOption(
        "hold", .number(Bounds(0, 60)), default: 0.5, unit: "s", doc: "How long the line stays while it isn't seen.")

    public static let contract = StageContract(
        type: "horizon",
        summary: "Finds the horizon: its angle, clockwise, and its offset from the picture's middle.",
        produces: [.tracks], keepsState: true, emits: [HorizonFinding.self],
        options: [minimumConfidence.property, smoothing.property, hold.property])

    private let minimumConfidence: Double
    private let settings: HorizonFilter.Settings

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        minimumConfidence = options[Self.minimumConfidence]
        settings = HorizonFilter.Settings(smoothing: options[Self.smoothing], hold: options[Self.hold])
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        var settings = settings
        settings.height = context.height
        if context.isStill { settings.confirmation = 0 }
        return HorizonStage(id: context.id, minimumConfidence: minimumConfidence, settings: settings)
    }
}

/// A frame's own horizon.
struct FoundHorizon: Sendable {
    var line: HorizonLine
    var confidence: Double
}

/// Finds in any order, then steadies in order.
///
/// `@unchecked Sendable`: `filter` is touched by `update` alone, which is never run twice at once.
private final class HorizonStage: Stage, @unchecked Sendable {
    private let id: String
    private let minimumConfidence: Double
    private var filter: HorizonFilter

    init(id: String, minimumConfidence: Double, settings: HorizonFilter.Settings) {
        self.id = id
        self.minimumConfidence = minimumConfidence
        filter = HorizonFilter(settings: settings)
    }

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

    func update(_ found: FoundHorizon?, _ input: StageInput) throws -> [Observation] {
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
