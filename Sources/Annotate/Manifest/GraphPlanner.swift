/// Turns a graph of a manifest into a plan, or notes everything that keeps it from running.
struct GraphPlanner {
    let catalog: StageCatalog
    let paths: ManifestPaths
    private let shape: Shape
    /// Styles of stages without a `draw`, by type: a hundred thousand of them share theirs.
    private let plainStyles: [String: [String: DrawStyle]]
    private let findings: FindingCatalog
    private let attention: PlanAttention
    /// Stages that were planned, to be found again; nil where none is shared.
    private let stages: KnownStages?

    /// - Parameters:
    ///   - attention: Told of what is looked at, and of what not to look at.
    ///   - stages: Where stages are kept: those of other graphs that are written alike are one; nil for none shared.
    init(
        catalog: StageCatalog, paths: ManifestPaths, attention: PlanAttention = PlanAttention(),
        stages: KnownStages? = nil
    ) {
        self.catalog = catalog
        self.paths = paths
        self.attention = attention
        self.stages = stages
        findings = catalog.findings
        shape = .object(ManifestShape.graph(catalog: catalog))
        plainStyles = Dictionary(
            catalog.contracts.map { contract in
                (contract.type, Dictionary(contract.emits.map { ($0.kind, $0.style) }, uniquingKeysWith: { $1 }))
            }, uniquingKeysWith: { $1 })
    }

    private struct Draft {
        var id: String
        var node: JSONNode
        var path: [PathComponent]
        var blueprint: any StageBlueprint.Type
        var inputs: [String]
        var text: String
        var templates: [String: String]
    }

    /// Files that a graph names: how they are written, and paths that can be opened.
    func files(of graph: JSONNode) -> [String: String] {
        var files: [String: String] = [:]
        shape.visitPaths(in: graph, at: []) { path, _, _ in
            // A file that may be absent has a question mark behind its name.
            let file = paths.resolve(path)
            files[path] = path.hasSuffix("?") && !Files.exists(file) ? String(file.dropLast()) : file
        }
        return files
    }

