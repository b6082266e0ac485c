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
        var places: [(node: JSONNode, path: [PathComponent])] = []
        for (index, node) in (root["jobs"]?.elements ?? []).enumerated() {
            var reader = JobReader(
                node: node, path: [.key("jobs"), .index(index)], directory: directory, output: output, log: log)
            let read = reader.read(declared: declared, plans: graphs, planner: planner, taken: Set(jobs.map(\.id)))
            log = reader.log
            places += read.map { _ in (node, [.key("jobs"), .index(index)]) }
            jobs += read
        }
        checkOverwriting(jobs, places: places, output: output, manifest: path, log: &log)
        guard log.isEmpty else { throw InvalidFileError(problems: log.sorted) }
        return Manifest(file: path, outputDirectory: output, jobs: jobs)
    }

    /// No result may take the place of the manifest or of any job's input.
    private func checkOverwriting(
        _ jobs: [Job], places: [(node: JSONNode, path: [PathComponent])], output: String, manifest: String,
        log: inout ProblemLog
    ) {
        let report = output + "/" + Report.fileName
        if let file = Files.identity(report), file == Files.identity(manifest) {
            log.add(
                "the report \(report) would overwrite this manifest; expected another output folder or another name "
                    + "for the manifest", at: JSONNode(.null), path: [])
        }
        let inputs = Dictionary(
            jobs.compactMap { job in Files.identity(job.input).map { ($0, job.input) } },
            uniquingKeysWith: { first, _ in first })
        for (job, place) in zip(jobs, places) {
            for result in JobOutput.results(of: job, directory: output) {
                guard let input = Files.identity(result).flatMap({ inputs[$0] }) else { continue }
                let whose = input == job.input ? "the input" : "the input \(input) of another job"
                let key = place.node["id"] == nil ? "input" : "id"
                log.add(
                    "the result \(result) would overwrite \(whose); expected another id or output folder",
                    at: place.node[key] ?? place.node, path: place.path + [.key(key)])
            }
        }
    }
}

/// A path of a file as one that can be opened.
func resolve(_ path: String, _ directory: String) -> String {
    path.hasPrefix("/") || directory == "." ? path : directory + "/" + path
}
