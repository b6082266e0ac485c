/// What a sidecar's first line says.
public struct SidecarHeader: Sendable {
    public struct Source: Sendable {
        public var name: String
        /// Pixels, as shown.
        public var width: Int
        public var height: Int
        /// Degrees clockwise by which stored pictures were turned.
        public var rotation: Int
        public var isMirrored: Bool
        public var timeBase: Rational
        public var frameRate: Rational?
        /// Ticks that the annotated video's stamps lie behind the source's: 0 but for a source that starts before zero.
        public var videoOffset: Int64

        public init(
            name: String, width: Int, height: Int, rotation: Int = 0, isMirrored: Bool = false, timeBase: Rational,
            frameRate: Rational? = nil, videoOffset: Int64 = 0
        ) {
            self.name = name
            self.width = width
            self.height = height
            self.rotation = rotation
            self.isMirrored = isMirrored
            self.timeBase = timeBase
            self.frameRate = frameRate
            self.videoOffset = videoOffset
        }
    }

    public struct Stage: Sendable {
        public var id: String
        public var type: String
        public var inputs: [String]
        public var rate: Double?
        public var options: [JSONMember]
        public var details: [JSONMember]

        public init(
            id: String, type: String, inputs: [String] = [], rate: Double? = nil, options: [JSONMember] = [],
            details: [JSONMember] = []
        ) {
            self.id = id
            self.type = type
            self.inputs = inputs
            self.rate = rate
            self.options = options
            self.details = details
        }
    }

    public var generator: String
    public var source: Source
    public var range: FrameRange?
    /// nil where nothing depends on it.
    public var camera: CameraIntrinsics?
    public var stages: [Stage]

    public init(
        generator: String, source: Source, range: FrameRange? = nil, camera: CameraIntrinsics? = nil, stages: [Stage]
    ) {
        self.generator = generator
        self.source = source
        self.range = range
        self.camera = camera
        self.stages = stages
    }
}
