/// Paths in stages that name another file for each input.
extension GraphPlanner {
    /// Whether stages of a graph name files by what a job's input is called.
    func dependsOnInput(_ graph: JSONNode) -> Bool {
        var depends = false
        _ = filled(graph) { _, text in
            depends = true
            return text
        }
        return depends
    }

    /// The graph with such paths filled in.
    /// - Returns: It, and how the paths were written, by the stage's index and the option.
    func filled(_ graph: JSONNode, for name: InputName) -> (graph: JSONNode, templates: [Int: [String: String]]) {
        var templates: [Int: [String: String]] = [:]
        let graph = filled(graph) { place, text in
            templates[place.stage, default: [:]][place.option] = text
            let template = NameTemplate(text), file = template.filled(for: name)
            // A file of that name is what is meant.
            return Files.isRegular(paths.resolve(file)) ? file : template.filledPath(for: name)
        }
        return (graph, templates)
    }

    private func filled(
        _ graph: JSONNode, _ fill: ((stage: Int, option: String), String) -> String
    ) -> JSONNode {
        guard var members = graph.members, let stages = members.firstIndex(where: { $0.key == "stages" }),
            let elements = members[stages].value.elements
        else { return graph }
        let filled = elements.enumerated().map { index, stage -> JSONNode in
            guard var options = stage.members, let type = stage["type"]?.string,
                let contract = catalog.blueprint(for: type)?.contract
            else { return stage }
            for place in options.indices {
                guard let text = options[place].value.string,
                    let property = contract.options.first(where: { $0.name == options[place].key }),
                    property.dependsOnInput(text)
                else { continue }
                options[place].value.value = .string(fill((index, property.name), text))
            }
            return JSONNode(.object(options), at: stage.position)
        }
        members[stages].value.value = .array(filled)
        return JSONNode(.object(members), at: graph.position)
    }

    /// A stage's JSON as text.
    static func text(_ node: JSONNode) -> String {
        var json = JSONWriter()
        json.value(node.value)
        return json.text
    }

    /// Complains of words in braces that stand for nothing.
    func complaint(_ property: Property, _ node: JSONNode) -> String? {
        guard let text = node[property.name]?.string, property.dependsOnInput(text) else { return nil }
        return NameTemplate(text).complaint
    }
}
