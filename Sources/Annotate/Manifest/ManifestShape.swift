/// The manifest's shape, made from the catalogue: what `validate` checks, what `schema manifest` prints.
public enum ManifestShape {
    public static func shape(catalog: StageCatalog) -> Shape {
        let graph = Shape.object(graph(catalog: catalog))
        return .object(
            ObjectShape(
                doc: "What to run on which videos.",
                properties: [
                    Property("$schema", .string(), doc: "Where an editor finds this schema; not read."),
                    Property(
                        "version", .constant(.integer(1)), required: true, doc: "The manifest format's version: 1."),
                    Property(
                        "output", .object(output), doc: "Where results go."),
                    Property(
                        "graphs", .map(of: graph, keys: .identifier, doc: "Stage graphs by name."),
                        doc: "Stage graphs by name."),
                    Property(
                        "jobs", .array(of: .object(job(graph: graph)), count: 1...Int.max), required: true,
                        doc: "One entry a video, or a glob for many."),
                ]))
    }

    static let output = ObjectShape(
        doc: "Where results go.",
        properties: [
            Property(
                "directory", .string(.path), default: .string("out"),
                doc: "Folder for the results, relative to the manifest; made when absent.")
        ])

    static func graph(catalog: StageCatalog) -> ObjectShape {
        ObjectShape(
            doc: "A directed acyclic graph of stages.",
            properties: [
                Property(
                    "stages", .array(of: .tagged(stage(catalog: catalog))), required: true,
                    doc: "The stages, in any order; none makes a plain transcode.")
            ])
    }

    static func stage(catalog: StageCatalog) -> TaggedShape {
        TaggedShape(
            tag: "type", noun: "stage type",
            common: ObjectShape(doc: "One stage of a graph.", properties: commonStageProperties),
            variants: catalog.contracts.map { .init(name: $0.type, doc: $0.summary, properties: $0.options) })
    }

    /// What every stage has.
    public static let commonStageProperties = [
        Property("id", .string(.identifier), required: true, doc: "The stage's name, unique in its graph."),
        Property("type", .string(), required: true, doc: "The stage type."),
        Property(
            "inputs", .array(of: .string()), default: .array([JSONNode(.string("frame"))]),
            doc: "Ids of the stages whose results it takes, or “frame”."),
        Property(
            "rate", .number(Bounds(0, 1000, excludesMinimum: true)), unit: "1/s",
            doc: "Runs at most so many times a second of video; between two runs the last result is held. "
                + "Every frame when left out."),
        Property(
            "draw", .anyOf([.boolean, .object(draw)], doc: "true, false or an object with a style"),
            default: .bool(true), doc: "How results are drawn; false for not at all."),
    ]

    /// Metres.
    private static let size = Shape.number(Bounds(0.0001, 1000))

