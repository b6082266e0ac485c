/// Reads one entry of a manifest's `jobs`, which a glob may turn into many.
struct JobReader {
    /// The entry's JSON, with what it inherits.
    var node: JSONNode
    let path: [PathComponent]
    let paths: ManifestPaths
    /// Folders of the results.
    let output: OutputPlaces
    let formats: [String]
    let sizes: InputSizes
    let cameras: CameraFiles
    /// Kinds of things that the job may give its stages.
    let kinds: GivenKinds
    let log: ProblemLog
    /// Exceptions by ids.
    var overrides = JobOverrides(nil)
    /// Whether the graph is the job's by exception, and not what `defaults` says.
    private var hasGraphByException = false
    /// Files that jobs name for themselves.
    var named: Set<String> = []
    /// Whether an input that isn't there is a job's trouble.
    var allowsMissing = false
    /// Files of regions, points and the like that may be absent and are, as the manifest names them.
    private var absent: [String] = []
    /// Files that the entry's regions and points come from.
    private var seedFiles: [String] = []

    init(
        node: JSONNode, path: [PathComponent], paths: ManifestPaths, output: OutputPlaces, formats: [String],
        sizes: InputSizes, cameras: CameraFiles, kinds: GivenKinds, log: ProblemLog
    ) {
        (self.node, self.path, self.paths) = (node, path, paths)
        (self.output, self.formats) = (output, formats)
        (self.sizes, self.cameras, self.kinds, self.log) = (sizes, cameras, kinds, log)
    }

    /// - Parameter taken: The inputs of the jobs before, by their ids.
    mutating func read(
        graphs: NamedGraphs, planner: GraphPlanner, seeds: SeedFiles, taken: inout [String: String]
    ) -> [Job] {
        let graph = readGraph(graphs, planner: planner)
        let inputs = InputReader(
            node: node, path: path, paths: paths, output: output.directory, log: log, named: named,
            allowsMissing: allowsMissing
        ).read()
        let names = inputs.indices.map { InputName(inputs[$0], number: $0 + 1, of: inputs.count) }
        let template = node["id"]?.string.map(NameTemplate.init)
        if let complaint = template?.complaint { complain("id", complaint) }
        let (written, all) = (node, Set(inputs))
        var shared: Job?
        let isOfInput = graph.map { planner.dependsOnInput($0.node) } ?? false
        if !hasSeedTemplates && !isOfInput || inputs.isEmpty {
            node = withSeeds(of: written, for: names.first ?? nil, seeds)
            shared = readSettings(of: inputs, graph: graph)
        }
        var jobs: [Job] = []
        for (input, name) in zip(inputs, names) {
            var settings = shared
            if hasSeedTemplates || isOfInput {
                node = withSeeds(of: written, for: name, seeds)
                let own = isOfInput ? graph.flatMap { filled($0, for: name, planner: planner, seeds) } : graph
                settings = readSettings(of: [input], graph: own)
                node = written
            }
            // An input without a name has been complained of.
            guard let id = id(template, for: input, name), isFree(id, for: input, among: all, &taken) else {
                continue
            }
            let isException = overrides.has(id)
            if isException {
                settings = exception(written, id, input, name, graphs: graphs, planner: planner, seeds)
            }
            guard var job = settings else { continue }
            (job.id, job.input) = (id, input)
            if !isException { job.encode.codec = codec(of: input, job.encode) }
            jobs.append(job)
        }
        return jobs
    }

    /// What a job has with its exceptions.
    private func exception(
        _ written: JSONNode, _ id: String, _ input: String, _ name: InputName?, graphs: NamedGraphs,
        planner: GraphPlanner,
        _ seeds: SeedFiles
    ) -> Job? {
        let origins = log.origins
        defer { log.origins = origins }
        var own = self
        var changed = log.origins
        own.node = overrides.complete(written, id, at: path, origins: &changed)
        own.hasGraphByException = overrides.gives("graph", to: id)
        log.origins = changed
        let completed = own.node
        var graph = own.readGraph(graphs, planner: planner)
        own.node = own.withSeeds(of: completed, for: name, seeds)
        if let whole = graph, planner.dependsOnInput(whole.node) {
            graph = own.filled(whole, for: name, planner: planner, seeds)
        }
        guard var job = own.readSettings(of: [input], graph: graph) else { return nil }
        job.encode.codec = own.codec(of: input, job.encode)
        return job
    }

