/// Reads a manifest and finds every problem before anything runs.
public struct ManifestReader {
    private let catalog: StageCatalog
    private let outputOverride: String?

    /// - Parameter outputDirectory: takes the place of the manifest's own.
    public init(catalog: StageCatalog, outputDirectory: String? = nil) {
        self.catalog = catalog
        self.outputOverride = outputDirectory
    }

    /// - Throws: `InvalidFileError` with all problems.
    public func read(_ path: String) throws -> Manifest {
        let directory = Files.parent(of: path)
        var validator = ShapeValidator(file: path)
        let root: JSONNode
        do {
            root = try JSONParser.parse(try Files.read(path))
        } catch let error as JSONSyntaxError {
            validator.log.add(error.message, at: error.position, path: [])
            throw InvalidFileError(problems: validator.log.sorted)
        } catch let error as MediaError {
            validator.log.add("\(error.reason); expected a manifest to read", at: JSONNode(.null), path: [])
            throw InvalidFileError(problems: validator.log.sorted)
        }
        validator.validate(root, against: ManifestShape.shape(catalog: catalog))
        var log = validator.log

        let planner = GraphPlanner(catalog: catalog, directory: directory)
        var graphs: [String: GraphPlan] = [:]
        let declared = root["graphs"]?.members ?? []
        for member in declared {
            graphs[member.key] = planner.plan(member.value, path: [.key("graphs"), .key(member.key)], log: &log)
        }
        let output = outputOverride ?? resolve(root["output"]?["directory"]?.string ?? "out", directory)
        if Files.exists(output), !Files.isDirectory(output) {
            let node = root["output"]?["directory"] ?? root
            log.add("“\(output)” is a file; expected a folder or nothing there", at: node, path: [.key("output")])
        }
        var jobs: [Job] = []
        for (index, node) in (root["jobs"]?.elements ?? []).enumerated() {
            var reader = JobReader(
                node: node, path: [.key("jobs"), .index(index)], directory: directory, output: output, log: log)
            jobs += reader.read(declared: declared, plans: graphs, planner: planner, taken: Set(jobs.map(\.id)))
            log = reader.log
        }
        guard log.isEmpty else { throw InvalidFileError(problems: log.sorted) }
        return Manifest(file: path, outputDirectory: output, jobs: jobs)
    }
}

/// A path of a file as one that can be opened.
func resolve(_ path: String, _ directory: String) -> String {
    path.hasPrefix("/") || directory == "." ? path : directory + "/" + path
}