    static let draw = ObjectShape(
        doc: "A style of drawing. Sizes are for a picture of 1080 lines and scale with the picture.",
        properties: [
            Property("outline", .boolean, doc: "The box or polygon. Default: true."),
            Property("label", .boolean, doc: "A name beside it. Default: true."),
            Property(
                "confidence", .boolean,
                doc: "The confidence in the label. Default: true for objects, faces and classes."),
            Property("track", .boolean, doc: "The track's number in the label. Default: true for rectangles."),
            Property(
                "trail", .number(Bounds(0, 60)), unit: "s",
                doc: "How long the path of the centre stays visible. Default: 1 for objects, else 0."),
            Property("thickness", .number(Bounds(0.5, 50)), unit: "px", doc: "Of the outline. Default: 2."),
            Property(
                "color", .string(.color), doc: "One colour for all; green for faces, by track for others when left out."
            ),
            Property("fontSize", .number(Bounds(6, 200)), unit: "px", doc: "Of the labels. Default: 24."),
            Property("opacity", .number(Bounds(0, 1)), doc: "Of everything. Default: 1."),
            Property(
                "firstCorner", .boolean,
                doc: "A dot on the first corner, a marker's own top left. Default: true for markers."),
            Property(
                "axes", .boolean,
                doc: "The axes of what has a pose, from its middle: x red, y green, z blue. Default: false."),
            Property(
                "cube",
                .anyOf(
                    [.boolean, .choice(CubeStyle.allCases.map(\.rawValue))], doc: "true, false, “wire” or “shaded”"),
                doc: "A cube that stands on what has a pose; true is wire. Default: false."),
            Property(
                "image", .string(.path),
                doc:
                    "A picture file that is laid on the polygon, or into the plane of what has a pose. Then outline and "
                    + "first corner are drawn only where they are asked for."),
            Property(
                "imageSize", .anyOf([size, .array(of: size, count: 2...2)], doc: "a width or [width, height]"),
                unit: "m",
                doc:
                    "The picture's, about the middle of what has a pose; a width alone keeps the picture's proportions. "
                    + "As large as the marker or board when left out."),
            Property(
                "imageScale", .number(Bounds(0.01, 100)),
                doc: "By how much the picture is larger than what it is laid on. Default: 1."),
            Property(
                "model", .string(.path),
                doc:
                    "A Wavefront OBJ file whose faces stand on what has a pose, in the colours (Kd) of their materials."
            ),
            Property(
                "modelSize", size, unit: "m",
                doc: "The longest of the model's three extents. The marker's or board's shorter side when left out."),
            Property(
                "modelUp", .choice(ModelUp.allCases.map(\.rawValue)), doc: "The file's axis that is up. Default: y."),
            Property(
                "smoothing", .number(Bounds(0, 10)), unit: "s",
                doc:
                    "Time constant by which the pose that is drawn is steadied, shorter the faster the thing moves; the one "
                    + "reported stays as measured. Default: 0."),
            Property(
                "landmarks", .boolean, doc: "A face's features, in yellow. Default: true for faces."),
            Property(
                "cover", .choice(CoverStyle.allCases.map(\.rawValue)),
                doc:
                    "Takes the pixels of the region's box, grown by a fifth, away for good. Then nothing else is drawn "
                    + "but what is asked for."),
            Property(
                "coverGap", .number(Bounds(0, 10)), unit: "s",
                doc:
                    "How long a region is covered before its first and after its last sight, and which gaps between are "
                    + "bridged. Default: 0.5."),
        ])

    static func job(graph: Shape) -> ObjectShape {
        ObjectShape(
            doc: "One video, or all that match a glob.",
            properties: [
                Property(
                    "id", .string(.fileName),
                    doc: "Names the results: <id>.mp4 and <id>.tracks.jsonl. Default: the input's name without its "
                        + "extension. Not with a glob."),
                Property(
                    "input", .string(.path), required: true,
                    doc: "A video or photo, relative to the manifest; a glob (* ? [ ]) makes one job a file; "
                        + "frame%04d.png is a sequence of pictures, - a stream on standard input."),
                Property(
                    "graph", .anyOf([.string(.identifier), graph], doc: "the name of a graph or a graph"),
                    required: true, doc: "A graph's name, or a graph in place."),
                Property("range", .object(range), doc: "The part of the video to work on; all of it when left out."),
                Property(
                    "onError", .choice(DamagePolicy.allCases.map(\.rawValue)), default: .string("fail"),
                    doc: "At a damaged packet the job fails, or goes on: what can't be decoded is left out, what the "
                        + "decoder patched up is kept, both are counted."),
                Property(
                    "deinterlace", .boolean, default: .bool(false),
                    doc: "Makes whole pictures of interlaced ones, one for one, before any stage sees them."),
                Property(
                    "frameRate",
                    .anyOf(
                        [
                            .number(Bounds(0.001, 1_000_000)),
                            .array(of: .integer(1...1_000_000_000), count: 2...2),
                        ], doc: "a number or a fraction [30000, 1001]"), unit: "1/s",
                    doc: "Of an image sequence or a raw stream, which don't say. Default: 25."),
                Property(
                    "camera",
                    .anyOf(
                        [.string(.path), .object(CameraShape.camera)], doc: "the path of a camera file, or a camera"),
                    doc:
                        "What the video was taken with, for poses: a file as calibrate writes it, or the same in place. "
                        + "A field of view of 60° is assumed when left out."),
                Property("regions", .array(of: .object(region)), doc: "Seeds for the stages that track."),
                Property("points", .array(of: .object(point)), doc: "What the stage “labels” writes beside what."),
                Property("encode", .object(encode), doc: "How the annotated video is encoded."),
            ])
    }

