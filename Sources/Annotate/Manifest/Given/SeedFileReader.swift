/// The files with regions, points and the like that a manifest names, each read once.
final class SeedFiles {
    /// Contents by path; nil for a file that can't be used.
    fileprivate var known: [String: JSONNode?] = [:]
    /// Paths and keys that have been checked against the shape of what is taken from them.
    fileprivate var validated: Set<[String]> = []
    /// Paths as the manifest has them, by the path that can be opened.
    private(set) var written: [String: String] = [:]

    /// Notes a file that belongs to some job.
    func add(_ file: String, written: String) { self.written[file] = written }
}

/// Reads the file that stands for a job's `regions`, `points` and the like: the list, or an object with it.
struct SeedFileReader {
    /// What such a file may hold beside the list that is wanted.
    let kinds: [SeedShape]
    let paths: ManifestPaths
    let files: SeedFiles
    let log: ProblemLog

    /// - Parameters:
    ///   - key: What the list is of.
    ///   - written: The file's path, from the manifest's folder.
    ///   - node: Where that stands.
    /// - Returns: The list, its file and where in it; nil where there are problems: those of the file have their place there.
    func read(
        _ key: String, _ written: String, at node: JSONNode, path: [PathComponent]
    ) -> (elements: [JSONNode], file: String, path: [PathComponent])? {
        let file = paths.resolve(written)
        if let complaint = paths.complaint(file, written: written) {
            log.add(complaint, at: node, path: path)
            return nil
        }
        guard Files.exists(file) else {
            let template = node.string.flatMap { $0 == written ? nil : ", which “\($0)” stands for" } ?? ""
            log.add(
                "no file “\(written)”\(template); expected a JSON file with the list of \(noun(key))\(log.suggestion(near: file))",
                at: node, path: path)
            return nil
        }
        files.add(file, written: written)
        guard let root = root(of: file, written, at: node, path: path) else { return nil }
        if files.validated.insert([file, key]).inserted { validate(root, key, file) }
        if let elements = root.elements { return (elements, file, []) }
        return root[key]?.elements.map { ($0, file, [.key(key)]) }
    }

    private func root(
        of file: String, _ written: String, at node: JSONNode, path: [PathComponent]
    ) -> JSONNode? {
        if let root = files.known[file] { return root }
        files.known[file] = .some(nil)
        do {
            let root = try JSONParser.parse(try paths.read(file))
            files.known[file] = root
            return root
        } catch let error as JSONSyntaxError {
            log.add([Problem(file: file, position: error.position, path: [], message: error.message)])
        } catch {
            let reason = (error as? FileError)?.reason ?? "\(error)"
            log.add(
                "“\(written)” can't be read: \(reason); expected a JSON file", at: node, path: path)
        }
        return nil
    }

    private func noun(_ key: String) -> String { kinds.first { $0.word == key }?.noun ?? key }

    private func validate(_ root: JSONNode, _ key: String, _ file: String) {
        var validator = ShapeValidator(file: file)
        defer { log.add(validator.log.problems) }
        if root.elements != nil, let kind = kinds.first(where: { $0.word == key }) {
            validator.validate(root, against: .array(of: .object(kind.shape)))
        } else if root.members == nil {
            validator.log.add(
                "\(root.value.typeName); expected the list of \(noun(key)), or an object with it under “\(key)”",
                at: root,
                path: [])
        } else {
            let properties = kinds.map { kind in
                Property(kind.word, .array(of: .object(kind.shape)), required: kind.word == key, doc: "")
            }
            validator.validate(root, against: .object(ObjectShape(doc: "", properties: properties)))
        }
    }
}
