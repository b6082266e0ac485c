/// Reads a manifest and finds every problem before anything runs.
public struct ManifestReader {
    private let catalog: StageCatalog
    private let outputOverride: String?
    private let root: String?
    private let limits: MediaLimits
    let attention: PlanAttention
    /// Whether an input that isn't there fails as a job, not as a manifest.
    private let allowsMissing: Bool
    /// Whether it need not have a job.
    var mayLackJobs = false
    /// Whether every input is opened, and told of where that can't be done: its job would fail.
    var looksAtInputs = false
    /// Stages that are known from manifests that were read before.
    var stages = KnownStages()

    /// A reader of manifests for a program with these stages.
    /// - Parameters:
    ///   - catalog: the program's stage types.
    ///   - outputDirectory: takes the place of the manifest's own.
    ///   - root: a folder that no path of the manifest may leave; nil for no such bound.
    ///   - limits: what an input may ask for when it is looked at.
    ///   - skipped: inputs whose pictures aren't to be looked at, and files of stages: what can't be opened fails as a
    ///     job; other files too: who names one can't be read.
    ///   - allowsMissing: whether an input that is named and isn't there fails as a job.
    ///   - lookingAt: told of each of them before it is looked at, and of an empty name afterwards.
    public init(
        catalog: StageCatalog, outputDirectory: String? = nil, root: String? = nil, limits: MediaLimits = MediaLimits(),
        skipped: Set<String> = [], allowsMissing: Bool = false,
        lookingAt: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.catalog = catalog
        self.allowsMissing = allowsMissing
        attention = PlanAttention(skipped: skipped, lookingAt: lookingAt)
        self.outputOverride = outputDirectory
        self.root = root
        self.limits = limits
    }

    /// Reads a manifest.
    /// - Throws: `InvalidFileError` with all problems; `ManifestFileError` where there is nothing to be read.
    public func read(_ path: String) throws -> Manifest {
        try read(path, try ManifestFile.read(path))
    }

    /// Reads a manifest whose bytes are known.
    /// - Throws: `InvalidFileError` with all problems.
    func read(_ path: String, _ bytes: [UInt8]) throws -> Manifest {
        let paths = ManifestPaths(directory: Files.parent(of: path), root: root, attention: attention)
        var validator = ShapeValidator(file: path)
        let root: JSONNode
        do {
            root = try JSONParser.parse(bytes)
        } catch {
            validator.log.add(error.message, at: error.position, path: [])
            throw InvalidFileError(problems: validator.log.sorted)
        }
        validator.validate(root, against: ManifestShape.shape(catalog: catalog, mayLackJobs: mayLackJobs))
        let log = validator.log

        let planner = GraphPlanner(catalog: catalog, paths: paths, attention: attention, stages: stages)
        var graphs = NamedGraphs()
        for member in root["graphs"]?.members ?? [] {
            graphs.names.append(member.key)
            graphs.nodes[member.key] = member.value
            graphs.files[member.key] = planner.files(of: member.value)
            graphs.plans[member.key] = planner.plan(member.value, path: [.key("graphs"), .key(member.key)], log: log)
        }
        let folders = OutputPlaces(of: root, paths, instead: outputOverride), output = folders.directory
        let written = root["output"]?["directory"]?.string ?? "out"
        if outputOverride == nil, let complaint = paths.complaint(output, written: written) {
            log.add(complaint, at: root["output"]?["directory"] ?? root, path: [.key("output"), .key("directory")])
        }
        if Files.exists(output), !Files.isDirectory(output) {
            let node = root["output"]?["directory"] ?? root
            log.add("“\(output)” is a file; expected a folder or nothing there", at: node, path: [.key("output")])
        }
        checkAddresses(root, folders, log: log)
        checkTracks(root["output"]?["tracks"], paths, log: log)
        DataSetOptions.check(root, paths, folders, log: log)
        for key in ["fetch", "store"] {
            guard let command = Self.command(root[key]), let complaint = FetchOptions.complaint(command) else {
                continue
            }
            log.add(complaint, at: root[key] ?? root, path: [.key(key)])
        }
        let known = SinkCatalog.known.besideTracks.map(\.name)
        let formats = (root["output"]?["formats"]?.elements ?? []).compactMap(\.string).reduce(into: [String]()) {
            // What is no format has been complained of, and twice is once.
            if known.contains($1), !$0.contains($1) { $0.append($1) }
        }
        var jobs: [Job] = []
        var taken: [String: String] = [:]
        let sizes = InputSizes(limits: limits, attention: attention)
        let (cameras, seeds, kinds) = (CameraFiles(), SeedFiles(), GivenKinds(catalog))
        let defaults = JobDefaults(root["defaults"])
        let overrides = JobOverrides(root["overrides"])
        let alone = Self.named(by: root["jobs"]?.elements ?? [], paths)
        func reader(_ node: JSONNode, at path: [PathComponent]) -> JobReader {
            var reader = JobReader(
                node: node, path: path, paths: paths, output: folders, formats: formats, sizes: sizes, cameras: cameras,
                kinds: kinds, log: log)
            (reader.overrides, reader.named, reader.allowsMissing) = (overrides, alone, allowsMissing)
            return reader
        }
        if let graph = root["defaults"]?["graph"] {
            graphs.inherited = reader(graph, at: JobDefaults.path).readGraph(
                graph, at: JobDefaults.path + [.key("graph")], graphs, planner: planner)
        }
        var places: [(node: JSONNode, path: [PathComponent])] = []
        for (index, node) in (root["jobs"]?.elements ?? []).enumerated() {
            let path: [PathComponent] = [.key("jobs"), .index(index)]
            var origins = Origins()
            let entry = defaults.complete(node, at: path, origins: &origins)
            log.origins = origins
            var reader = reader(entry, at: path)
            let read = reader.read(graphs: graphs, planner: planner, seeds: seeds, taken: &taken)
            log.origins = Origins()
            places += read.map { _ in (node, path) }
            jobs += read
        }
        // Where jobs come one by one, a pattern is for some that are still to come.
        if !mayLackJobs { overrides.check(taken.keys.sorted(), log: log) }
        if jobs.isEmpty, log.isEmpty, !mayLackJobs {
            log.add(
                "no job is left: “exclude” leaves out all that the globs match; expected one file at least",
                at: root["jobs"] ?? root, path: [.key("jobs")])
        }
        if !mayLackJobs, log.isEmpty { DataSetOptions.check(root, paths, of: jobs, log: log) }
        checkStandardInput(jobs, places: places, log: log)
        checkOverwriting(
            jobs, places: places, output: output, named: named(by: root, path, seeds, paths: paths), log: log)
        guard log.isEmpty else { throw InvalidFileError(problems: log.sorted) }
        if looksAtInputs { for sentence in sizes.complaints(of: jobs.map(\.input)) { log.remark(sentence) } }
        return Manifest(
            file: path, output: folders, formats: formats, dataSet: DataSetOptions(of: root, paths), jobs: jobs,
            remarks: log.remarks, fetch: Self.command(root["fetch"]), store: Self.command(root["store"]),
            address: root["output"]?["address"]?.string)
    }

