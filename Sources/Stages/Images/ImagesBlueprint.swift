internal import CVision
public import Graph

/// `images`: flat pictures that are known, or the rectangles that another stage finds, followed in perspective.
public struct ImagesBlueprint: StageBlueprint {
    static let images = StageOption(
        "images",
        .list(
            .json(
                .object(
                    ObjectShape(
                        doc: "A picture that is looked for.",
                        properties: [
                            Property(
                                "file", .string(.path), required: true,
                                doc: "A photo or drawing of it, seen from the front."),
                            Property("name", .string(), doc: "The observations' label. Default: the file's name."),
                            Property(
                                "physicalWidth", .number(Bounds(0, 1000, excludesMinimum: true)), unit: "m",
                                doc: "How wide it really is; gives it a pose."),
                        ])))), default: [],
        doc: "The pictures that are looked for. When left out, the first rectangle of the input becomes one.")
    static let maximumTracked = StageOption(
        "maximumTracked", .integer(0...1000), default: 1,
        doc: "How many are followed at once; 0 for no limit. Rectangles are followed one at a time.")
    static let timeout = StageOption(
        "timeout", .number(Bounds(0, 60)), default: 0.5, unit: "s",
        doc: "How long a picture may be out of sight, its last place being kept, before it is lost.")
    static let searchRate = StageOption(
        "searchRate", .number(Bounds(0, 1000, excludesMinimum: true)), default: 10, unit: "1/s",
        doc: "How often at the most the whole frame is searched for pictures that are not followed.")

    public static let contract = StageContract(
        type: "images",
        summary: "Finds known pictures, or the first rectangle of its input, and follows them in perspective.",
        consumes: [.frame, .regions], produces: [.regions, .tracks], keepsState: true, emits: [ImageFinding.self],
        options: [images.property, maximumTracked.property, timeout.property, searchRate.property],
        details: [
            Property(
                "files", .array(of: .map(of: .any, keys: .any, doc: "A file.")), doc: "The pictures' hashes and sizes.")
        ], handsOn: .toStages)

    private let sought: [SoughtImage]
    private let settings: ImagesSettings
    public let details: [JSONMember]

    public init(options: StageOptions) throws {
        _ = openCVIsInitialized
        let takesRegions = options.hasInputs
        let nodes = options[Self.images]
        if takesRegions, !nodes.isEmpty {
            throw StageOptionError(
                option: "images",
                "“images” and an input together; expected one of them: what is looked for is either known "
                    + "or a rectangle that another stage finds")
        }
        if !takesRegions, nodes.isEmpty {
            throw StageOptionError(
                "nothing to look for; expected “images” with a “file” each, or “inputs” with a stage of type "
                    + "“rectangles”")
        }
        var sought: [SoughtImage] = []
        var errors: [StageOptionError] = []
        for (index, node) in nodes.enumerated() {
            do {
                let image = try SoughtImage(node, options: options)
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
        settings = ImagesSettings(
            maximumTracked: takesRegions ? 1 : options[Self.maximumTracked], timeout: options[Self.timeout],
            searchInterval: 1 / options[Self.searchRate], takesRegions: takesRegions)
        details = sought.isEmpty ? [] : [JSONMember(key: "files", value: JSONNode(.array(sought.map(\.json))))]
    }

    public var usesCamera: Bool { sought.contains { $0.physicalWidth != nil } }

    public func makeStage(_ context: StageContext) throws -> any Stage {
        try ImagesStage(context: context, sought: sought, settings: settings)
    }
}

struct ImagesSettings: Sendable {
    /// 0 for no limit.
    var maximumTracked: Int
    /// Seconds.
    var timeout: Double
    /// Seconds.
    var searchInterval: Double
    var takesRegions: Bool
}

/// A picture that the manifest names.
struct SoughtImage: Sendable {
    let name: String
    let image: ReferenceImage
    let picture: ReferencePicture
    /// Metres.
    let physicalWidth: Double?
    /// Its file's name, hash and size, for the header.
    let json: JSONNode

    init(_ node: JSONNode, options: StageOptions) throws {
        let file = node["file"]?.string ?? ""
        let path = options.resolve(file)
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
        name = node["name"]?.string ?? Files.stem(of: file)
        physicalWidth = node["physicalWidth"]?.number
        json = JSONNode(
            .members([
                "name": .string(Files.name(of: file)), "sha256": .string(try SHA256.hash(file: path)),
                "width": .integer(image.width), "height": .integer(image.height),
            ]))
    }
}
