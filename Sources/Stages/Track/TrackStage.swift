internal import CVision
public import Graph

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
    static let model = StageOption(
        "model", .text(.path),
        doc:
            "An ONNX backbone of a Siamese tracker, NanoTrack's say, to follow with; with “headModel”. Correlation "
            + "filters follow when it is left out.")
    static let headModel = StageOption(
        "headModel", .text(.path), doc: "The head that belongs to “model”: from its features to scores and boxes.")
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
        options: [
            level.property, model.property, headModel.property, minimumConfidence.property, patience.property,
            onLoss.property,
        ],
        details: [
            Property(
                "model", .map(of: .any, keys: .any, doc: "The model."),
                doc: "The model's hash, input and preprocessing."),
            Property(
                "headModel", .map(of: .any, keys: .any, doc: "The head."), doc: "The head's hash and first input."),
        ])

    private let settings: ocv_tracker_options
    private let endsOnLoss: Bool
    private let siamese: SiameseModel?

    public var details: [JSONMember] { siamese?.details ?? [] }
    public let files: [String]

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let level = options[Self.level] == .fast ? OCV_TRACKER_FAST : OCV_TRACKER_ACCURATE
        var settings = ocv_tracker_default_options(Int32(level))
        settings.minimumConfidence = options[Self.minimumConfidence]
        settings.patience = Int32(options[Self.patience])
        endsOnLoss = options[Self.onLoss] == .end
        settings.redetect = endsOnLoss ? 0 : 1
        self.settings = settings
        siamese = try Self.siamese(options)
        files = try ModelFile.data(of: [Self.model, Self.headModel].compactMap { options[$0].map(options.resolve) })
        if siamese != nil, options.isGiven(Self.level) {
            throw StageOptionError(option: "level", "“level” and “model” together; expected one of them")
        }
    }

    private static func siamese(_ options: StageOptions) throws -> SiameseModel? {
        let (backbone, head) = (options[model], options[headModel])
        guard let backbone else {
            guard head == nil else {
                throw StageOptionError(option: "headModel", "“headModel” without “model”; expected both")
            }
            return nil
        }
        guard let head else {
            throw StageOptionError(option: "model", "“model” without “headModel”; expected both")
        }
        for (option, file) in [("model", backbone), ("headModel", head)] where !Files.isRegular(options.resolve(file)) {
            throw StageOptionError(option: option, "no file “\(file)”; expected an ONNX model")
        }
        do {
            return try SiameseModel(backbone: options.resolve(backbone), head: options.resolve(head))
        } catch let misfit as SiameseModel.Misfit {
            throw StageOptionError(
                option: misfit.isHead ? "headModel" : "model",
                "“\(misfit.isHead ? head : backbone)” can't be used: \(misfit.reason)")
        }
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        let (settings, siamese) = (settings, siamese)
        return TrackStage(context: context, endsOnLoss: endsOnLoss) { try ShimTracker(settings, model: siamese) }
    }
}

/// Keeps one tracker for each region.
///
/// `@unchecked Sendable`: all state is touched by `prepare`, `update` and `carry` alone, which never run at once.
final class TrackStage: Stage, @unchecked Sendable {
    /// What says where a region's object is.
    private enum Guide {
        case tracker(any ObjectTracker)
        /// It has been followed from both sides already.
        case known(FilledSpan)
    }

    private struct Followed {
        let seed: Seed
        var script: RegionScript
        var spans: [Int: FilledSpan] = [:]
        /// Its number, from its first place on.
        var track: Int?
        /// nil while nothing is to be said of it: before it begins, and where it is absent or has ended.
        var guide: Guide?
    }

    private let id: String
    private let endsOnLoss: Bool
    private let threads: Int
    private let makeTracker: @Sendable () throws -> any ObjectTracker
    private var regions: [Followed]
    private var tracks = 0

