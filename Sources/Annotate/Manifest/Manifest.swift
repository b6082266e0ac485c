/// A manifest that has been read and validated: every file it names is there, every graph can run.
public struct Manifest: Sendable {
    /// The path as the user gave it.
    public var file: String
    /// The folders of results.
    public var output: OutputPlaces
    /// The output folder's path.
    public var outputDirectory: String { output.directory }
    /// Name of the file in the output folder that says how each job ended.
    static let reportName = "report.json"
    /// Forms of results that are written beside track files: words of `SinkCatalog.formats`.
    var formats: [String] = []
    /// The data set of all jobs; nil for none.
    var dataSet: DataSetOptions?
    /// The jobs, in the manifest's order.
    public var jobs: [Job]
    /// Remarks on it as a whole before anything runs.
    var remarks: [String] = []
    /// The command that fetches inputs that lie elsewhere; nil for none.
    var fetch: [String]?
    /// The same that stores results elsewhere.
    var store: [String]?
    /// Where results go besides; nil for nowhere.
    var address: String?
}

/// One video to annotate.
public struct Job: Sendable {
    /// Name of the job, unique in the manifest, which its results' names begin with.
    public var id: String
    /// A path that can be opened, with `%04d` for numbered pictures, or `-` for standard input.
    public var input: String
    /// The stages that run on it.
    public var graph: GraphPlan
    /// The part of the video that is worked on; nil for all of it.
    public var range: FrameRange?
    /// Things that it gives its stages beside the video.
    public var given = GivenValues()
    /// Places that are hidden for a time.
    public var covers: [HandCover] = []
    /// Expectations of its results.
    public var expectations: [Expectation] = []
    /// For each of them, what its results are held against; nil where it is about figures.
    var accepted: [AcceptedResults?] = []
    /// Files that it names besides its input: how they are written, and paths that can be opened.
    var files: [String: String] = [:]
    /// Sentences about files that may be absent and are.
    var absent: [String] = []
    /// Lines of the manifest that it comes from.
    var lines = Lines()
    /// How the annotated video is encoded.
    public var encode: EncodeSettings
    /// The policy on damaged packets.
    public var onError = DamagePolicy.fail
    /// Whether interlaced pictures are made whole.
    public var deinterlacing = Deinterlacing.never
    var start = DecodingStart.nearest
    /// Pictures a second of an input whose file doesn't say it; nil for FFmpeg's 25.
    public var frameRate: Rational?
    /// The camera that the video was taken with.
    public var camera = CameraDeclaration.assumed
    /// The job as the manifest has it, as JSON: with the graph it tells whether a finished job is still up to date, and
    /// makes the same job in another process.
    var entry: String
    /// The graph as the manifest has it, as JSON.
    var graphText: String
    /// The folders of results.
    var output: OutputPlaces
    /// Forms of results that are written beside the track file: words of `SinkCatalog.formats`.
    var formats: [String]
    /// Whether a track file is written; not where only the video is wanted.
    var writesTracks = true

    /// Lines of the manifest.
    struct Lines: Sendable, Hashable {
        var job = 0
        /// Line of each of the expectations.
        var expectations: [Int] = []
    }

    /// The annotated video's path; nil where none is written.
    var video: String? { encode.codec.container.map { "\(output.directory)/\(id).\($0.fileExtension)" } }

    /// Sinks of its results, the track file's last.
    var sinks: [any Sink.Type] {
        formats.compactMap(SinkCatalog.known.sink) + (writesTracks ? [TracksSink.self] : [])
    }

    func path(of format: SinkFormat) -> String { output.path(of: format, id) }

    /// Paths of the files that the job writes.
    var results: [String] { [video].compactMap(\.self) + sinks.map { path(of: $0.format) } }

    /// Files that the job writes, as the report names them.
    var places: [String] { [video].compactMap(\.self).map(Files.name) + sinks.map { output.place(of: $0.format, id) } }
}
