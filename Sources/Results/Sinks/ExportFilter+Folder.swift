extension ExportFilter {
    /// The filter for the files of a folder, of which each may lack a stage or kind that others have.
    /// - Parameters:
    ///   - folder: Their folder's path, for what is said.
    ///   - paths: Track files.
    ///   - catalog: Kinds of results that the program knows.
    /// - Returns: Also the files that have none of the stages or none of the kinds, of which nothing is to be written.
    /// - Throws: `TrackFileError` for a stage or kind that no file has.
    public func ofFolder(_ folder: String, _ paths: [String], _ catalog: FindingCatalog) throws -> (
        filter: ExportFilter, without: Set<String>
    ) {
        guard !stages.isEmpty || !kinds.isEmpty else { return (self, []) }
        var without: Set<String> = []
        var (allStages, allKinds): ([String], [String]) = ([], [])
        func add(_ names: [String], to all: inout [String]) {
            for name in names where !all.contains(name) { all.append(name) }
        }
        for path in paths {
            // What can't be read is told of when it is to be written.
            guard let header = try? TrackFileReader(path: path, kinds: catalog).header else { continue }
            let own = header.stages.map(\.id)
            let emitted = header.stages.flatMap { catalog.kinds(of: $0.type) ?? [] }.map { $0.kind }
            add(own, to: &allStages)
            add(emitted, to: &allKinds)
            if !stages.isEmpty && stages.allSatisfy({ !own.contains($0) })
                || !kinds.isEmpty && kinds.allSatisfy({ !emitted.contains($0) })
            {
                without.insert(path)
            }
        }
        try check(stages, among: allStages, "stage", folder, saying: "no track file in it has the")
        try check(kinds, among: allKinds, "kind", folder, saying: "no track file in it has the")
        var filter = self
        filter.allowsMissing = true
        return (filter, without)
    }

    /// A sentence on files that have nothing of what is wanted; nil for none.
    public func sentence(on without: Set<String>, of count: Int) -> String? {
        guard !without.isEmpty else { return nil }
        let names = without.sorted().prefix(4).map { "“\(Files.name(of: $0).inOneLine)”" }.joined(separator: ", ")
        let what = stages.isEmpty ? "kinds" : kinds.isEmpty ? "stages" : "stages and kinds"
        return "\(without.count) of \(count) track files have none of these \(what) and are left out: \(names)"
            + (without.count > 4 ? ", …" : "")
    }
}
