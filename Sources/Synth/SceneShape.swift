package import Graph

/// The shape of a scene file: what `synth` checks, what `schema scene` prints. Ranges are `SceneLimits`'.
package enum SceneShape {
    /// The shape.
    package static let shape = Shape.object(
        ObjectShape(
            doc:
                "A clip to be rendered. Lengths are metres, times seconds, rotations degrees; camera axes: x right, y down, z forward.",
            properties: [
                Property("$schema", .string(), doc: "Where an editor finds this schema; not read."),
                Property("version", .constant(.integer(1)), required: true, doc: "The scene format's version: 1."),
                Property(
                    "size", .array(of: .integer(16...8192), count: 2...2), default: .numbers([1280, 720]), unit: "px",
                    doc: "[width, height], both even."),
                Property(
                    "frameRate", .array(of: .integer(1...1_000_000), count: 2...2), default: .numbers([25, 1]),
                    unit: "1/s",
                    doc: "[numerator, denominator]."),
                Property("frames", .integer(1...1_000_000), default: .integer(250), doc: "Length of the clip."),
                Property(
                    "seed", .integer(0...Int(1 << 53)), default: .integer(1),
                    doc: "What all randomness is derived from."),
                Property("colorSpace", .object(colorSpace), doc: "Of the codes."),
                Property("camera", .object(camera), doc: "A pinhole camera."),
                Property("background", .object(background), doc: "What is behind everything."),
                Property("lighting", .object(lighting), doc: "The light on everything."),
                Property("blur", .object(blur), doc: "What takes the sharpness from the picture."),
                Property("noise", .object(noise), doc: "What the sensor adds."),
                Property(
                    "objects", .array(of: .tagged(object), count: 0...200),
                    doc: "The things to be seen; the nearer covers the farther."),
            ]))

    private static let color = Shape.string(.color)
    private static let vector2 = Shape.array(of: .number(), count: 2...2)
    private static let vector3 = Shape.array(of: .number(), count: 3...3)

    private static func number(
        _ name: String, _ low: Double, _ high: Double, _ value: Double, unit: String? = nil, _ doc: String
    ) -> Property {
        Property(name, .number(Bounds(low, high)), default: .number(value), unit: unit, doc: doc)
    }

    static let colorSpace = ObjectShape(
        doc: "Of the codes.",
        properties: [
            Property("matrix", .choice(["bt601", "bt709", "bt2020"]), default: .string("bt709"), doc: "The matrix."),
            Property("fullRange", .boolean, default: .bool(false), doc: "Codes 0 to 255 instead of 16 to 235."),
        ])

    static let camera = ObjectShape(
        doc: "A pinhole camera: focalLength or fieldOfView.",
        properties: [
            Property("focalLength", .number(Bounds(1, 100_000)), unit: "px", doc: "The focal length."),
            Property("fieldOfView", .number(Bounds(1, 170)), unit: "°", doc: "Horizontal. Default: 60."),
        ])

    static let background = ObjectShape(
        doc: "What is behind everything.",
        properties: [
            Property(
                "kind", .choice(["structured", "plain", "gradient", "checker", "image"]),
                default: .string("structured"),
                doc: "structured is a worn desk."),
            Property("image", .string(.path), doc: "A picture file, for the kind image."),
            Property("color", color, doc: "The main colour."),
            Property("accent", color, doc: "The other colour."),
            number("scale", 0.005, 2, 0.25, unit: "of the height", "Size of planks and squares."),
            number("contrast", 0, 1, 0.6, "How strong the structure is."),
            Property(
                "pan", vector2, default: .numbers([0, 0]), unit: "px/s", doc: "How fast it moves right and down."),
        ])

    static let lighting = ObjectShape(
        doc: "The light on everything.",
        properties: [
            number("gain", 0, 4, 1, "A constant factor."),
            number("amplitude", 0, 1, 0, "How far it swings about the gain."),
            number("period", 1e-4, 1e6, 4, unit: "s", "Of one swing."),
            number("vignette", 0, 1, 0, "How much darker the corners are."),
            Property(
                "gradient", vector2, default: .numbers([0, 0]), doc: "Change to the right and bottom edges, −1 to 1."),
            Property(
                "shadow",
                .object(
                    ObjectShape(
                        doc: "What things throw on what is behind them.",
                        properties: [
                            number("strength", 0, 1, 0.4, "How much light it takes."),
                            number("offset", 0, 1, 0.006, unit: "m", "How far it is shifted."),
                            number("softness", 1e-4, 1, 0.01, unit: "m", "Half the width of its edge."),
                        ])), doc: "What things throw on what is behind them."),
        ])

    static let blur = ObjectShape(
        doc: "What takes the sharpness from the picture.",
        properties: [
            number("gaussian", 0, 10, 0, unit: "px", "Standard deviation of the defocus."),
            number("shutter", 0, 1, 0, "Share of a frame's time for which the shutter is open: motion blur."),
        ])

    static let noise = ObjectShape(
        doc: "What the sensor adds.",
        properties: [
            number("luma", 0, 50, 0, unit: "codes", "Standard deviation."),
            number("chroma", 0, 50, 0, unit: "codes", "Standard deviation."),
        ])

    static let texture = ObjectShape(
        doc: "Two colours and how they are laid out.",
        properties: [
            Property(
                "pattern", .choice(["plain", "stripes", "checks", "dots", "noise", "shape", "image"]),
                doc: "The pattern."),
            Property("shape", .choice(ShapeKind.allCases.map(\.rawValue)), doc: "For the pattern shape."),
            Property("image", .string(.path), doc: "A picture file, for the pattern image."),
            Property("color", color, doc: "The main colour."),
            Property("accent", color, doc: "The other colour."),
            Property("scale", .number(Bounds(0.01, 1)), unit: "of the larger side", doc: "Size of the elements."),
        ])

    static let placement = [
        Property(
            "position", vector3, default: .numbers([0, 0, 1]), unit: "m", doc: "Of the middle; not with keyframes."),
        Property(
            "rotation", vector3, default: .numbers([0, 0, 0]), unit: "°",
            doc: "About x, then y, then z; not with keyframes."),
    ]

    static let motion =
        placement + [
            Property(
                "keyframes",
                .array(
                    of: .object(
                        ObjectShape(
                            doc: "A place at a time.",
                            properties: [number("time", 0, 1e6, 0, unit: "s", "Rises from one to the next.")]
                                + placement)),
                    count: 1...10_000), doc: "A path instead of one place."),
            Property(
                "interpolation", .choice(["smooth", "linear"]), default: .string("smooth"), doc: "Between keyframes."),
            Property(
                "orbit",
                .object(
                    ObjectShape(
                        doc: "A circle about the path.",
                        properties: [
                            number("radius", 0, 1000, 0.1, unit: "m", "Of the circle."),
                            number(
                                "period", -1e6, 1e6, 4, unit: "s", "Of one turn, not 0; negative turns the other way."),
                            number("phase", -1, 1, 0, unit: "turns", "Where it starts."),
                            Property(
                                "plane", .choice(["xy", "xz", "yz"]), default: .string("xy"), doc: "Of the circle."),
                        ])), doc: "A circle about the path."),
            Property(
                "sway",
                .object(
                    ObjectShape(
                        doc: "A swing about the path.",
                        properties: [
                            Property("position", vector3, default: .numbers([0, 0, 0]), unit: "m", doc: "How far."),
                            Property("rotation", vector3, default: .numbers([0, 0, 0]), unit: "°", doc: "How far."),
                            number("period", 1e-4, 1e6, 4, unit: "s", "Of one swing."),
                            number("phase", -1, 1, 0, unit: "swings", "Where it starts."),
                        ])), doc: "A swing about the path."),
        ]

    static let object = TaggedShape(
        tag: "kind", noun: "kind of thing",
        common: ObjectShape(
            doc: "A flat thing.",
            properties: [
                Property("kind", .string(), required: true, doc: "marker, picture, object or occluder."),
                Property("name", .string(), doc: "The truth's region."),
                Property("label", .string(), doc: "The truth's label."),
                number("from", 0, 1e6, 0, unit: "s", "When it appears."),
                Property("to", .number(Bounds(0)), unit: "s", doc: "When it is gone."),
                Property("shadow", .boolean, default: .bool(true), doc: "Whether it throws one."),
            ] + motion),
        variants: [
            .init(
                name: "marker", doc: "A fiducial marker on a white card.",
                properties: [
                    Property("dictionary", .string(), required: true, doc: "As the markers stage names it."),
                    Property("id", .integer(0...1_000_000), required: true, doc: "The marker's id."),
                    number("size", 1e-4, 100, 0.1, unit: "m", "Side of the black square."),
                    number("quietZone", 0, 20, 1.5, unit: "modules", "The white margin."),
                ]),
            .init(
                name: "picture", doc: "A framed picture.",
                properties: [
                    number("width", 1e-4, 100, 0.3, unit: "m", "Outer width."),
                    number("height", 1e-4, 100, 0.2, unit: "m", "Outer height."),
                    number("frame", 0, 50, 0.012, unit: "m", "The frame's width."),
                    number("mat", 0, 50, 0.02, unit: "m", "The mat's width."),
                    Property("frameColor", color, doc: "The frame's colour."),
                    Property("matColor", color, doc: "The mat's colour."),
                    Property("texture", .object(texture), doc: "What is inside."),
                ]),
            .init(
                name: "object", doc: "A coloured thing of a simple shape.",
                properties: [
                    Property(
                        "shape", .choice(ShapeKind.allCases.map(\.rawValue)), required: true, doc: "Its outline."),
                    number("size", 1e-4, 100, 0.15, unit: "m", "Its width."),
                    Property("texture", .object(texture), doc: "Its colours."),
                ]),
            .init(
                name: "occluder", doc: "A bar that hides what is behind it; not in the truth.",
                properties: [
                    number("width", 1e-4, 100, 0.1, unit: "m", "Its width."),
                    number("height", 1e-4, 100, 0.5, unit: "m", "Its height."),
                    Property("texture", .object(texture), doc: "Its colours."),
                ]),
        ])
}
