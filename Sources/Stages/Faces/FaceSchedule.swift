internal import Graph

/// The schedule by which a picture's parts are searched for faces: each every `cycle`, those for the smallest faces
/// once in several, spread evenly over the time. Turns are counted from the video's beginning.
struct FaceSchedule: Sendable {
    /// Time in which every part but those for the smallest faces has its turn, seconds.
    static let cycle = 0.3
    /// How many cycles it takes for every part to have its turn.
    static let cycles = 6
    /// How often in that time each view across the picture's edges has its turn: no later than covers reach back.
    private static let rimTurns = 4

    /// Parts but for those for the smallest faces.
    let coarse: [FaceView]
    /// Parts for the smallest faces.
    let finest: [FaceView]
    /// Views across the picture's edges, where those are searched.
    let rim: [FaceView]
    /// The parts by turn, of `cycles` cycles.
    private let order: [FaceView]

    /// - Parameter hides: What is found is hidden: faces that the picture's edges cut are looked for as well.
    init(_ tiles: FaceTiles, hides: Bool = false) {
        coarse = tiles.tiles
        finest = tiles.finest
        rim = hides ? tiles.rim : []
        func times(_ count: Int, _ views: [FaceView]) -> [FaceView] { (0..<count).flatMap { _ in views } }
        let often = Self.evenly(times(Self.cycles, coarse), times(Self.rimTurns, rim))
        order = Self.evenly(often, finest)
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
    var turnsOfFrame: Int { max(1, Int((Double(order.count) / (30 * Self.cycle * Double(Self.cycles))).rounded(.up))) }

    /// How many turns have begun before a time.
    func turns(before seconds: Double) -> Int {
        Int((seconds * Double(order.count) / (Self.cycle * Double(Self.cycles))).rounded(.down))
    }

    /// The parts of some turns, each once.
    func tiles(_ turns: Range<Int>) -> [FaceView] {
        guard turns.count < order.count else { return coarse + rim + finest }
        var seen = Set<FaceView>()
        return turns.map { order[($0 % order.count + order.count) % order.count] }.filter { seen.insert($0).inserted }
    }
}
