/// The manifest's shape, made from the catalogue: what `validate` checks, what `schema manifest` prints.
public enum ManifestShape {
    /// The shape of a manifest for a program with these stages.
    /// - Parameters:
    ///   - catalog: The program's stage types.
    ///   - mayLackJobs: Whether its jobs may come from elsewhere.
    public static func shape(catalog: StageCatalog, mayLackJobs: Bool = false) -> Shape {
        let graph = Shape.object(graph(catalog: catalog))
        let given = GivenKinds(catalog).all
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
                        "fetch", .array(of: .string(), count: 1...100),
                        doc:
                            "A command that fetches inputs whose address has another scheme than http and https, as words: "
                            + "{url} and {file} stand for the address and where it goes. It is run with --allow-commands."
                    ),
                    Property(
                        "store", .array(of: .string(), count: 1...100),
                        doc:
                            "A command that stores results at output.address, as words: {file} and {url} stand for one of them "
                            + "and where it goes. It is run with --allow-commands."),
                    Property(
                        "defaults", .object(JobDeclaration.defaults(graph: graph, given: given)),
                        doc:
                            "Members of a job that every job has unless it has its own. Of encode and range each member "
                            + "counts for itself; a job with a codec of its own takes no crf, bitrate and preset from here, "
                            + "and one with a crf no bitrate, or the other way round."),
                    Property(
                        "overrides",
                        .map(
                            of: .object(JobDeclaration.override(graph: graph, given: given)), keys: .any,
                            doc: "Members of jobs by a shell pattern of their ids."),
                        doc:
                            "Exceptions: by a shell pattern of ids, members that those jobs have instead of their own. Of several "
                            + "that fit the later one counts."),
                    Property(
                        "graphs", .map(of: graph, keys: .identifier, doc: "Stage graphs by name."),
                        doc: "Stage graphs by name."),
                    Property(
                        "jobs",
                        .array(
                            of: .object(JobDeclaration.shape(graph: graph, given: given)),
                            count: (mayLackJobs ? 0 : 1)...Int.max),
                        required: !mayLackJobs,
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
                "address", .string(),
                doc:
                    "Where results go besides, an address such as s3://bucket/folder: each file by the command “store”."
            ),
            Property(
                "formats", .array(of: .choice(SinkCatalog.known.besideTracks.map(\.name))), default: .array([]),
                doc: "What is written beside the track file, which always is: csv is a table, <id>.csv."),
            Property(
                "tracks", .string(.path),
                doc:
                    "A folder of their own for track files and the other formats, relative to the manifest, so that the "
                    + "results' folder can be handed out; ass, which players show, stays beside the video."),
            Property(
                "dataset", .object(DataSetOptions.shape(doc: "A data set of all jobs.", name: "dataset")),
                doc: "A data set of all jobs, written when a run of all of them has ended well."),
        ])

    static func graph(catalog: StageCatalog) -> ObjectShape {
        ObjectShape(
            doc: "A directed acyclic graph of stages.", name: "graph",
            properties: [
                Property(
                    "stages", .array(of: .tagged(stage(catalog: catalog))), required: true,
                    doc: "The stages, in any order; none makes a plain transcode.")
            ])
    }

    static func stage(catalog: StageCatalog) -> TaggedShape {
        TaggedShape(
            tag: "type", noun: "stage type",
            common: ObjectShape(doc: "One stage of a graph.", properties: stageProperties(for: catalog.findings.kinds)),
            variants: catalog.contracts.map { .init(name: $0.type, doc: $0.summary, properties: $0.options) })
    }

    /// Members that every stage of a graph has.
    /// - Parameter kinds: Kinds that it emits.
    public static func stageProperties(for kinds: [any Finding.Type]) -> [Property] {
        [
            Property("id", .string(.identifier), required: true, doc: "The stage's name, unique in its graph."),
            Property("type", .string(), required: true, doc: "The stage type."),
            Property(
                "inputs", .array(of: .string()), default: .array([JSONNode(.string("frame"))]),
                doc: "Ids of the stages whose results it takes, or “frame”."),
            Property(
                "rate", .number(Bounds(0, 1000, excludesMinimum: true)), unit: "1/s",
                doc: "Runs at most so many times a second of video; between two runs the last result is held. "
                    + "Where what it finds is covered it runs on the first picture of every shot as well. "
                    + "Every frame when left out."),
            Property(
                "complete", .boolean,
                doc:
                    "Whether everything of its sort in a picture is among its results, so that a picture without any is a "
                    + "background in a data set. Left out, it is where the stage searches whole pictures."),
            Property(
                "draw",
                .anyOf([.boolean, .object(DrawStyle.shape(for: kinds))], doc: "true, false or an object with a style"),
                default: .bool(true), doc: "How results are drawn; false for not at all."),
        ]
    }
}
