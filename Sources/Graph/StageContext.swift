/// The job that a stage works for, as far as the stage may know it.
public struct StageContext: Sendable {
    /// The stage's id in the graph.
    public var id: String
    /// Width of the pictures as shown, pixels.
    public var width: Int
    /// Height of the pictures as shown, pixels.
    public var height: Int
    /// Whether it is a photo: a source of one picture.
    public var isStill: Bool
    /// Whether the source can be read once only: standard input.
    public var isStream: Bool
    /// The camera that the pictures were taken with.
    public var camera: CameraIntrinsics
    /// The most threads that one call may use.
    public var threads: Int
    /// The part of the video that the job works on; nil for all of it.
    public var range: FrameRange?
    /// True where the annotated video hides what the stage finds, or what others find by it: it is worth more to miss nothing.
    public var hides = false
    private var given: [String: any Sendable] = [:]

    /// A job of pictures of a size in pixels; without a camera, one that sees 60° from left to right is assumed.
    public init(
        id: String, width: Int, height: Int, isStill: Bool = false, isStream: Bool = false,
        camera: CameraIntrinsics? = nil, threads: Int = 1, range: FrameRange? = nil
    ) {
        self.id = id
        self.width = width
        self.height = height
        self.isStill = isStill
        self.isStream = isStream
        self.camera =
            camera
            ?? CameraIntrinsics(width: width, height: height, fieldOfView: CameraDeclaration.assumedFieldOfView)
        self.threads = threads
        self.range = range
    }

    /// Things of a kind that the job gives and the stage's contract takes, in pixels.
    public subscript<G: Given>(kind: G.Type) -> [G.Placed] {
        get { given[G.word] as? [G.Placed] ?? [] }
        set { given[G.word] = newValue }
    }

    /// Takes over the things of a kind that a job gives.
    package mutating func take<G: Given>(_ kind: G.Type, of values: GivenValues) {
        let size = PictureSize(width: width, height: height)
        self[kind] = values[kind].map { $0.placed(in: size) }
    }
}
