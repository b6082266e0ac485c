/// An expectation: what a manifest asks of a job's results, which decides whether the job passes.
public struct Expectation: Record, Hashable {
    /// The range of a figure: at least, at most, or both.
    public struct Range: Record, Hashable {
        /// The least value that holds; nil for no bound.
        public var min: Double?
        /// The largest value that holds; nil for no bound.
        public var max: Double?

        public init() {}

        init(min: Double? = nil, max: Double? = nil) { (self.min, self.max) = (min, max) }

        public static let fields: [Field<Range>] = [
            Field("min", \.min, .number(Bounds(0)), doc: "At least."),
            Field("max", \.max, .number(Bounds(0)), doc: "At most."),
        ]

        /// In signs: `≥ 1 and ≤ 3`.
        var bounds: String {
            [min.map { "≥ \(Words.number($0))" }, max.map { "≤ \(Words.number($0))" }].compactMap(\.self)
                .joined(separator: " and ")
        }

        /// Whether a value is too large.
        func isExceeded(by value: Double) -> Bool { !holds(value) && value > (max ?? .infinity) }

        /// Whether a value lies in the range, to a millionth, as the track file has values: what is written there and
        /// here is equal.
        func holds(_ value: Double) -> Bool {
            let slack = 0.5e-6
            return value >= (min ?? -.infinity) - slack && value <= (max ?? .infinity) + slack
        }
    }

    /// Bounds of figures of a job's covers.
    public struct Covers: Record, Hashable {
        /// Moments at which something may have been missed.
        public var doubtful: Range?
        /// Things that a second look finds in the annotated video, and that no cover hides.
        public var found: Range?
        /// Frames in which something is covered.
        public var frames: Range?

        public init() {}

        public static let fields: [Field<Covers>] = figures.map { figure in
            Field(figure.name, figure.path, .record(doc: figure.doc, name: "bounds"), doc: figure.doc)
        }

        /// Names of the figures, and what they are.
        package static let figures: [(name: String, path: Member<Covers, Range?>, doc: String)] = [
            ("doubtful", \.doubtful, "Moments at which something may have been missed."),
            ("found", \.found, "What a second look finds in the annotated video that no cover hides."),
            ("frames", \.frames, "Frames in which something is covered."),
        ]
    }

    /// Id of the stage whose results are meant; empty where the covers are.
    public var stage = ""
    /// Bounds of the job's covers, instead of a stage's results.
    public var cover: Covers?
    /// Folder of accepted results that the job's own are held against, instead; nil for none.
    public var against: String?
    /// Differences from the accepted results that are forgiven; nil for none.
    public var tolerances: ToleranceSource?
    /// Number that results carry which are meant, a marker's id; nil for all.
    public var id: Int?
    /// Label of the results that are meant; nil for all.
    public var label: String?
    /// Id of the region or point from which the results come that are meant; nil for all.
    public var region: String?
    /// Id of the line whose events are meant; nil for all.
    public var line: String?
    /// Id of the zone whose events are meant; nil for all.
    public var zone: String?
    /// Direction of the `crossings` that are meant; nil for both.
    public var direction: EventFinding.Direction?
    /// How many tracks were seen; nil for nothing expected, here and below.
    public var tracks: Range?
    /// How many frames have at least one result that is measured: neither held, lost nor predicted.
    public var frames: Range?
    /// Share of the job's frames with at least one that is measured, 0…1.
    public var seen: Range?
    /// How many frames there are in which one is lost.
    public var lost: Range?
    /// The longest time without it between two frames with it, seconds.
    public var longestGap: Range?
    /// Mean confidence of those measured, 0…1.
    public var confidence: Range?
    /// The largest reprojection error of a pose that was measured, pixels.
    public var reprojectionError: Range?
    /// Noise of the place in the picture, pixels: the standard deviation of one axis, of the track for which it is largest.
    public var jitter: Range?
    /// The largest step of the place in the picture beyond what its speed lets expect, pixels.
    public var jump: Range?
    /// Noise of a pose's position, metres.
    public var positionJitter: Range?
    /// The largest step of a pose's position beyond what its speed lets expect, metres.
    public var positionJump: Range?
    /// Noise of a pose's rotation, degrees.
    public var rotationJitter: Range?
    /// The largest turn of a pose beyond what its speed lets expect, degrees.
    public var rotationJump: Range?
    /// How often the line was crossed.
    public var crossings: Range?
    /// How often the zone was entered.
    public var entered: Range?
    /// The most things that were in the zone at once.
    public var count: Range?

