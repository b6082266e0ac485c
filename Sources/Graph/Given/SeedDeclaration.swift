/// Members that a region and a point of a manifest have in common: when, and in which units.
struct SeedDeclaration: Record {
    enum Units: String, CaseIterable {
        case pixels, normalized
    }

    var time: Double?
    var frame: Int?
    var end: Double?
    var units = Units.pixels

    static let fields: [Field<SeedDeclaration>] = [
        Field(
            "time", .number(Bounds(0)), .optional, default: .number(0), unit: "s",
            doc: "The first frame at or after it.",
            get: \.time, set: { $1.time = $0 }),
        Field("frame", \.frame, .integer(0...Int.mostCounted), doc: "The frame's ordinal, from 0; instead of time."),
        Field(
            "end", \.end, .number(Bounds(0)), unit: "s, or frames where frame is given",
            doc: "From this moment on it is no more."),
        Field("units", \.units, Format<Units>.choice(), .optional, doc: "Of the coordinates."),
    ]

    /// The moments at which it begins and ends; what contradicts itself is noted.
    /// - Parameters:
    ///   - noun: What begins.
    ///   - node: The object that it was read from, and where that is.
    func moments(
        of noun: String, _ node: JSONNode, path: [PathComponent], log: ProblemLog
    ) -> (start: Seed.Moment, end: Seed.Moment?) {
        if time != nil, frame != nil {
            log.add(
                "“time” and “frame” together; expected one of them", at: node["frame"] ?? node,
                path: path + [.key("frame")])
        }
        let start = frame.map(Double.init) ?? time ?? 0
        if let end, end <= start {
            log.add(
                "the \(noun) ends at \(plain(end)) and starts at \(plain(start)); expected an end after the start",
                at: node["end"] ?? node, path: path + [.key("end")])
        }
        if let frame { return (.frame(frame), end.map { .frame(Int(exactly: $0.rounded(.up)) ?? .max) }) }
        return (.seconds(start), end.map { .seconds($0) })
    }
}

/// Members that a region and its keyframes have in common: where it is.
struct PlaceDeclaration: Record {
    var box: Box?
    var polygon: [Point]?
    var point: Point?

    static let fields: [Field<PlaceDeclaration>] = [
        Field("box", \.box, .box, doc: "[left, top, width, height]."),
        Field("polygon", \.polygon, .list(.point, count: 4...4), doc: "Four corners [x, y]."),
        Field(
            "point", \.point, .point,
            doc: "[x, y]: a square of a tenth of the picture's smaller dimension around it."),
    ]
}

/// One of a region's `keyframes`, as the manifest has it.
struct KeyframeDeclaration: Record {
    var time: Double?
    var frame: Int?
    var place = PlaceDeclaration()
    var isAbsent: Bool?

    static let fields: [Field<KeyframeDeclaration>] =
        [
            Field("time", \.time, .number(Bounds(0)), unit: "s", doc: "The first frame at or after it."),
            Field(
                "frame", \.frame, .integer(0...Int.mostCounted), doc: "The frame's ordinal, from 0; instead of time."),
        ] + PlaceDeclaration.fields.map { $0.lifted(to: \.place) } + [
            Field(
                "absent", \.isAbsent, .flag,
                doc: "True where it is not in the picture from then on; instead of a place.")
        ]
}

/// One of a job's `regions`, as the manifest has it.
struct RegionDeclaration: Record {
    var id = ""
    var label: String?
    var seed = SeedDeclaration()
    var place = PlaceDeclaration()
    var keyframes: [KeyframeDeclaration]?
    var fill = Seed.Fill.forward

    static let fields: [Field<RegionDeclaration>] =
        [
            Field("id", \.id, .text(), doc: "The region's name, unique in its job."),
            Field("label", \.label, .text(), doc: "What it is, for people. Default: the id."),
        ] + SeedDeclaration.fields.map { $0.lifted(to: \.seed) }
        + PlaceDeclaration.fields.map { $0.lifted(to: \.place) } + [
            Field(
                "keyframes", \.keyframes,
                .list(
                    .record(
                        doc:
                            "Where the same thing is at a later moment: one of box, polygon, point and absent, at one of time "
                            + "and frame.", name: "keyframe")),
                doc: "Later places that correct the track, under its number; in the units of the region."),
            Field(
                "fill", \.fill, Format<Seed.Fill>.choice(), .optional,
                doc: "Between two places given it is followed from the first one on, or from both until they meet."),
        ]

    static let shape = shape(
        doc: "Where something is at one moment: one of box, polygon and point, at one of time and frame.",
        name: "region")
}

/// One of a job's `points`, as the manifest has it.
struct PointDeclaration: Record {
    var id = ""
    var text: String?
    var seed = SeedDeclaration()
    var point = Point(0, 0)

    static let fields: [Field<PointDeclaration>] =
        [
            Field("id", \.id, .text(), doc: "The point's name, unique in its job."),
            Field(
                "text", \.text, .text(),
                doc: "What is written beside it. When left out: what a classifier among the stage's inputs says at "
                    + "that moment, or else the id."),
        ] + SeedDeclaration.fields.map { $0.lifted(to: \.seed) } + [
            Field("point", \.point, .point, doc: "[x, y].")
        ]

    static let shape = shape(doc: "A place that was pointed at, at one of time and frame.", name: "point")
}
