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
