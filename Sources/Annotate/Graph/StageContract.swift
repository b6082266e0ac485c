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

/// What a stage hands on beside its results, which the track file hasn't.
public enum Handover: String, Sendable, CaseIterable {
    case nothing
    /// Stages that take its results want it too.
    case toStages
    /// It is drawn.
    case toDrawing
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
    /// Every kind of result that it emits.
    public var emits: [any Finding.Type]
    /// What the track file's header may say of it beyond its options.
    public var details: [Property]
    public var handsOn: Handover
    /// True where its tracks have numbers already, from elsewhere, which they keep.
    public var keepsNumbers = false

    public init(
        type: String, summary: String, consumes: [Port] = [.frame], produces: [Port], keepsState: Bool,
        takesSeeds: Bool = false, takesPoints: Bool = false, emits: [any Finding.Type], options: [Property],
        details: [Property] = [], handsOn: Handover = .nothing
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
        self.details = details
        self.handsOn = handsOn
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

    /// What the joints are of the things that it gives, in their order, for kinds that are `JointedFinding`s; nil for a stage
    /// that gives none, or hands on those of its inputs.
    var skeleton: Skeleton? { get }

    /// The files that those that its options name lead to: paths that can be opened.
    var files: [String] { get }

    /// True where results depend on the job's camera.
    var usesCamera: Bool { get }

    /// Where to look when the stage saw nothing in a whole video; nil where there is nothing to say.
    var hintWhenBlind: String? { get }
}

extension StageBlueprint {
    public var details: [JSONMember] { [] }
    public var skeleton: Skeleton? { nil }
    public var files: [String] { [] }
    public var usesCamera: Bool { false }
    public var hintWhenBlind: String? { nil }
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
    /// The part of the video that the job works on; nil for all of it.
    public var range: FrameRange?

    public init(
        id: String, width: Int, height: Int, isStill: Bool = false, camera: CameraIntrinsics? = nil,
        seeds: [Seed] = [], points: [PointSeed] = [], threads: Int = 1, range: FrameRange? = nil
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
        self.range = range
    }
}
