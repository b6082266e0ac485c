extension RunMask {
    /// Closed lines around the thing's pixels and around its holes, along the pixels' edges.
    ///
    /// Those around pixels run clockwise, those around holes the other way round: filled by the even-odd rule and by the
    /// non-zero rule alike. Pixels that touch at a corner alone have lines of their own (four-connectivity).
    ///
    /// - Returns: Corners, the first not repeated; integer coordinates are pixel centres, so edges lie halfway between.
    ///   Lines come in the order of their first pixels, row by row.
    public var outlines: [[Point]] {
        MaskTracer(self).lines.map { line in
            let edges = line.corners
            return edges.indices.filter { edges[$0].way != edges[($0 + 1) % edges.count].way }.map { edges[$0].end }
        }
    }

    /// Smooth outlines: through the middles of pixels' edges, without those that a line may pass by.
    ///
    /// - Parameter tolerance: Pixels by which the line may be off a middle that is left out.
    public func smoothOutlines(tolerance: Double = 0.25) -> [[Point]] {
        MaskTracer(self).lines.map { line in
            let middles = line.corners.map { edge in (edge.start + edge.end) * 0.5 }
            return middles.simplifiedRing(tolerance: tolerance)
        }
    }
}

/// Walks along the edges between a mask's pixels and what is outside, the pixels on its right.
private struct MaskTracer {
    /// A closed line of edges, a pixel's side each.
    package struct Line {
        var corners: [Edge]
    }

    struct Edge {
        var start: Point
        var end: Point
        /// Direction: 0 right, 1 down, 2 left, 3 up.
        var way: Int
    }

    private let pixels: [UInt8]
    private let box: PixelBox

    init(_ mask: RunMask) {
        // Round its pixels alone: what is empty needs no looking at.
        let tight = mask.bounds ?? PixelBox(x: 0, y: 0, width: 0, height: 0)
        box = PixelBox(x: tight.x - 1, y: tight.y - 1, width: tight.width + 2, height: tight.height + 2)
        pixels = tight.isEmpty ? [] : mask.bitmap(of: box)
    }

    private func isInside(_ x: Int, _ y: Int) -> Bool { pixels[y * box.width + x] != 0 }

    private static let steps: [(x: Int, y: Int)] = [(1, 0), (0, 1), (-1, 0), (0, -1)]

    var lines: [Line] {
        guard !pixels.isEmpty else { return [] }
        var lines: [Line] = []
        // Upper edges of pixels that a line has passed: each line has one.
        var isPassed = [Bool](repeating: false, count: pixels.count)
        for y in 1..<box.height {
            for x in 1..<box.width where isInside(x, y) && !isInside(x, y - 1) && !isPassed[y * box.width + x] {
                lines.append(line(from: x, y, &isPassed))
            }
        }
        return lines
    }

    /// Along the upper edge of a pixel first.
    private func line(from x: Int, _ y: Int, _ isPassed: inout [Bool]) -> Line {
        // Corners are numbered as the pixels right below them.
        var corner = (x: x, y: y)
        var way = 0
        var edges: [Edge] = []
        repeat {
            if way == 0 { isPassed[corner.y * box.width + corner.x] = true }
            let next = (x: corner.x + Self.steps[way].x, y: corner.y + Self.steps[way].y)
            edges.append(Edge(start: place(corner), end: place(next), way: way))
            corner = next
            // Of the two pixels ahead, the one on the right and the one on the left of the way.
            let (right, left) = ahead(corner, way)
            if !right { way = (way + 1) % 4 } else if left { way = (way + 3) % 4 }
        } while corner != (x, y) || way != 0
        return Line(corners: edges)
    }

    private func ahead(_ corner: (x: Int, y: Int), _ way: Int) -> (right: Bool, left: Bool) {
        let (above, below) = (corner.y - 1, corner.y)
        let (before, behind) = (corner.x - 1, corner.x)
        return switch way {
        case 0: (isInside(behind, below), isInside(behind, above))
        case 1: (isInside(before, below), isInside(behind, below))
        case 2: (isInside(before, above), isInside(before, below))
        default: (isInside(behind, above), isInside(before, above))
        }
    }

    private func place(_ corner: (x: Int, y: Int)) -> Point {
        Point(Double(box.x + corner.x) - 0.5, Double(box.y + corner.y) - 0.5)
    }
}

extension [Point] {
    /// A closed line with fewer points (Douglas and Peucker, “Algorithms for the reduction of the number of points required
    /// to represent a digitized line”, 1973), begun at its first point and the one farthest from it.
    fileprivate func simplifiedRing(tolerance: Double) -> [Point] {
        guard count > 4 else { return self }
        let far = indices.max { (self[$0].distance(to: self[0]), $1) < (self[$1].distance(to: self[0]), $0) } ?? 0
        var isKept = [Bool](repeating: false, count: count + 1)
        (isKept[0], isKept[far]) = (true, true)
        var open = [(0, far), (far, count)]
        while let (first, last) = open.popLast() {
            let (a, b) = (self[first], self[last % count])
            var worst = (distance: tolerance, index: -1)
            for index in first + 1..<Swift.max(last, first + 1) {
                let distance = self[index].distance(toLineFrom: a, to: b)
                if distance > worst.distance { worst = (distance, index) }
            }
            guard worst.index > 0 else { continue }
            isKept[worst.index] = true
            open += [(first, worst.index), (worst.index, last)]
        }
        let kept = indices.filter { isKept[$0] }.map { self[$0] }
        // Two points are no outline.
        return kept.count > 2 ? kept : self
    }
}

extension Point {
    fileprivate func distance(toLineFrom a: Point, to b: Point) -> Double {
        let way = b - a
        let length = way.length
        guard length > 0 else { return distance(to: a) }
        let along = Swift.min(Swift.max((self - a).dot(way) / length, 0), length)
        return distance(to: a + way * (along / length))
    }
}
