extension DataSet {
    /// A data set of a folder's results: of each job that is whole.
    ///
    /// - Parameters:
    ///   - folder: The output folder of a run.
    ///   - options: Which of the results go into it, and in which layout.
    ///   - ids: The jobs that it is of; nil for all that there are.
    ///   - kinds: Kinds of results that the program knows.
    ///   - generator: The program and its version.
    /// - Returns: nil where there is no such layout; ids of jobs whose results aren't whole, which are left out.
    /// - Throws: `FileError`.
    public static func of(
        _ folder: String, _ options: DataSetOptions, only ids: Set<String>? = nil, kinds: FindingCatalog,
        generator: String
    ) throws -> (set: DataSet, leftOut: [String])? {
        let outcomes = Report.places(directory: folder)
        let suffix = TracksSink.format.suffix
        let files = try TrackFiles.list(in: folder)
        var strangers: Set<String> = []
        if options.remarks != nil {
            let known = files.map { String(Files.name(of: $0).dropLast(suffix.count)) }
            strangers = try options.checkRemarks(of: BatchIdentity(of: folder, outcomes, besides: known))
        }
        var leftOut: [String] = []
        let clips = files.compactMap { path -> Clip? in
            let id = String(Files.name(of: path).dropLast(suffix.count))
            guard ids?.contains(id) ?? true else { return nil }
            let outcome = outcomes[id]
            if let outcome, !outcome.status.isWhole {
                leftOut.append(id)
                return nil
            }
            return Clip(id: id, tracks: path, source: source(outcome, folder), stamp: stamp(outcome)) {
                try TrackFileSource.find(for: path, in: folder, outcome, kinds: kinds, advice: TrackFileSource.ofMany)
            }
        }
        // Of one that failed at once there is no track file.
        let found = Set(clips.map(\.id) + leftOut)
        leftOut += outcomes.filter { id, outcome in
            !outcome.status.isWhole && !found.contains(id) && ids?.contains(id) ?? true
        }.map(\.key)
        guard var set = DataSet(options, clips: clips, kinds: kinds, generator: generator) else { return nil }
        set.strangers = strangers
        return (set, leftOut.sorted())
    }

    /// What changes with a job's results and with its video's pictures.
    private static func stamp(_ outcome: JobOutcome?) -> String? {
        guard let outcome, let tracks = outcome.trackFile else { return nil }
        return "\(tracks) \(outcome.contents ?? "")"
    }

    /// What a job's video is known by.
    private static func source(_ outcome: JobOutcome?, _ folder: String) -> [String] {
        guard let outcome else { return [] }
        let path = outcome.source.map { Files.canonicalOfPossible($0.hasPrefix("/") ? $0 : folder + "/" + $0) }
        return [path, outcome.contents].compactMap(\.self)
    }
}
