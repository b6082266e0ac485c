/// Results in an output folder of jobs that a manifest no longer has, to be removed.
public struct Pruning: Sendable {
    /// Each such job with its files, as the report names them.
    public private(set) var jobs: [(id: String, files: [String])] = []
    private let folders: ResultFolders

    /// Finds such results, by the reports in the batch's output folder.
    public init(_ batch: Batch) {
        let output = batch.output
        folders = ResultFolders(output)
        let ids = Set(batch.jobs.map(\.id))
        let manifest = Files.relative(batch.manifest, to: batch.directory)
        let earlier = Report.read(output)
        // A report may be anybody's: what is wanted still is never removed.
        var kept = Set(batch.jobs.flatMap(\.results))
        for (id, outcome) in earlier where ids.contains(id) || outcome.manifest != manifest {
            kept.formUnion(outcome.files)
        }
        let claims = Report.manifests(output)
        let inputs = Set(
            (batch.jobs.flatMap { MediaInput(path: $0.input).files + $0.dependencies } + [batch.manifest])
                .compactMap(Files.identity))
        for (id, outcome) in earlier.sorted(by: { $0.key < $1.key })
        where !ids.contains(id) && outcome.manifest == manifest && claims[id]?.count == 1 {
            let files = outcome.files.filter { place in
                // A file of another size is somebody's own by now.
                if let known = outcome.outputs.first(where: { $0.file == place }), folders.size(place) != known.bytes {
                    return false
                }
                guard output.has(place, of: id), !kept.contains(place), folders.isResult(place),
                    let entry = folders.entry(place)
                else { return false }
                return !inputs.contains(entry.identity)
            }
            // Every job has one. Of an id that a report alone knows of, what has its name is somebody's own.
            if files.contains(where: folders.isTrackFile) { jobs.append((id, files)) }
        }
    }

    /// Removes the results.
    /// - Returns: The files of each job that are gone, and those that stay although they should go.
    public func run() -> [(id: String, removed: [String], left: [String])] {
        jobs.map { id, files in
            let removed = files.filter { folders.remove($0) }
            return (id, removed, files.filter { !removed.contains($0) })
        }
    }
}
