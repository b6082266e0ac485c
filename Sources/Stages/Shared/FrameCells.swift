internal import Graph

/// A frame's mean grey values in a grid: enough to tell a cut, or that something came or went.
struct FrameCells: Sendable {
    private let values: [Int]

    /// The picture's cells across.
    private static let columns = 64
    /// Change of a cell's mean, in grey values, that is something else.
    static let change = 10

    /// The cells of a frame, by every other pixel of every other row.
    init(_ frame: VideoFrame) {
        let side = max(8, (frame.width + Self.columns - 1) / Self.columns)
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
        values = zip(sums, counts).map { $0 / max($1, 1) }
    }

    /// The share of the cells that differ by more; all of them where there is nothing to compare with.
    func changed(from other: FrameCells?, by change: Int) -> Double {
        guard let other, values.count == other.values.count, !values.isEmpty else { return 1 }
        return Double(zip(values, other.values).count { abs($0 - $1) > change }) / Double(values.count)
    }

    /// Whether the picture is another one than the last; true for a video's first frame too.
    func isCut(from last: FrameCells?) -> Bool { changed(from: last, by: Self.change) > 0.5 }
}
