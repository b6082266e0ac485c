/// One of a job's `regions` in the picture's pixels: where something is at one moment, and at later ones that correct
/// its track.
public struct Seed: Sendable, Hashable {
    /// A moment as the manifest gives it.
    public enum Moment: Sendable, Hashable {
        /// Seconds of the source's own time.
        case seconds(Double)
        /// A picture's number, from 0 at the start of the file.
        case frame(Int)

        /// Whether a frame is at or after the moment.
        public func isReached(by frame: VideoFrame) -> Bool {
            switch self {
            case .seconds(let seconds):
                frame.pts.ticks >= MediaTime.ticks(atOrAfter: seconds, timeBase: frame.pts.timeBase)
            case .frame(let ordinal): frame.ordinal >= ordinal
            }
        }
    }

    /// The thing's place at a later moment, by somebody who looked.
    public struct Keyframe: Sendable, Hashable {
        /// The moment from which it holds.
        public var moment: Moment
        /// Corners, pixels, clockwise; nil where it is nowhere in the picture from then on.
        public var polygon: [Point]?

        /// A place from a moment on: corners in pixels, clockwise; nil where it is nowhere in the picture.
        public init(_ moment: Moment, polygon: [Point]?) {
            self.moment = moment
            self.polygon = polygon
        }
    }

    /// How the thing is followed between two places that are given.
    public enum Fill: String, Sendable, CaseIterable {
        /// Forwards from the first one.
        case forward
        /// From both, towards each other.
        case both
    }

    /// Its name, unique in the job.
    public var id: String
    /// Name that is written beside it; nil for none.
    public var label: String?
    /// The moment at which it begins.
    public var start: Moment
    /// The moment from which the region is no more; nil for the end of the video.
    public var end: Moment?
    /// Corners at the beginning, pixels, clockwise.
    public var polygon: [Point]
    /// Places at later moments, in their order, all of them after `start`.
    public var keyframes: [Keyframe]
    /// How the thing is followed between two places that are given.
    public var fill: Fill

    /// A region by its name, its beginning and its corners there, pixels; without an end it lasts as long as the video.
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

/// One of a job's `points` in the picture's pixels: a place that was pointed at, at one moment.
public struct PointSeed: Sendable, Hashable {
    /// Its name, unique in the job.
    public var id: String
    /// Text that is written beside it; nil for what a classifier says, or else the id.
    public var text: String?
    /// The moment at which it begins.
    public var start: Seed.Moment
    /// The moment from which the point is no more; nil for the end of the video.
    public var end: Seed.Moment?
    /// The place, pixels.
    public var point: Point

    /// A point by its name, its beginning and its place in pixels; without an end it lasts as long as the video.
    public init(id: String, text: String? = nil, start: Seed.Moment, end: Seed.Moment? = nil, point: Point) {
        self.id = id
        self.text = text
        self.start = start
        self.end = end
        self.point = point
    }
}
