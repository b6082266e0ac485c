/// Faces that aren't found where they are expected, frame after frame: behind something, rather than gone. For what is lost all
/// parts of the picture are searched at once, and while nothing else is, half of them in turn.
struct FaceLosses {
    /// Intersection over union above which a place is one that was lost in the frame before.
    private static let overlap = 0.3

    /// Those of the frame before.
    var places: [Box] = []
    private var frames = 0

    /// The parts of a frame that are searched.
    mutating func turn(of parts: [FaceView], _ lost: [Box]) -> [FaceView] {
        let isKnown = lost.allSatisfy { place in
            places.contains { $0.intersectionOverUnion(place) > Self.overlap }
        }
        frames = isKnown ? frames + 1 : 0
        return frames == 0 ? parts : parts.indices.filter { ($0 + frames) % 2 == 0 }.map { parts[$0] }
    }
}