    public init() {}

    public static let fields: [Field<Expectation>] =
        [
            Field(
                "stage", \.stage, .text(.identifier), .optional, tellsDefault: false,
                doc: "The stage whose results are meant."),
            Field(
                "cover", \.cover, .record(doc: "What is expected of the job's covers.", name: "coverBounds"),
                doc: "Instead of a stage: figures of what the annotated video hides."),
            Field(
                "against", \.against, .text(.path),
                doc:
                    "Instead of a stage: a folder of accepted results, as accept makes it, that the job's are held against."
            ),
            Field(
                "tolerances", \.tolerances, .tolerances,
                doc:
                    "Of “against”: what may differ, a file as compare takes it, or its list in place; nothing when left out."
            ),
            Field(
                "id", \.id, .integer(0...Int.mostCounted), doc: "Only results that carry this number: a marker's id."),
            Field("label", \.label, .text(), doc: "Only results with this label."),
            Field("region", \.region, .text(), doc: "Only results that come from this region or point of the job."),
            Field("line", \.line, .text(), doc: "Only what was counted at this line of the job."),
            Field("zone", \.zone, .text(), doc: "Only what was counted in this zone of the job."),
            Field(
                "direction", \.direction, Format<EventFinding.Direction>.choice(),
                doc: "Of “crossings”: only those that go this way; both when left out."),
        ] + figures.map(\.field)

    /// One of the figures that can be expected.
    package struct Figure: Sendable {
        package var name: String
        package var path: Member<Expectation, Range?>
        /// The largest value that there is.
        package var largest: Double?
        package var isWhole = false
        var unit: String?
        var doc: String

        var field: Field<Expectation> {
            Field(name, path, .record(doc: doc, name: "bounds"), unit: unit, doc: doc)
        }
    }

    package static let figures: [Figure] = [
        Figure(name: "tracks", path: \.tracks, isWhole: true, doc: "Tracks that were seen."),
        Figure(
            name: "frames", path: \.frames, isWhole: true,
            doc: "Frames with at least one that is measured: neither held, lost nor predicted."),
        Figure(name: "seen", path: \.seen, largest: 1, doc: "The same as a share of the job's frames."),
        Figure(name: "lost", path: \.lost, isWhole: true, doc: "Frames in which one is lost."),
        Figure(
            name: "longestGap", path: \.longestGap, unit: "s",
            doc:
                "The longest time without it between two frames with it, of any one track, or of all that carry the id."
        ),
        Figure(name: "confidence", path: \.confidence, largest: 1, doc: "The mean of those measured."),
        Figure(
            name: "reprojectionError", path: \.reprojectionError, unit: "px",
            doc: "The largest reprojection error of a pose that was measured."),
        Figure(
            name: "jitter", path: \.jitter, unit: "px",
            doc:
                "How far the middle of what is tracked is off the line between its places in the frames before and behind, "
                + "1.4826 times the median over its frames and \(perAxis)"),
        Figure(
            name: "jump", path: \.jump, unit: "px",
            doc: "The largest step of the middle of what is tracked from one frame to the next \(beyondSpeed)"),
        Figure(
            name: "positionJitter", path: \.positionJitter, unit: "m",
            doc: "The same as jitter, of the position of a pose; \(perAxis)"),
        Figure(
            name: "positionJump", path: \.positionJump, unit: "m",
            doc: "The largest step of the position of a pose from one frame to the next \(beyondSpeed)"),
        Figure(
            name: "rotationJitter", path: \.rotationJitter, unit: "°",
            doc: "The same as jitter, of the rotation of a pose about its own axes; \(perAxis)"),
        Figure(
            name: "rotationJump", path: \.rotationJump, unit: "°",
            doc: "The largest turn of a pose from one frame to the next \(beyondSpeed)"),
        Figure(name: "crossings", path: \.crossings, isWhole: true, doc: "How often the line was crossed."),
        Figure(name: "entered", path: \.entered, isWhole: true, doc: "How often the zone was entered."),
        Figure(name: "count", path: \.count, isWhole: true, doc: "The most things that were in the zone at once."),
    ]

    private static let perAxis =
        "of the axis and the track for which it is largest: the standard deviation of its noise."
    private static let beyondSpeed = "that neither the speed before it nor the one behind it explains."

    /// Names of the figures of poses, which only a stage that gives poses has.
    package static let posed: Set<String> = [
        "reprojectionError", "positionJitter", "positionJump", "rotationJitter", "rotationJump",
    ]

