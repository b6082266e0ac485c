/// Masks of outlines, to the pixel as `pycocotools.mask` makes them (`rleFrPoly` and `rleMerge` in its `maskApi.c`).
extension RunMask {
    /// The mask of a thing that outlines say, whose insides are taken together.
    /// - Parameters:
    ///   - outlines: Corners as COCO has them: 0 is the picture's own edge.
    ///   - size: Of the picture; what is outside of it is left out.
    /// - Returns: nil for outlines that are longer than any thing's, ten million pixels, and for a larger picture than any.
    public init?(outlines: [[Point]], in size: PictureSize) {
        let sides = 0..<1 << 20
        guard sides.contains(size.width), sides.contains(size.height),
            outlines.reduce(0, { $0 + Self.steps($1) }) <= Self.mostSteps
        else { return nil }
        let height = size.height
        var inside: [Range<Int>] = []
        for outline in outlines {
            let ends = Self.edges(of: outline, size).map { $0.column * height + $0.row }.sorted()
            // Where the last run has no end of its own it goes to the picture's.
            for index in stride(from: 0, to: ends.count, by: 2) {
                let end = index + 1 < ends.count ? ends[index + 1] : size.width * height
                if end > ends[index] { inside.append(ends[index]..<end) }
            }
        }
        inside.sort { $0.lowerBound < $1.lowerBound }
        let box = PixelBox(size)
        // The runs are those of the picture's pixels.
        self = RunMask(box: box, runs: Self.runs(of: inside, in: box.area)) ?? RunMask(filling: box)
    }

    /// How many times finer than pixels outlines are drawn.
    private static let scale = 5.0
    /// The farthest that a corner may be, pixels, and the longest that outlines may be together, in their own steps.
    private static let (farthest, mostSteps) = (1e6, 50_000_000)

    private typealias Place = (x: Int, y: Int)

    /// An outline's corners as it is drawn.
    private static func corners(_ outline: [Point]) -> [Place] {
        func fine(_ value: Double) -> Int { Int(scale * min(max(value, -farthest), farthest) + 0.5) }
        return outline.map { (x: fine($0.x), y: fine($0.y)) }
    }

    private static func steps(_ outline: [Point]) -> Int {
        let corners = corners(outline)
        return corners.indices.reduce(0) { sum, index in
            let (from, to) = (corners[index], corners[(index + 1) % corners.count])
            return sum + max(abs(to.x - from.x), abs(to.y - from.y))
        }
    }

    /// The pixels at which an outline's inside begins or ends, down each column.
    private static func edges(of outline: [Point], _ size: PictureSize) -> [(column: Int, row: Int)] {
        let corners = corners(outline)
        var edges: [(column: Int, row: Int)] = []
        var last: Place?
        for (index, from) in corners.enumerated() {
            walk(from, corners[(index + 1) % corners.count]) { now in
                defer { last = now }
                guard let before = last, before.x != now.x else { return }
                let x = (Double(now.x < before.x ? now.x : now.x - 1) + 0.5) / scale - 0.5
                guard x == x.rounded(.down), x >= 0, x <= Double(size.width - 1) else { return }
                let y = (Double(min(before.y, now.y)) + 0.5) / scale - 0.5
                edges.append((Int(x), Int(min(max(y, 0), Double(size.height)).rounded(.up))))
            }
        }
        return edges
    }

    /// Goes along a side, its ends among its points, one a step along its longer way.
    private static func walk(_ from: Place, _ to: Place, _ visit: (Place) -> Void) {
        let (across, down) = (abs(to.x - from.x), abs(to.y - from.y))
        let isFlat = across >= down
        let isTurned = isFlat ? from.x > to.x : from.y > to.y
        let (start, end) = isTurned ? (to, from) : (from, to)
        let length = max(across, down)
        let slope = length == 0 ? 0 : Double(isFlat ? end.y - start.y : end.x - start.x) / Double(length)
        for step in 0...length {
            let way = isTurned ? length - step : step
            if isFlat {
                visit((start.x + way, Int(Double(start.y) + slope * Double(way) + 0.5)))
            } else {
                visit((Int(Double(start.x) + slope * Double(way) + 0.5), start.y + way))
            }
        }
    }
}
