internal import Graph

/// The regions that other stages found in a frame, in which text is looked for.
struct TextRegions {
    private struct Region {
        var part: FramePart
        var track: TrackReference?
    }

    /// Around a region, on every side, of its size.
    private let margin: Double
    private var regions: [Region] = []
    private var tracks: Set<TrackReference> = []
    /// True where a track is among them that wasn't in the frame before.
    private(set) var hasNew = false

    init(margin: Double) { self.margin = margin }

    /// Takes the regions of the next frame.
    mutating func advance(to input: StageInput) {
        regions = input.observations.compactMap { observation in
            FramePart(around: observation, margin: margin, in: input.frame).map {
                Region(part: $0, track: observation.track)
            }
        }
        let now = Set(regions.compactMap(\.track))
        hasNew = !now.isSubset(of: tracks)
        tracks = now
    }

    /// The parts of the frame that are searched.
    var parts: [FramePart] { regions.map(\.part) }

    /// Whether a place lies in one.
    func hasPart(at place: Point) -> Bool { regions.contains { $0.part.contains(place) } }

    /// The track of the smallest region that a line lies in.
    func track(at polygon: [Point]) -> TrackReference? {
        let center = polygon.reduce(Point(0, 0), +) * (1 / Double(max(polygon.count, 1)))
        return regions.filter { $0.part.contains(center) }
            .min { $0.part.width * $0.part.height < $1.part.width * $1.part.height }?.track
    }
}
