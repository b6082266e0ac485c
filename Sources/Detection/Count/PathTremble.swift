/// The trembling of a path: by how much its points lie beside the straight way between their neighbours.
struct PathTremble: Sendable {
    /// Of some of the last points: by how much each lies beside, divided by what that is for a standard deviation of 1.
    private var offsets: [Point] = []
    private var next = 0
    private var last: [(point: Point, time: Double)] = []

    /// The most points that are looked back at.
    private static let memory = 64
    /// The fewest points that say anything.
    private static let least = 5
    /// Share of the points that lie less far off than `offAtShare` deviations: most of a path's points aren't where it
    /// turns.
    private static let share = 0.7
    private static let offAtShare = 1.036

    /// Adds a point of the path.
    /// - Parameter time: Seconds.
    mutating func add(_ point: Point, at time: Double) {
        last.append((point, time))
        guard last.count == 3 else { return }
        let (a, b, c) = (last[0], last[1], last[2])
        last.removeFirst()
        guard c.time > a.time else { return }
        let share = (b.time - a.time) / (c.time - a.time)
        let offset = b.point - (a.point * (1 - share) + c.point * share)
        let scaled = offset * (1 / (1 + share * share + (1 - share) * (1 - share)).squareRoot())
        if offsets.count < Self.memory {
            offsets.append(scaled)
        } else {
            offsets[next] = scaled
        }
        next = (next + 1) % Self.memory
    }

    /// An upper bound of the standard deviation along a direction of length 1, pixels: the fewer points there are, the higher.
    /// nil for a path of which nothing can be said yet.
    func deviation(along direction: Point) -> Double? {
        guard offsets.count >= Self.least else { return nil }
        let sizes = offsets.map { abs($0.dot(direction)) }.sorted()
        let size = sizes[Int(Self.share * Double(sizes.count))]
        return size / Self.offAtShare * (1 + 2 / Double(sizes.count).squareRoot())
    }
}
