/// The memory of tracks from frame to frame: where they went, and what they last looked like.
struct TrackMemory {
    struct Track {
        /// Path of the centre; `begins` where the track had been out of sight before.
        fileprivate(set) var path: [(time: Double, point: Point, begins: Bool)] = []
        fileprivate(set) var lastPolygon: [Point]?
        fileprivate(set) var lastBox: Box?
        fileprivate(set) var lastFrame = 0
        fileprivate(set) var lastTime = 0.0
    }

    /// The most places of a path.
    private static let longestPath = 4096

    private(set) var tracks: [Int: Track] = [:]
    private var frame = 0
    private var time = -Double.infinity

    /// Begins a frame. Going back in time forgets everything.
    ///
    /// - Parameter time: Seconds.
    mutating func begin(at time: Double) {
        if time < self.time { tracks.removeAll() }
        self.time = time
        frame += 1
    }

    /// Ends a frame: forgets tracks that have been out of sight for longer than any trail lasts.
    ///
    /// - Parameter keeping: Seconds.
    mutating func end(keeping: Double) {
        let time = time
        tracks = tracks.filter { time - $0.value.lastTime <= max(keeping, 1) }
    }

    /// Notes a track's observation in this frame.
    ///
    /// - Parameters:
    ///   - trail: How long to keep the path, seconds.
    ///   - spacing: The least distance between two remembered places, pixels.
    mutating func note(_ number: Int, _ observation: Observation, trail: Double, spacing: Double) {
        var track = tracks[number] ?? Track()
        let seen = observation.isInSight
        let center = Self.center(of: observation)
        if seen, let center, center.isDrawable {
            track.lastPolygon = observation.polygon
            track.lastBox = observation.box
            if trail > 0 {
                let begins = track.path.isEmpty || track.lastFrame < frame - 1
                let far = track.path.last.map { $0.point.distance(to: center) >= spacing } ?? true
                if begins || far { track.path.append((time, center, begins)) }
            }
            track.lastFrame = frame
        }
        if track.path.count > Self.longestPath { track.path.removeFirst(track.path.count - Self.longestPath) }
        let time = time
        if let kept = track.path.firstIndex(where: { time - $0.time <= trail }) {
            track.path.removeFirst(kept)
        } else {
            track.path.removeAll(keepingCapacity: true)
        }
        track.lastTime = time
        tracks[number] = track
    }

    private static func center(of observation: Observation) -> Point? {
        // A box begins half a pixel before the centre of its first pixel, a polygon's corners are pixel centres.
        if let box = observation.box { return box.center - Point(0.5, 0.5) }
        return observation.polygon.flatMap(Box.init(around:))?.center
    }

    /// The path of a track, oldest place first, with a strength that falls with age: 1 now, 0 after `trail` seconds,
    /// and 0 at the first place of each stretch.
    func path(of number: Int, trail: Double) -> [(point: Point, strength: Double)] {
        guard let track = tracks[number], trail > 0 else { return [] }
        return track.path.map { ($0.point, $0.begins ? 0 : 1 - (time - $0.time) / trail) }
    }
}
