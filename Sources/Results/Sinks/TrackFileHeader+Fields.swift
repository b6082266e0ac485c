extension TrackFileHeader: Record {
    public static let fields: [Field<TrackFileHeader>] = [
        .constant("format", .string("annotate-tracks"), doc: "What kind of file this is."),
        .constant("version", .integer(1), doc: "The format's version."),
        Field("generator", \.generator, .text(), doc: "The program and its version."),
        Field("source", \.source, .record(doc: "The video that was read."), doc: "The video that was read."),
        Field("range", \.range, .record(doc: FrameRange.doc), doc: "The part of it that was worked on."),
        Field(
            "camera", \.camera, .camera,
            doc: "The camera in force, scaled to the picture; left out where none was named and no stage needs one."),
        Field(
            "stages", .list(.stage), .always, doc: "The stages, inputs first.", get: \.stages,
            set: { $1.stages = $0 }),
        Field(
            "cover", \.cover, .list(.record(doc: "A place.", name: "cover")), .optional,
            doc: "What the annotated video hides by hand, in its pixels: the job's own “cover”."),
        Field(
            "silent", \.isSilent, .flag, .optional,
            doc: "True where the annotated video hides something and was to have no sound (“audio”: “drop”)."),
    ]
}

extension TrackFileHeader.Source: Record {
    public static let fields: [Field<TrackFileHeader.Source>] = [
        Field("name", \.name, .text(), doc: "The file's name without its folder."),
        Field("width", \.width, .integer(1...TrackFileHeader.longestSide), unit: "px", doc: "Of the picture as shown."),
        Field(
            "height", \.height, .integer(1...TrackFileHeader.longestSide), unit: "px", doc: "Of the picture as shown."),
        Field(
            "rotation", \.rotation, .integer(0...359), unit: "°",
            doc: "Clockwise, by which stored pictures were turned."),
        Field("mirrored", \.isMirrored, .flag, .optional, doc: "True where stored pictures were mirrored as well."),
        Field(
            "fieldOrder", \.fieldOrder, Format<FieldOrder>.choice(),
            doc: "Of interlaced pictures; left out where all are progressive."),
        Field(
            "deinterlaced", \.isDeinterlaced, .flag, .optional,
            doc: "True where interlaced pictures were made whole ones."),
        Field("timeBase", \.timeBase, .ratio, unit: "s", doc: "A tick, as numerator and denominator."),
        Field("frameRate", \.frameRate, .ratio, unit: "1/s", doc: "Nominal, as numerator and denominator."),
        Field(
            "videoOffset", \.videoOffset, .integer(0...Int.max), .optional, unit: "ticks",
            doc: "Added to pts in the annotated video, which can't start before zero; left out where it is nothing."),
        Field(
            "startTime", \.startTime, .integer(Int.min...Int.max), .optional, unit: "ticks",
            doc: "Where players' clocks start: the first time of any of the file's streams; left out where it is 0."),
        Field(
            "onError", \.onError, Format<DamagePolicy>.choice(), .optional,
            doc: "What was done about damage, as the job's “onError” says."),
        Field(
            "decodedFrom", \.decodedFrom, .integer(Int.min...Int.max), unit: "ticks",
            doc:
                "The pts of the picture that decoding began with under a range; left out where it was the file's first."
        ),
        Field(
            "frames", \.frames, .integer(0...Int.mostCounted),
            doc: "Presented pictures, counted by decoding; left out under a range."),
    ]
}

