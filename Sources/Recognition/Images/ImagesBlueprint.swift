internal import CVision

/// `images`: flat pictures that are known, or the rectangles that another stage finds, followed in perspective.
public struct ImagesBlueprint: StageBlueprint {
    /// The options of `images`: the pictures that are looked for, how often, and how many are followed at once.
    public struct Options: Record {
        var images: [SoughtImageDeclaration] = []
        var maximumTracked = 1
        var timeout = 0.5
        var searchRate = 10.0

        public init() {}

        public static let fields: [Field<Options>] = [
            Field(
                "images", \.images, .list(.record(doc: "A picture that is looked for.")), .optional,
                doc: "The pictures that are looked for. When left out, the first rectangle of the input becomes one."),
            Field(
                "maximumTracked", \.maximumTracked, .integer(0...1000), .optional,
                doc: "How many are followed at once; 0 for no limit. Rectangles are followed one at a time."),
            Field(
                "timeout", \.timeout, .number(Bounds(0, 60)), .optional, unit: "s",
                doc: "How long a picture may be out of sight, its last place being kept, before it is lost."),
            Field(
                "searchRate", \.searchRate, .number(Bounds(0, 1000, excludesMinimum: true)), .optional, unit: "1/s",
                doc: "How often at the most the whole frame is searched for pictures that are not followed."),
        ]
    }

    public static let contract = StageContract(
        type: "images",
        summary: "Finds known pictures, or the first rectangle of its input, and follows them in perspective.",
        consumes: [.frame, .regions], produces: [.regions, .tracks], keepsState: true, emits: [ImageFinding.self],
        options: Options.self,
        details: [
            Property(
                "files", .array(of: .map(of: .any, keys: .any, doc: "A file.")), doc: "The pictures' hashes and sizes.")
        ], attachmentUse: .toStages, searchesPictures: true)

    private let sought: [SoughtImage]
    private let options: Options
    private let takesRegions: Bool
    public let details: [JSONMember]

    public init(_ options: Options, _ context: OptionContext) throws {
        _ = openCVIsInitialized
        self.options = options
        takesRegions = context.hasInputs
        if takesRegions, !options.images.isEmpty {
            throw StageOptionError(
                option: "images",
                "“images” and an input together; expected one of them: what is looked for is either known "
                    + "or a rectangle that another stage finds")
        }
        if !takesRegions, options.images.isEmpty {
            throw StageOptionError(
                "nothing to look for; expected “images” with a “file” each, or “inputs” with a stage of type "
                    + "“rectangles”")
        }
        var sought: [SoughtImage] = []
        var errors: [StageOptionError] = []
        for (index, declared) in options.images.enumerated() {
            do {
                let image = try SoughtImage(declared, context)
                if sought.contains(where: { $0.name == image.name }) {
                    throw ReferenceImage.Refusal(
                        description: "“\(image.name)” names two pictures; expected a “name” of its own for each")
                }
                sought.append(image)
            } catch {
                errors.append(StageOptionError(option: "images", part: [.index(index)], "\(error)"))
            }
        }
        if !errors.isEmpty { throw StageOptionErrors(errors) }
        self.sought = sought
        details = sought.isEmpty ? [] : [JSONMember(key: "files", value: JSONNode(.array(sought.map(\.json))))]
    }

    public var usesCamera: Bool { sought.contains { $0.physicalWidth != nil } }

    func tracker(_ context: StageContext, _ following: Following = .init()) throws -> ImagesTracker {
        try ImagesTracker(
            context, sought: sought, options: options, takesRegions: takesRegions, following: following)
    }

    public var labels: LabelSources? { LabelSources(names: sought.map(\.name)) }

    public func makeStage(_ context: StageContext) throws -> Stage {
        let following = Following()
        return Stage(PyramidDetector(following: following), try tracker(context, following))
    }
}

/// One of a stage's `images`, as the manifest has it.
struct SoughtImageDeclaration: Record, Hashable {
    var file = ""
    var name: String?
    var physicalWidth: Double?

    static let fields: [Field<SoughtImageDeclaration>] = [
        Field("file", \.file, .text(.path), doc: "A photo or drawing of it, seen from the front."),
        Field("name", \.name, .text(), doc: "The observations' label. Default: the file's name."),
        Field(
            "physicalWidth", \.physicalWidth, .number(Bounds(0, 1000, excludesMinimum: true)), unit: "m",
            doc: "How wide it really is; gives it a pose."),
    ]
}

/// A picture that the manifest names.
struct SoughtImage: Sendable {
    let name: String
    let image: ReferenceImage
    let picture: ReferencePicture
    /// Width of the printed picture, metres; nil where it isn't known.
    let physicalWidth: Double?
    /// Its file's name, hash and size, for the track file's header.
    let json: JSONNode

    init(_ declared: SoughtImageDeclaration, _ context: OptionContext) throws {
        let file = declared.file
        let path = context.resolve(file)
        guard !file.isEmpty, Files.exists(path), !Files.isDirectory(path) else {
            throw ReferenceImage.Refusal(description: "no file “\(file)”; expected a photo or drawing of the picture")
        }
        do {
            picture = try ReferencePicture(file: path)
            image = try ReferenceImage(picture)
        } catch let error as FileError {
            throw ReferenceImage.Refusal(description: "“\(file)” is no picture that can be read: \(error.reason)")
        } catch let error as ReferenceImage.Refusal {
            throw ReferenceImage.Refusal(description: "“\(file)” can't be found in a video: \(error.description)")
        }
        name = declared.name ?? Files.stem(of: file)
        physicalWidth = declared.physicalWidth
        json = JSONNode(
            .members([
                "name": .string(Files.name(of: file)), "sha256": .string(try SHA256.hash(file: path)),
                "width": .integer(image.width), "height": .integer(image.height),
            ]))
    }
}
