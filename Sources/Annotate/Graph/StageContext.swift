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
