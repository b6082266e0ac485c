/// The manifest's `graphs`.
struct NamedGraphs {
    /// In the file's order.
    var names: [String] = []
    var nodes: [String: JSONNode] = [:]
    /// Of those without a problem.
    var plans: [String: GraphPlan] = [:]
    /// The files that each names: how they are written, and paths that can be opened.
    var files: [String: [String: String]] = [:]
}

/// A graph that can run, and how it is written.
struct Graph {
    var plan: GraphPlan
    var node: JSONNode
    /// The files that it names: how they are written, and paths that can be opened.
    var files: [String: String]
}

/// Reads one entry of a manifest's `jobs`, which a glob may turn into many.
struct JobReader {
    let node: JSONNode
    let path: [PathComponent]
    let paths: ManifestPaths
    /// Where results go, and what is written beside track files.
    let output: (directory: String, formats: [String])
    let sizes: InputSizes
    let cameras: CameraFiles
    var log: ProblemLog

    mutating func read(graphs: NamedGraphs, planner: GraphPlanner, taken: inout Set<String>) -> [Job] {
        let graph = readGraph(graphs, planner: planner)
        var inputReader = InputReader(node: node, path: path, paths: paths, log: log)
        let inputs = inputReader.read()
        log = inputReader.log
        let template = readSettings(of: inputs, graph: graph)
        var jobs: [Job] = []
        for input in inputs {
            // An input without a name has been complained of.
            guard let id = node["id"]?.string ?? MediaInput(path: input).stem else { continue }
            let place = node["id"] == nil ? "input" : "id"
            guard TextRule.fileName.accepts(id) else {
                if node["id"] == nil {
                    complain("input", "“\(input)” gives no usable job id; expected an “id” beside it")
                }
                continue
            }
            guard taken.insert(id).inserted else {
                complain(
                    place, "“\(id)” names two jobs, which would write one file; expected an id of its own for each")
                continue
            }
            guard var job = template else { continue }
            (job.id, job.input) = (id, input)
            jobs.append(job)
        }
        return jobs
    }

    /// A job of an input that is known already.
    /// - Returns: nil where there are problems; they are in `log`.
    mutating func read(id: String, input: String, graph: Graph) -> Job? {
        guard var job = readSettings(of: [input], graph: graph) else { return nil }
        (job.id, job.input) = (id, input)
        return job
    }

    /// All that the entry's jobs have in common; nil without a graph.
    private mutating func readSettings(of inputs: [String], graph: Graph?) -> Job? {
        let declared = JobDeclaration(node)
        let encode = readEncode()
        checkRange(declared.range)
        let camera = readCamera(inputs: inputs)
        let regions = readRegions(inputs: inputs, plan: graph?.plan)
        var pointsReader = PointsReader(
            node: node, path: path, inputs: inputs, plan: graph?.plan, sizes: sizes, log: log)
        let points = pointsReader.read()
        log = pointsReader.log
        var expectations = ExpectationReader(
            node: node, path: path, plan: graph?.plan, places: regions.map(\.id) + points.map(\.id), log: log)
        let expected = expectations.read()
        log = expectations.log
        guard let graph else { return nil }
        var job = Job(
            id: "", input: "", graph: graph.plan, range: declared.range, regions: regions, encode: encode,
            entry: text(node), graphText: text(graph.node), directory: output.directory, formats: output.formats)
        job.onError = declared.onError
        job.deinterlaces = declared.deinterlaces
        job.frameRate = declared.frameRate
        job.camera = camera
        job.points = points
        job.files = files(of: graph)
        job.expectations = expected.map(\.expectation)
        job.lines = Job.Lines(job: node.position.line, expectations: expected.map(\.line))
        return job
    }

    /// The files that the job names besides its input: how they are written, and paths that can be opened.
    private func files(of graph: Graph) -> [String: String] {
        var files = graph.files
        Self.shape.visitPaths(in: node, at: []) { path, _, place in
            if place != [.key("input")] { files[path] = paths.resolve(path) }
        }
        return files.filter { Files.isRegular($0.value) }
    }

