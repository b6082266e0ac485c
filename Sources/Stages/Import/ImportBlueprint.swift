public import Graph

/// `import`: boxes and tracks that another program found, or this one before.
public struct ImportBlueprint: StageBlueprint {
    static let format = StageOption<ImportFormat?>(
        "format", .choice(), required: true,
        doc:
            "mot (MOTChallenge's lines), coco (with videos and tracks, or detections), csv (a table), tracks (a track file)."
    )
    static let file = StageOption<String?>(
        "file", .text(.pathTemplate), required: true,
        doc:
            "The file. {name}, {folder} and {n} stand for the input's name without its extension, its folder's and its number."
    )
    static let by = StageOption<ImportKey?>(
        "by", .choice(),
        doc:
            "Whether frames are found by their number or by their time: by number where the file has them when left out."
    )
    static let firstFrame = StageOption<Int?>(
        "firstFrame", .integer(0...1),
        doc: "The number that the file gives the first frame: 1 in mot, 0 in the others when left out.")
    static let stages = StageOption<[String]?>(
        "stages", .list(.text(), count: 1...1000),
        doc:
            "Of csv, coco and tracks that this program wrote: the ids of the stages whose results are taken; all when left out."
    )
    static let classes = StageOption<[String]?>(
        "classes", .list(.text(), count: 1...100_000),
        doc: "Of mot: the names of the classes 1, 2 and so on, which become labels; without it they are left out.")
    static let video = StageOption<String?>(
        "video", .text(), doc: "Of coco with several videos: the name of the one that is meant.")

    public static let contract: StageContract = {
        var contract = StageContract(
            type: "import",
            summary: "Takes boxes, outlines and tracks from a file: MOTChallenge, COCO, CSV, or a track file.",
            produces: [.regions, .tracks], keepsState: false,
            emits: [ObjectFinding.self, DetectionFinding.self],
            options: [
                format.property, file.property, by.property, firstFrame.property, stages.property, classes.property,
                video.property,
            ],
            details: [
                Property(
                    "imported", .map(of: .any, keys: .any, doc: "Hash and rows."),
                    doc: "The imported file's hash and rows.")
            ])
        contract.keepsNumbers = true
        return contract
    }()

    /// nil while only a job says which file it is.
    private let request: ImportRequest?
    /// As the manifest has it.
    private let written: String
    public let details: [JSONMember]

    public init(options: StageOptions) throws {
        // Both have been complained of where they aren't there.
        guard let format = options[Self.format], let file = options[Self.file] else {
            throw StageOptionError("“format” and “file” are needed")
        }
        written = file
        try Self.check(options, format)
        guard let path = options.file(Self.file) else {
            (request, details) = (nil, [])
            return
        }
        guard Files.isRegular(path) else {
            throw StageOptionError(
                option: "file", "no file “\(file)”\(options.origin(of: Self.file)); expected \(format.words)")
        }
        let request = ImportRequest(
            format: format, path: path, by: options[Self.by],
            firstFrame: options[Self.firstFrame] ?? (format == .mot ? 1 : 0),
            classes: options[Self.classes] ?? [], stages: options[Self.stages] ?? [], video: options[Self.video])
        do {
            let rows = try request.read()
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

    /// Options that are for other formats.
    private static func check(_ options: StageOptions, _ format: ImportFormat) throws {
        func only(_ option: String, _ isGiven: Bool, for formats: [ImportFormat]) throws {
            guard isGiven, !formats.contains(format) else { return }
            let words = formats.map(\.rawValue).joined(separator: ", ")
            throw StageOptionError(
                option: option, "“\(option)” is for the format \(words), and this is \(format.rawValue); leave it out")
        }
        try only("classes", options.isGiven(classes), for: [.mot])
        try only("stages", options.isGiven(stages), for: [.coco, .csv, .tracks])
        try only("video", options.isGiven(video), for: [.coco])
        try only("firstFrame", options.isGiven(firstFrame), for: [.mot, .coco, .csv])
    }

    public var hintWhenBlind: String? { "“\(written)” may be of another video" }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        guard let request else {
            throw StageOptionError(option: "file", "“\(written)” stands for no file without a job")
        }
        return try ImportStage(request, written: written, context)
    }
}

extension ImportFormat {
    /// What such a file is.
    var words: String {
        switch self {
        case .mot: "a file of MOTChallenge's lines"
        case .coco: "a COCO file"
        case .csv: "a table"
        case .tracks: "a track file"
        }
    }
}
