/// A job as whoever hands jobs out knows it: what it reads and writes, and what it says of itself, in words that another
/// process makes a job of.
public struct JobOrder: Record {
    public var id = ""
    /// A path that can be opened, with `%04d` for numbered pictures, or `-` for standard input.
    public var input = ""
    /// Names of the files that it writes in the output folder, the track file's last: with it the job is whole.
    public var results: [String] = []
    /// Of all that the results depend on; nil for a stream.
    public var fingerprint: String?
    /// The manifest's entry, as JSON.
    var entry = ""
    /// The graph, as JSON.
    var graph = ""

    public init() {}

    public static let fields: [Field<JobOrder>] = [
        Field("id", \.id, .text(), doc: "The job's id."), Field("input", \.input, .text(), doc: "What it reads."),
        Field("results", \.results, .list(.text()), doc: "What it writes."),
        Field("fingerprint", \.fingerprint, .text(), doc: "Of all that the results depend on."),
        Field("entry", \.entry, .text(), doc: "The manifest's entry, as JSON."),
        Field("graph", \.graph, .text(), doc: "The graph, as JSON."),
    ]
}

/// The jobs of a manifest that has been read and validated, to be handed out.
public struct Batch: Sendable {
    /// The manifest's path as the user gave it.
    public var manifest: String
    public var directory: String
    /// Words of `output.formats`.
    var formats: [String] = []
    public var jobs: [JobOrder]
    /// What a user should know before anything runs.
    public var warnings: [String] = []
}

extension Batch {
    /// - Parameter generator: The program and its version, on which results depend too.
    public init(_ manifest: Manifest, generator: String) {
        self.init(
            manifest: manifest.file, directory: manifest.outputDirectory, formats: manifest.formats,
            jobs: manifest.jobs.map { JobOrder($0, generator: generator) }, warnings: manifest.warnings)
    }
}

extension JobOrder {
    init(_ job: Job, generator: String) {
        (id, input) = (job.id, job.input)
        results = job.results.map(Files.name)
        fingerprint = Fingerprint.of(job, generator: generator)
        (entry, graph) = (job.entry, job.graphText)
    }
}

extension Manifest {
    /// Graphs that need what a job doesn't give.
    var warnings: [String] {
        jobs.filter { $0.graph.takesSeeds && $0.regions.isEmpty }.map {
            "job “\($0.id)”: its graph tracks regions, and it has none"
        }
            + jobs.filter { $0.graph.takesPoints && $0.points.isEmpty }.map {
                "job “\($0.id)”: its graph labels points, and it has none"
            }
    }
}
