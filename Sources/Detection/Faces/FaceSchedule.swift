/// The schedule by which a picture's parts are searched for faces: each every `cycle`, those for the smallest faces
/// once in several, spread evenly over the time. Turns are counted from the video's beginning.
struct FaceSchedule: Sendable {
    /// Time in which every part but those for the smallest faces has its turn, seconds.
    static let cycle = 0.3
    /// The same where tiles go beyond the picture's edges, of which there are twice as many: no later than covers reach back.
    private static let hidingCycle = 0.4
    /// How many cycles it takes for every part to have its turn.
    static let cycles = 6
    private static let hidingCycles = 5

    /// Parts but for those for the smallest faces.
    let coarse: [FaceView]
    /// Parts for the smallest faces.
    let finest: [FaceView]
    /// The parts by turn, of all cycles.
    private let order: [FaceView]
    /// Time in which every part has its turn, seconds.
    private let period: Double

    /// - Parameters:
    ///   - hides: What is found is hidden: the tiles go beyond the picture's edges.
    ///   - isStill: The picture is the only one: what lies badly in one tile has one more look.
    init(_ tiles: FaceTiles, hides: Bool = false, isStill: Bool = false) {
        let goesBeyond = hides && tiles.wide != tiles.tiles
        let others = goesBeyond && isStill ? tiles.tiles.filter { !tiles.wide.contains($0) } : []
        coarse = goesBeyond ? others + tiles.wide : tiles.tiles
        finest = tiles.finest
        let cycles = goesBeyond ? Self.hidingCycles : Self.cycles
        period = Double(cycles) * (goesBeyond ? Self.hidingCycle : Self.cycle)
        let coarse = coarse
        order = Self.evenly((0..<cycles).flatMap { _ in coarse }, finest)
    }

    /// Two sequences as one, each spread evenly.
    private static func evenly(_ first: [FaceView], _ second: [FaceView]) -> [FaceView] {
        let count = first.count + second.count
        var (all, next, other) = ([FaceView](), 0, 0)
        for turn in 0..<count {
            if next * count <= turn * first.count {
                all.append(first[next])
                next += 1
            } else {
                all.append(second[other])
                other += 1
            }
        }
        return all
    }

    /// Turns of a frame in a video of 30 pictures a second, about.
    var turnsOfFrame: Int { max(1, Int((Double(order.count) / (30 * period)).rounded(.up))) }

    /// How many turns have begun before a time.
    func turns(before seconds: Double) -> Int {
        Int((seconds * Double(order.count) / period).rounded(.down))
    }

    /// The parts of some turns, each once.
    func tiles(_ turns: Range<Int>) -> [FaceView] {
        guard turns.count < order.count else { return coarse + finest }
        var seen = Set<FaceView>()
        return turns.map { order[($0 % order.count + order.count) % order.count] }.filter { seen.insert($0).inserted }
    }
}
