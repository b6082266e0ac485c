/// A file with regions and points, as a manifest names it under `regions` or `points`: their lists, each checked for its
/// form.
public struct SeedFile: Sendable {
    /// As they stand in the file; empty where it has none.
    public var regions: [JSONNode] = []
    public var points: [JSONNode] = []

    /// Neither.
    public static let none = SeedFile()

    private init() {}

    /// - Throws: `InvalidFileError` with all problems; `FileError` for a file that can't be read.
    public init(path: String) throws {
        if Files.isDirectory(path) {
            throw FileError("read", path: path, reason: "it is a folder; expected a JSON file with regions or points")
        }
        let root: JSONNode
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            throw InvalidFileError(
                problems: [Problem(file: path, position: error.position, path: [], message: error.message)])
        }
        var validator = ShapeValidator(file: path)
        if let list = root.elements {
            validator.validate(root, against: .array(of: .object(RegionDeclaration.shape)))
            regions = list
        } else if root.members == nil {
            validator.log.add(
                "\(root.value.typeName); expected the list of regions, or an object with it under “regions”", at: root,
                path: [])
        } else {
            let properties = SeedFileReader.shapes.map { Property($0.key, $0.shape, required: false, doc: "") }
            validator.validate(root, against: .object(ObjectShape(doc: "", properties: properties)))
            regions = root["regions"]?.elements ?? []
            points = root["points"]?.elements ?? []
        }
        for (index, node) in regions.enumerated() where node.members != nil {
            let path: [PathComponent] = (root.elements == nil ? [.key("regions")] : []) + [.index(index)]
            var reader = RegionReader(node: node, path: path, log: validator.log)
            _ = reader.read()
        }
        guard validator.log.isEmpty else { throw InvalidFileError(problems: validator.log.sorted) }
    }
}
