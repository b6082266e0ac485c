/// The figures of one line or zone up to a frame.
public struct CountFinding: Finding {
    /// The figures of things of one label.
    public struct Figures: Record, Hashable {
        /// Crossings from the left of the line's arrow to its right; nil for a zone.
        public var forward: Int?
        /// Crossings from the right of the line's arrow to its left; nil for a zone.
        public var backward: Int?
        /// Entries into the zone, without things that began inside; nil for a line.
        public var entered: Int?
        /// Leavings of the zone, with things that were lost inside; nil for a line.
        public var left: Int?
        /// Things that are in the zone; nil for a line.
        public var present: Int?

        public init() {}

        public static let fields: [Field<Figures>] = [
            Field(
                "forward", \.forward, .integer(0...Int.mostCounted),
                doc: "Crossings from the left of the arrow to its right."),
            Field("backward", \.backward, .integer(0...Int.mostCounted), doc: "Crossings from the right to the left."),
            Field("entered", \.entered, .integer(0...Int.mostCounted), doc: "Entries; what began inside is none."),
            Field("left", \.left, .integer(0...Int.mostCounted), doc: "Leavings, those that were lost inside too."),
            Field("present", \.present, .integer(0...Int.mostCounted), doc: "Things that are in the zone."),
        ]
    }

    public static let kind = "count"
    public static let doc = "A line or a zone of the job, and what has been counted there up to the frame."
    public static let place = Place.none
    public static let style = DrawStyle { $0.confidence = false }
    public static let isThing = false

    /// The line's id; nil for a zone.
    public var line: String?
    /// The zone's id; nil for a line.
    public var zone: String?
    /// Start of the line's arrow, pixels; 0 is the picture's edge.
    public var from: Point?
    /// End of the line's arrow, pixels.
    public var to: Point?
    /// The zone's corners, pixels; nil for a line.
    public var corners: [Point]?
    /// The figures of things of all labels.
    public var figures = Figures()
    /// The figures of the things of each label.
    public var byLabel: [String: Figures] = [:]
    /// Places at which something happened in the last half second, pixels.
    public var recent: [Point] = []

    public init() {}

    /// The line's or the zone's id.
    public var subject: String? { line ?? zone }

    public static let fields: [Field<CountFinding>] =
        [
            Field("line", \.line, .text(), .without("zone"), doc: "The line's id."),
            Field("zone", \.zone, .text(), .without("line"), doc: "The zone's id."),
            Field("from", \.from, .point, unit: "px", doc: "Where the line's arrow begins."),
            Field("to", \.to, .point, unit: "px", doc: "Where it ends."),
            Field("corners", \.corners, .list(.point, count: 3...64), unit: "px", doc: "The zone's."),
        ] + Figures.fields.map { $0.lifted(to: \.figures) } + [
            Field(
                "counts", \.byLabel, .figuresByLabel, .optional, tellsDefault: false,
                doc: "The same figures of each label; left out where nothing was counted."),
            Field(
                "recent", \.recent, .list(.point), .optional, unit: "px",
                doc: "Where something happened in the last half second: marked for as long; left out where nothing did."
            ),
        ]

    /// `gate: 3 forward, 1 backward`, `crossing: 2 (5 in, 3 out)`.
    public func title(_ head: Observation) -> String? {
        if let line { return "\(line): \(figures.forward ?? 0) forward, \(figures.backward ?? 0) backward" }
        return zone.map { "\($0): \(figures.present ?? 0) (\(figures.entered ?? 0) in, \(figures.left ?? 0) out)" }
    }

    /// A line has a ring at its beginning, where its figures stand, an arrow's head at its end and a stroke to its right in its
    /// middle: who goes that way goes forward.
    public func marks(_ head: Observation, in size: PictureSize) -> [Mark] {
        let unit = Double(max(1, min(size.width, size.height)))
        // Marks are in pixel centres.
        let half = Point(0.5, 0.5)
        let rings = recent.map { Self.ring($0 - half, radius: unit * 0.02) }
        guard let from = from.map({ $0 - half }), let to = to.map({ $0 - half }), from != to else {
            return (corners.map { [.outline($0.map { $0 - half })] } ?? []) + rings
        }
        let along = (to - from) * (1 / (to - from).length)
        let (right, middle) = (Point(-along.y, along.x), (from + to) * 0.5)
        let tip = min(unit * 0.025, (to - from).length / 3)
        return [
            Self.ring(from, radius: unit * 0.006), .line(from, to),
            .line(to, to + (right - along * 1.6) * (tip / 1.9)),
            .line(to, to + (right * -1 - along * 1.6) * (tip / 1.9)),
            .line(middle, middle + right * tip),
        ] + rings
    }

    private static func ring(_ center: Point, radius: Double) -> Mark {
        // A regular polygon of twelve corners, in exact steps from one to the next.
        let (cosine, sine) = (0.8660254037844387, 0.5)
        var arm = Point(radius, 0)
        return .outline(
            (0..<12).map { _ in
                defer { arm = Point(arm.x * cosine - arm.y * sine, arm.x * sine + arm.y * cosine) }
                return center + arm
            })
    }
}

extension Format where Value == [String: CountFinding.Figures] {
    /// Figures under their label.
    static var figuresByLabel: Format {
        let shape = CountFinding.Figures.shape(doc: "The figures of one label.", name: "figures")
        return Format(
            .map(of: .object(shape), keys: .any, doc: "Figures by label."),
            write: { values, json in
                json.object { json in
                    for (label, figures) in values.sorted(by: { $0.key < $1.key }) {
                        json.key(label)
                        figures.write(into: &json)
                    }
                }
            },
            read: { node in
                node.members.map { members in
                    Dictionary(
                        members.map { ($0.key, CountFinding.Figures($0.value)) },
                        uniquingKeysWith: { first, _ in first })
                }
            })
    }
}
