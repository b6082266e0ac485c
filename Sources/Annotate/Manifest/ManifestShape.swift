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
                doc: "Folder for the results, relative to the manifest; made when absent."),
            Property(
                "formats", .array(of: .choice(Sinks.besideTracks.map(\.name))), default: .array([]),
                doc: "What is written beside the track file, which always is: csv is a table, <id>.csv."),
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
            "draw", .anyOf([.boolean, .object(DrawStyle.shape)], doc: "true, false or an object with a style"),
            default: .bool(true), doc: "How results are drawn; false for not at all."),
    ]

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
                Property("range", .object(FrameRange.shape(doc: FrameRange.doc)), doc: "The part of the video to work on; all of it when left out."),
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
