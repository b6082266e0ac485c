/// The script of one region: what the manifest says of it in the course of time: it is here, it is nowhere, it is over.
struct RegionScript {
    struct Turn {
        var moment: Seed.Moment
        /// Box, pixels; nil where it is nowhere from then on.
        var box: Box?
    }

    private var turns: ArraySlice<Turn>
    private let end: Seed.Moment?
    private var hasBegun = false
    /// How many turns got no frame, since the one behind them begins on the same.
    private(set) var passedOver = 0

    init(_ seed: Seed) {
        let start = Turn(moment: seed.start, box: Box(around: seed.polygon))
        turns =
            ([start] + seed.keyframes.map { Turn(moment: $0.moment, box: $0.polygon.flatMap(Box.init(around:))) })[...]
        end = seed.end
        places = turns.filter { $0.box != nil }.count
    }

    /// Whether what comes next is another place.
    var leadsToPlace: Bool { turns.first?.box != nil }

    /// How many places are still to come.
    private(set) var places: Int

    /// Whether the region's end has come.
    private(set) var isOver = false

    /// The turn that begins with a frame, the last one of several; nil where all goes on as before. Call for each frame in
    /// order.
    mutating func turn(at frame: VideoFrame) -> Turn? {
        defer { hasBegun = true }
        if let end, end.isReached(by: frame) {
            (turns, places) = ([], 0)
            isOver = true
            return Turn(moment: end, box: nil)
        }
        var latest: Turn?
        while let next = turns.first, next.moment.isReached(by: frame) {
            // What lies before the first frame is no loss.
            if latest != nil, hasBegun { passedOver += 1 }
            latest = turns.removeFirst()
            if latest?.box != nil { places -= 1 }
        }
        return latest
    }
}
