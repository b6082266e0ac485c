/// A file of things that a job gives its stages, as a manifest names it under `regions`, `points` and the like: lists,
/// each checked for its form.
public struct SeedFile: Sendable {
    /// A list of such a file.
    public struct List: Sendable {
        /// The member of a job, and of a file, that lists them: “regions”.
        public let word: String
        /// The tool with which `pick` draws them; nil where it doesn't.
        public let tool: DrawingTool?
        /// The things as they stand in the file; empty where it has none.
        public var elements: [JSONNode]
    }

    /// A list for each kind that such a file may hold.
    public private(set) var lists: [List]

    /// A file with nothing of any kind.
    public static let none = SeedFile()

    private init() {
        lists = GivenKinds.own.map { List(word: $0.word, tool: $0.tool, elements: []) }
        lists.append(List(word: SeedShape.cover.word, tool: .cover, elements: []))
    }

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
            let shapes = GivenKinds.own.map(SeedShape.init) + [.cover]
            let properties = shapes.map { Property($0.word, .array(of: .object($0.shape)), doc: "") }
            validator.validate(root, against: .object(ObjectShape(doc: "", properties: properties)))
            for index in lists.indices { lists[index].elements = root[lists[index].word]?.elements ?? [] }
        }
        // What covers follow is another's to say.
        for (kind, list) in zip(GivenKinds.own, lists) {
            let place: [PathComponent] = root.elements == nil ? [.key(list.word)] : []
            for (index, node) in list.elements.enumerated() where node.members != nil {
                _ = kind.read(GivenReader(node: node, path: place + [.index(index)], log: validator.log))
            }
        }
        guard validator.log.isEmpty else { throw InvalidFileError(problems: validator.log.sorted) }
    }
}
