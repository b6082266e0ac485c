extension DataSetOptions {
    /// Reads what data set a manifest asks for, as far as what it says of that is right; nil for none.
    init?(of manifest: JSONNode, _ paths: ManifestPaths) {
        guard let node = manifest["output"]?["dataset"], node.members != nil else { return nil }
        self.init(node)
        guard DataSetFormat(rawValue: format) != nil, TextRule.path.accepts(directory) else { return nil }
        directory = paths.resolve(directory)
        classes = classes.flatMap { TextRule.path.accepts($0) ? paths.resolve($0) : nil }
        remarks = remarks.flatMap { TextRule.path.accepts($0) ? paths.resolve($0) : nil }
    }

    /// Problems with what a manifest says of its data set, beyond the shape.
    static func check(_ manifest: JSONNode, _ paths: ManifestPaths, _ output: OutputPlaces, log: ProblemLog) {
        guard let node = manifest["output"]?["dataset"], let options = DataSetOptions(of: manifest, paths) else {
            return
        }
        let place: [PathComponent] = [.key("output"), .key("dataset")]
        func add(_ message: String, _ key: String) {
            log.add(message, at: node[key] ?? node, path: place + [.key(key)])
        }
        let named = [
            ("directory", options.directory), ("classes", options.classes ?? ""), ("remarks", options.remarks ?? ""),
        ]
        // What may not be read isn't.
        var refused: Set<String> = []
        for (key, path) in named where !path.isEmpty {
            guard let complaint = paths.complaint(path, written: node[key]?.string ?? "") else { continue }
            add(complaint, key)
            refused.insert(key)
        }
        if output.folders.contains(where: { Files.isInside($0, options.directory) }) {
            add("“\(options.directory)” holds the results; expected a folder of its own", "directory")
        } else if Files.exists(options.directory), !Files.isDirectory(options.directory) {
            add("“\(options.directory)” is a file; expected a folder or nothing there", "directory")
        }
        if let classes = options.classes, !refused.contains("classes") {
            do {
                try paths.attention.read(classes) { try options.checkClasses() }
            } catch {
                add(
                    Files.isRegular(classes) ? "\(error)" : "no file “\(classes)”; expected one with a class a line",
                    "classes")
            }
        }
        if let remarks = options.remarks, !refused.contains("remarks") {
            do {
                _ = try paths.attention.read(remarks) { try options.checkRemarks(of: nil) }
            } catch {
                add(
                    Files.isRegular(remarks)
                        ? "\(error)" : "no file “\(remarks)”; expected one that a review's page exported",
                    "remarks")
            }
        }
        if let fault = options.fault { add(fault.sentence, fault.key) }
    }

    /// Complains of stages and kinds that no job has: it would show when all of them are done.
    static func check(_ manifest: JSONNode, _ paths: ManifestPaths, of jobs: [Job], log: ProblemLog) {
        guard let node = manifest["output"]?["dataset"], let options = DataSetOptions(of: manifest, paths),
            !jobs.isEmpty
        else { return }
        var (stages, kinds) = (Set<String>(), Set<String>())
        for node in jobs.flatMap(\.graph.nodes) {
            stages.insert(node.id)
            kinds.formUnion(node.contract.emits.map { $0.kind })
        }
        func check(_ key: String, _ noun: String, _ named: [String], _ known: Set<String>) {
            for (index, name) in named.enumerated() where !known.contains(name) {
                log.add(
                    "no job has \(noun) “\(name)”; expected one of \(list(known.sorted()))"
                        + log.suggestion(name, known.sorted()),
                    at: node[key]?.elements?[index] ?? node,
                    path: [.key("output"), .key("dataset"), .key(key), .index(index)])
            }
        }
        check("stages", "a stage", options.stages, stages)
        check("complete", "a stage", options.complete, stages)
        check("kinds", "results of the kind", options.kinds, kinds)
    }
}
