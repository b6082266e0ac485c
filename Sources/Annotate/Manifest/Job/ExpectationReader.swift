/// Reads a job's `expect`: what must hold of its results.
struct ExpectationReader {
    /// The job's JSON.
    let node: JSONNode
    let path: [PathComponent]
    let plan: GraphPlan?
    /// Ids of the job's regions and points.
    let places: [String]
    /// Ids of the job's lines and zones.
    let lines: [String]
    let zones: [String]
    /// Labels of the regions and points that the job gives a stage, by which it calls their results.
    let given: GivenValues
    /// Whether the job hides something by hand.
    let hides: Bool
    let paths: ManifestPaths
    /// The folder of the job's track file.
    let results: String
    let log: ProblemLog

    /// An expectation without a problem.
    struct Expected {
        var expectation: Expectation
        /// The line of the manifest that it begins at.
        var line: Int
        /// What the job's results are held against; nil where it is about figures.
        var accepted: AcceptedResults?
    }

    /// Reads the expectations.
    func read() -> [Expected] {
        (node["expect"]?.elements ?? []).enumerated().compactMap { index, element in
            let place = path + [.key("expect"), .index(index)]
            let expectation = Expectation(element)
            // What doesn't fit its shape has been complained of.
            guard element.members != nil, let plan, !log.hasProblem(below: place) else { return nil }
            let line = element.position.line
            if let against = expectation.against {
                let accepted = readAccepted(expectation, against, element, place)
                return Expected(expectation: expectation, line: line, accepted: accepted)
            }
            if let tolerances = element["tolerances"] {
                log.add(
                    "“tolerances” without “against”; expected the folder of accepted results that they are about",
                    at: tolerances, path: place + [.key("tolerances")])
                return nil
            }
            if element["cover"] != nil {
                checkCovers(expectation, plan, element, place)
                return Expected(expectation: expectation, line: line)
            }
            guard element["stage"] != nil else {
                log.add("neither “stage”, “cover” nor “against”; expected one of them", at: element, path: place)
                return nil
            }
            guard let stage = element["stage"]?.string else { return nil }
            guard let index = plan.nodes.firstIndex(where: { $0.id == stage }) else {
                let ids = plan.nodes.map(\.id)
                let expected = ids.isEmpty ? "a graph with stages" : "one of \(list(ids))"
                log.add(
                    "the graph has no stage “\(stage)”; expected \(expected)\(log.suggestion(stage, ids))",
                    at: element["stage"] ?? element, path: place + [.key("stage")])
                return nil
            }
            let known = plan.nodes[index]
            checkFilters(expectation, known, element, place)
            checkLabel(expectation, known, plan.labels(of: index, given: labels), element, place)
            checkGates(expectation, known, element, place)
            checkFigures(expectation, known, element, place)
            return Expected(expectation: expectation, line: line)
        }
    }

    /// What the job's results are held against.
    private func readAccepted(
        _ expectation: Expectation, _ against: String, _ node: JSONNode, _ place: [PathComponent]
    ) -> AcceptedResults? {
        if let other = node.members?.first(where: { $0.key != "against" && $0.key != "tolerances" }) {
            log.add(
                "“\(other.key)” beside “against”; expected “tolerances” alone beside it, since it is about all results",
                at: other.value, path: place + [.key(other.key)])
            return nil
        }
        let folder = paths.resolve(against)
        func complain(_ key: String, _ message: String) {
            log.add(message, at: node[key] ?? node, path: place + [.key(key)])
        }
        if let complaint = paths.complaint(folder, written: against) {
            complain("against", complaint)
            return nil
        }
        if Files.exists(folder), !Files.isDirectory(folder) {
            complain("against", "“\(against)” is a file; expected a folder of accepted results, as accept makes it")
            return nil
        }
        if Files.areTheSame(folder, results) {
            complain(
                "against",
                "“\(against)” is the folder of the results themselves; expected another one, as accept makes it")
            return nil
        }
        var accepted = AcceptedResults(written: against, folder: folder)
        switch expectation.tolerances {
        case nil: break
        case .list(let list): accepted.tolerances = Tolerances(list)
        case .file(let written):
            let file = paths.resolve(written)
            if let complaint = paths.complaint(file, written: written) {
                complain("tolerances", complaint)
                return nil
            }
            guard Files.isRegular(file) else {
                complain(
                    "tolerances",
                    "no file “\(written)”; expected a file of tolerances, as compare takes it"
                        + log.suggestion(near: file))
                return nil
            }
            do {
                accepted.tolerances = try paths.attention.read(file) { try Tolerances(path: file) }
                accepted.tolerancesFile = file
            } catch let error as InvalidFileError {
                log.add(error.problems)
            } catch {
                complain("tolerances", "\(error)")
            }
        }
        return accepted
    }

