/// `import`: boxes and tracks that another program found, or this one before.
public struct ImportBlueprint: StageBlueprint {
    /// The options of `import`: the file, its format, and how its frames, things and classes are those of the job.
    public struct Options: Record {
        var format: ImportFormat?
        var file: String?
        var by: ImportKey?
        var firstFrame: Int?
        var stages: [String]?
        var classes: [String]?
        var video: String?
        var labels: String?
        var joints: Int?
        var images: String?

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "format", \.format, .choice(), .always,
                doc:
                    "mot (MOTChallenge's lines), coco (with videos and tracks, or detections, or a list of results), csv (a table), "
                    + "tracks (a track file), yolo (a text a frame), cvat (for video or images), label-studio (tasks), voc (an XML "
                    + "file a frame), deeplabcut (a table of body parts)."
            ),
            Field(
                "file", \.file, .text(.pathTemplate), .always,
                doc:
                    "The file; of yolo and voc a pattern, labels/{name}_*.txt. {name}, {folder} and {n} stand for the input's name without its extension, its folder's and its number. "
                    + "Where it ends with ?, it may be absent: there is nothing then."
            ),
            Field(
                "by", \.by, .choice(),
                doc:
                    "Whether frames are found by their number or by their time: by number where the file has them when left out."
            ),
            Field(
                "firstFrame", \.firstFrame, .integer(0...1),
                doc:
                    "The number that the file gives the first frame: 1 in mot, label-studio and lists of COCO's results, 0 in the others "
                    + "when left out. Pictures of a data set of this program's have the frames that its pictures.csv says."
            ),
            Field(
                "stages", \.stages, .list(.text(), count: 1...1000),
                doc:
                    "Of csv, coco and tracks that this program wrote: the ids of the stages whose results are taken; all when left out."
            ),
            Field(
                "classes", \.classes, .list(.text(), count: 1...100_000),
                doc:
                    "Of mot and lists of COCO's results: the names of the classes 1, 2 and so on; of yolo of the classes 0, 1 and so on. "
                    + "They become labels; without it those of mot are left out, the others numbers."
            ),
            Field(
                "video", \.video, .text(.template),
                doc:
                    "Of coco with several videos, and of csv with several clips: the name of the one that is meant; of deeplabcut's labels the folder of its pictures; of yolo, "
                    + "voc, and pictures of cvat and label-studio: what the names of the clip's pictures begin with, where there are others. "
                    + "With {name}, {folder} and {n} as in “file”."
            ),
            Field(
                "labels", \.labels, .text(.pathTemplate),
                doc:
                    "A file with the names, one a line, instead of “classes”; with {name}, {folder} and {n} as in “file”."
            ),
            Field(
                "joints", \.joints, .integer(1...1000),
                doc: "Of yolo: how many key points each line has behind its box."),
            Field(
                "images", \.images, .text(.pathTemplate),
                doc:
                    "Of lists of COCO's results whose ids of images are no frames' numbers: the COCO file whose “images” have these ids; "
                    + "with {name}, {folder} and {n} as in “file”."),
        ]
    }

    public static let contract = StageContract(
        type: "import",
        summary: "Takes boxes, outlines, masks, key points and tracks from files of other programs, or a track file.",
        produces: [.regions, .tracks], keepsState: false, emits: [ObjectFinding.self, DetectionFinding.self],
        options: Options.self,
        details: [
            Property(
                "imported", .map(of: .any, keys: .any, doc: "Hash and rows."),
                doc: "The imported file's hash and rows.")
        ], keepsNumbers: true)

    /// What is read; nil while only a job says which file it is.
    private let request: ImportRequest?
    /// Whether there is no such file, and needn't be.
    private let isAbsent: Bool
    /// Whether it has no rows at all: it says so itself then.
    private let isEmpty: Bool
    /// The file's path as the manifest has it.
    private let written: String
    /// Files that the options name.
    private let known: Set<String>
    public let details: [JSONMember]
    public let skeleton: Skeleton?
    /// The files' states when they were read.
    private let stamps: [Files.Stamp?]

    public init(_ options: Options, _ context: OptionContext) throws {
        // Both have been complained of where they aren't there.
        guard let format = options.format, let file = options.file else {
            throw ImportError(options.file ?? "import", "“format” and “file” are needed")
        }
        let mayBeAbsent = file.hasSuffix("?")
        let name = mayBeAbsent ? String(file.dropLast()) : file
        written = name
        try Self.check(options, format)
        guard let file = context.file(name),
            ![options.labels, options.video, options.images].contains(where: { hasPlaceholder($0 ?? "") })
        else {
            (request, isAbsent, isEmpty, details, skeleton, known, stamps) = (nil, false, false, [], nil, [], [])
            return
        }
        let set: SetPictures?
        do {
            // A COCO file that is no list says itself which frames its pictures are.
            let isAsked = try format.hasSets && (format != .coco || COCOListReader.isList(file))
            set = options.firstFrame == nil && isAsked ? try SetPictures.near(file) : nil
        } catch {
            throw StageOptionError(option: "file", "“\(name)” can't be imported: \(error)")
        }
        var pattern = context.pattern(name)
        func isThere(_ path: String) -> Bool {
            format.hasFrameFiles ? !FolderNames.glob(pattern).isEmpty : Files.isRegular(path)
        }
        // A data set has other names of clips whose ids can't be files' names.
        var path = file
        if !isThere(path), let other = set?.renamed(file) { (path, pattern) = (other, other) }
        // Workers get paths in which the clip's name has been filled in.
        if !isThere(path), format.hasFrameFiles, let other = FrameFile.asExported(pattern) { pattern = other }
        let isThere = isThere(path)
        guard isThere || mayBeAbsent else {
            throw StageOptionError(
                option: "file", "no file “\(name)”\(context.origin(of: \Options.file)); expected \(format.words)")
        }
        var request = ImportRequest(
            format: format, path: path, by: options.by,
            firstFrame: options.firstFrame ?? (options.images == nil ? format.firstFrame(of: path) : 0),
            classes: options.classes ?? [], stages: options.stages ?? [], video: options.video)
        request.labels = options.labels.map(context.resolve).map { labels in
            Files.isRegular(labels) ? labels : set?.renamed(labels) ?? labels
        }
        (request.pattern, request.kinds) = (pattern, context.kinds)
        request.joints = options.joints
        known = Set([context.resolve(name)] + [options.labels, options.images].compactMap(\.self).map(context.resolve))
        (request.images, request.set) = (options.images.map(context.resolve), set)
        let rows: ImportedRows?
        let files = request.files
        stamps = files.map(Files.stamp)
        do {
            rows = isThere ? try request.read() : nil
        } catch let error as ImportError where error.isAbsence && mayBeAbsent {
            rows = nil
        } catch {
            throw StageOptionError(option: "file", "“\(name)” can't be imported: \(error)")
        }
        (self.request, isAbsent, isEmpty) = (rows == nil ? nil : request, rows == nil, rows?.count ?? 0 == 0)
        skeleton = rows?.skeleton
        do {
            let hash = try Self.hash(of: rows == nil ? [] : files)
            try Self.check(files, stamps)
            details = [
                JSONMember(
                    key: "imported",
                    value: JSONNode(.members(["sha256": .string(hash), "rows": .integer(rows?.count ?? 0)])))
            ]
        } catch {
            throw StageOptionError(option: "file", "“\(name)” can't be imported: \(error)")
        }
    }

    /// Refuses files that were changed since: what is read of them is to be what the hash is of.
    private static func check(_ files: [String], _ stamps: [Files.Stamp?]) throws {
        for (file, stamp) in zip(files, stamps) where Files.stamp(file) != stamp {
            throw ImportError(file, "it changed while it was read; expected a file that stays as it is")
        }
    }

    private static let hashes = ReadFiles<String>()

    /// A file's hash; of several that of their hashes.
    private static func hash(of files: [String]) throws -> String {
        let hashes = try files.map { file in try Self.hashes.value(of: file) { try SHA256.hash(file: file) } }
        return hashes.count == 1 ? hashes[0] : SHA256.hash(Array(hashes.joined().utf8))
    }

    public var files: [String] {
        guard let request else { return [] }
        // What options name is known, unless the data set calls it otherwise.
        return (request.files + [request.labels].compactMap(\.self) + (request.set?.files ?? [])).filter {
            !known.contains($0)
        }
    }

    /// Refuses options that are for other formats.
    private static func check(_ options: Options, _ format: ImportFormat) throws {
        func only(_ option: String, _ isGiven: Bool, for formats: [ImportFormat]) throws {
            guard isGiven, !formats.contains(format) else { return }
            let words = formats.map(\.rawValue).joined(separator: ", ")
            throw StageOptionError(
                option: option, "“\(option)” is for the format \(words), and this is \(format.rawValue); leave it out")
        }
        try only("classes", options.classes != nil, for: [.mot, .coco, .yolo])
        try only("labels", options.labels != nil, for: [.mot, .coco, .yolo])
        try only("images", options.images != nil, for: [.coco])
        try only("joints", options.joints != nil, for: [.yolo])
        try only("stages", options.stages != nil, for: [.coco, .csv, .tracks])
        try only("video", options.video != nil, for: [.coco, .csv, .yolo, .voc, .cvat, .labelStudio, .deeplabcut])
        try only("firstFrame", options.firstFrame != nil, for: ImportFormat.allCases.filter { $0 != .tracks })
    }

    public var hintWhenBlind: String? { isEmpty ? nil : "“\(written)” may be of another video" }

    public func makeStage(_ context: StageContext) throws -> Stage {
        if isAbsent { return Stage(tracker: ImportTracker(absent: written, context)) }
        guard let request else {
            throw StageOptionError(option: "file", "“\(written)” stands for no file without a job")
        }
        let files = request.files
        let tracker = try ImportTracker(request, written: written, context)
        guard files.count == stamps.count else {
            throw ImportError(request.path, "there are other files than before; expected those that there were")
        }
        try Self.check(files, stamps)
        return Stage(tracker: tracker)
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
        case .yolo: "a pattern of YOLO's texts, labels/{name}_*.txt say"
        case .cvat: "CVAT's XML"
        case .labelStudio: "Label Studio's tasks"
        case .voc: "a pattern of VOC's XML files, annotations/{name}_*.xml say"
        case .deeplabcut: "DeepLabCut's table as CSV"
        }
    }

    /// The number of the first frame, where nobody says another.
    func firstFrame(of path: String) -> Int {
        switch self {
        case .mot, .labelStudio: 1
        // Where it is no list its frames are numbered from 0; what can't be read is told of when it is.
        case .coco:
            (try? COCOListReader.isList(path)) == true && (try? COCOListReader.namesPictures(path)) != true ? 1 : 0
        default: 0
        }
    }
}
