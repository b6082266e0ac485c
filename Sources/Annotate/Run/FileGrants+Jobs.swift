extension FileGrants {
    /// Grants the files of a job: its input, what it depends on, what it wrote the last time.
    /// - Parameter compiled: Its networks as they are kept compiled.
    func set(_ order: JobOrder, _ task: JobTask, in output: OutputPlaces, root: String?, compiled: [String] = []) {
        var paths = order.dependencies + order.accepted + order.results.map(output.path)
        if let trackFile = task.trackFile { paths.append(trackFile) }
        paths += task.parts.flatMap { [$0.path, $0.mark] }
        let input = MediaInput(path: order.input)
        paths += input.files
        // Which numbers there are is asked of the folder.
        if case .sequence = input { paths.append(Files.parent(of: order.input)) }
        // Which files a pattern of a stage means is asked of their folders, as the manifest's reader may; without a pattern
        // no folder is.
        if Self.hasPattern(order.graph) {
            paths += Set(order.dependencies.map { Files.parent(of: $0) })
        }
        set(paths, root: root, own: compiled)
    }

    /// Whether a text in a graph, as JSON, may be a pattern of files.
    private static func hasPattern(_ graph: String) -> Bool {
        var left = [(try? JSONParser.parse(Array(graph.utf8))) ?? JSONNode(.null)]
        while let node = left.popLast() {
            if let text = node.string, text.contains(where: { "*?[".contains($0) }) { return true }
            left += node.elements ?? []
            left += node.members?.map(\.value) ?? []
        }
        return false
    }

    /// Grants the files that the reader of a manifest reads.
    func set(_ grants: ManifestGrants, root: String?) {
        set(grants.paths.union(grants.folders), trees: grants.trees, root: root)
    }

    /// Grants nothing, between jobs.
    func revoke() { set([], root: nil) }
}
