/// What is left in an output folder of jobs that a manifest no longer has.
public struct Pruning: Sendable {
    /// Each job with its files' names.
    public private(set) var jobs: [(id: String, files: [String])] = []
    private let output: OutputPlaces

    public init(_ batch: Batch) {
        let output = batch.output, directory = batch.directory
        self.output = output
        let ids = Set(batch.jobs.map(\.id))
        let manifest = Files.relative(batch.manifest, to: directory)
        let earlier = Report.read(directory: directory)
        // A report may be anybody's: what is wanted still is never removed.
        var kept = Set(batch.jobs.flatMap(\.results))
        for (id, outcome) in earlier where ids.contains(id) || outcome.manifest != manifest {
            kept.formUnion(outcome.files)
        }
        let inputs = Set(
            (batch.jobs.flatMap { MediaInput(path: $0.input).files + $0.dependencies } + [batch.manifest])
                .compactMap(Files.identity))
        for (id, outcome) in earlier.sorted(by: { $0.key < $1.key })
        where !ids.contains(id) && outcome.manifest == manifest {
            let files = outcome.files.filter { name in
                let path = output.path(name)
                // A file of another size is somebody's own by now.
                if let known = outcome.outputs.first(where: { $0.file == name }),
                    Files.sizeOfResult(path) != known.bytes
                {
                    return false
                }
                guard Self.isResult(Files.name(of: name), of: id), output.mayRemove(name, of: outcome),
                    !kept.contains(name), Files.isResult(path)
                else { return false }
                return Files.identity(path).map { !inputs.contains($0) } ?? false
            }
            if !files.isEmpty { jobs.append((id, files)) }
        }
    }

    /// A job's results are called by its id.
    private static func isResult(_ name: String, of id: String) -> Bool {
        name.hasPrefix(id + ".") && !Shard.isReport(name) && name != Manifest.reportName
    }

    public func run() {
        for (_, files) in jobs { for name in files { Files.removeResult(output.path(name)) } }
    }
}