    /// Canonical paths of the files that jobs name for themselves, which no glob gives again; none where there is no glob.
    private static func named(by jobs: [JSONNode], _ paths: ManifestPaths) -> Set<String> {
        let inputs = jobs.compactMap { $0["input"]?.string }.filter { TextRule.path.accepts($0) }.map(paths.resolve)
        let named = inputs.filter(Files.isRegular)
        return named.count == inputs.count ? [] : Set(named.map(Files.canonical))
    }

    /// What keeps results from being stored at an address, in a sentence; nil for nothing.
    private func complaint(address text: String) -> String? {
        guard let address = RemoteAddress(text) else {
            let shown = RemoteAddress.mended(text)?.shown ?? RemoteAddress.shown(text)
            return "“\(shown)” is no address; expected one such as s3://bucket/folder"
        }
        if let flaw = address.flaw { return "“\(address.shown)” \(flaw)" }
        if address.leadsOut { return "“\(address.shown)” has “..” in it; expected an address without “.” and “..”" }
        if address.hasQuery { return "“\(address.shown)” has a “?” or “#” behind it; expected an address of a folder" }
        return root == nil
            ? nil : "“\(address.shown)” lies elsewhere, and under --root nothing is stored; expected results here alone"
    }

    /// Refuses an address where a folder is to be, and one that results can't go to.
    private func checkAddresses(_ root: JSONNode, _ folders: OutputPlaces, log: ProblemLog) {
        let output = root["output"]
        for (key, folder) in [("directory", folders.directory), ("tracks", folders.tracks ?? folders.directory)] {
            // What stands before it, the manifest's own folder, may have any name.
            let word = key == "directory" ? outputOverride ?? output?[key]?.string : output?[key]?.string
            guard let word, RemoteAddress.isMeant(word), !Files.isDirectory(folder) else { continue }
            log.add(
                "“\(RemoteAddress.shown(word))” is an address; expected a folder here, and the address as "
                    + "“address” of “output”",
                at: output?[key] ?? root, path: [.key("output"), .key(key)])
        }
        guard let node = output?["address"], let text = node.string else { return }
        if let complaint = complaint(address: text) {
            log.add(complaint, at: node, path: [.key("output"), .key("address")])
        } else if let tracks = folders.tracks {
            log.remark(
                "track files, and forms that tell where things are, stay in “\(tracks)”, which isn't handed out: "
                    + "they aren't stored at \(RemoteAddress.shown(text))")
        }
    }

