/// Makes jobs of the orders of another process, which has validated the manifest that they come from.
final class OrderReader {
    private let paths: ManifestPaths
    private let planner: GraphPlanner
    private let output: OutputPlaces
    private let formats: [String]
    private let kinds: GivenKinds
    /// Graphs that were planned, the one used last at the end: their models are loaded.
    private var plans: [(text: String, node: JSONNode, plan: GraphPlan, files: FileVersions)] = []
    private static let mostPlans = 8

    /// A reader of orders of one manifest.
    /// - Parameters:
    ///   - paths: The manifest's.
    ///   - output: The folders of results.
    ///   - formats: Forms that are written beside track files.
    init(catalog: StageCatalog, paths: ManifestPaths, output: OutputPlaces, formats: [String]) {
        self.paths = paths
        (self.output, self.formats) = (output, formats)
        planner = GraphPlanner(catalog: catalog, paths: paths)
        kinds = GivenKinds(catalog)
    }

    /// - Parameters:
    ///   - entry: The manifest's entry, as JSON.
    ///   - graph: The same of its graph.
    ///   - codec: What the input is made into, where that isn't the entry's to say.
    /// - Throws: `FileError` where a file that it names has changed since, so that the job can't be any more.
    func job(id: String, input: String, entry: String, graph: String, codec: String? = nil) throws -> Job {
        let log = ProblemLog(file: "")
        let plan = try plan(graph, log)
        let reader = JobReader(
            node: try JSONParser.parse(Array(entry.utf8)), path: [], paths: paths, output: output, formats: formats,
            // Places have been held against the picture's size.
            sizes: InputSizes(limits: MediaLimits(), looksAtFiles: false), cameras: CameraFiles(),
            kinds: kinds, log: log)
        guard var job = reader.read(id: id, input: input, graph: plan), log.isEmpty else { throw invalid(log) }
        if let codec = codec.flatMap(EncodeSettings.Codec.init) { job.encode.codec = codec }
        return job
    }

    private func plan(_ text: String, _ log: ProblemLog) throws -> Graph {
        // A worker may live longer than a model's file stays as it is.
        plans.removeAll { !$0.files.areCurrent }
        if let index = plans.firstIndex(where: { $0.text == text }) {
            plans.append(plans.remove(at: index))
        } else {
            let node = try JSONParser.parse(Array(text.utf8))
            var files = FileVersions(of: planner.files(of: node).values)
            guard
                let plan = planner.plan(
                    node, path: [.key("graph")], log: log, reusing: plans.map(\.plan))
            else { throw invalid(log) }
            if plans.count == Self.mostPlans { plans.removeFirst() }
            files.add(plan.otherFiles)
            plans.append((text, node, plan, files))
        }
        let found = plans[plans.count - 1]
        return Graph(plan: found.plan, node: found.node, files: [:])
    }

    private func invalid(_ log: ProblemLog) -> FileError {
        FileError(
            "set up", path: "the job",
            reason: log.sorted.map(\.message).joined(separator: "; ") + " (this was well when the manifest was read)")
    }
}