extension TrackFileHeader.Stage: Record {
    public static let fields: [Field<TrackFileHeader.Stage>] = [
        Field("id", \.id, .text(.identifier), doc: "Its id in the graph."),
        Field("type", \.type, .text(), doc: "Its type."),
        Field(
            "inputs", \.inputs, .list(.text()), .optional,
            doc: "The stages whose results it took; none for the frame."),
        Field(
            "rate", \.rate, .number(Bounds(0, excludesMinimum: true)), unit: "1/s", doc: "Runs a second at the most."),
        Field(
            "complete", \.isComplete, .flag,
            doc:
                "Whether everything of its sort in a picture is among its results, as the manifest says; left out where it doesn't."
        ),
        Field(
            "options", Format<[JSONMember]>.members, .optional, doc: "Every option in force.",
            get: { $0.options.isEmpty ? nil : $0.options }, set: { $1.options = $0 }),
        Field(
            "cover", \.cover, Format<CoverStyle>.choice(),
            doc: "How the annotated video takes the pixels of what it sees away; left out where it doesn't."),
        Field("coverColor", \.coverColor, .color, doc: "What is filled with; beside “cover”."),
        Field(
            "coverGap", \.coverGap, .number(Bounds(0, 10)), unit: "s",
            doc: "How long before and after it is seen; beside “cover”."),
        Field(
            "coverShape", \.coverShape, Format<CoverShape>.choice(), .optional,
            doc: "What is taken away: the box, or the mask where there is one; beside “cover”."),
        Field(
            "drawn", \.isDrawn, .flag,
            doc:
                "Whether something of it is drawn beside covers; said where nothing is, and the annotated video hides something."
        ),
        Field(
            "skeleton", \.skeleton,
            .record(doc: "What joints are called and how they hang together.", name: "skeleton"),
            doc: "What the joints are of the things that it gives, in their order; left out where it gives none."),
    ]

    /// The shape of a stage in a header.
    /// - Parameter details: Members that stages may have beyond their options.
    static func shape(details: [Property]) -> ObjectShape {
        var shape = shape(doc: "A stage with every option in force.")
        shape.properties += details
        return shape
    }
}

extension Format where Value == TrackFileHeader.Stage {
    fileprivate static var stage: Format {
        Format(
            .object(Value.shape(details: [])),
            write: { stage, json in
                json.object { json in
                    stage.writeMembers(into: &json)
                    for member in stage.details {
                        json.key(member.key)
                        json.value(member.value.value)
                    }
                }
            },
            read: { node in
                guard let members = node.members else { return nil }
                var stage = Value(node)
                stage.details = members.filter { member in !Value.fields.contains { $0.name == member.key } }
                return stage
            })
    }
}

extension Format where Value == [JSONMember] {
    fileprivate static var members: Format {
        Format(
            .map(of: .any, keys: .any, doc: "Options by name."), write: { $1.value(JSONValue.object($0)) },
            read: \.members)
    }
}

extension Format where Value == CameraIntrinsics {
    /// The camera in force, as a header has it.
    fileprivate static var camera: Format {
        let pair = Shape.array(of: .number(), count: 2...2)
        let shape = ObjectShape(
            doc: "The camera in force, for the picture as shown.",
            properties: [
                Property(
                    "size", .array(of: .integer(1...Int.mostCounted), count: 2...2), required: true, unit: "px",
                    doc: "[width, height]."),
                Property("focalLength", pair, required: true, unit: "px", doc: "[x, y]."),
                Property("principalPoint", pair, required: true, unit: "px", doc: "[x, y]."),
                Property(
                    "distortion", .array(of: .number(), count: 4...8),
                    doc: "k1, k2, p1, p2, k3, k4, k5, k6 as OpenCV has them; left out where there is none."),
                Property(
                    "assumed", .constant(.bool(true)),
                    doc: "Nobody named a camera: a field of view of 60°, so distances are rough."),
            ])
        return Format(
            .object(shape), write: { $1.value($0.json) },
            read: { node in
                func numbers(_ key: String) -> [Double] { node[key]?.elements?.compactMap(\.number) ?? [] }
                let (size, focal, center) = (numbers("size"), numbers("focalLength"), numbers("principalPoint"))
                guard size.count == 2, focal.count == 2, center.count == 2 else { return nil }
                return CameraIntrinsics(
                    width: Int(size[0]), height: Int(size[1]), focalLength: Point(focal[0], focal[1]),
                    principalPoint: Point(center[0], center[1]), distortion: numbers("distortion"),
                    isAssumed: node["assumed"] != nil)
            })
    }
}