    private func codec(of input: String, _ encode: EncodeSettings) -> EncodeSettings.Codec {
        PictureCodecReader(node: node, path: path, sizes: sizes, log: log).codec(of: input, encode)
    }

    /// The graph with the files of an input.
    private func filled(
        _ graph: Graph, for name: InputName?, planner: GraphPlanner, _ seeds: SeedFiles
    ) -> Graph? {
        guard let name else {
            complain(
                "input", "its graph names files by the input's name, and standard input has none; expected a file")
            return nil
        }
        let (node, templates) = planner.filled(graph.node, for: name)
        guard !planner.dependsOnInput(node) else {
            complain("input", "its graph names files by the input's name, which has braces; expected another name")
            return nil
        }
        let plan = planner.plan(node, path: graph.path, log: log, reusing: [graph.plan], templates: templates)
        let files = planner.files(of: node)
        for (written, file) in files where Files.exists(file) { seeds.add(file, written: written) }
        return plan.map { Graph(plan: $0, node: node, files: files, path: graph.path) }
    }

    /// The job's id for an input; nil for none that can be used.
    private func id(_ template: NameTemplate?, for input: String, _ name: InputName?) -> String? {
        guard let template else {
            guard let stem = name?.name else { return nil }
            if TextRule.fileName.accepts(stem) { return stem }
            complain("input", "“\(paths.shown(input))” gives no usable job id; expected an “id” beside it")
            return nil
        }
        // What is wrong with it has been told of.
        guard TextRule.fileName.accepts(template.text), template.complaint == nil else { return nil }
        guard template.varies else { return template.text }
        guard let name else {
            complain(
                "id", "“\(template.text)” for “\(input)”, standard input, which has no name; expected a plain id")
            return nil
        }
        let id = template.filled(for: name)
        if TextRule.fileName.accepts(id) { return id }
        complain(
            "id",
            "“\(template.text)” makes “\(id)” of “\(paths.shown(input))”; expected \(describe(.string(.fileName)))")
        return nil
    }

    private func isFree(
        _ id: String, for input: String, among inputs: Set<String>, _ taken: inout [String: String]
    ) -> Bool {
        guard let other = taken[id] else {
            taken[id] = input
            return true
        }
        let (first, second) = (paths.shown(other), paths.shown(input))
        var advice = ""
        if Files.parent(of: other) != Files.parent(of: input) {
            advice = ", such as \"id\": \"{folder}-{name}\""
        } else if other != input, inputs.contains(other) {
            advice = ", such as \"id\": \"{name}-{n}\""
        }
        let whose = first == second ? "both of \(first)" : "of \(first) and of \(second)"
        complain(
            node["id"] == nil || log.origins.isMoved(path + [.key("id")]) ? "input" : "id",
            "“\(id)” names two jobs, \(whose), which would write one file; expected an id of its own for each\(advice)")
        return false
    }

    /// A job of an input that is known already.
    /// - Returns: nil where there are problems; they are in `log`.
    func read(id: String, input: String, graph: Graph) -> Job? {
        guard var job = readSettings(of: [input], graph: graph) else { return nil }
        (job.id, job.input) = (id, input)
        return job
    }

