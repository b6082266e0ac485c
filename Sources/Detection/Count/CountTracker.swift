/// Tells of each frame what happened in it, as soon as that is certain: what crosses may come back.
struct CountTracker: Tracker {
    private let id: String
    private let gates: [CountFinding]
    private let anchor: CountAnchor
    private let longest: Double
    private let mostFrames: Int
    private var counter: FlowCounter
    private var ledger: FlowLedger
    /// Frames for which no results have been given.
    private var waiting: [(ordinal: Int, time: Double)] = []
    /// Events of these frames, in the order in which they became certain.
    private var events: [FlowEvent] = []
    /// Things without a track, and whether there was any with one.
    private var (trackless, hasTracks) = (0, false)

    /// The most memory that waiting pictures take, bytes.
    private static let memoryLimit = 256 << 20

    init(_ context: StageContext, _ options: CountBlueprint.Options) {
        (id, anchor) = (context.id, options.anchor)
        let (lines, zones) = (context[Line.self], context[Zone.self])
        gates =
            lines.map { line in
                var finding = CountFinding()
                (finding.line, finding.from, finding.to) = (line.id, line.from, line.to)
                return finding
            }
            + zones.map { zone in
                var finding = CountFinding()
                (finding.zone, finding.corners) = (zone.id, zone.polygon)
                return finding
            }
        counter = FlowCounter(
            lines: lines.map { DirectedLine($0.from, $0.to) }, zones: zones.map(\.polygon),
            in: PictureSize(width: context.width, height: context.height), hold: options.hold, bridge: options.bridge)
        ledger = FlowLedger(isZone: gates.map { $0.zone != nil })
        longest = 2 * (options.hold + options.bridge)
        mostFrames = max(8, Self.memoryLimit / max(1, context.width * context.height * 2))
    }

    var isLate: Bool { !gates.isEmpty }

    mutating func update(_ detection: Void, _ input: StageInput) throws -> [Emission] {
        let frame = input.frame
        for observation in input.observations where type(of: observation.finding.base).isThing {
            if observation.track == nil { trackless += 1 } else { hasTracks = true }
        }
        waiting.append((frame.ordinal, frame.seconds))
        events += counter.add(
            input.observations.compactMap(sighting), frame: frame.ordinal, time: frame.seconds)
        var told: [Emission] = []
        while let first = waiting.first {
            let isOpen = counter.openFrame.map { $0 <= first.ordinal } ?? false
            let mayWait = waiting.count <= mostFrames && frame.seconds - first.time <= longest
            if isOpen, mayWait { break }
            told += tell(of: waiting.removeFirst())
        }
        return told
    }

    /// Results of a frame: every frame is counted, whatever the stage's rate.
    mutating func carry(_ last: [Emission], _ input: StageInput) throws -> [Emission] { try update((), input) }

    mutating func rest() throws -> [Emission] {
        events += counter.finish()
        let frames = waiting
        waiting = []
        return frames.flatMap { tell(of: $0) }
    }

    var notes: [String] {
        guard trackless > 0, !hasTracks else { return [] }
        return [
            "“\(id)” counted nothing: none of \(trackless == 1 ? "1 thing" : "\(trackless) things") in its input has a track; "
                + "expected a “follow” between them, or a file with ids"
        ]
    }

    /// The sighting of an observation; nil for what has no track.
    private func sighting(_ observation: Observation) -> FlowCounter.Sighting? {
        guard let track = observation.track else { return nil }
        let place: FlowCounter.Sighting.Place =
            if observation.state == .ended {
                .ended
            } else if observation.isMeasured,
                let box = observation.box ?? observation.polygon.flatMap(Box.init(around:))
            {
                .seen(anchor.point(of: box))
            } else {
                // Where nobody looked, nothing is missed.
                observation.isHeld ? .held : .unseen
            }
        return FlowCounter.Sighting(thing: track, name: observation.label ?? observation.kind, place: place)
    }

    /// The figures of a frame, and its events.
    private mutating func tell(of frame: (ordinal: Int, time: Double)) -> [Emission] {
        let due = events.filter { $0.frame <= frame.ordinal }
        events.removeAll { $0.frame <= frame.ordinal }
        for event in due { ledger.add(event, at: frame.time) }
        ledger.advance(to: frame.time)
        let counts = gates.indices.map { index in
            let account = ledger.accounts[index]
            var finding = gates[index]
            (finding.figures, finding.byLabel) = (account.figures, account.byLabel)
            finding.recent = account.recent.map(\.point)
            return Observation(finding, stage: id)
        }
        return (counts + due.compactMap(observation)).map { Emission($0, frame: frame.ordinal) }
    }

    /// The observation of an event; nil for what began inside: that is no event.
    private func observation(_ event: FlowEvent) -> Observation? {
        var finding = EventFinding()
        (finding.line, finding.zone) = (gates[event.gate].line, gates[event.gate].zone)
        (finding.time, finding.frame, finding.point) = (event.time, event.frame, event.point)
        switch event.kind {
        case .began: return nil
        case .crossed(let isForward):
            finding.event = .crossed
            finding.direction = isForward ? .forward : .backward
        case .entered: finding.event = .entered
        case .left(let dwell, let isLost):
            finding.event = .left
            (finding.dwell, finding.isLost) = (max(0, dwell), isLost)
        }
        return Observation(finding, stage: id, about: event.thing, label: event.name)
    }
}
