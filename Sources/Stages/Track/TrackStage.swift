internal import CVision
public import Annotate

/// `track`: follows what the manifest's regions point at.
public struct TrackBlueprint: StageBlueprint {
    enum Level: String, CaseIterable, Sendable {
        case accurate, fast
    }

    enum Loss: String, CaseIterable, Sendable {
        case search, end
    }

    static let level = StageOption<Level>(
        "level", .choice(), default: .accurate,
        doc: "accurate looks at colour and finely; fast at luma only, several times cheaper.")
    static let minimumConfidence = StageOption(
        "minimumConfidence", .number(Bounds(0, 1)), default: 0.3,
        doc: "A place with this confidence or less is not the object.")
    static let patience = StageOption(
        "patience", .integer(0...1000), default: 8, unit: "frames",
        doc: "Frames in a row without the object that are bridged by prediction before it is lost.")
    static let onLoss = StageOption<Loss>(
        "onLoss", .choice(), default: .search,
        doc: "What happens to a lost object: it is looked for, or its track ends.")

    public static let contract = StageContract(
        type: "track",
        summary: "Follows the job's regions from the frame that seeds them, and finds them again when lost.",
        produces: [.regions, .tracks], keepsState: true, takesSeeds: true, emits: [ObjectFinding.self],
        options: [level.property, minimumConfidence.property, patience.property, onLoss.property])

    private let settings: ocv_tracker_options
    private let endsOnLoss: Bool

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let level = options[Self.level] == .fast ? OCV_TRACKER_FAST : OCV_TRACKER_ACCURATE
        var settings = ocv_tracker_default_options(Int32(level))
        settings.minimumConfidence = options[Self.minimumConfidence]
        settings.patience = Int32(options[Self.patience])
        endsOnLoss = options[Self.onLoss] == .end
        settings.redetect = endsOnLoss ? 0 : 1
        self.settings = settings
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        let settings = settings
        return TrackStage(context: context, endsOnLoss: endsOnLoss) { try CorrelationTracker(settings) }
    }
}

/// Keeps one tracker for each region.
///
/// `@unchecked Sendable`: all state is touched by `update` and `carry` alone, which never run at once.
final class TrackStage: Stage, @unchecked Sendable {
    private enum Progress {
        case waiting
        case following(any ObjectTracker, track: Int)
        case ended
    }

    private let id: String
    private let endsOnLoss: Bool
    private let threads: Int
    private let makeTracker: @Sendable () throws -> any ObjectTracker
    private var regions: [(seed: Seed, progress: Progress)]
    private var tracks = 0

    init(context: StageContext, endsOnLoss: Bool, makeTracker: @escaping @Sendable () throws -> any ObjectTracker) {
        id = context.id
        threads = context.threads
        self.endsOnLoss = endsOnLoss
        self.makeTracker = makeTracker
        regions = context.seeds.map { ($0, .waiting) }
    }

    func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        let changes = try regions.indices.map { try startOrEnd($0, input.frame) }
        let followed: [(region: Int, tracker: any ObjectTracker, track: Int)] = regions.indices.compactMap { index in
            guard changes[index] == nil, case .following(let tracker, let track) = regions[index].progress else {
                return nil
            }
            return (index, tracker, track)
        }
        // Objects know nothing of each other: they are looked for at once.
        let trackers = followed.map(\.tracker)
        let objects = try parallelMap(trackers.count, threads: threads) { try trackers[$0].update(input.frame) }
        var found = changes
        for (entry, object) in zip(followed, objects) {
            if object.state == .lost, endsOnLoss {
                regions[entry.region].progress = .ended
                found[entry.region] = observation(entry.region, entry.track, .ended)
            } else {
                found[entry.region] = observation(
                    entry.region, entry.track, object.state, box: object.box, confidence: object.confidence)
            }
        }
        return found.compactMap { $0 }
    }

    /// Regions begin and end on their own frames, also where the rate leaves those out.
    func carry(_ last: [Observation], _ input: StageInput) throws -> [Observation] {
        try regions.indices.compactMap { index in
            if let change = try startOrEnd(index, input.frame) { return change }
            guard case .following = regions[index].progress,
                let observation = last.first(where: { $0.region == regions[index].seed.id })
            else { return nil }
            return observation.held
        }
    }

    private func startOrEnd(_ index: Int, _ frame: VideoFrame) throws -> Observation? {
        let seed = regions[index].seed
        let isOver = seed.end?.isReached(by: frame) ?? false
        switch regions[index].progress {
        case .waiting where isOver:
            regions[index].progress = .ended
        case .waiting where seed.start.isReached(by: frame):
            guard let box = Box(around: seed.polygon) else { return nil }
            let tracker = try makeTracker()
            try tracker.seed(frame, box: box)
            tracks += 1
            regions[index].progress = .following(tracker, track: tracks)
            return observation(index, tracks, .seeded, box: box, confidence: 1)
        case .following(_, let track) where isOver:
            regions[index].progress = .ended
            return observation(index, track, .ended)
        default: break
        }
        return nil
    }

    /// A lost or ended object has no place.
    private func observation(
        _ index: Int, _ track: Int, _ state: TrackState, box: Box? = nil, confidence: Double = 0
    ) -> Observation {
        let seed = regions[index].seed
        return Observation(
            ObjectFinding(), stage: id, track: TrackReference(stage: id, number: track), region: seed.id,
            label: seed.label ?? seed.id, confidence: confidence, state: state, box: state == .lost ? nil : box)
    }
}
