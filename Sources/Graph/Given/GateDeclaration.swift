/// Members that a line and a zone of a manifest have in common.
struct GateUnitsDeclaration: Record {
    var units = SeedDeclaration.Units.pixels
    var size: SIMD2<Double>?

    static let fields: [Field<GateUnitsDeclaration>] = [
        Field("units", \.units, Format<SeedDeclaration.Units>.choice(), .optional, doc: "Of the coordinates."),
        Field(
            "of", \.size, .pictureSize, unit: "px",
            doc: "[width, height] of the pictures that pixels were counted in: pictures of another size are refused."),
    ]
}

/// One of a job's `lines`, as the manifest has it.
struct LineDeclaration: Record {
    var id = ""
    var from = Point(0, 0)
    var to = Point(0, 0)
    var units = GateUnitsDeclaration()

    static let fields: [Field<LineDeclaration>] =
        [
            Field("id", \.id, .text(), doc: "The line's name, unique in its job."),
            Field("from", \.from, .point, doc: "[x, y] of the arrow's beginning."),
            Field(
                "to", \.to, .point,
                doc: "[x, y] of its end. What crosses from the left of the arrow to its right goes forward."),
        ] + GateUnitsDeclaration.fields.map { $0.lifted(to: \.units) }

    static let shape = shape(doc: "A line that things cross: an arrow from one point to another.", name: "line")
}

/// One of a job's `zones`, as the manifest has it.
struct ZoneDeclaration: Record {
    var id = ""
    var polygon: [Point] = []
    var units = GateUnitsDeclaration()

    static let fields: [Field<ZoneDeclaration>] =
        [
            Field("id", \.id, .text(), doc: "The zone's name, unique in its job."),
            Field(
                "polygon", \.polygon, .list(.point, count: 3...64),
                doc: "Its corners [x, y]; inside is what is enclosed an odd number of times."),
        ] + GateUnitsDeclaration.fields.map { $0.lifted(to: \.units) }

    static let shape = shape(doc: "A part of the picture that things enter and leave.", name: "zone")
}

extension Format where Value == SIMD2<Double> {
    /// [width, height] in whole pixels.
    fileprivate static var pictureSize: Format {
        Format(
            .array(of: .integer(1...1_000_000), count: 2...2),
            write: { $1.value(JSONValue.numbers([$0.x, $0.y])) },
            read: { node in
                let sides = node.elements?.compactMap(\.integer) ?? []
                return sides.count == 2 ? [Double(sides[0]), Double(sides[1])] : nil
            })
    }
}