    init(context: StageContext, endsOnLoss: Bool, makeTracker: @escaping @Sendable () throws -> any ObjectTracker) {
        id = context.id
        threads = context.threads
        self.endsOnLoss = endsOnLoss
        self.makeTracker = makeTracker
        regions = context.seeds.map { Followed(seed: $0, script: RegionScript($0)) }
    }

    func prepare(_ footage: Footage) throws {
        let filled = regions.indices.filter { regions[$0].seed.fill == .both }
        guard !filled.isEmpty else { return }
        let filler = TrackFiller(
            stage: id, seeds: filled.map { regions[$0].seed }, threads: threads, makeTracker: makeTracker)
        for (index, spans) in zip(filled, try filler.fill(footage)) { regions[index].spans = spans }
    }

    var notes: [String] {
        regions.filter { $0.script.passedOver > 0 }.map { region in
            let count = region.script.passedOver
            return
                "\(count) keyframe\(count == 1 ? "" : "s") of the region “\(region.seed.id)” got no frame: the next one begins on "
                + "the same"
        }
    }

    func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        var found = try regions.indices.map { try turn($0, input.frame) }
        var followed: [(region: Int, tracker: any ObjectTracker)] = []
        for index in regions.indices where found[index] == nil {
            switch regions[index].guide {
            case .tracker(let tracker)?: followed.append((index, tracker))
            case .known(let span)?:
                guard let object = span.objects[input.frame.ordinal] else { throw OtherFrames() }
                found[index] = observation(index, object)
            case nil: break
            }
        }
        // Objects know nothing of each other: they are looked for at once.
        let trackers = followed.map(\.tracker)
        let objects = try parallelMap(trackers.count, threads: threads) { try trackers[$0].update(input.frame) }
        for (entry, object) in zip(followed, objects) {
            if object.state == .lost, endsOnLoss {
                regions[entry.region].guide = nil
                found[entry.region] = observation(entry.region, .ended)
            } else {
                found[entry.region] = observation(entry.region, object)
            }
        }
        return found.compactMap { $0 }
    }

    /// What the manifest says holds on its own frames, also where the rate leaves those out.
    func carry(_ last: [Observation], _ input: StageInput) throws -> [Observation] {
        try regions.indices.compactMap { index in
            if let change = try turn(index, input.frame) { return change }
            guard regions[index].guide != nil,
                let observation = last.first(where: { $0.region == regions[index].seed.id })
            else { return nil }
            return observation.held
        }
    }

    /// What the manifest says of a region on this frame; nil where it goes on as before.
    private func turn(_ index: Int, _ frame: VideoFrame) throws -> Observation? {
        guard !regions[index].script.isOver, let turn = regions[index].script.turn(at: frame) else { return nil }
        guard let box = turn.box else {
            // A track that has ended already, or never began, says nothing more.
            guard regions[index].guide != nil else { return nil }
            regions[index].guide = nil
            return observation(index, .ended)
        }
        if let span = regions[index].spans[frame.ordinal] {
            regions[index].guide = .known(span)
        } else {
            let tracker = try makeTracker()
            try tracker.seed(frame, box: box)
            regions[index].guide = .tracker(tracker)
        }
        if regions[index].track == nil {
            tracks += 1
            regions[index].track = tracks
        }
        return observation(index, .seeded, box: box, confidence: 1)
    }

    private func observation(_ index: Int, _ object: TrackedObject) -> Observation {
        observation(index, object.state, box: object.box, confidence: object.confidence)
    }

    /// A lost or ended object has no place.
    private func observation(
        _ index: Int, _ state: TrackState, box: Box? = nil, confidence: Double = 0
    ) -> Observation {
        let seed = regions[index].seed
        return Observation(
            ObjectFinding(), stage: id,
            track: regions[index].track.map { TrackReference(stage: id, number: $0) }, region: seed.id,
            label: seed.label ?? seed.id, confidence: confidence, state: state, box: state == .lost ? nil : box)
    }

    /// The video that runs isn't the one that was looked at before.
    private struct OtherFrames: Error, CustomStringConvertible {
        var description: String { "the video changed while it was read; run the job again" }
    }
}
