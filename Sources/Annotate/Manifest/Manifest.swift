/// A manifest that has been read and validated: every file it names is there, every graph can run.
public struct Manifest: Sendable {
    /// The path as the user gave it.
    public var file: String
    public var output: OutputPlaces
    public var outputDirectory: String { output.directory }
    /// Of the file in the output folder that says how each job ended.
    public static let reportName = "report.json"
    /// What is written beside track files: words of `SinkCatalog.formats`.
    var formats: [String] = []
    public var jobs: [Job]
    /// What a user should know of it as a whole before anything runs.
    var remarks: [String] = []
}

/// One video to annotate.
public struct Job: Sendable {
    public var id: String
    /// A path that can be opened, with `%04d` for numbered pictures, or `-` for standard input.
    public var input: String
    public var graph: GraphPlan
    public var range: FrameRange?
    /// What its stages are given beside the video.
    public var given = GivenValues()
    /// What is hidden by hand.
    public var covers: [HandCover] = []
    public var expectations: [Expectation] = []
    /// The files that it names besides its input: how they are written, and paths that can be opened.
    var files: [String: String] = [:]
    /// Where the manifest says so.
    var lines = Lines()
    public var encode: EncodeSettings
    public var onError = DamagePolicy.fail
    public var deinterlaces = false
    var start = DecodingStart.nearest
    /// Pictures a second of an input that doesn't say.
    public var frameRate: Rational?
    public var camera = CameraDeclaration.assumed
    /// The job as the manifest has it, as JSON: with the graph it tells whether a finished job is still up to date, and
    /// makes the same job in another process.
    var entry: String
    /// The graph as the manifest has it, as JSON.
    var graphText: String
    /// Where results go.
    var output: OutputPlaces
    /// What is written beside the track file: words of `SinkCatalog.formats`.
    var formats: [String]
    /// False where only the video is wanted.
    var writesTracks = true

    /// Lines of the manifest.
    struct Lines: Sendable, Hashable {
        var job = 0
        /// Each of the expectations.
        var expectations: [Int] = []
    }

    /// The annotated video's path; nil where none is written.
    var video: String? { encode.codec.container.map { "\(output.directory)/\(id).\($0.fileExtension)" } }

    /// Those of its results, the track file's last.
    var sinks: [any Sink.Type] {
        formats.compactMap(SinkCatalog.standard.sink) + (writesTracks ? [TracksSink.self] : [])
    }

    func path(of format: SinkFormat) -> String { output.path(of: format, id) }

    /// The files that the job writes.
    var results: [String] { [video].compactMap(\.self) + sinks.map { path(of: $0.format) } }

    /// The same, as the report calls them.
    var places: [String] { [video].compactMap(\.self).map(Files.name) + sinks.map { output.place(of: $0.format, id) } }
}
