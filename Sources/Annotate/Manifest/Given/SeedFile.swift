/// A file of things that a job gives its stages, as a manifest names it under `regions`, `points` and the like: lists,
/// each checked for its form.
public struct SeedFile: Sendable {
    /// One of its lists.
    public struct List: Sendable {
        /// Kind of the list's things.
        public var kind: any Given.Type
        /// The things as they stand in the file; empty where it has none.
        public var elements: [JSONNode]
    }

    /// A list for each kind that such a file may hold.
    public private(set) var lists: [List]

    /// A file with nothing of any kind.
    public static let none = SeedFile()

    private init() { lists = GivenKinds.own.map { List(kind: $0, elements: []) } }

    /// Reads a file.
    /// - Throws: `InvalidFileError` with all problems; `FileError` for a file that can't be read.
    public init(path: String) throws {
        self.init()
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
            validator.validate(root, against: .array(of: .object(Region.shape)))
            lists[0].elements = list
        } else if root.members == nil {
            validator.log.add(
                "\(root.value.typeName); expected the list of regions, or an object with it under “regions”", at: root,
                path: [])
        } else {
            let properties = lists.map { Property($0.kind.word, .array(of: .object($0.kind.shape)), doc: "") }
            validator.validate(root, against: .object(ObjectShape(doc: "", properties: properties)))
            for index in lists.indices { lists[index].elements = root[lists[index].kind.word]?.elements ?? [] }
        }
        for list in lists {
            let place: [PathComponent] = root.elements == nil ? [.key(list.kind.word)] : []
            for (index, node) in list.elements.enumerated() where node.members != nil {
                _ = list.kind.read(GivenReader(node: node, path: place + [.index(index)], log: validator.log))
            }
        }
        guard validator.log.isEmpty else { throw InvalidFileError(problems: validator.log.sorted) }
    }
}
