internal import Annotate

/// In which frames text is looked for: in the first one, where the picture is another, where something has come or gone
/// in it, and from time to time. What it says follows from the frames alone.
struct TextCadence {
    /// Frames between two looks while the picture moves.
    private let interval: Int
    private var sinceLook = 0
    private var last: [Int] = []
    private var looked: [Int] = []
    /// How many frames the picture has stood still for.
    private var still = 0

    /// What a look costs a frame on average: the interval is as long as that takes, milliseconds.
    private static let (costOfAPixel, costOfAFrame) = (0.00018, 5.0)
    /// Of a cell's mean, grey values that are something else, and more than noise.
    private static let (change, noise) = (10, 2)
    /// The picture's cells across.
    private static let columns = 64

    /// - Parameter size: of the picture as it is searched.
    init(size: (width: Int, height: Int)) {
        interval = max(2, Int((Double(size.width * size.height) * Self.costOfAPixel / Self.costOfAFrame).rounded(.up)))
    }

    /// Whether to look in this frame. Called for every frame, in order.
    /// - Parameter hasLost: true where a line isn't where it was followed to.
    mutating func isDue(in frame: VideoFrame, hasLost: Bool) throws -> Bool {
        let cells = try Self.cells(of: frame)
        defer { last = cells }
        sinceLook += 1
        let isDue: Bool
        if looked.count != cells.count {
            isDue = true
        } else {
            let sinceLooked = Self.changed(cells, looked, Self.change)
            still = Self.changed(cells, last, Self.noise) == 0 ? still + 1 : 0
            if Self.changed(cells, last, Self.change) > 0.5 {
                isDue = true  // a cut
            } else if sinceLook * 4 >= interval, hasLost || sinceLooked > 0 && still >= 3 {
                isDue = true  // something went, or came and stays
            } else {
                isDue = sinceLook >= (sinceLooked > 0 ? interval : 4 * interval)
            }
        }
        if isDue {
            looked = cells
            sinceLook = 0
        }
        return isDue
    }

    /// The share of the cells that differ.
    private static func changed(_ cells: [Int], _ others: [Int], _ change: Int) -> Double {
        guard cells.count == others.count, !cells.isEmpty else { return 1 }
        return Double(zip(cells, others).count { abs($0 - $1) > change }) / Double(cells.count)
    }

    /// Mean grey values of a grid's cells, of every other pixel of every other row.
    private static func cells(of frame: VideoFrame) throws -> [Int] {
        let side = max(8, (frame.width + columns - 1) / columns)
        let (across, down) = ((frame.width + side - 1) / side, (frame.height + side - 1) / side)
        var sums = [Int](repeating: 0, count: across * down), counts = sums
        frame.withLuma { luma in
            for y in stride(from: 0, to: luma.height, by: 2) {
                let row = luma.base + y * luma.stride
                let first = y / side * across
                for cell in 0..<across {
                    var sum = 0
                    let end = min((cell + 1) * side, luma.width)
                    for x in stride(from: cell * side, to: end, by: 2) { sum += Int(row[x]) }
                    sums[first + cell] += sum
                    counts[first + cell] += (end - cell * side + 1) / 2
                }
            }
        }
        return zip(sums, counts).map { $0 / max($1, 1) }
    }
}
