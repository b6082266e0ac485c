internal import CVision

/// `labels`: writes texts beside the job's points, and keeps them there.
public struct LabelsBlueprint: StageBlueprint {
    /// The options of `labels`: how far around a point its surface is looked at, and how long it may go unseen.
    public struct Options: Record {
        var radius = 0.08
        var patience = 2

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "radius", \.radius, .number(Bounds(0.01, 0.5)), .optional, unit: "of the picture's smaller dimension",
                doc:
                    "How far around a point its surface is looked at; up to seven times as far where there is little to see."
            ),
            Field(
                "patience", \.patience, .integer(0...100), .optional, unit: "frames",
                doc: "Frames in a row in which a point may go unseen before it is hidden."),
        ]
    }

    public static let contract = StageContract(
        type: "labels",
        summary:
            "Writes a text beside each of the job's points and keeps it on the physical point as the camera moves.",
        consumes: [.frame, .labels], produces: [.tracks], keepsState: true, takes: [TappedPoint.self],
        emits: [AnnotationFinding.self],
        options: Options.self)

    private let options: Options
    private let takesNames: Bool

    public init(_ options: Options, _ context: OptionContext) {
        _ = openCVIsInitialized
        self.options = options
        takesNames = context.hasInputs
    }

    /// The labels of the job's points; nil where a classifier's names may stand for them, which nobody knows before.
    public var labels: LabelSources? { takesNames ? nil : LabelSources(ofGiven: true) }

    public func makeStage(_ context: StageContext) -> Stage {
        Stage(PointDetector(points: context[TappedPoint.self]), PointTracker(options, context))
    }
}

extension ocv_anchor_options {
    /// Smallest radius, pixels: what holds some patches.
    private static let smallestRadius = 40.0
    /// Time between two looks at the whole picture for a lost point, seconds.
    private static let searchInterval = 0.1

    /// - Parameters:
    ///   - width: Of the picture, pixels.
    ///   - height: The same.
    init(_ options: LabelsBlueprint.Options = .init(), width: Int, height: Int) {
        self.init(
            radius: max(options.radius * Double(min(width, height)), Self.smallestRadius),
            patience: Int32(options.patience), searchInterval: Self.searchInterval)
    }
}

/// Looks at a frame as anchors need it, which takes no knowledge of them, and only while a point lasts.
private struct PointDetector: Detector {
    let points: [PointSeed]

    func detect(_ input: StageInput) throws {
        let frame = input.frame
        guard points.contains(where: { $0.start.isReached(by: frame) && $0.end?.isReached(by: frame) != true }) else {
            return
        }
        _ = try frame.product(AnchorFrame.self)
    }
}

/// Keeps one anchor for each point.
struct PointTracker: Tracker {
    private enum Progress {
        case waiting
        case anchored(PointAnchor, track: Int)
        case ended
    }

    private struct Entry {
        var seed: PointSeed
        var text: String?
        var progress = Progress.waiting
        /// Place where it was last seen, pixels.
        var last: Point
        /// Time at which it began, seconds; nil until then.
        var since: Double?
    }

    /// Time after its beginning for which a point may still get its text, seconds: classifiers may run now and then
    /// only, and regions be found late.
    private static let textDelay = 1.0

    private let id: String
    private let threads: Int
    private let settings: ocv_anchor_options
    private var entries: [Entry]
    private var tracks = 0