    /// Names of the figures of places in the picture, which only a stage that tracks things there has.
    package static let placed: Set<String> = ["jitter", "jump"]

    /// Names of the figures of lines and zones, which only a stage that counts gives.
    package static let counted: Set<String> = ["crossings", "entered", "count"]

    package static let shape = shape(
        doc: "What must hold of a stage's results, in one or more figures. Where it doesn't the job is “unexpected”.",
        name: "expectation")

    /// Whether the expectation is about an observation.
    func matches(_ observation: Observation) -> Bool {
        observation.stage == stage && (id == nil || observation.finding.base.identity == id)
            && (label == nil || observation.label == label) && (region == nil || observation.region == region)
            && (line == nil && zone == nil || observation.finding(as: EventFinding.self).map(isMeant) ?? false)
    }

    /// Whether an event is at the line or zone that the expectation is about.
    func isMeant(_ event: EventFinding) -> Bool {
        (line == nil || event.line == line) && (zone == nil || event.zone == zone)
    }

    /// What the expectation is about, in words: `id 24`, `region “star”`, `“people” with label “person”`.
    var subject: String {
        let parts: [String] = [
            id.map { "id \($0)" }, region.map { "region “\($0.inOneLine)”" }, line.map { "line “\($0.inOneLine)”" },
            zone.map { "zone “\($0.inOneLine)”" }, direction?.rawValue, label.map { "label “\($0.inOneLine)”" },
        ]
        .compactMap(\.self)
        return parts.isEmpty ? "“\(stage)”" : parts.joined(separator: ", ")
    }

    /// The expectation in few words: `found, id 24: frames ≥ 100`.
    public var title: String {
        let figures = Self.figures.compactMap { figure -> String? in
            guard let range = self[keyPath: figure.path] else { return nil }
            return figure.name + " " + range.bounds
        }
        if let against { return "as accepted in \(against.inOneLine)" }
        if let cover {
            return "cover: "
                + Covers.figures.compactMap { figure in
                    cover[keyPath: figure.path].map { "\(figure.name) \($0.bounds)" }
                }.joined(separator: ", ")
        }
        return (subject == "“\(stage)”" ? stage : "\(stage), \(subject)") + ": "
            + figures.joined(separator: ", ")
    }
}

/// Whether an expectation holds.
public struct Judgement: Record, Hashable {
    /// The expectation in few words.
    public var title = ""
    /// Sentences about what doesn't hold; none where all does.
    public var complaints: [String] = []
    /// Folder of accepted results that it was held against; nil where it is about figures.
    public var against: String?
    /// How much reprojection errors, jitter and jumps are, by their names, whether or not the expectation holds; none of
    /// those that it isn't about.
    public var values: [String: Double] = [:]
    /// Number of the frame to look at first; nil for none.
    public var frame: Int?
    /// Time of that frame, seconds; nil for none.
    public var time: Double?
    /// For each of the complaints what it is about, and where that is to be seen.
    public var evidence: [Evidence] = []

    public init() {}

    /// Notes what doesn't hold.
    package mutating func complain(_ evidence: Evidence) {
        complaints.append(evidence.complaint)
        self.evidence.append(evidence)
    }

    /// Whether the expectation is met.
    public var holds: Bool { complaints.isEmpty }

    private static let valuesDoc =
        "Of reprojection errors, jitter and jumps: how much they are, whether or not that holds, in the units of the "
        + "expectation."

    public static let fields: [Field<Judgement>] = [
        Field("expects", \.title, .text(), doc: "The expectation in few words."),
        Field(
            "complaints", .list(.text()), .optional, doc: "What doesn't hold, with figures; left out where all does.",
            get: { $0.complaints.isEmpty ? nil : $0.complaints }, set: { $1.complaints = $0 }),
        Field("against", \.against, .text(), doc: "The folder of accepted results that it was held against."),
        Field(
            "values", \.values, .numbers(Bounds(0), keys: .identifier, doc: valuesDoc), .optional, tellsDefault: false,
            doc: valuesDoc),
        Field("frame", \.frame, .integer(0...Int.mostCounted), doc: "The frame to look at first."),
        Field("time", \.time, .number(decimals: 6), unit: "s", doc: "Its time."),
        Field(
            "evidence", .list(.record(doc: "One of them.", name: "evidence")), .optional,
            doc:
                "For each of the complaints the figure that it is about, and the moment at which that is worst; left out "
                + "where all holds.",
            get: { $0.evidence.isEmpty ? nil : $0.evidence }, set: { $1.evidence = $0 }),
    ]
}
