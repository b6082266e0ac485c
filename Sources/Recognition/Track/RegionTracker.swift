/// Keeps one tracker for each of the job's regions.
struct RegionTracker: Tracker {
    /// The source of an object's places.
    private enum Guide {
        case tracker(any ObjectTracker)
        /// It has been followed from both sides already.
        case known(FilledSpan)
    }

    private struct Followed {
        let seed: Seed
        var script: RegionScript
        var spans: [Int: FilledSpan] = [:]
        /// Number of its track, from its first place on; nil until then.
        var track: Int?
        /// Source of its places; nil while nothing is to be said of it: before it begins, and where it is absent or has
        /// ended.
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
        regions = context[Region.self].map { Followed(seed: $0, script: RegionScript($0)) }
    }

    mutating func prepare(_ footage: Footage) throws {
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

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Observation] {
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
    mutating func carry(_ last: [Observation], _ input: StageInput) throws -> [Observation] {
        try regions.indices.compactMap { index in
            if let change = try turn(index, input.frame) { return change }
            guard regions[index].guide != nil,
                let observation = last.first(where: { $0.region == regions[index].seed.id })
            else { return nil }
            return observation.held
        }
    }

    /// What the manifest says of a region on this frame; nil where it goes on as before.
    private mutating func turn(_ index: Int, _ frame: VideoFrame) throws -> Observation? {
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

    /// The error of a video that isn't the one that was looked at before.
    private struct OtherFrames: Error, CustomStringConvertible {
        var description: String { "the video changed while it was read; run the job again" }
    }
}