    init(_ options: LabelsBlueprint.Options, _ context: StageContext) {
        id = context.id
        threads = context.threads
        settings = ocv_anchor_options(options, width: context.width, height: context.height)
        entries = context[TappedPoint.self].map { Entry(seed: $0, text: $0.text, last: $0.point) }
    }

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
        let changes = try entries.indices.map { try startOrEnd($0, input) }
        let followed: [(entry: Int, anchor: PointAnchor, track: Int)] = entries.indices.compactMap { index in
            guard changes[index] == nil, case .anchored(let anchor, let track) = entries[index].progress else {
                return nil
            }
            return (index, anchor, track)
        }
        // Points know nothing of each other: they are looked for at once.
        let anchors = followed.map(\.anchor)
        guard !anchors.isEmpty else { return changes.compactMap(\.self) }
        let frame = try input.frame.product(AnchorFrame.self)
        let seconds = input.frame.seconds
        let places = try parallelMap(anchors.count, threads: threads) { try anchors[$0].update(frame, at: seconds) }
        var found = changes
        for (item, place) in zip(followed, places) {
            // What is there while the point is covered is what covers it.
            if let point = place.point {
                entries[item.entry].last = point
                read(item.entry, input)
            }
            found[item.entry] = observation(
                item.entry, item.track, place.state, at: place.point, confidence: place.confidence)
        }
        return found.compactMap(\.self)
    }

    /// Points begin and end on their own frames, also where the rate leaves those out; texts come when they are known.
    mutating func carry(_ last: [Observation], _ input: StageInput) throws -> [Observation] {
        try entries.indices.compactMap { index in
            if let change = try startOrEnd(index, input) { return change }
            guard case .anchored = entries[index].progress,
                var held = last.first(where: { $0.region == entries[index].seed.id })
            else { return nil }
            if held.isInSight { read(index, input) }
            held.label = entries[index].text ?? entries[index].seed.id
            return held.held
        }
    }

    private mutating func startOrEnd(_ index: Int, _ input: StageInput) throws -> Observation? {
        let seed = entries[index].seed
        let isOver = seed.end?.isReached(by: input.frame) ?? false
        switch entries[index].progress {
        case .waiting where isOver:
            entries[index].progress = .ended
        case .waiting where seed.start.isReached(by: input.frame):
            let anchor = try PointAnchor(input.frame.product(AnchorFrame.self), seed.point, settings)
            tracks += 1
            entries[index].since = input.frame.seconds
            entries[index].progress = .anchored(anchor, track: tracks)
            read(index, input)
            return anchor.isHeld
                ? observation(index, tracks, .seeded, at: seed.point, confidence: 1)
                : observation(index, tracks, .lost)
        case .anchored(_, let track) where isOver:
            entries[index].progress = .ended
            return observation(index, track, .ended)
        default: break
        }
        return nil
    }

    /// Takes the text from the classifier, once: what it says of the smallest region that holds the point, or else of the
    /// whole frame.
    private mutating func read(_ index: Int, _ input: StageInput) {
        guard entries[index].text == nil, let since = entries[index].since,
            input.frame.seconds <= since + Self.textDelay
        else { return }
        let place = entries[index].last
        let candidates = input.results.joined().compactMap { result in
            result.observation.finding(as: ClassificationFinding.self)?.labels.first.map {
                (name: $0.label, corners: result.attachment(as: ClassifiedRegion.self)?.corners)
            }
        }
        let around = candidates.filter { $0.corners.map { place.isInside($0) } ?? false }
        let best =
            around.min { (Box(around: $0.corners ?? [])?.area ?? 0) < (Box(around: $1.corners ?? [])?.area ?? 0) }
            ?? candidates.first { $0.corners == nil }
        entries[index].text = best?.name
    }

    private func observation(
        _ index: Int, _ track: Int, _ state: TrackState, at point: Point? = nil, confidence: Double = 0
    ) -> Observation {
        Observation(
            AnnotationFinding(point: point), stage: id, track: TrackReference(stage: id, number: track),
            region: entries[index].seed.id, label: entries[index].text ?? entries[index].seed.id,
            confidence: confidence, state: state)
    }
}

extension Point {
    /// Whether it lies inside a convex polygon, whichever way round that runs.
    fileprivate func isInside(_ polygon: [Point]) -> Bool {
        let sides = polygon.indices.map { index in
            (polygon[(index + 1) % polygon.count] - polygon[index]).cross(self - polygon[index])
        }
        return !sides.isEmpty && (sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 })
    }
}