    static let range = ObjectShape(
        doc: "A part of a video, in its own time stamps.",
        properties: [
            Property("start", .number(Bounds(0)), default: .number(0), unit: "s", doc: "First frame at or after it."),
            Property("end", .number(Bounds(0)), unit: "s", doc: "Frames before it; to the end when left out."),
        ])

    static let region = ObjectShape(
        doc: "Where something is at one moment: one of box, polygon and point, at one of time and frame.",
        properties: [
            Property("id", .string(), required: true, doc: "The region's name, unique in its job."),
            Property("label", .string(), doc: "What it is, for people. Default: the id."),
            Property(
                "time", .number(Bounds(0)), default: .number(0), unit: "s", doc: "The first frame at or after it."),
            Property("frame", .integer(0...Int.max), doc: "The frame's ordinal, from 0; instead of time."),
            Property(
                "end", .number(Bounds(0)), unit: "s, or frames where frame is given",
                doc: "From this moment on the region is no more."),
            Property(
                "units", .choice(["pixels", "normalized"]), default: .string("pixels"), doc: "Of the coordinates."),
            Property("box", .array(of: .number(), count: 4...4), doc: "[left, top, width, height]."),
            Property(
                "polygon", .array(of: .array(of: .number(), count: 2...2), count: 4...4), doc: "Four corners [x, y]."),
            Property(
                "point", .array(of: .number(), count: 2...2),
                doc: "[x, y]: a square of a tenth of the picture's smaller dimension around it."),
        ])

    static let point = ObjectShape(
        doc: "A place that was pointed at, at one of time and frame.",
        properties: [
            Property("id", .string(), required: true, doc: "The point's name, unique in its job."),
            Property(
                "text", .string(),
                doc: "What is written beside it; what the stage's classifier says at that moment when left out."),
            Property(
                "time", .number(Bounds(0)), default: .number(0), unit: "s", doc: "The first frame at or after it."),
            Property("frame", .integer(0...Int.max), doc: "The frame's ordinal, from 0; instead of time."),
            Property(
                "end", .number(Bounds(0)), unit: "s, or frames where frame is given",
                doc: "From this moment on the point is no more."),
            Property(
                "units", .choice(["pixels", "normalized"]), default: .string("pixels"), doc: "Of the coordinates."),
            Property("point", .array(of: .number(), count: 2...2), required: true, doc: "[x, y]."),
        ])

    static let encode = ObjectShape(
        doc: "How the annotated video is encoded.",
        properties: [
            Property(
                "codec", .choice(EncodeSettings.Codec.allCases.map(\.rawValue)), default: .string("h264"),
                doc: "ffv1 is lossless and makes <id>.mkv instead of <id>.mp4; none writes the sidecar alone."),
            Property(
                "preset", .string(), doc: "The encoder's. Default: veryfast for h264 and hevc, 8 for av1."),
            Property(
                "crf", .integer(0...63),
                doc: "Constant quality, lower is better. Default: 20 for h264, 24 for hevc, 32 for av1."),
            Property(
                "bitrate", .integer(1000...1_000_000_000), unit: "bit/s", doc: "On average; instead of crf."),
            Property(
                "pixelFormat", .choice(EncodeSettings.PixelFormat.allCases.map(\.rawValue)), default: .string("auto"),
                doc:
                    "auto is yuv420p, which every browser plays, and for ffv1 the source's own; source is the nearest to "
                    + "the source's that the encoder takes."),
            Property(
                "faststart", .boolean, default: .bool(true),
                doc: "The index at the front, so that playing starts at once."),
            Property(
                "audio", .choice(EncodeSettings.Audio.allCases.map(\.rawValue)), default: .string("copy"),
                doc: "copy keeps every track: as it is where the file can hold it, as AAC where not."),
            Property(
                "threads", .integer(1...64), default: .integer(3),
                doc: "Of the encoder, whose output depends on them."),
        ])
}
