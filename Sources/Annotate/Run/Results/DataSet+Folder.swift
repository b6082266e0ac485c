extension DataSet {
    /// A data set of a folder's results: of each job that is whole.
    ///
    /// - Parameters:
    ///   - folder: The output folder of a run.
    ///   - ids: The jobs that it is of; nil for all that there are.
    /// - Returns: nil where there is no such layout; ids of jobs whose results aren't whole, which are left out.
    /// - Throws: `FileError`.
    public static func of(
        _ folder: String, _ options: DataSetOptions, only ids: Set<String>? = nil, kinds: FindingCatalog,
        generator: String
    ) throws -> (set: DataSet, leftOut: [String])? {
        try options.checkRemarks(of: Files.name(of: Files.canonical(folder)))
        let outcomes = Report.read(directory: folder)
        let suffix = TracksSink.format.suffix
        var leftOut: [String] = []
        let clips = try TrackFiles.list(in: folder).compactMap { path -> Clip? in
            let id = String(Files.name(of: path).dropLast(suffix.count))
            guard ids?.contains(id) ?? true else { return nil }
            let outcome = outcomes[id]
            if let outcome, !outcome.status.isWhole {
                leftOut.append(id)
                return nil
            }
            return Clip(id: id, tracks: path, stamp: outcome?.trackFile) {
                try TrackFileSource.find(for: path, in: folder, outcome, kinds: kinds)
            }
        }
        // Of one that failed at once there is no track file.
        let found = Set(clips.map(\.id) + leftOut)
        leftOut += outcomes.filter { id, outcome in
            !outcome.status.isWhole && !found.contains(id) && ids?.contains(id) ?? true
        }.map(\.key)
        guard let set = DataSet(options, clips: clips, kinds: kinds, generator: generator) else { return nil }
        return (set, leftOut.sorted())
    }
}
