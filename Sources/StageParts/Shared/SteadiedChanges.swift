internal import CVision

/// Tells pictures of a moving camera in which something comes at once that wasn't there in the picture before, however
/// that is moved: `SuddenChanges` of what a camera's motion, and that of the parts of a picture, doesn't explain.
package struct SteadiedChanges {
    /// Points of a picture across, about.
    private static let columns = 320
    /// A block's side, points.
    private static let block = 8
    /// How far the camera goes from picture to picture at the most, quarters of the grid; and how far a part goes its
    /// own way, points.
    private static let (reach, ownReach) = (10, 2)
    /// Mean change of a block's points, grey values.
    private static let change = 24
    /// Blocks that something that comes has at the least.
    private static let least = 0.004
    /// How many times as many as in the pictures before.
    private static let factor = 3.0
    /// The share of the blocks that a short line of text has.
    private static let line = 0.015
    private static let few = 3

    private var last: Points?
    private var shares: [Double] = []

    package init() {}

    /// Whether so much changes all the time that nothing would be seen to come.
    package var isBlind: Bool { Self.factor * (shares.min() ?? 0) > Self.line }

    /// Whether something comes in a frame. Called for every frame, in order.
    /// - Parameter isStill: Nothing has moved of late, so that nobody need look how.
    package mutating func come(in frame: VideoFrame, isStill: Bool) -> Bool {
        let points = Points(frame)
        defer { last = points }
        guard let last, !isStill, last.width == points.width, last.height == points.height else {
            shares = []
            return false
        }
        let now = points.unexplained(by: last)
        let usual = shares.max() ?? 1
        shares = shares.suffix(Self.few - 1) + [now]
        return now >= Self.least && now > Self.factor * usual
    }

    /// A small picture: mean grey values.
    private struct Points {
        let width: Int
        let height: Int
        let values: [UInt8]

        init(_ frame: VideoFrame) {
            // Even, so that each has as many of every other pixel of every other row.
            let side = max(2, frame.width / SteadiedChanges.columns / 2 * 2)
            let (across, down) = ((frame.width + side - 1) / side, (frame.height + side - 1) / side)
            var sums = [Int64](repeating: 0, count: across * down)
            let status = frame.withLuma { ocv_cell_sums(ocv_plane($0), Int32(side), &sums) }
            let count = Int64(side / 2 * (side / 2))
            // Those at the right and lower edges may have fewer.
            (width, height) = (status.code == 0 ? frame.width / side : 0, frame.height / side)
            var values = [UInt8](repeating: 0, count: width * height)
            for y in 0..<height {
                for x in 0..<width { values[y * width + x] = UInt8(clamping: sums[y * across + x] / count) }
            }
            self.values = values
        }

        init(width: Int, height: Int, values: [UInt8]) {
            (self.width, self.height, self.values) = (width, height, values)
        }

        /// Of so many times fewer points.
        private func smaller(_ times: Int) -> Points {
            let (across, down) = (width / times, height / times)
            var values = [UInt8](repeating: 0, count: across * down)
            for y in 0..<down {
                for x in 0..<across {
                    var sum = 0
                    for row in 0..<times {
                        for column in 0..<times {
                            sum += Int(self.values[(y * times + row) * width + x * times + column])
                        }
                    }
                    values[y * across + x] = UInt8(sum / (times * times))
                }
            }
            return Points(width: across, height: down, values: values)
        }

        /// The mean change from another picture moved so far; a large one where too little of both is left.
        private func change(from other: Points, _ dx: Int, _ dy: Int) -> Double {
            let (left, right) = (max(0, dx), min(width, width + dx))
            let (top, bottom) = (max(0, dy), min(height, height + dy))
            guard right - left >= width / 2, bottom - top >= height / 2 else { return 256 }
            var sum = 0
            values.withUnsafeBufferPointer { own in
                other.values.withUnsafeBufferPointer { others in
                    for y in top..<bottom {
                        var row: Int32 = 0
                        let (a, b) = (y * width, (y - dy) * width - dx)
                        for x in left..<right { row &+= abs(Int32(own[a + x]) &- Int32(others[b + x])) }
                        sum += Int(row)
                    }
                }
            }
            return Double(sum) / Double((right - left) * (bottom - top))
        }

        /// How far all of it has moved from another picture.
        private func way(from other: Points) -> (x: Int, y: Int) {
            var way = (x: 0, y: 0)
            for (times, reach) in [(4, SteadiedChanges.reach), (2, 2), (1, 1)] {
                let (now, before) = times == 1 ? (self, other) : (smaller(times), other.smaller(times))
                var best: (x: Int, y: Int, change: Double)?
                for y in way.y - reach...way.y + reach {
                    for x in way.x - reach...way.x + reach {
                        let change = now.change(from: before, x, y)
                        if change < best?.change ?? .infinity { best = (x, y, change) }
                    }
                }
                let factor = times == 1 ? 1 : 2
                way = ((best?.x ?? 0) * factor, (best?.y ?? 0) * factor)
            }
            return way
        }

        /// The share of the blocks that are nowhere near in another picture, of those that may be in it.
        func unexplained(by other: Points) -> Double {
            let (side, own) = (SteadiedChanges.block, SteadiedChanges.ownReach)
            guard width >= 8 * side, height >= 4 * side else { return 0 }
            let way = way(from: other)
            let (across, down) = (width / side, height / side)
            var (all, changed) = (0, 0)
            for row in 0..<down {
                for column in 0..<across {
                    let (x, y) = (column * side, row * side)
                    guard x - way.x >= own, y - way.y >= own, x - way.x + side + own <= width,
                        y - way.y + side + own <= height
                    else { continue }
                    all += 1
                    if isNew(x, y, other, way) { changed += 1 }
                }
            }
            return Double(changed) / Double(max(all, 1))
        }

        private func isNew(_ x: Int, _ y: Int, _ other: Points, _ way: (x: Int, y: Int)) -> Bool {
            let (side, own) = (SteadiedChanges.block, SteadiedChanges.ownReach)
            let limit = Int32(SteadiedChanges.change * side * side)
            return values.withUnsafeBufferPointer { values in
                other.values.withUnsafeBufferPointer { others in
                    for dy in -own...own {
                        for dx in -own...own {
                            var sum: Int32 = 0
                            for row in 0..<side {
                                let (a, b) = ((y + row) * width + x, (y + row - way.y - dy) * width + x - way.x - dx)
                                for k in 0..<side { sum &+= abs(Int32(values[a + k]) &- Int32(others[b + k])) }
                            }
                            if sum <= limit { return false }
                        }
                    }
                    return true
                }
            }
        }
    }
}
