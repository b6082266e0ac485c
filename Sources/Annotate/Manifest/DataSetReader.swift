extension DataSetOptions {
    /// Reads what data set a manifest asks for, as far as what it says of that is right; nil for none.
    init?(of manifest: JSONNode, _ paths: ManifestPaths) {
        guard let node = manifest["output"]?["dataset"], node.members != nil else { return nil }
        self.init(node)
        guard DataSetFormat(rawValue: format) != nil, TextRule.path.accepts(directory) else { return nil }
        directory = paths.resolve(directory)
        classes = classes.flatMap { TextRule.path.accepts($0) ? paths.resolve($0) : nil }
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
        for (key, path) in [("directory", options.directory), ("classes", options.classes ?? "")] where !path.isEmpty {
            if let complaint = paths.complaint(path, written: node[key]?.string ?? "") { add(complaint, key) }
        }
        if output.folders.contains(where: { Files.isInside($0, options.directory) }) {
            add("“\(options.directory)” holds the results; expected a folder of its own", "directory")
        } else if Files.exists(options.directory), !Files.isDirectory(options.directory) {
            add("“\(options.directory)” is a file; expected a folder or nothing there", "directory")
        }
        if let classes = options.classes {
            do {
                try options.checkClasses()
            } catch {
                add(
                    Files.isRegular(classes) ? "\(error)" : "no file “\(classes)”; expected one with a class a line",
                    "classes")
            }
        }
        if let fault = options.fault { add(fault.sentence, fault.key) }
    }
}
