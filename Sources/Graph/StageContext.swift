/// What a stage may know of the job it works for.
public struct StageContext: Sendable {
    /// The stage's id in the graph.
    public var id: String
    /// Pixels, as shown.
    public var width: Int
    public var height: Int
    /// True for a photo: a source of one picture.
    public var isStill: Bool
    /// True for a source that can be read once: standard input.
    public var isStream: Bool
    /// What the pictures were taken with.
    public var camera: CameraIntrinsics
    /// How many threads one call may use.
    public var threads: Int
    /// The part of the video that the job works on; nil for all of it.
    public var range: FrameRange?
    /// True where the annotated video hides what the stage finds, or what others find by it: it is worth more to miss nothing.
    public var hides = false
    private var given: [String: any Sendable] = [:]

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

    /// What the job gives of a kind that the stage's contract takes, in pixels.
    public subscript<G: Given>(kind: G.Type) -> [G.Placed] {
        get { given[G.word] as? [G.Placed] ?? [] }
        set { given[G.word] = newValue }
    }

    /// Takes over what a job gives of a kind.
    package mutating func take<G: Given>(_ kind: G.Type, of values: GivenValues) {
        let size = PictureSize(width: width, height: height)
        self[kind] = values[kind].map { $0.placed(in: size) }
    }
}