    /// A job with all that the entry's jobs have in common; nil without a graph.
    private func readSettings(of inputs: [String], graph: Graph?) -> Job? {
        let declared = JobDeclaration(node)
        let encode = readEncode()
        checkRange(declared.range)
        let camera = readCamera(inputs: inputs)
        var (given, places) = (GivenValues(), [String]())
        for kind in kinds.all {
            let ids = read(kind, inputs: inputs, plan: graph?.plan, into: &given)
            // Lines and zones are no places that something comes from.
            if kind != Line.self, kind != Zone.self { places += ids }
        }
        let expected = ExpectationReader(
            node: node, path: path, plan: graph?.plan, places: places, lines: given[Line.self].map(\.id),
            zones: given[Zone.self].map(\.id), given: given, hides: node["cover"]?.elements?.isEmpty == false,
            paths: paths,
            results: output.tracks ?? output.directory, log: log
        ).read()
        let covers = HandCoverReader(
            node: node, path: path, inputs: inputs, sizes: sizes, plan: graph?.plan, regions: places,
            zones: given[Zone.self], points: given[TappedPoint.self].map(\.id), range: declared.range, log: log
        ).read()
        guard let graph else { return nil }
        let overlay = OverlayReader(
            node: node, path: path, isCopied: encode.codec == .copy,
            isWritten: formats.contains(AssSink.format.name), log: log)
        overlay.check(inputs: inputs, sizes: sizes)
        overlay.check(graph)
        if encode.codec != .none { overlay.checkAltered(graph) }
        var job = Job(
            id: "", input: "", graph: graph.plan, range: declared.range, encode: encode,
            entry: text(node, isSorted: true), graphText: text(graph.node), output: output, formats: formats)
        job.onError = declared.onError
        let hides =
            encode.codec != .none
            && (graph.plan.nodes.indices.contains { graph.plan.hides($0) } || covers.contains { $0.follows })
        job.deinterlacing = declared.deinterlaces.map { $0 ? .always : .never } ?? (hides ? .ifNeeded : .never)
        job.frameRate = declared.frameRate
        job.camera = camera
        job.given = given
        job.covers = covers
        job.files = files(of: graph)
        (job.expectations, job.accepted) = (expected.map(\.expectation), expected.map(\.accepted))
        job.absent = absent
        job.lines = Job.Lines(job: node.position.line, expectations: expected.map(\.line))
        return job
    }

    /// Files that the job names besides its input: how they are written, and paths that can be opened.
    private func files(of graph: Graph) -> [String: String] {
        var files = graph.files
        kinds.job.visitPaths(in: node, at: []) { path, _, place in
            if place != [.key("input")] { files[path] = paths.resolve(path) }
        }
        for file in seedFiles + graph.plan.otherFiles { files[file] = file }
        return files.filter { Files.isRegular($0.value) }
    }

    /// Whether the things that it gives its stages are in a file of each input.
    private var hasSeedTemplates: Bool {
        kinds.inFiles.contains { node[$0.word]?.string.map { NameTemplate($0).varies } ?? false }
    }

    /// The entry with the lists that files hold in place of their paths: it is then the same wherever it is read again.
    /// - Parameter name: Of the input that it is for; nil for none.
    private mutating func withSeeds(of written: JSONNode, for name: InputName?, _ seeds: SeedFiles) -> JSONNode {
        var members = written.members ?? []
        (seedFiles, absent) = ([], [])
        let words = kinds.inFiles.map(\.word)
        for index in members.indices where words.contains(members[index].key) {
            let (key, value) = (members[index].key, members[index].value)
            guard var text = value.string, TextRule.path.accepts(text) else { continue }
            members[index].value.value = .array([])
            let mayBeAbsent = text.hasSuffix("?")
            if mayBeAbsent { text.removeLast() }
            let template = NameTemplate(text), place = path + [.key(key)]
            if let complaint = template.complaint {
                complain(key, complaint)
                continue
            }
            if template.varies, name == nil {
                if written["input"]?.string.map(MediaInput.isStandardInput) ?? false {
                    complain(key, "“\(text)” for standard input, which has no name; expected a path without braces")
                }
                continue
            }
            let reader = SeedFileReader(kinds: kinds.inFiles, paths: paths, files: seeds, log: log)
            let file = name.map(template.filled) ?? text
            if mayBeAbsent, !Files.exists(paths.resolve(file)),
                paths.complaint(paths.resolve(file), written: file) == nil
            {
                absent.append("there is no file for “\(key)”: “\(text)?”, which may be absent, so it has none")
                continue
            }
            guard let found = reader.read(key, file, at: value, path: place) else { continue }
            members[index].value.value = .array(found.elements)
            seedFiles.append(found.file)
            log.origins.add(below: place, file: found.file, from: found.path)
        }
        return written.members == nil ? written : JSONNode(.object(members), at: written.position)
    }

