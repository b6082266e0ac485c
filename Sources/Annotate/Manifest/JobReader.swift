/// Reads one entry of a manifest's `jobs`, which a glob may turn into many.
struct JobReader {
    let node: JSONNode
    let path: [PathComponent]
    /// The manifest's folder.
    let directory: String
    /// Where results go.
    let output: String
    var log: ProblemLog

    mutating func read(
        declared: [JSONMember], plans: [String: GraphPlan], planner: GraphPlanner, taken: Set<String>
    ) -> [Job] {
        let graph = readGraph(declared: declared, plans: plans, planner: planner)
        let inputs = readInputs()
        let encode = readEncode()
        let range = readRange()
        let regions = readRegions(inputs: inputs, plan: graph?.plan)
        var taken = taken
        var jobs: [Job] = []
        for input in inputs {
            let id = node["id"]?.string ?? Files.stem(of: input)
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
            guard let graph else { continue }
            jobs.append(
                Job(
                    id: id, input: input, graph: graph.plan, range: range, regions: regions, encode: encode,
                    declaration: declaration(graph: graph.node)))
        }
        return jobs
    }

    private mutating func complain(_ key: String, _ message: String) {
        log.add(message, at: node[key] ?? node, path: path + [.key(key)])
    }

    private func declaration(graph: JSONNode) -> String {
        var writer = JSONWriter()
        writer.array {
            $0.value(node.value)
            $0.value(graph.value)
        }
        return writer.text
    }

    private mutating func readGraph(
        declared: [JSONMember], plans: [String: GraphPlan], planner: GraphPlanner
    ) -> (plan: GraphPlan, node: JSONNode)? {
        guard let graph = node["graph"] else { return nil }
        guard let name = graph.string else {
            return planner.plan(graph, path: path + [.key("graph")], log: &log).map { ($0, graph) }
        }
        guard let member = declared.first(where: { $0.key == name }) else {
            // The shape's validation has complained of a name that can't be one.
            guard TextRule.identifier.accepts(name) else { return nil }
            let names = declared.map(\.key)
            let expected = names.isEmpty ? "a graph under “graphs”, which has none" : "one of \(list(names))"
            complain("graph", "no graph “\(name)”; expected \(expected)\(suggestion(name, names))")
            return nil
        }
        return plans[name].map { ($0, member.value) }
    }

    private mutating func readInputs() -> [String] {
        guard let input = node["input"]?.string, !input.isEmpty else { return [] }
        let file = resolve(input, directory)
        if Files.isDirectory(file) {
            complain("input", "“\(input)” is a folder; expected a file, or a glob such as “\(input)/*.mp4”")
            return []
        }
        if Files.isRegular(file) { return [file] }
        if Files.exists(file) {
            complain("input", "“\(input)” is a pipe or a device; expected a file")
            return []
        }
        guard input.contains(where: { "*?[".contains($0) }) else {
            // Only for a suggestion: a folder that can't be listed suggests nothing, and the file is missing all the same.
            let near = (try? Files.list(Files.parent(of: file))) ?? []
            complain(
                "input",
                "no file “\(input)”; expected a path relative to the manifest's folder"
                    + suggestion(Files.name(of: file), near))
            return []
        }
        if node["id"] != nil {
            complain("id", "an id beside a glob; expected none: each job is named after its file")
        }
        let files = Files.glob(file)
        if files.isEmpty { complain("input", "no file matches the glob “\(input)”; expected at least one") }
        return files
    }

    private mutating func readRange() -> FrameRange? {
        guard let range = node["range"] else { return nil }
        let start = range["start"]?.number ?? 0
        let end = range["end"]?.number
        if let end, end <= start {
            log.add(
                "the range ends at \(plain(end)) s and starts at \(plain(start)) s; expected an end after the start",
                at: range["end"] ?? range, path: path + [.key("range"), .key("end")])
        }
        return FrameRange(start: start, end: end)
    }

    private mutating func readEncode() -> EncodeSettings {
        var settings = EncodeSettings()
        guard let encode = node["encode"] else { return settings }
        let place = path + [.key("encode")]
        if let codec = encode["codec"]?.string.flatMap(EncodeSettings.Codec.init(rawValue:)) {
            settings.codec = codec
            settings.preset = codec.defaultPreset
            settings.crf = codec.defaultCRF
            if !EncodeSettings.isAvailable(codec) {
                let there = EncodeSettings.Codec.allCases.filter(EncodeSettings.isAvailable).map(\.rawValue)
                log.add(
                    "this FFmpeg has no encoder “\(codec.encoder ?? "")” for “\(codec.rawValue)”; expected one of "
                        + list(there), at: encode["codec"] ?? encode, path: place + [.key("codec")])
            }
        }
        if let preset = encode["preset"], let name = preset.string {
            settings.preset = name
            if settings.codec != .none, !settings.codec.presets.contains(name) {
                log.add(
                    "“\(name)” is no preset of \(settings.codec.rawValue); expected one of \(list(settings.codec.presets))"
                        + suggestion(name, settings.codec.presets), at: preset, path: place + [.key("preset")])
            }
        }
        if let crf = encode["crf"], let value = crf.integer {
            settings.crf = value
            let range = settings.codec.crfRange
            if settings.codec != .none, (0...63).contains(value), !range.contains(value) {
                log.add(
                    "\(value) is no crf of \(settings.codec.rawValue); expected \(describe(.integer(range)))", at: crf,
                    path: place + [.key("crf")])
            }
        }
        settings.pixelFormat =
            encode["pixelFormat"]?.string.flatMap(EncodeSettings.PixelFormat.init(rawValue:)) ?? settings.pixelFormat
        settings.faststart = encode["faststart"]?.bool ?? settings.faststart
        settings.audio = encode["audio"]?.string.flatMap(EncodeSettings.Audio.init(rawValue:)) ?? settings.audio
        settings.threads = encode["threads"]?.integer ?? settings.threads
        return settings
    }

    private mutating func readRegions(inputs: [String], plan: GraphPlan?) -> [Region] {
        guard let elements = node["regions"]?.elements, !elements.isEmpty else { return [] }
        if let plan, !plan.takesSeeds {
            complain("regions", "the graph has no stage that starts from regions; expected one of type “track”")
        }
        var regions: [Region] = []
        for (index, element) in elements.enumerated() {
            let place = path + [.key("regions"), .index(index)]
            var reader = RegionReader(node: element, path: place, log: log)
            let region = reader.read()
            log = reader.log
            guard let region else { continue }
            if regions.contains(where: { $0.id == region.id }) {
                log.add(
                    "“\(region.id)” names two regions of this job; expected an id of its own for each",
                    at: element["id"] ?? element, path: place + [.key("id")])
            }
            regions.append(region)
            checkInside(region, element, place, inputs)
        }
        return regions
    }

    private mutating func checkInside(_ region: Region, _ node: JSONNode, _ place: [PathComponent], _ inputs: [String])
    {
        for input in inputs {
            // A video that can't be opened fails as a job, not as a manifest.
            guard let info = try? SourceInfo.probe(path: input) else { continue }
            let seed = region.seed(width: info.width, height: info.height)
            let frame = Box(x: 0, y: 0, width: Double(info.width), height: Double(info.height))
            guard let box = Box(around: seed.polygon), box.intersection(frame) == nil else { continue }
            log.add(
                "the region lies outside the picture of \(Files.name(of: input)); expected it within "
                    + "\(info.width)×\(info.height) pixels",
                at: node["box"] ?? node["polygon"] ?? node["point"] ?? node,
                path: place)
        }
    }
}
