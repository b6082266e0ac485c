/// A file of things that a job gives its stages, as a manifest names it under `regions`, `points` and the like: lists,
/// each checked for its form.
public struct SeedFile: Sendable {
    /// A list of such a file.
    public struct List: Sendable {
        /// The member of a job, and of a file, that lists them: “regions”.
        public let word: String
        /// The tool with which `pick` draws them; nil where it doesn't.
        public let tool: DrawingTool?
        /// The members that one of them may have.
        public let members: [String]
        /// False for the lists that every program has.
        public let isOfProgram: Bool
        /// The things as they stand in the file; empty where it has none.
        public var elements: [JSONNode] = []

        init(_ shape: SeedShape, _ tool: DrawingTool?, isOfProgram: Bool) {
            word = shape.word
            members = shape.shape.properties.map(\.name)
            (self.tool, self.isOfProgram) = (tool, isOfProgram)
        }
    }

    /// A list for each kind that such a file may hold.
    public private(set) var lists: [List]

    /// A file with nothing of any kind.
    /// - Parameter stages: The program's, with what they take.
    public init(of stages: StageCatalog = StageCatalog([])) {
        let known = Set(GivenKinds.own.map { $0.word })
        lists = GivenKinds(stages).all.map { List(SeedShape($0), $0.tool, isOfProgram: !known.contains($0.word)) }
        lists.append(List(.cover, .cover, isOfProgram: false))
    }

    /// Reads a file.
    /// - Parameters:
    ///   - path: The file's.
    ///   - stages: The program's, with what they take.
    /// - Throws: `InvalidFileError` with all problems; `FileError` for a file that can't be read.
    public init(path: String, of stages: StageCatalog = StageCatalog([])) throws {
        self.init(of: stages)
        let kinds = GivenKinds(stages)
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
            let properties = kinds.inFiles.map { Property($0.word, .array(of: .object($0.shape)), doc: "") }
            validator.validate(root, against: .object(ObjectShape(doc: "", properties: properties)))
            for index in lists.indices { lists[index].elements = root[lists[index].word]?.elements ?? [] }
        }
        // What covers follow is another's to say.
        for (kind, list) in zip(kinds.all, lists) {
            let place: [PathComponent] = root.elements == nil ? [.key(list.word)] : []
            for (index, node) in list.elements.enumerated() where node.members != nil {
                _ = kind.read(GivenReader(node: node, path: place + [.index(index)], log: validator.log))
            }
        }
        guard validator.log.isEmpty else { throw InvalidFileError(problems: validator.log.sorted) }
    }
}