    private func checkCovers(
        _ expectation: Expectation, _ plan: GraphPlan, _ node: JSONNode, _ place: [PathComponent]
    ) {
        let cover = node["cover"] ?? node, below = place + [.key("cover")]
        if let other = node.members?.first(where: { $0.key != "cover" }) {
            log.add(
                "“\(other.key)” beside “cover”; expected it alone, since it is about all covers of the job",
                at: other.value, path: place + [.key(other.key)])
        }
        let styles = plan.nodes.flatMap(\.styles.values)
        guard hides || styles.contains(where: { $0.cover != nil }) else {
            log.add(
                "the job covers nothing; expected “cover” under the “draw” of a stage, or a “cover” of the job",
                at: cover,
                path: below)
            return
        }
        let figures = Expectation.Covers.figures
        if !figures.contains(where: { cover[$0.name] != nil }) {
            log.add(
                "nothing is expected; expected at least one of \(list(figures.map(\.name)))", at: cover, path: below)
        }
        for figure in figures {
            guard let range = expectation.cover?[keyPath: figure.path], let node = cover[figure.name] else { continue }
            if let complaint = complaint(range, largest: nil, isWhole: true) {
                log.add(complaint, at: node, path: below + [.key(figure.name)])
            }
        }
        if let found = cover["found"], !styles.contains(where: \.checksAgain) {
            log.add(
                "“found”, and nobody looks again; expected “check”: “again” beside the “cover” of a stage", at: found,
                path: below + [.key("found")])
        }
    }

    private func checkFilters(
        _ expectation: Expectation, _ stage: GraphPlan.Node, _ node: JSONNode, _ place: [PathComponent]
    ) {
        let carriesIDs = stage.contract.emits.contains { $0.carriesIDs }
        if expectation.id != nil, !carriesIDs {
            log.add(
                "results of stage “\(stage.id)” (\(stage.contract.type)) carry no “id”; expected a “label” or a “region”",
                at: node["id"] ?? node, path: place + [.key("id")])
        }
        if let region = expectation.region, !places.contains(region) {
            let expected =
                places.isEmpty ? "the id of one of the job's regions, which it has not" : "one of \(list(places))"
            log.add(
                "the job has no region “\(region)”; expected \(expected)\(log.suggestion(region, places))",
                at: node["region"] ?? node, path: place + [.key("region")])
        }
    }

    /// Labels of what the job gives a stage.
    private func labels(of stage: GraphPlan.Node) -> [String] {
        (stage.contract.takes(Region.self) ? given[Region.self].map(\.label) : [])
            + (stage.contract.takes(TappedPoint.self) ? given[TappedPoint.self].map { $0.text ?? $0.id } : [])
    }

    /// Refuses a label that no result of a stage can carry, where it is known which can.
    private func checkLabel(
        _ expectation: Expectation, _ stage: GraphPlan.Node, _ known: KnownLabels?, _ node: JSONNode,
        _ place: [PathComponent]
    ) {
        guard let label = expectation.label, let known, !known.has(label) else { return }
        let named = "stage “\(stage.id)” (\(stage.contract.type))"
        let sentence: String
        if !known.names.isEmpty {
            sentence =
                "\(named) gives nothing with the label “\(label)”; expected one of \(list(known.names))"
                + log.suggestion(label, known.names)
        } else if known.hasNumbers {
            sentence =
                "\(named) gives nothing with the label “\(label)”, since nobody names its classes; expected a class's number "
                + "from 0, or “labels” in the stage"
        } else {
            sentence = "results of \(named) carry no “label”; expected an expectation without one"
        }
        log.add(sentence, at: node["label"] ?? node, path: place + [.key("label")])
    }

