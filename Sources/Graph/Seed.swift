/// One of a job's `regions`: where something is at one moment, and at later ones that correct its track.
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

    /// Where the thing is at a later moment, by somebody who looked.
    public struct Keyframe: Sendable, Hashable {
        public var moment: Moment
        /// Corners in pixels, clockwise; nil where it is nowhere in the picture from then on.
        public var polygon: [Point]?

        public init(_ moment: Moment, polygon: [Point]?) {
            self.moment = moment
            self.polygon = polygon
        }
    }

    /// How the thing is followed between two places that are given.
    public enum Fill: String, Sendable, CaseIterable {
        /// From the first one on.
        case forward
        /// From both towards each other.
        case both
    }

    public var id: String
    public var label: String?
    public var start: Moment
    /// From this moment on the region is no more.
    public var end: Moment?
    /// Corners in pixels, clockwise.
    public var polygon: [Point]
    /// In order of their moments, all of them after `start`.
    public var keyframes: [Keyframe]
    public var fill: Fill

    public init(
        id: String, label: String? = nil, start: Moment, end: Moment? = nil, polygon: [Point],
        keyframes: [Keyframe] = [], fill: Fill = .forward
    ) {
        self.id = id
        self.label = label
        self.start = start
        self.end = end
        self.polygon = polygon
        self.keyframes = keyframes
        self.fill = fill
    }
}

/// One of a job's `points`: a place that was pointed at, at one moment.
public struct PointSeed: Sendable, Hashable {
    public var id: String
    /// What to write beside it; nil for what a classifier says, or else the id.
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