    private static let shape = Shape.object(JobDeclaration.shape(graph: .any))

    private mutating func complain(_ key: String, _ message: String) {
        log.add(message, at: node[key] ?? node, path: path + [.key(key)])
    }

    private func text(_ node: JSONNode) -> String {
        var writer = JSONWriter()
        writer.value(node.value)
        return writer.text
    }

    private mutating func readGraph(
        _ graphs: NamedGraphs, planner: GraphPlanner
    ) -> Graph? {
        guard let graph = node["graph"] else { return nil }
        guard let name = graph.string else {
            return planner.plan(graph, path: path + [.key("graph")], log: &log).map {
                Graph(plan: $0, node: graph, files: planner.files(of: graph))
            }
        }
        guard let written = graphs.nodes[name] else {
            // The shape's validation has complained of a name that can't be one.
            guard TextRule.identifier.accepts(name) else { return nil }
            let names = graphs.names
            let expected = names.isEmpty ? "a graph under “graphs”, which has none" : "one of \(list(names))"
            complain("graph", "no graph “\(name)”; expected \(expected)\(log.suggestion(name, names))")
            return nil
        }
        return graphs.plans[name].map { Graph(plan: $0, node: written, files: graphs.files[name] ?? [:]) }
    }

    private mutating func checkRange(_ range: FrameRange?) {
        guard let range, let end = range.end, end <= range.start else { return }
        log.add(
            "the range ends at \(plain(end)) s and starts at \(plain(range.start)) s; expected an end after the start",
            at: node["range"]?["end"] ?? node, path: path + [.key("range"), .key("end")])
    }

    private mutating func readEncode() -> EncodeSettings {
        guard let encode = node["encode"] else { return EncodeSettings() }
        var reader = EncodeReader(node: encode, path: path + [.key("encode")], log: log)
        defer { log = reader.log }
        return reader.read()
    }

    private mutating func readCamera(inputs: [String]) -> CameraDeclaration {
        guard let node = node["camera"] else { return .assumed }
        var reader = CameraReader(paths: paths, files: cameras, log: log)
        let camera = reader.read(node, path: path + [.key("camera")])
        log = reader.log
        guard let camera else { return .assumed }
        for (name, size) in sizes.sizes(of: inputs) {
            do {
                _ = try camera.intrinsics(width: size.width, height: size.height)
            } catch {
                complain("camera", "\(name): \(error)")
            }
        }
        return camera
    }

    private mutating func readRegions(inputs: [String], plan: GraphPlan?) -> [Region] {
        guard let elements = node["regions"]?.elements, !elements.isEmpty else { return [] }
        if let plan, !plan.takesSeeds {
            complain("regions", "the graph has no stage that starts from regions; expected one of type “track”")
        }
        let pictures = sizes.sizes(of: inputs)
        var regions: [Region] = []
        var ids: Set<String> = []
        for (index, element) in elements.enumerated() {
            let place = path + [.key("regions"), .index(index)]
            var reader = RegionReader(node: element, path: place, log: log)
            let region = reader.read()
            log = reader.log
            guard let region else { continue }
            if !ids.insert(region.id).inserted {
                log.add(
                    "“\(region.id)” names two regions of this job; expected an id of its own for each",
                    at: element["id"] ?? element, path: place + [.key("id")])
            }
            regions.append(region)
            for picture in pictures { checkInside(region, element, place, picture.name, picture.size) }
        }
        return regions
    }

    private mutating func checkInside(
        _ region: Region, _ node: JSONNode, _ place: [PathComponent], _ name: String, _ size: PictureSize
    ) {
        let seed = region.seed(width: size.width, height: size.height)
        let frame = Box(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        guard let box = Box(around: seed.polygon), box.intersection(frame) == nil else { return }
        log.add(
            "the region lies outside the picture of \(name); expected it within \(size.width)×\(size.height) pixels",
            at: node["box"] ?? node["polygon"] ?? node["point"] ?? node, path: place)
    }
}
