/// What a track file's first line says.
public struct TrackFileHeader: Sendable {
    public struct Source: Sendable, Hashable {
        public var name = ""
        /// Pixels, as shown.
        public var width = 1
        public var height = 1
        /// Degrees clockwise by which stored pictures were turned.
        public var rotation = 0
        public var isMirrored = false
        /// nil for progressive pictures.
        var fieldOrder: FieldOrder?
        package var isDeinterlaced = false
        public var timeBase = Rational(1, 1)
        public var frameRate: Rational?
        /// Ticks that the annotated video's stamps lie behind the source's: 0 but for a source that starts before zero.
        public var videoOffset = 0
        /// Ticks at which a player's clock starts: the container's first.
        public var startTime = 0
        /// How damage was met.
        package var onError = DamagePolicy.fail
        /// Ticks of the picture that decoding began with; nil for the file's start.
        package var decodedFrom: Int?
        /// Presented pictures; nil where only a part was decoded, and before the last one was.
        package var frames: Int?

        public init() {}

        public init(
            name: String, width: Int, height: Int, rotation: Int = 0, isMirrored: Bool = false, timeBase: Rational,
            frameRate: Rational? = nil, videoOffset: Int = 0, startTime: Int = 0
        ) {
            self.name = name
            self.width = width
            self.height = height
            self.rotation = rotation
            self.isMirrored = isMirrored
            self.timeBase = timeBase
            self.frameRate = frameRate
            self.videoOffset = videoOffset
            self.startTime = startTime
        }
    }

    public struct Stage: Sendable {
        public var id = ""
        public var type = ""
        public var inputs: [String] = []
        public var rate: Double?
        public var options: [JSONMember] = []
        /// How the annotated video covers what it sees, and for how long beyond that, seconds.
        package var cover: CoverStyle?
        package var coverColor: RGB?
        package var coverGap: Double?
        package var coverShape = CoverShape.box
        /// What the joints are that it gives; nil where it gives none, or their kind says it.
        public var skeleton: Skeleton?
        /// What the stage says of itself beyond its options: a model's hash.
        public var details: [JSONMember] = []

        public init() {}

        public init(
            id: String, type: String, inputs: [String] = [], rate: Double? = nil, options: [JSONMember] = [],
            skeleton: Skeleton? = nil, details: [JSONMember] = []
        ) {
            self.id = id
            self.type = type
            self.inputs = inputs
            self.rate = rate
            self.options = options
            self.skeleton = skeleton
            self.details = details
        }
    }

    public var generator = ""
    public var source = Source()
    public var range: FrameRange?
    /// nil where nothing depends on it.
    public var camera: CameraIntrinsics?
    public var stages: [Stage] = []
    /// What the annotated video hides by hand, in its pixels.
    public var cover: [HandCover] = []

    /// What the joints are that each stage gives, by the stage's id.
    package var skeletons: [String: Skeleton] {
        Dictionary(
            stages.compactMap { stage in stage.skeleton.map { (stage.id, $0) } }, uniquingKeysWith: { $1 })
    }

    /// True where the annotated video hides something.
    public var covers: Bool { !cover.isEmpty || stages.contains { $0.cover != nil } }

    public init() {}

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

extension TrackFileHeader {
    /// How the source is read for the same pictures as the job had. What decoders keep from earlier packets is among what
    /// makes them.
    /// - Parameter isDamaged: Whether damaged pictures have been counted in the track file.
    package func sourceOptions(isDamaged: Bool) -> SourceOptions {
        var options = SourceOptions()
        options.threads = 2
        // A file of before doesn't say it.
        options.onError = isDamaged ? .skipFrame : source.onError
        options.range = range
        options.start = .at(source.decodedFrom.map(Int64.init))
        return options
    }

    /// The same, where what was covered is: nothing else is drawn on that.
    public func coveringStyles(_ kinds: FindingCatalog) -> [String: [String: DrawStyle]] {
        let styles = defaultStyles(kinds)
        return Dictionary(
            stages.map { stage in
                let own = styles[stage.id] ?? [:]
                return (stage.id, stage.cover == nil ? own : own.mapValues { stage.covering($0, alone: true) })
            }, uniquingKeysWith: { $1 })
    }

    /// How the kinds of the stages are drawn where nobody says anything, by the stage's id and the kind.
    public func defaultStyles(_ kinds: FindingCatalog) -> [String: [String: DrawStyle]] {
        Dictionary(
            stages.map { stage in
                let emitted = kinds.kinds(of: stage.type) ?? []
                return (stage.id, Dictionary(emitted.map { ($0.kind, $0.style) }, uniquingKeysWith: { $1 }))
            }, uniquingKeysWith: { $1 })
    }
}

extension TrackFileHeader.Stage {
    /// A style that covers what the annotated video does, at least for as long.
    /// - Parameter alone: True for one that draws nothing else.
    package func covering(_ style: DrawStyle, alone: Bool) -> DrawStyle {
        var style = style
        if alone {
            (style.outline, style.firstCorner, style.label, style.landmarks) = (false, false, false, false)
            (style.mask, style.joints) = (false, false)
            style.trail = 0
        }
        if style.cover == nil {
            (style.cover, style.coverGap, style.coverShape) = (cover, coverGap ?? style.coverGap, coverShape)
            style.coverColor = coverColor
        } else {
            style.coverGap = max(style.coverGap, coverGap ?? 0)
            if cover != nil, coverShape == .box { style.coverShape = .box }
        }
        return style
    }
}
