extension DrawStyle: Record {
    package static let shape = shape(
        doc: "A style of drawing. Sizes are for a picture of 1080 lines and scale with the picture.", name: "draw")

    /// A size in space, metres.
    private static let size = Format.number(Bounds(0.0001, 1000))

    public static let fields: [Field<DrawStyle>] = [
        Field(
            "outline", \.outline, .flag, .optional, tellsDefault: false,
            doc: "The box or polygon; not under an image or a cover where nothing is said."),
        Field(
            "label", \.label, .flag, .optional, tellsDefault: false,
            doc: "A name beside it; not with a cover where nothing is said."),
        Field(
            "confidence", \.confidence, .flag, .optional, tellsDefault: false,
            doc: "The confidence in the label."),
        Field(
            "track", \.track, .flag, .optional, tellsDefault: false,
            doc: "The track's number in the label."),
        Field(
            "trail", \.trail, .number(Bounds(0, 60)), .optional, tellsDefault: false, unit: "s",
            doc: "How long the path of the centre stays visible."),
        Field(
            "thickness", \.thickness, .number(Bounds(0.5, 50)), unit: "px", doc: "Of the outline. Default: 2."),
        Field(
            "color", \.color, .color, doc: "One colour for all; by track where there is none."),
        Field("fontSize", \.fontSize, .number(Bounds(6, 200)), unit: "px", doc: "Of the labels. Default: 24."),
        Field("opacity", \.opacity, .number(Bounds(0, 1)), .optional, doc: "Of everything."),
        Field(
            "firstCorner", \.firstCorner, .flag, .optional, tellsDefault: false,
            doc: "A dot on the first corner, a marker's own top left."),
        Field(
            "axes", \.axes, .flag, .optional,
            doc:
                "The axes of what has a pose, from its middle: x red, y green, z blue; each 0.75 of its shorter side long, z "
                + "1.5 of it, half a side out of the cube's top, where there is a cube."),
        Field(
            "cube", .cube, .optional, default: .bool(false),
            doc: "A cube that stands on what has a pose; true is wire.",
            get: { $0.cube }, set: { $1.cube = $0 }),
        Field(
            "image", \.imageFile, .text(.path),
            doc:
                "A picture file that is laid on the polygon, or into the plane of what has a pose. Then outline and first "
                + "corner are drawn only where they are asked for."),
        Field(
            "imageSize", \.imageSize, .imageSize, unit: "m",
            doc:
                "The picture's, about the middle of what has a pose; a width alone keeps the picture's proportions. As "
                + "large as the marker or board when left out."),
        Field(
            "imageScale", \.imageScale, .number(Bounds(0.01, 100)), .optional,
            doc: "By how much the picture is larger than what it is laid on."),
        Field(
            "model", \.modelFile, .text(.path),
            doc: "A Wavefront OBJ file whose faces stand on what has a pose, in the colours (Kd) of their materials."),
        Field(
            "modelSize", \.modelSize, size, unit: "m",
            doc: "The longest of the model's three extents. The marker's or board's shorter side when left out."),
        Field(
            "modelUp", \.modelUp, Format<ModelUp>.choice(), .optional, doc: "The file's axis that is up."),
        Field(
            "smoothing", \.smoothing, .number(Bounds(0, 10)), .optional, unit: "s",
            doc:
                "Time constant by which the pose that is drawn is steadied, shorter the faster the thing moves; the one "
                + "reported stays as measured."),
        Field(
            "landmarks", \.landmarks, .flag, .optional, tellsDefault: false,
            doc: "Features, those of a face say, in yellow."),
        Field(
            "mask", \.mask, .flag, .optional, tellsDefault: false,
            doc: "The pixels of its mask, filled. Default: true, but false under an image or a cover."),
        Field("maskOpacity", \.maskOpacity, .number(Bounds(0, 1)), .optional, doc: "Of a mask's pixels."),
        Field(
            "joints", \.joints, .flag, .optional, tellsDefault: false,
            doc: "Its joints, in yellow, and the bones between them. Default: true, but false with a cover."),
        Field(
            "jointConfidence", \.jointConfidence, .number(Bounds(0, 1)), .optional,
            doc: "Joints that are less sure, and their bones, aren't drawn."),
        Field(
            "cover", .cover, .optional, default: .bool(false),
            doc:
                "Takes the pixels of the region's box, grown by a fifth, away for good. Then nothing else is drawn but what "
                + "is asked for. true is “fill” for text and codes, “blur” for the rest.",
            get: { $0.cover }, set: { $1.cover = $0 }),
        Field(
            "coverColor", \.coverColor, .color,
            doc: "Of “fill”. The mean colour of what is around, where there is none."),
        Field(
            "coverShape", \.coverShape, Format<CoverShape>.choice(), .optional,
            doc:
                "What is covered: the region's box, or the pixels of its mask, a tenth of its size around them as well. A "
                + "region without a mask is covered by its box."),
        Field(
            "coverGap", \.coverGap, .number(Bounds(0, 10)), .optional, unit: "s",
            doc:
                "How long a region is covered before its first and after its last sight, and which gaps between are "
                + "bridged."),
        Field(
            "check", \.check, Format<CoverCheck>.choice(),
            doc:
                "“again”: at the job's end the stage looks into every picture of the annotated video, and what it finds that no "
                + "cover hides is told."),
    ]
}

