/// The regions that other stages found in a frame, in which things are looked for.
package struct SearchedRegions {
    private struct Region {
        var part: FramePart
        var track: TrackReference?
    }

    /// Around a region, on every side, of its size.
    private let margin: Double
    private var regions: [Region] = []
    /// Parts of the frame with something that wasn't in the frame before: a track of its own or, of what has none, a place.
    package private(set) var new: [FramePart] = []

    package init(margin: Double) { self.margin = margin }

    /// The regions of one frame, all of them new.
    package init(_ input: StageInput, margin: Double) {
        self.init(margin: margin)
        advance(to: input)
    }

    /// Intersection over union from which a region without a track is the one of the frame before.
    private static let overlap = 0.3

    /// Takes the regions of the next frame.
    package mutating func advance(to input: StageInput) {
        let before = regions
        regions = input.observations.compactMap { observation in
            FramePart(around: observation, margin: margin, in: input.frame).map {
                Region(part: $0, track: observation.track)
            }
        }
        let tracks = Set(before.compactMap(\.track))
        let places = before.filter { $0.track == nil }.map(\.part.box)
        new = regions.filter { region in
            region.track.map { !tracks.contains($0) }
                ?? !places.contains { $0.intersectionOverUnion(region.part.box) >= Self.overlap }
        }.map(\.part)
    }

    /// The parts of the frame that are searched.
    package var parts: [FramePart] { regions.map(\.part) }

    /// Whether a place, a pixel's centre at whole numbers, lies in one.
    package func hasPart(at place: Point) -> Bool { regions.contains { $0.part.contains(place) } }

    /// The track of the smallest region that the middle of something lies in.
    package func track(at polygon: [Point]) -> TrackReference? {
        let center = polygon.reduce(Point(0, 0), +) * (1 / Double(max(polygon.count, 1)))
        return regions.filter { $0.part.contains(center) }
            .min { $0.part.width * $0.part.height < $1.part.width * $1.part.height }?.track
    }
}
