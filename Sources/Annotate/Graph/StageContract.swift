/// What passes between stages.
public enum Port: String, Sendable, CaseIterable {
    /// The picture itself.
    case frame
    /// Boxes or quads in the picture.
    case regions
    /// Regions that keep a number over time.
    case tracks
    /// Names with confidences.
    case labels
}

/// What a stage type promises, apart from how it does it: the catalogue's entry, from which `stages`, `schema`,
/// validation and the reference derive.
public struct StageContract: Sendable {
    public var type: String
    /// One sentence.
    public var summary: String
    /// What an input may give. A stage that takes no `regions` reads the frame alone.
    public var consumes: [Port]
    public var produces: [Port]
    /// True where a frame's result depends on earlier frames.
    public var keepsState: Bool
    /// True where the stage starts from the job's `regions`.
    public var takesSeeds: Bool
    /// True where the stage starts from the job's `points`.
    public var takesPoints: Bool
    public var options: [Property]
    /// What it emits, for the default style of drawing.
    public var emits: ObservationKind

    public init(
        type: String, summary: String, consumes: [Port] = [.frame], produces: [Port], keepsState: Bool,
        takesSeeds: Bool = false, takesPoints: Bool = false, emits: ObservationKind, options: [Property]
    ) {
        self.type = type
        self.summary = summary
        self.consumes = consumes
        self.produces = produces
        self.keepsState = keepsState
        self.takesSeeds = takesSeeds
        self.takesPoints = takesPoints
        self.emits = emits
        self.options = options
    }
}

/// One stage of one graph, with its options read and what they name looked at; makes a fresh `Stage` for each job, so
/// that no state leaks from one video into the next.
public protocol StageBlueprint: Sendable {
    static var contract: StageContract { get }

    /// - Throws: `StageOptionError` where the options can't be used.
    init(options: StageOptions) throws

    func makeStage(_ context: StageContext) throws -> any Stage

    /// What the sidecar's header says of the stage beyond its options, a model's hash say.
    var details: [JSONMember] { get }

    /// True where results depend on the job's camera.
    var usesCamera: Bool { get }
}

extension StageBlueprint {
    public var details: [JSONMember] { [] }
    public var usesCamera: Bool { false }
}

/// What a stage may know of the job it works for.
public struct StageContext: Sendable {
    /// The stage's id in the graph.
    public var id: String
    /// Pixels, as shown.
    public var width: Int
    public var height: Int
    /// True for a photo: a source of one picture.
    public var isStill: Bool
    /// What the pictures were taken with.
    public var camera: CameraIntrinsics
    /// The job's regions, in pixels.
    public var seeds: [Seed]
    /// The job's points, in pixels.
    public var points: [PointSeed]
    /// How many threads one call may use.
    public var threads: Int

    public init(
        id: String, width: Int, height: Int, isStill: Bool = false, camera: CameraIntrinsics? = nil,
        seeds: [Seed] = [], points: [PointSeed] = [], threads: Int = 1
    ) {
        self.id = id
        self.width = width
        self.height = height
        self.isStill = isStill
        self.camera =
            camera
            ?? CameraIntrinsics(width: width, height: height, fieldOfView: CameraDeclaration.assumedFieldOfView)
        self.seeds = seeds
        self.points = points
        self.threads = threads
    }
}

/// One of a job's `regions`: where something is at one moment.
public struct Seed: Sendable, Hashable {
    /// A moment as the manifest gives it.
    public enum Moment: Sendable, Hashable {
        case seconds(Double)
        case frame(Int)

        /// True from the first frame that is at or after the moment.
        public func isReached(by frame: VideoFrame) -> Bool {
            switch self {
            case .seconds(let seconds):
                frame.pts.ticks >= MediaTime.ticks(atOrAfter: seconds, timeBase: frame.pts.timeBase)
            case .frame(let ordinal): frame.ordinal >= ordinal
            }
        }
    }

    public var id: String
    public var label: String?
    public var start: Moment
    /// From this moment on the region is no more.
    public var end: Moment?
    /// Corners in pixels, clockwise.
    public var polygon: [Point]

    public init(id: String, label: String? = nil, start: Moment, end: Moment? = nil, polygon: [Point]) {
        self.id = id
        self.label = label
        self.start = start
        self.end = end
        self.polygon = polygon
    }
}

/// One of a job's `points`: a place that was pointed at, at one moment.
public struct PointSeed: Sendable, Hashable {
    public var id: String
    /// What to write beside it; nil for what a classifier says.
    public var text: String?
    public var start: Seed.Moment
    /// From this moment on the point is no more.
    public var end: Seed.Moment?
    /// Pixels.
    public var point: Point

    public init(id: String, text: String? = nil, start: Seed.Moment, end: Seed.Moment? = nil, point: Point) {
        self.id = id
        self.text = text
        self.start = start
        self.end = end
        self.point = point
    }
}
