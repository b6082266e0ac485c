public import Annotate

/// `count`: what crosses the job's lines, enters and leaves its zones.
public struct CountBlueprint: StageBlueprint {
    static let anchor = StageOption<CountAnchor>(
        "anchor", .choice(), default: .bottom,
        doc:
            "The point of a thing whose way is followed: the middle of its box's lower edge, of the box, or of another edge."
    )
    static let hold = StageOption(
        "hold", .number(Bounds(0, 60)), default: 0.2, unit: "s",
        doc:
            "How long a thing has to be on each side of a line or of a zone's edge: who goes back before that hasn't crossed it."
    )
    static let bridge = StageOption(
        "bridge", .number(Bounds(0, 600)), default: 1.0, unit: "s",
        doc:
            "Gaps in which a thing isn't seen are part of its way up to this length; after a longer one it begins anew."
    )

    public static let contract: StageContract = {
        var contract = StageContract(
            type: "count",
            summary:
                "Counts what crosses the job's lines, and what enters and leaves its zones, with the moment of each.",
            consumes: [.tracks], produces: [], keepsState: true, emits: [EventFinding.self, CountFinding.self],
            options: [anchor.property, hold.property, bridge.property])
        contract.takesGates = true
        return contract
    }()

    private let anchor: CountAnchor
    private let hold: Double
    private let bridge: Double

    public init(options: StageOptions) throws {
        (anchor, hold, bridge) = (options[Self.anchor], options[Self.hold], options[Self.bridge])
    }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        CountStage(context, anchor: anchor, hold: hold, bridge: bridge)
    }
}

/// Tells of each frame what happened in it, as soon as that is certain: what crosses may come back.
///
/// `@unchecked Sendable`: what changes is touched by `update`, `carry` and what comes after them, which never run at once.
final class CountStage: Stage, @unchecked Sendable {
    private let id: String
    private let gates: [CountFinding]
    /// Of each, a zone's corners.
    private let polygons: [[Point]?]
    private let anchor: CountAnchor
    private let longest: Double
    private let mostFrames: Int
    private var counter: FlowCounter
    private var ledger: FlowLedger
    /// Frames of which nothing has been told.
    private var waiting: [(ordinal: Int, time: Double)] = []
    /// What is to be told of them, in the order in which it became certain.
    private var events: [FlowEvent] = []

    /// What pictures that wait may take, bytes.
    private static let memoryLimit = 256 << 20

    init(_ context: StageContext, anchor: CountAnchor, hold: Double, bridge: Double) {
        (id, self.anchor) = (context.id, anchor)
        gates =
            context.lines.map { line in
                var finding = CountFinding()
                (finding.line, finding.from, finding.to) = (line.id, line.from, line.to)
                return finding
            }
            + context.zones.map { zone in
                var finding = CountFinding()
                finding.zone = zone.id
                return finding
            }
        polygons = context.lines.map { _ in nil } + context.zones.map(\.polygon)
        counter = FlowCounter(
            lines: context.lines.map { DirectedLine($0.from, $0.to) }, zones: context.zones.map(\.polygon), hold: hold,
            bridge: bridge)
        ledger = FlowLedger(isZone: gates.map { $0.zone != nil })
        longest = 2 * (hold + bridge)
        mostFrames = max(8, Self.memoryLimit / max(1, context.width * context.height * 2))
    }

    var isLate: Bool { !gates.isEmpty }

    func update(_ detection: Void, _ input: StageInput) throws -> [Emission] {
        let frame = input.frame
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

    /// Counts every frame, whatever its rate.
    func carry(_ last: [Emission], _ input: StageInput) throws -> [Emission] { try update((), input) }

    func rest() throws -> [Emission] {
        events += counter.finish()
        let frames = waiting
        waiting = []
        return frames.flatMap(tell)
    }

    /// What an observation says of where its thing is; nil for what has no track.
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
                observation.isHeld && observation.isInSight ? .held : .unseen
            }
        return FlowCounter.Sighting(thing: track, name: observation.label ?? observation.kind, place: place)
    }

    /// The figures of a frame, and its events.
    private func tell(of frame: (ordinal: Int, time: Double)) -> [Emission] {
        let due = events.filter { $0.frame <= frame.ordinal }
        events.removeAll { $0.frame <= frame.ordinal }
        for event in due { ledger.add(event, at: frame.time) }
        ledger.advance(to: frame.time)
        let counts = gates.indices.map { index in
            let account = ledger.accounts[index]
            var finding = gates[index]
            (finding.figures, finding.byLabel) = (account.figures, account.byLabel)
            finding.recent = account.recent.map(\.point)
            return Observation(finding, stage: id, polygon: polygons[index])
        }
        return (counts + due.compactMap(observation)).map { Emission($0, frame: frame.ordinal) }
    }

    /// nil for what began inside: that is no event.
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
