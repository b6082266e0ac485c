public import Graph

/// `import`: boxes and tracks that another program found, or this one before.
public struct ImportBlueprint: StageBlueprint {
    public struct Options: Record {
        var format: ImportFormat?
        var file: String?
        var by: ImportKey?
        var firstFrame: Int?
        var stages: [String]?
        var classes: [String]?
        var video: String?

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "format", \.format, .choice(), .always,
                doc:
                    "mot (MOTChallenge's lines), coco (with videos and tracks, or detections), csv (a table), tracks (a track file)."
            ),
            Field(
                "file", \.file, .text(.pathTemplate), .always,
                doc:
                    "The file. {name}, {folder} and {n} stand for the input's name without its extension, its folder's and its number."
            ),
            Field(
                "by", \.by, .choice(),
                doc:
                    "Whether frames are found by their number or by their time: by number where the file has them when left out."
            ),
            Field(
                "firstFrame", \.firstFrame, .integer(0...1),
                doc: "The number that the file gives the first frame: 1 in mot, 0 in the others when left out."),
            Field(
                "stages", \.stages, .list(.text(), count: 1...1000),
                doc:
                    "Of csv, coco and tracks that this program wrote: the ids of the stages whose results are taken; all when left out."
            ),
            Field(
                "classes", \.classes, .list(.text(), count: 1...100_000),
                doc:
                    "Of mot: the names of the classes 1, 2 and so on, which become labels; without it they are left out."
            ),
            Field("video", \.video, .text(), doc: "Of coco with several videos: the name of the one that is meant."),
        ]
    }

    public static let contract = StageContract(
        type: "import",
        summary: "Takes boxes, outlines and tracks from a file: MOTChallenge, COCO, CSV, or a track file.",
        produces: [.regions, .tracks], keepsState: false, emits: [ObjectFinding.self, DetectionFinding.self],
        options: Options.self,
        details: [
            Property(
                "imported", .map(of: .any, keys: .any, doc: "Hash and rows."),
                doc: "The imported file's hash and rows.")
        ], keepsNumbers: true)

    /// What is read; nil while only a job says which file it is.
    private let request: ImportRequest?
    /// The file's path as the manifest has it.
    private let written: String
    public let details: [JSONMember]
    public let skeleton: Skeleton?

    public init(_ options: Options, _ context: OptionContext) throws {
        // Both have been complained of where they aren't there.
        guard let format = options.format, let file = options.file else {
            throw StageOptionError("“format” and “file” are needed")
        }
        written = file
        try Self.check(options, format)
        guard let path = context.file(file) else {
            (request, details, skeleton) = (nil, [], nil)
            return
        }
        guard Files.isRegular(path) else {
            throw StageOptionError(
                option: "file", "no file “\(file)”\(context.origin(of: \Options.file)); expected \(format.words)")
        }
        let request = ImportRequest(
            format: format, path: path, by: options.by, firstFrame: options.firstFrame ?? (format == .mot ? 1 : 0),
            classes: options.classes ?? [], stages: options.stages ?? [], video: options.video)
        do {
            let rows = try request.read()
            skeleton = rows.skeleton
            details = [
                JSONMember(
                    key: "imported",
                    value: JSONNode(
                        .members(["sha256": .string(try SHA256.hash(file: path)), "rows": .integer(rows.count)])))
            ]
        } catch {
            throw StageOptionError(option: "file", "“\(file)” can't be imported: \(error)")
        }
        self.request = request
    }

    /// Refuses options that are for other formats.
    private static func check(_ options: Options, _ format: ImportFormat) throws {
        func only(_ option: String, _ isGiven: Bool, for formats: [ImportFormat]) throws {
            guard isGiven, !formats.contains(format) else { return }
            let words = formats.map(\.rawValue).joined(separator: ", ")
            throw StageOptionError(
                option: option, "“\(option)” is for the format \(words), and this is \(format.rawValue); leave it out")
        }
        try only("classes", options.classes != nil, for: [.mot])
        try only("stages", options.stages != nil, for: [.coco, .csv, .tracks])
        try only("video", options.video != nil, for: [.coco])
        try only("firstFrame", options.firstFrame != nil, for: [.mot, .coco, .csv])
    }

    public var hintWhenBlind: String? { "“\(written)” may be of another video" }

    public func makeStage(_ context: StageContext) throws -> Stage {
        guard let request else {
            throw StageOptionError(option: "file", "“\(written)” stands for no file without a job")
        }
        return Stage(tracker: try ImportTracker(request, written: written, context))
    }
}

extension ImportFormat {
    /// The kind of file in words.
    var words: String {
        switch self {
        case .mot: "a file of MOTChallenge's lines"
        case .coco: "a COCO file"
        case .csv: "a table"
        case .tracks: "a track file"
        }
    }
}