    private func complain(_ key: String, _ message: String) {
        log.add(message, at: node[key] ?? node, path: path + [.key(key)])
    }

    private func text(_ node: JSONNode, isSorted: Bool = false) -> String {
        var writer = JSONWriter()
        writer.value(node.value, isSorted: isSorted)
        return writer.text
    }

    private func readGraph(
        _ graphs: NamedGraphs, planner: GraphPlanner
    ) -> Graph? {
        guard let graph = node["graph"] else {
            if node.members != nil {
                log.add(
                    "“graph” is missing; expected the name of a graph or a graph, here or under “defaults”", at: node,
                    path: path)
            }
            return nil
        }
        if !hasGraphByException, log.origins.isMoved(path + [.key("graph")]) { return graphs.inherited }
        return readGraph(graph, at: path + [.key("graph")], graphs, planner: planner)
    }

    /// - Parameter path: The graph's own.
    func readGraph(
        _ graph: JSONNode, at path: [PathComponent], _ graphs: NamedGraphs, planner: GraphPlanner
    ) -> Graph? {
        guard let name = graph.string else {
            return planner.plan(graph, path: path, log: log).map {
                Graph(plan: $0, node: graph, files: planner.files(of: graph), path: path)
            }
        }
        guard let written = graphs.nodes[name] else {
            // The shape's validation has complained of a name that can't be one.
            guard TextRule.identifier.accepts(name) else { return nil }
            let names = graphs.names
            let expected = names.isEmpty ? "a graph under “graphs”, which has none" : "one of \(list(names))"
            log.add(
                "no graph “\(name)”; expected \(expected)\(log.suggestion(name, names))", at: graph, path: path)
            return nil
        }
        return graphs.plans[name].map {
            Graph(
                plan: $0, node: written, files: graphs.files[name] ?? [:], path: [.key("graphs"), .key(name)])
        }
    }

    private func checkRange(_ range: FrameRange?) {
        guard let range, let end = range.end, end <= range.start else { return }
        // Told of the job's own one, if it has one of them from elsewhere.
        let place = path + [.key("range")]
        let key = log.origins.isMoved(place + [.key("end")]) && node["range"]?["start"] != nil ? "start" : "end"
        log.add(
            "the range ends at \(plain(end)) s and starts at \(plain(range.start)) s; expected an end after the start",
            at: node["range"]?[key] ?? node, path: place + [.key(key)])
    }

    private func readEncode() -> EncodeSettings {
        guard let encode = node["encode"] else { return EncodeSettings() }
        return EncodeReader(node: encode, path: path + [.key("encode")], log: log).read()
    }

    private func readCamera(inputs: [String]) -> CameraDeclaration {
        guard let node = node["camera"] else { return .assumed }
        let camera = CameraReader(paths: paths, files: cameras, log: log).read(node, path: path + [.key("camera")])
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

    /// Reads what the job gives of one kind.
    /// - Returns: Their ids.
    private func read<G: Given>(
        _ kind: G.Type, inputs: [String], plan: GraphPlan?, into given: inout GivenValues
    ) -> [String] {
        guard let elements = node[G.word]?.elements, !elements.isEmpty else { return [] }
        // A zone may be there for a cover alone.
        let isCovered = kind == Zone.self && node["cover"]?.elements?.contains { $0["zone"] != nil } ?? false
        if let plan, !plan.takes(kind), !isCovered { complain(G.word, kinds.complaint(of: kind)) }
        let pictures = sizes.sizes(of: inputs)
        let isStream = inputs.contains(where: MediaInput.isStandardInput)
        var ids: Set<String> = []
        var read: [G] = []
        for (index, element) in elements.enumerated() {
            let place = path + [.key(G.word), .index(index)]
            let reader = GivenReader(node: element, path: place, pictures: pictures, isStream: isStream, log: log)
            guard let one = G.read(reader) else { continue }
            if !ids.insert(one.id).inserted {
                log.add(
                    "“\(one.id)” names two \(G.word) of this job; expected an id of its own for each",
                    at: element["id"] ?? element, path: place + [.key("id")])
            }
            read.append(one)
        }
        given[kind] = read
        return read.map(\.id)
    }
}
