/// One entry of a manifest's `jobs`, as it is written; its graph is read for itself.
struct JobDeclaration: Record {
    var id: String?
    var input = ""
    var exclude: [String] = []
    var range: FrameRange?
    var onError = DamagePolicy.fail
    var deinterlaces: Bool?
    var frameRate: Rational?
    var camera: JSONNode?
    var cover: [JSONNode] = []
    var expect: [JSONNode] = []
    var encode = EncodeSettings()

    static let fields: [Field<JobDeclaration>] = [
        Field(
            "id", \.id, .text(.fileName),
            doc:
                "Names the results: <id>.mp4 and <id>.tracks.jsonl. It may hold {name}, the input's name without its "
                + "extension, {folder}, its folder's, and {n}, its number among the entry's inputs from 1, padded with "
                + "zeros; with a glob it has to. Default: {name}."),
        Field(
            "input", \.input, .text(.path),
            doc:
                "A video or photo, relative to the manifest; a glob (* ? [ ], and ** for any folders) makes one job a file; "
                + "frame%04d.png is a sequence of pictures, - a stream on standard input; an address (https://…, s3://…) is fetched."
        ),
        Field(
            "exclude", \.exclude, .list(.text(.path)), .optional,
            doc: "With a glob: files that it leaves out, paths or globs relative to the manifest's folder."),
        Field(
            "range", \.range, .record(doc: FrameRange.doc, name: "range"),
            doc: "The part of the video to work on; all of it when left out."),
        Field(
            "onError", \.onError, Format<DamagePolicy>.choice(), .optional,
            doc: "At a damaged packet the job fails, or goes on: what can't be decoded is left out, what the decoder "
                + "patched up is kept, both are counted."),
        Field(
            "deinterlace", \.deinterlaces, .flag,
            doc:
                "Makes whole pictures of interlaced ones, one for one, before any stage sees them. Default: true where a stage's finds "
                + "are covered, or a cover by hand follows them, from the first interlaced picture on: what moves is in two places in such a one."
        ),
        Field(
            "frameRate", \.frameRate, .frameRate, unit: "1/s",
            doc: "Of an image sequence or a raw stream, which don't say. Default: 25."),
        Field(
            "camera", \.camera,
            .json(
                .anyOf(
                    [.string(.path), .object(CameraShape.camera)], doc: "the path of a camera file, or a camera")),
            doc:
                "What the video was taken with, for poses: a file as calibrate writes it, or the same in place. A field of "
                + "view of 60° is assumed when left out."),
        Field(
            "cover", .list(.json(.object(HandCover.shape))), .optional,
            doc: "Places that are hidden by hand for a time, under everything that is drawn.",
            get: \.cover, set: { $1.cover = $0 }),
        Field(
            "expect", .list(.json(.object(Expectation.shape))), .optional,
            doc: "What must hold of the results; where it doesn't, the job is “unexpected” and the exit status 2.",
            get: \.expect, set: { $1.expect = $0 }),
        Field(
            "encode", .record(doc: "How the annotated video is encoded.", name: "encode"), .optional,
            doc: "How the annotated video is encoded.", get: \.encode, set: { $1.encode = $0 }),
    ]

    /// The shape of a job.
    /// - Parameters:
    ///   - graph: What a graph looks like.
    ///   - given: Kinds of things that jobs may give their stages.
    static func shape(graph: Shape, given: [any Given.Type]) -> ObjectShape {
        var shape = shape(doc: "One video, or all that match a glob.", name: "job")
        let behind = shape.properties.firstIndex { $0.name == SeedShape.cover.word } ?? shape.properties.endIndex
        if behind < shape.properties.endIndex { shape.properties[behind].shape = SeedShape.cover.orPath }
        shape.properties.insert(contentsOf: given.map { $0.property }, at: behind)
        shape.properties.insert(
            Property(
                "graph", .anyOf([.string(.identifier), graph], doc: "the name of a graph or a graph"),
                doc: "A graph's name, or a graph in place; here or under defaults."), at: 2)
        return shape
    }

    /// The shape of `defaults`, which jobs have in common. The parameters are the same.
    static func defaults(graph: Shape, given: [any Given.Type]) -> ObjectShape {
        var shape = shape(graph: graph, given: given)
        shape.doc = "What every job has that doesn't say otherwise."
        shape.name = "defaults"
        shape.properties.removeAll { $0.name == "input" }
        return shape
    }

    /// The shape of one of `overrides`, for jobs that are there already. The parameters are the same.
    static func override(graph: Shape, given: [any Given.Type]) -> ObjectShape {
        var shape = shape(graph: graph, given: given)
        shape.doc = "What jobs have instead of their own."
        shape.name = "override"
        shape.properties.removeAll { JobOverrides.others.contains($0.name) }
        return shape
    }
}

extension Format where Value == Rational {
    /// Frames a second, also as a fraction: 29.97 is not 30000/1001.
    fileprivate static var frameRate: Format {
        Format(
            .anyOf(
                [.number(Bounds(0.001, 1_000_000)), .array(of: .integer(1...1_000_000_000), count: 2...2)],
                doc: "a number or a fraction [30000, 1001]"), write: Format.ratio.write,
            read: { node in
                guard let number = node.number else { return Format.ratio.read(node) }
                let thousandths = (number * 1000).rounded()
                return (1...1e9).contains(thousandths) ? Rational(Int(thousandths), 1000).reduced : nil
            })
    }
}