    /// The words of a command; nil for none.
    static func command(_ node: JSONNode?) -> [String]? { node?.elements?.compactMap(\.string) }

    /// The folder of track files.
    private func checkTracks(_ node: JSONNode?, _ paths: ManifestPaths, log: ProblemLog) {
        guard let node, let written = node.string, TextRule.path.accepts(written) else { return }
        let folder = paths.resolve(written), place: [PathComponent] = [.key("output"), .key("tracks")]
        if let complaint = paths.complaint(folder, written: written) { log.add(complaint, at: node, path: place) }
        if Files.exists(folder), !Files.isDirectory(folder) {
            log.add("“\(folder)” is a file; expected a folder or nothing there", at: node, path: place)
        }
    }

    /// Refuses standard input for more than one job.
    private func checkStandardInput(
        _ jobs: [Job], places: [(node: JSONNode, path: [PathComponent])], log: ProblemLog
    ) {
        let readers = zip(jobs, places).filter { MediaInput.isStandardInput($0.0.input) }
        for (_, place) in readers.dropFirst() {
            log.add(
                "a second job reads standard input, which can be read once; expected a file",
                at: place.node["input"] ?? place.node, path: place.path + [.key("input")])
        }
    }

    /// Files that the manifest names besides inputs, and the manifest itself.
    private func named(
        by root: JSONNode, _ manifest: String, _ seeds: SeedFiles, paths: ManifestPaths
    ) -> [Files.Identity: String] {
        var files: [Files.Identity: String] = [:]
        for (path, written) in seeds.written {
            if let file = Files.identity(path) { files[file] = "\(written), which the manifest names" }
        }
        ManifestShape.shape(catalog: catalog).visitPaths(in: root, at: []) { path, _, _ in
            if let file = Files.identity(paths.resolve(path)) { files[file] = "\(path), which the manifest names" }
        }
        if let file = Files.identity(manifest) { files[file] = "this manifest" }
        return files
    }

    /// The folders that jobs' inputs lie in, and those above them.
    private static func holding(_ jobs: [Job]) -> Set<String> {
        var holding: Set<String> = []
        for parent in Set(jobs.map { Files.parent(of: $0.input) }) {
            var folder = Files.canonical(parent)
            while holding.insert(folder).inserted, folder != "/", folder != "." { folder = Files.parent(of: folder) }
        }
        return holding
    }

    /// Refuses results that would take the place of a file that the manifest names, of the manifest, or of any job's
    /// input.
    private func checkOverwriting(
        _ jobs: [Job], places: [(node: JSONNode, path: [PathComponent])], output: String,
        named: [Files.Identity: String], log: ProblemLog
    ) {
        let report = output + "/" + Manifest.reportName
        if let victim = Files.identity(report).flatMap({ named[$0] }) {
            log.add(
                "the report \(report) would overwrite \(victim); expected another output folder or another name for it",
                at: JSONNode(.null), path: [])
        }
        let inputs = Dictionary(
            jobs.flatMap { job in
                MediaInput(path: job.input).files.compactMap { file in Files.identity(file).map { ($0, job.input) } }
            },
            uniquingKeysWith: { first, _ in first })
        // Folders with inputs in them, also further down; looked up where a result is a folder.
        let holding = jobs.contains { job in job.sinks.contains { $0.format.isFolder } } ? Self.holding(jobs) : []
        for (job, place) in zip(jobs, places) {
            for result in job.results {
                guard let file = Files.identity(result) else { continue }
                if !holding.isEmpty, Files.isDirectory(result), holding.contains(Files.canonical(result)) {
                    log.add(
                        "the result \(result) would take the place of a folder with a job's input; expected another id or "
                            + "output folder",
                        at: place.node["id"] ?? place.node, path: place.path + [.key("id")])
                    continue
                }
                let input = inputs[file].map { $0 == job.input ? "the input" : "the input \($0) of another job" }
                guard let victim = input ?? named[file] else { continue }
                let key = place.node["id"] == nil ? "input" : "id"
                log.add(
                    "the result \(result) would overwrite \(victim); expected another id or output folder",
                    at: place.node[key] ?? place.node, path: place.path + [.key(key)])
            }
        }
    }
}
