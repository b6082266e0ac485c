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
        if let depth = Self.depthOfPatterns(in: order.graph) {
            var folders = Set(order.dependencies.map { Files.parent(of: $0) })
            paths += folders
            for _ in 0..<depth {
                folders = Set(folders.map { Files.parent(of: $0) })
                paths += folders
            }
        }
        set(paths, root: root, own: compiled)
    }

    /// How many folders of patterns of files, at the most, are patterns themselves, of the texts in a graph, as JSON: `labels/*/a_*.txt`
    /// has one. nil where there is no pattern.
    private static func depthOfPatterns(in graph: String) -> Int? {
        var depth: Int?
        var left = [(try? JSONParser.parse(Array(graph.utf8))) ?? JSONNode(.null)]
        while let node = left.popLast() {
            // One at the end says that a file may be absent.
            if let text = node.string, let first = text.dropLast().firstIndex(where: { "*?[".contains($0) }) {
                depth = max(depth ?? 0, text[first...].count { $0 == "/" })
            }
            left += node.elements ?? []
            left += node.members?.map(\.value) ?? []
        }
        return depth
    }

    /// Grants the files that the reader of a manifest reads.
    /// - Parameter compiled: Networks of models that the manifest names, as they are kept compiled.
    func set(_ grants: ManifestGrants, root: String?, compiled: [String] = []) {
        set(grants.paths.union(grants.folders), trees: grants.trees, root: root, own: compiled)
    }

    /// Grants nothing, between jobs.
    func revoke() { set([], root: nil) }
}