    /// - Parameters:
    ///   - others: Plans whose stages are taken where they are written alike: their models are loaded.
    ///   - templates: How paths were written that have been filled in, by the stage's index and the option.
    /// - Returns: nil where there are problems; they are in `log`.
    func plan(
        _ graph: JSONNode, path: [PathComponent], log: ProblemLog, reusing others: [GraphPlan] = [],
        templates: [Int: [String: String]] = [:]
    ) -> GraphPlan? {
        let before = log.problems.count
        guard let elements = graph["stages"]?.elements else { return nil }
        var drafts: [Draft] = []
        var ids: [String] = []
        var taken: Set<String> = []
        for (index, node) in elements.enumerated() {
            let place = path + [.key("stages"), .index(index)]
            if let id = node["id"]?.string {
                guard taken.insert(id).inserted else {
                    log.add(
                        "“\(id)” names two stages of this graph; expected an id of its own for each",
                        at: node["id"] ?? node, path: place + [.key("id")])
                    continue
                }
                if id == "frame" {
                    log.add(
                        "“frame” stands for the picture itself; expected another id", at: node["id"] ?? node,
                        path: place + [.key("id")])
                }
                ids.append(id)
            }
            // The shape's validation has complained where any of these fails.
            guard let id = node["id"]?.string, let type = node["type"]?.string,
                let blueprint = catalog.blueprint(for: type)
            else { continue }
            let inputs = node["inputs"]?.elements?.compactMap(\.string).filter { $0 != "frame" } ?? []
            drafts.append(
                Draft(
                    id: id, node: node, path: place, blueprint: blueprint, inputs: inputs, text: Self.text(node),
                    templates: templates[index] ?? [:]))
        }
        let known = Dictionary(drafts.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for draft in drafts {
            checkInputs(of: draft, among: known, ids: (ids, taken), log: log)
            checkSecondLook(behind: draft, among: known, log: log)
        }
        // Also the options of stages in a circle are looked at: all problems are told at once.
        let order = sort(drafts, log: log)
        let sorted = (order ?? Array(drafts.indices)).map { drafts[$0] }
        let places = Dictionary(
            sorted.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let alike = Dictionary(
            others.flatMap(\.nodes).map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
        let nodes = sorted.compactMap { draft -> GraphPlan.Node? in
            guard var node = alike[draft.text] ?? stages?[draft.text] else {
                let made = lookedAt(draft, places: places, log: log)
                if draft.templates.isEmpty { stages?[draft.text] = made }
                return made
            }
            node.inputs = draft.inputs.compactMap { places[$0] }
            return node
        }
        guard order != nil, log.problems.count == before, nodes.count == elements.count else { return nil }
        return GraphPlan(nodes: labelledOnce(nodes, sorted), catalog: findings)
    }

    /// Has what a stage finds without numbers, and another tells once more as tracks, labelled by these alone, unless the
    /// manifest says how it is drawn: both boxes are the same.
    private func labelledOnce(_ nodes: [GraphPlan.Node], _ drafts: [Draft]) -> [GraphPlan.Node] {
        var nodes = nodes
        // Another graph's may stand for one of this one's.
        for index in nodes.indices where nodes[index].isRetold {
            nodes[index].styles = plainStyles[nodes[index].contract.type] ?? [:]
            nodes[index].isRetold = false
        }
        for teller in nodes where teller.contract.retells && teller.styles.values.contains(where: \.label) {
            for index in teller.inputs
            where drafts[index].node["draw"] == nil && !nodes[index].contract.produces.contains(.tracks) {
                nodes[index].styles = nodes[index].styles.mapValues { style in
                    var style = style
                    style.label = false
                    return style
                }
                nodes[index].isRetold = true
            }
        }
        return nodes
    }

    private func checkInputs(
        of draft: Draft, among drafts: [String: Draft], ids: (ordered: [String], all: Set<String>),
        log: ProblemLog
    ) {
        let contract = draft.blueprint.contract
        for (index, element) in (draft.node["inputs"]?.elements ?? []).enumerated() {
            guard let name = element.string, name != "frame" else { continue }
            let place = draft.path + [.key("inputs"), .index(index)]
            guard ids.all.contains(name) else {
                // Of many, so many are enough to name and to compare.
                let frame = contract.consumes.contains(.frame) ? ["frame"] : []
                let others = ids.ordered.lazy.filter { $0 != draft.id }.prefix(1000) + frame
                log.add(
                    others.isEmpty
                        ? "no stage “\(name)” in this graph, which has no other; add the stage, or correct the name"
                        : "no stage “\(name)” in this graph; expected one of \(list(others))"
                            + log.suggestion(name, others),
                    at: element, path: place)
                continue
            }
            guard let upstream = drafts[name]?.blueprint.contract else { continue }
            let wanted = contract.consumes.filter { $0 != .frame }
            if wanted.isEmpty {
                log.add(
                    "stage type “\(contract.type)” reads the frame alone and can't take the results of “\(name)”; "
                        + "expected “frame” or no inputs", at: element, path: place)
            } else if !upstream.produces.contains(where: wanted.contains) {
                log.add(
                    "“\(name)” (\(upstream.type)) gives \(words(upstream.produces)), and stage type “\(contract.type)” "
                        + "takes \(words(wanted)); expected a stage that gives them", at: element, path: place)
            }
        }
        if !contract.consumes.contains(.frame), draft.inputs.isEmpty {
            log.add(
                "stage type “\(contract.type)” needs an input; expected “inputs” with a stage that gives "
                    + words(contract.consumes), at: draft.node, path: draft.path)
        }
    }

    private func words(_ ports: [Port]) -> String {
        ports.isEmpty ? "nothing that others take" : ports.map(\.rawValue).joined(separator: " and ")
    }

    /// Stable topological order: among stages that could come next, the first in the file.
    private func sort(_ drafts: [Draft], log: ProblemLog) -> [Int]? {
        let places = Dictionary(
            drafts.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        let upstream = drafts.map { Set($0.inputs.compactMap { places[$0] }) }
        var downstream = [[Int]](repeating: [], count: drafts.count)
        for (index, inputs) in upstream.enumerated() { for input in inputs { downstream[input].append(index) } }
        var missing = upstream.map(\.count)
        // Those that could come next, the first last.
        var ready = drafts.indices.reversed().filter { missing[$0] == 0 }
        var order: [Int] = []
        while let next = ready.popLast() {
            order.append(next)
            for index in downstream[next].reversed() {
                missing[index] -= 1
                guard missing[index] == 0 else { continue }
                ready.insert(index, at: ready.lastIndex { $0 > index }.map { $0 + 1 } ?? 0)
            }
        }
        guard order.count < drafts.count else { return order }
        let inputs = drafts.map { $0.inputs.compactMap { places[$0] } }
        let cycle = Self.cycle(from: drafts.indices.first { missing[$0] > 0 }, inputs, missing)
        if let first = cycle.first {
            let names = (cycle + [first]).map { drafts[$0].id }.joined(separator: " → ")
            log.add(
                "the inputs go round in a circle: \(names); expected a graph without cycles",
                at: drafts[first].node["inputs"] ?? drafts[first].node, path: drafts[first].path + [.key("inputs")])
        }
        return nil
    }

    /// One cycle among stages of which each waits for another, `missing` of them.
    private static func cycle(from first: Int?, _ upstream: [[Int]], _ missing: [Int]) -> [Int] {
        var path: [Int] = []
        var steps: [Int: Int] = [:]
        var current = first
        while let index = current {
            if let start = steps[index] { return Array(path[start...]) }
            steps[index] = path.count
            path.append(index)
            current = upstream[index].first { missing[$0] > 0 }
        }
        return path
    }

    /// Makes a stage, unless it isn't to be looked at.
    private func lookedAt(_ draft: Draft, places: [String: Int], log: ProblemLog) -> GraphPlan.Node? {
        let subject = subject(of: draft)
        guard attention.skipped.contains(subject) else {
            return attention.look(at: subject) { node(draft, places: places, log: log) }
        }
        return GraphPlan.Node(
            id: draft.id, contract: draft.blueprint.contract, inputs: draft.inputs.compactMap { places[$0] },
            rate: draft.node["rate"]?.number, styles: [:], blueprint: SkippedBlueprint(subject: subject), options: [],
            text: draft.text)
    }

    /// Name of what is read when a stage is made: the files that it names, or what stages of its type bring along.
    private func subject(of draft: Draft) -> String {
        var files: [String] = []
        let graph = JSONMember(key: "stages", value: JSONNode(.array([draft.node])))
        shape.visitPaths(in: JSONNode(.object([graph])), at: []) { file, _, _ in
            if !files.contains(file) { files.append(file) }
        }
        return files.isEmpty
            ? "what stages of type “\(draft.blueprint.contract.type)” need"
            : files.map { "“\($0)”" }.joined(separator: " with ")
    }

    private func node(_ draft: Draft, places: [String: Int], log: ProblemLog) -> GraphPlan.Node? {
        let contract = draft.blueprint.contract
        let context = OptionContext(
            node: draft.node, directory: paths.directory, hasInputs: !draft.inputs.isEmpty, templates: draft.templates,
            kinds: findings)
        guard checkTemplates(of: draft, log: log), mayRead(draft, log: log) else { return nil }
        do {
            let styles = styles(of: draft, log: log)
            checkSecondLook(of: draft, styles, log: log)
            let blueprint = try draft.blueprint.init(reading: draft.node, context)
            if let style = styles.first?.value, style.needsPose, !blueprint.usesCamera {
                let key =
                    style.axes ? "axes" : style.cube != nil ? "cube" : style.model != nil ? "model" : "imageSize"
                log.add(
                    "“\(key)” needs poses, and the stage finds none; expected a stage “markers” with a “size” in metres",
                    at: draft.node["draw"]?[key] ?? draft.node, path: draft.path + [.key("draw"), .key(key)])
            }
            var node = GraphPlan.Node(
                id: draft.id, contract: contract, inputs: draft.inputs.compactMap { places[$0] },
                rate: draft.node["rate"]?.number, styles: styles, blueprint: blueprint,
                options: Self.optionsInForce(contract.options, draft.node), text: draft.text)
            node.isComplete = draft.node["complete"]?.bool
            node.isOwn = catalog.isOwn(contract.type)
            return node
        } catch let error as StageOptionError {
            note(error, of: draft, log: log)
        } catch let several as StageOptionErrors {
            for error in several.errors { note(error, of: draft, log: log) }
        } catch {
            // Options that don't fit their shapes have been told of: what they led to would say the same again.
            if !log.hasProblem(below: draft.path) { log.add("\(error)", at: draft.node, path: draft.path) }
        }
        return nil
    }

    /// Refuses a second look where nothing is hidden, or that the stage can't have.
    private func checkSecondLook(of draft: Draft, _ styles: [String: DrawStyle], log: ProblemLog) {
        guard let style = styles.first?.value, style.check != nil else { return }
        let contract = draft.blueprint.contract
        let complaint: String? =
            if style.cover == nil {
                "“check” without a “cover”; expected “cover” beside it"
            } else if !contract.takes.isEmpty || contract.keepsNumbers {
                "“check” of stage type “\(contract.type)”, which goes by what it is given and can't look again; expected none"
            } else {
                nil
            }
        guard let complaint else { return }
        log.add(
            complaint, at: draft.node["draw"]?["check"] ?? draft.node, path: draft.path + [.key("draw"), .key("check")])
    }

    /// Refuses a second look of a stage by what a stage before it was given.
    private func checkSecondLook(behind draft: Draft, among drafts: [String: Draft], log: ProblemLog) {
        guard let check = draft.node["draw"]?["check"] else { return }
        var (left, seen) = (draft.inputs, Set<String>())
        while let id = left.popLast() {
            guard seen.insert(id).inserted, let input = drafts[id] else { continue }
            left += input.inputs
            let contract = input.blueprint.contract
            guard !contract.takes.isEmpty || contract.keepsNumbers else { continue }
            log.add(
                "“check” of a stage behind “\(id)” (\(contract.type)), which goes by what it is given and can't look again; "
                    + "expected none", at: check, path: draft.path + [.key("draw"), .key("check")])
            return
        }
    }

    /// Styles of the kinds that a stage emits; empty for not drawn at all.
    private func styles(of draft: Draft, log: ProblemLog) -> [String: DrawStyle] {
        let contract = draft.blueprint.contract
        guard let draw = draft.node["draw"] else { return plainStyles[contract.type] ?? [:] }
        let files = DrawFileReader(paths: paths, log: log).read(draw, path: draft.path + [.key("draw")])
        var styles: [String: DrawStyle] = [:]
        for kind in contract.emits {
            guard var style = kind.style.with(draw) else { continue }
            (style.image, style.model) = (files.image, files.model)
            (style.hashes, style.files) = (files.hashes, files.others)
            styles[kind.kind] = style
        }
        return styles
    }

    private func note(_ error: StageOptionError, of draft: Draft, log: ProblemLog) {
        // What is missing has been told of.
        let option = draft.blueprint.contract.options.first { $0.name == error.option }
        if let option, option.isRequired, draft.node[option.name] == nil { return }
        let place = (error.option.map { [.key($0)] } ?? []) + error.part
        var node = draft.node
        for component in place {
            switch component {
            case .key(let key): node = node[key] ?? node
            case .index(let index):
                if let elements = node.elements, elements.indices.contains(index) { node = elements[index] }
            }
        }
        log.add(error.message, at: node, path: draft.path + place)
    }

    private func checkTemplates(of draft: Draft, log: ProblemLog) -> Bool {
        for property in draft.blueprint.contract.options {
            guard let complaint = complaint(property, draft.node) else { continue }
            log.add(complaint, at: draft.node[property.name] ?? draft.node, path: draft.path + [.key(property.name)])
            return false
        }
        return true
    }

    /// Checks the files that a stage names against the root, before anything reads them.
    private func mayRead(_ draft: Draft, log: ProblemLog) -> Bool {
        var isAllowed = true
        for property in draft.blueprint.contract.options {
            guard let value = draft.node[property.name] else { continue }
            property.shape.visitPaths(in: value, at: draft.path + [.key(property.name)]) { file, node, path in
                guard let complaint = paths.complaint(paths.resolve(file), written: file) else { return }
                log.add(complaint, at: node, path: path)
                isAllowed = false
            }
        }
        return isAllowed
    }

    /// Every option with its value; of an absolute path only the last part, so that results don't depend on the machine.
    private static func optionsInForce(_ properties: [Property], _ node: JSONNode) -> [JSONMember] {
        properties.compactMap { property in
            guard let value = node[property.name]?.value ?? property.defaultValue else { return nil }
            return JSONMember(key: property.name, value: property.shape.withoutFolders(JSONNode(value)))
        }
    }
}
