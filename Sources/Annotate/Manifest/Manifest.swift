/// A manifest that has been read and validated: every file it names is there, every graph can run.
public struct Manifest: Sendable {
    /// The path as the user gave it.
    public var file: String
    public var output: OutputPlaces
    public var outputDirectory: String { output.directory }
    /// Of the file in the output folder that says how each job ended.
    public static let reportName = "report.json"
    /// What is written beside track files: words of `Sinks.formats`.
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
    public var regions: [Region]
    public var points: [TappedPoint] = []
    public var gates: (lines: [Line], zones: [Zone]) = ([], [])
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
    /// What is written beside the track file: words of `Sinks.formats`.
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
        formats.compactMap(Sinks.sink) + (writesTracks ? [TracksSink.self] : [])
    }

    func path(of format: SinkFormat) -> String { output.path(of: format, id) }

    /// The files that the job writes.
    var results: [String] { [video].compactMap(\.self) + sinks.map { path(of: $0.format) } }

    /// The same, as the report calls them.
    var places: [String] { [video].compactMap(\.self).map(Files.name) + sinks.map { output.place(of: $0.format, id) } }
}

/// One of a job's `regions`, as the manifest has it: its pixels are known when the video is open.
public struct Region: Sendable {
    public enum Outline: Sendable, Hashable {
        case polygon([Point])
        case point(Point)
    }

    public struct Keyframe: Sendable, Hashable {
        public var moment: Seed.Moment
        /// nil where it is nowhere in the picture from then on.
        public var outline: Outline?
    }

    public var id: String
    public var label: String
    public var start: Seed.Moment
    public var end: Seed.Moment?
    public var outline: Outline
    public var isNormalized: Bool
    /// In order of their moments.
    public var keyframes: [Keyframe] = []
    public var fill = Seed.Fill.forward

    /// The region in a picture's pixels. Normalized coordinates run over the picture's area: 0 is the left edge of the
    /// first column, 1 the right edge of the last.
    public func seed(width: Int, height: Int) -> Seed {
        func pixels(_ point: Point) -> Point {
            isNormalized ? Point(point.x * Double(width), point.y * Double(height)) : point
        }
        func corners(_ outline: Outline) -> [Point] {
            switch outline {
            case .polygon(let corners): return corners.map(pixels)
            case .point(let point):
                let half = Double(min(width, height)) / 20
                let center = pixels(point)
                return Box(x: center.x - half, y: center.y - half, width: 2 * half, height: 2 * half).corners
            }
        }
        return Seed(
            id: id, label: label, start: start, end: end, polygon: corners(outline),
            keyframes: keyframes.map { Seed.Keyframe($0.moment, polygon: $0.outline.map(corners)) }, fill: fill)
    }
}

/// One of a job's `points`, as the manifest has it: its pixels are known when the video is open.
public struct TappedPoint: Sendable, Hashable {
    public var id: String
    public var text: String?
    public var start: Seed.Moment
    public var end: Seed.Moment?
    public var point: Point
    public var isNormalized: Bool

    /// The point in a picture's pixels. Normalized coordinates run over the picture's area: 0 is the left edge of the
    /// first column, 1 the right edge of the last.
    public func seed(width: Int, height: Int) -> PointSeed {
        let place = isNormalized ? Point(point.x * Double(width) - 0.5, point.y * Double(height) - 0.5) : point
        return PointSeed(id: id, text: text, start: start, end: end, point: place)
    }
}
