/// A track file's first line: the source, and how it was worked on.
public struct TrackFileHeader: Sendable {
    /// The longest side of a picture, and the most pixels of one, that FFmpeg has (`av_image_check_size`): what reserves memory
    /// by a size goes by no larger one.
    static let longestSide = 1 << 20, mostPixels = 1 << 28

    /// The video that was read.
    public struct Source: Sendable, Hashable {
        /// The file's name, without its folder.
        public var name = ""
        /// Width as shown, pixels.
        public var width = 1
        /// Height as shown, pixels.
        public var height = 1
        /// Degrees clockwise by which stored pictures were turned.
        public var rotation = 0
        /// Whether stored pictures were mirrored as well.
        public var isMirrored = false
        /// The order of fields of interlaced pictures; nil for progressive ones.
        var fieldOrder: FieldOrder?
        package var isDeinterlaced = false
        /// Seconds a tick.
        public var timeBase = Rational(1, 1)
        /// Nominal frames a second; nil where the file doesn't say.
        public var frameRate: Rational?
        /// Ticks that the annotated video's stamps lie behind the source's: 0 but for a source that starts before zero.
        public var videoOffset = 0
        /// Time at which a player's clock starts, ticks: the container's first.
        public var startTime = 0
        /// What was done about damage.
        package var onError = DamagePolicy.fail
        /// Time of the picture that decoding began with, ticks; nil for the file's start.
        package var decodedFrom: Int?
        /// How many presented pictures there are; nil where only a part was decoded, and before the last one was.
        package var frames: Int?

        public init() {}

        /// A source by its name, its size as shown in pixels, and its clock; what is left out is of a file upright from
        /// 0 on.
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

    /// A stage of the graph, with the options in force.
    public struct Stage: Sendable {
        /// Id of the stage in the graph.
        public var id = ""
        /// Type of the stage.
        public var type = ""
        /// Ids of the stages whose results it took; none for the frame.
        public var inputs: [String] = []
        /// The most runs a second; nil for no limit.
        public var rate: Double?
        /// Whether everything of its sort in a picture is among its results; nil where the manifest doesn't say.
        public var isComplete: Bool?
        /// Every option in force.
        public var options: [JSONMember] = []
        /// How the annotated video covers what the stage sees; nil where it doesn't.
        package var cover: CoverStyle?
        package var coverColor: RGB?
        package var coverGap: Double?
        package var coverShape = CoverShape.box
        /// Whether something else of it is drawn in an annotated video that covers something; nil where nobody says.
        package var isDrawn: Bool?
        /// Names and bones of the joints that it gives; nil where it gives none, or their kind says it.
        public var skeleton: Skeleton?
        /// Members beyond its options that the stage gives of itself: a model's hash.
        public var details: [JSONMember] = []

        /// The member among `details` with the names of the things that the stage can give.
        package static let gives = "gives"

        public init() {}

        /// A stage by its id, its type and what is in force for it; without a rate it runs on every frame.
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

    /// The program and its version.
    public var generator = ""
    /// The video that was read.
    public var source = Source()
    /// The part of the video that was worked on; nil for all of it.
    public var range: FrameRange?
    /// The camera in force, scaled to the picture; nil where nothing depends on it.
    public var camera: CameraIntrinsics?
    /// The stages, inputs first.
    public var stages: [Stage] = []
    /// Places that the annotated video hides for a time, in its pixels.
    public var cover: [HandCover] = []
    /// Whether the annotated video, which hides something, was to have no sound.
    package var isSilent = false

    /// Skeletons of the joints that each stage gives, by the stage's id.
    package var skeletons: [String: Skeleton] {
        Dictionary(
            stages.compactMap { stage in stage.skeleton.map { (stage.id, $0) } }, uniquingKeysWith: { $1 })
    }

    /// Whether nothing but covers is drawn in the annotated video.
    package var isBare: Bool { stages.allSatisfy { $0.isDrawn == false } }

    /// Whether the annotated video hides something.
    public var covers: Bool { !cover.isEmpty || stages.contains { $0.cover != nil } }

    public init() {}

    /// A header; without a range it is of the whole video, and stages come behind those whose results they take.
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
    /// Options by which the source is read for the same pictures as the job had. What decoders keep from earlier
    /// packets is among what makes them.
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

    /// The default styles with the covers of the annotated video; where something is covered, nothing else is drawn on
    /// it.
    public func coveringStyles(_ kinds: FindingCatalog) -> [String: [String: DrawStyle]] {
        let styles = defaultStyles(kinds)
        return Dictionary(
            stages.map { stage in
                let own = styles[stage.id] ?? [:]
                return (stage.id, stage.cover == nil ? own : own.mapValues { stage.covering($0, alone: true) })
            }, uniquingKeysWith: { $1 })
    }

    /// How long stages don't look, seconds, by their ids.
    package var pauses: [String: Double] { LookPauses.of(stages.map { ($0.id, $0.inputs, $0.rate) }) }

    /// Default styles of the stages' kinds, by the stage's id and the kind.
    package func defaultStyles(_ kinds: FindingCatalog) -> [String: [String: DrawStyle]] {
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
