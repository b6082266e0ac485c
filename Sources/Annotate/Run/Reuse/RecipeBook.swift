/// Recipes of jobs: what their results depend on besides their inputs, by name. By it is told whether a finished job is
/// up to date, and why not.
final class RecipeBook {
    struct Recipe {
        /// A JSON object of short texts, sorted by name.
        var text: String
        /// Files that the job names besides its input: paths that can be opened.
        var files: [String]
        var stages: [StageRecipe]
    }

    private let generator: String
    /// Recipes by their entries: many jobs have one entry.
    private var known: [String: Recipe] = [:]
    private var contents: [String: String] = [:]
    private let attention: PlanAttention

    /// - Parameter attention: Told of the files whose contents are taken.
    init(generator: String, attention: PlanAttention = PlanAttention()) {
        (self.generator, self.attention) = (generator, attention)
    }

    func recipe(of job: Job) -> Recipe {
        // What isn't to be looked at isn't here either: nobody asks for the rest.
        guard job.graph.skippedSubject == nil else {
            return Recipe(text: "{}", files: Array(Set(job.files.values)).sorted(), stages: [])
        }
        let key = job.entry + "\n" + job.graphText
        if let recipe = known[key] { return recipe }
        let recipe = make(job)
        known[key] = recipe
        return recipe
    }

    /// Keys of an entry that say what is made of which input, not how, or what is thought of it.
    private static let others: Set<String> = ["id", "input", "exclude", "graph", "expect"]

    /// The part that says in which order stages come.
    static let order = "stages"

    /// The part that says how things are hidden: its number grows where pixels or sound are hidden in another way.
    static let covers = "cover.way"

    private func make(_ job: Job) -> Recipe {
        var parts = ["program": generator]
        if !job.formats.isEmpty { parts["output.formats"] = job.formats.joined(separator: " ") }
        // Both have been written by this program.
        let entry = (try? JSONParser.parse(Array(job.entry.utf8)))?.members ?? []
        for member in entry where !Self.others.contains(member.key) {
            add(member.value, member.key, job.files, to: &parts)
        }
        let graph = try? JSONParser.parse(Array(job.graphText.utf8))
        for (index, stage) in (graph?["stages"]?.elements ?? []).enumerated() {
            let id = stage["id"]?.string ?? String(index)
            for member in stage.members ?? [] where member.key != "id" {
                add(member.value, "stages.\(id).\(member.key)", job.files, to: &parts)
            }
        }
        // What is hidden is hidden anew where that is done in another way.
        if !job.covers.isEmpty || job.graph.nodes.indices.contains(where: { job.graph.hides($0) }) {
            parts[Self.covers] = "2"
        }
        // A camera file's contents, however they are laid out.
        switch job.camera {
        case .intrinsics(let camera): parts["camera"] = digest(camera.json)
        case .fieldOfView(let degrees, let distortion): parts["camera"] = digest(.numbers([degrees] + distortion))
        case .assumed: break
        }
        // Their order is that of results in a frame, and of what is drawn.
        if job.graph.nodes.count > 1 { parts[Self.order] = job.graph.nodes.map(\.id).joined(separator: ", ") }
        for node in job.graph.nodes {
            for detail in node.blueprint.details {
                parts["stages.\(node.id).\(detail.key)"] = digest(detail.value.value)
            }
            let files = node.blueprint.files
            if !files.isEmpty {
                parts["stages.\(node.id).files"] = digest(.array(files.map { JSONNode(.string(hash(of: $0))) }))
            }
            let drawn = node.styles.values.flatMap(\.hashes).sorted()
            if !drawn.isEmpty { parts["stages.\(node.id).draw"] = digest(.array(drawn.map { JSONNode(.string($0)) })) }
            // As if the manifest said so.
            if node.isRetold { parts["stages.\(node.id).draw.label"] = short(.bool(false)) }
        }
        var json = JSONWriter()
        json.object { json in
            for (name, text) in parts.sorted(by: { $0.key < $1.key }) {
                json.key(name)
                json.value(text)
            }
        }
        return Recipe(
            text: json.text, files: Array(Set(job.files.values)).sorted(),
            stages: StageRecipe.recipes(of: job, parts: parts))
    }

    /// - Parameter files: What the job's paths mean, by how they are written.
    private func add(_ node: JSONNode, _ name: String, _ files: [String: String], to parts: inout [String: String]) {
        if let members = node.members, !members.isEmpty {
            for member in members { add(member.value, "\(name).\(member.key)", files, to: &parts) }
            return
        }
        if let path = node.string, let file = files[path] {
            parts[name] = hash(of: file)
            return
        }
        if let elements = node.elements, elements.contains(where: { $0.string.map { files[$0] != nil } ?? false }) {
            parts[name] = digest(
                .array(
                    elements.map { JSONNode(.string($0.string.flatMap { files[$0] }.map(hash) ?? digest($0.value))) }))
            return
        }
        parts[name] = short(node.value)
    }

    /// The most characters of a value that is kept as it is, so that a change of it can be told.
    private static let longest = 40

    private func short(_ value: JSONValue) -> String {
        var json = JSONWriter()
        json.value(value)
        return json.bytes.count <= Self.longest ? json.text : digest(value)
    }

    private func digest(_ value: JSONValue) -> String {
        var json = JSONWriter()
        json.value(value)
        return "#" + SHA256.hash(json.bytes).prefix(16)
    }

    private func hash(of file: String) -> String {
        if let known = contents[file] { return known }
        // A file that can't be read fails its job; whether it changed isn't the question then.
        let hash = "@" + ((try? attention.read(file) { try ContentHash.of([file]) }) ?? "")
        contents[file] = hash
        return hash
    }
}