    /// Refuses lines, zones and directions that aren't those of the job, or of a stage that counts.
    private func checkGates(
        _ expectation: Expectation, _ stage: GraphPlan.Node, _ node: JSONNode, _ place: [PathComponent]
    ) {
        let counts = stage.contract.emits.contains { $0 == CountFinding.self }
        let words =
            ["line", "zone", "direction"] + Expectation.figures.map(\.name).filter(Expectation.counted.contains)
        if !counts, let word = words.first(where: { node[$0] != nil }) {
            log.add(
                "stage “\(stage.id)” (\(stage.contract.type)) counts nothing at lines and in zones; expected “\(word)” of a stage "
                    + "of type “count”",
                at: node[word] ?? node, path: place + [.key(word)])
            return
        }
        for (key, id, known) in [("line", expectation.line, lines), ("zone", expectation.zone, zones)] {
            guard let id, !known.contains(id) else { continue }
            let expected =
                known.isEmpty ? "the id of one of the job's \(key)s, which it has not" : "one of \(list(known))"
            log.add(
                "the job has no \(key) “\(id)”; expected \(expected)\(log.suggestion(id, known))",
                at: node[key] ?? node,
                path: place + [.key(key)])
        }
        func needs(_ key: String, _ isWell: Bool, _ message: String) {
            guard let value = node[key], !isWell else { return }
            log.add(message, at: value, path: place + [.key(key)])
        }
        needs(
            "direction", expectation.crossings != nil,
            "“direction” without “crossings”; expected the figure that it is about")
        needs("crossings", expectation.zone == nil, "“crossings” of a “zone”; expected a “line”, or “entered”")
        needs("entered", expectation.line == nil, "“entered” of a “line”; expected a “zone”, or “crossings”")
        needs("count", expectation.line == nil, "“count” of a “line”; expected a “zone”, or “crossings”")
        if expectation.line != nil {
            needs("zone", false, "“line” and “zone” together; expected one of them")
        }
    }

    private func checkFigures(
        _ expectation: Expectation, _ stage: GraphPlan.Node, _ node: JSONNode, _ place: [PathComponent]
    ) {
        let given = Expectation.figures.filter { node[$0.name] != nil }
        if given.isEmpty {
            log.add(
                "nothing is expected; expected at least one of \(list(Expectation.figures.map(\.name)))", at: node,
                path: place)
        }
        for figure in given {
            guard let range = expectation[keyPath: figure.path], let node = node[figure.name] else { continue }
            if let complaint = complaint(range, largest: figure.largest, isWhole: figure.isWhole) {
                log.add(complaint, at: node, path: place + [.key(figure.name)])
            }
            if ["tracks", "lost"].contains(figure.name), !stage.contract.produces.contains(.tracks) {
                log.add(
                    "stage “\(stage.id)” (\(stage.contract.type)) keeps no tracks; expected “frames”, “seen”, "
                        + "“longestGap” or “confidence”",
                    at: node, path: place + [.key(figure.name)])
            }
            if let complaint = motionComplaint(figure.name, stage) {
                log.add(complaint, at: node, path: place + [.key(figure.name)])
            }
        }
    }

    /// Why a stage can't give a figure of poses, or of how steady its things are; nil where it can.
    private func motionComplaint(_ figure: String, _ stage: GraphPlan.Node) -> String? {
        let named = "stage “\(stage.id)” (\(stage.contract.type))"
        if Expectation.posed.contains(figure) {
            guard stage.contract.emits.contains(where: { $0 is any PosedFinding.Type }) else {
                let isPlaced = isPlaced(stage)
                let other = figure.hasSuffix("Jump") ? "jump" : "jitter"
                let instead = isPlaced && figure != "reprojectionError" ? ", or “\(other)”, which is in pixels" : ""
                return "\(named) gives no poses; expected “\(figure)” of a stage of type “markers” with “size” or "
                    + "“board”\(instead)"
            }
            return stage.blueprint.usesCamera
                ? nil
                : "\(named) gives no poses, since it knows no sizes; expected “size”, “sizes” or “board” in the stage"
        }
        guard Expectation.placed.contains(figure), !isPlaced(stage) else { return nil }
        return
            "\(named) tracks nothing that has a place; expected “\(figure)” of a stage that keeps tracks of things in "
            + "the picture, “track” or “follow” say"
    }

    /// Whether a stage tracks things that have a place in the picture.
    private func isPlaced(_ stage: GraphPlan.Node) -> Bool {
        stage.contract.produces.contains(.tracks) && stage.contract.emits.contains { $0.place != .none }
    }

    private func complaint(_ range: Expectation.Range, largest: Double?, isWhole: Bool) -> String? {
        let bounds = [range.min, range.max].compactMap(\.self)
        if bounds.isEmpty { return "neither “min” nor “max”; expected at least one of them" }
        if let min = range.min, let max = range.max, min > max {
            return
                "“min” \(plain(min)) over “max” \(plain(max)), which nothing fulfils; expected “min” to be the smaller one"
        }
        if let largest, let over = bounds.first(where: { $0 > largest }) {
            let hint = over <= 100 ? ": \(plain(over / 100)) for \(plain(over)) %" : ""
            return "\(plain(over)) is over \(plain(largest)); expected a share from 0 to \(plain(largest))\(hint)"
        }
        if isWhole, let part = bounds.first(where: { $0 != $0.rounded() }) {
            return "\(plain(part)); expected whole numbers"
        }
        return nil
    }
}
