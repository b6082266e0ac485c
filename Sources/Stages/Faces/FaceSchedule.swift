internal import Graph

/// The schedule by which a picture's parts are searched for faces: each every `cycle`, those for the smallest faces
/// once in several, spread evenly over the time. Turns are counted from the video's beginning.
struct FaceSchedule: Sendable {
    /// Time in which every part but those for the smallest faces has its turn, seconds.
    static let cycle = 0.3
    /// How many cycles it takes for every part to have its turn.
    static let cycles = 6

    /// Parts but for those for the smallest faces.
    let coarse: [FaceView]
    /// Parts for the smallest faces.
    let finest: [FaceView]
    /// The parts by turn, of `cycles` cycles.
    private let order: [FaceView]

    init(_ tiles: FaceTiles) {
        coarse = tiles.tiles
        finest = tiles.finest
        let (often, count) = (coarse.count * Self.cycles, coarse.count * Self.cycles + finest.count)
        var order: [FaceView] = []
        var (next, fine) = (0, 0)
        for turn in 0..<count {
            if next * count <= turn * often {
                order.append(coarse[next % coarse.count])
                next += 1
            } else {
                order.append(finest[fine])
                fine += 1
            }
        }
        self.order = order
    }

    /// Turns of a frame in a video of 30 pictures a second, about.
    var turnsOfFrame: Int { max(1, Int((Double(order.count) / (30 * Self.cycle * Double(Self.cycles))).rounded(.up))) }

    /// How many turns have begun before a time.
    func turns(before seconds: Double) -> Int {
        Int((seconds * Double(order.count) / (Self.cycle * Double(Self.cycles))).rounded(.down))
    }

    /// The parts of some turns, each once.
    func tiles(_ turns: Range<Int>) -> [FaceView] {
        guard turns.count < order.count else { return coarse + finest }
        var seen = Set<FaceView>()
        return turns.map { order[($0 % order.count + order.count) % order.count] }.filter { seen.insert($0).inserted }
    }
}