extension Format where Value == CoverStyle? {
    fileprivate static var cover: Format {
        Format(
            .anyOf(
                [.boolean, .choice(CoverStyle.allCases.map(\.rawValue))],
                doc: "true, false, “blur”, “fill” or “pixelate”"),
            write: { cover, json in
                if let cover { json.value(cover.rawValue) } else { json.value(false) }
            },
            // Which style true stands for is the kind's to say.
            read: { node in
                if let flag = node.bool { return .some(flag ? .blur : nil) }
                return node.string.flatMap(CoverStyle.init(rawValue:)).map { .some($0) }
            })
    }
}

extension Format where Value == CubeStyle? {
    fileprivate static var cube: Format {
        Format(
            .anyOf([.boolean, .choice(CubeStyle.allCases.map(\.rawValue))], doc: "true, false, “wire” or “shaded”"),
            write: { cube, json in
                if let cube { json.value(cube.rawValue) } else { json.value(false) }
            },
            read: { node in
                if let flag = node.bool { return .some(flag ? .wire : nil) }
                return node.string.flatMap(CubeStyle.init(rawValue:)).map { .some($0) }
            })
    }
}

extension Format where Value == ImageSize {
    fileprivate static var imageSize: Format {
        let side = Shape.number(Bounds(0.0001, 1000))
        return Format(
            .anyOf([side, .array(of: side, count: 2...2)], doc: "a width or [width, height]"),
            write: { size, json in
                switch size {
                case .width(let width): json.value(width)
                case .sides(let sides): json.value(JSONValue.numbers([sides.x, sides.y]))
                }
            },
            read: { node in
                if let width = node.number { return .width(width) }
                let sides = node.elements?.compactMap(\.number) ?? []
                return sides.count == 2 ? .sides([sides[0], sides[1]]) : nil
            })
    }
}

extension Format where Value == RGB {
    /// `#rrggbb`.
    package static var color: Format {
        Format(.string(.color), write: { $1.value($0.hex) }, read: { $0.string.flatMap(RGB.init(hex:)) })
    }
}

extension RGB {
    /// A colour by its text, `#rrggbb`; nil for any other.
    public init?(hex: String) {
        // A number may have a sign; a colour has none.
        guard hex.hasPrefix("#"), hex.utf8.count == 7, hex.dropFirst().allSatisfy(\.isHexDigit),
            let value = UInt32(hex.dropFirst(), radix: 16)
        else {
            return nil
        }
        self.init(UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    }

    var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
