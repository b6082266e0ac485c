/// The part of the plane that is near a straight edge, asked row by row.
private struct Band {
    private let direction: Point
    private let inverse: Point
    private let reach: Double

    /// - Parameters:
    ///   - direction: The edge's, a unit vector.
    ///   - reach: How far the band goes to either side of the edge.
    init(along direction: Point, reach: Double) {
        self.direction = direction
        // An edge that is upright to within rounding doesn't bound the row in that direction.
        inverse = Point(
            abs(direction.x) > 1e-9 ? 1 / direction.x : 0, abs(direction.y) > 1e-9 ? 1 / direction.y : 0)
        self.reach = reach
    }

    /// The columns in which a row crosses the part of the band between `low` and `high` along the edge.
    ///
    /// - Parameter y: The row, relative to the edge's start, as is the result.
    @inline(__always)
    func span(row y: Double, from low: Double, to high: Double) -> (left: Double, right: Double)? {
        var (left, right) = (-Double.infinity, Double.infinity)
        if inverse.y != 0 {
            let (middle, half) = (direction.x * y * inverse.y, abs(reach * inverse.y))
            (left, right) = (middle - half, middle + half)
        } else if abs(y) > reach {
            return nil
        }
        if inverse.x != 0 {
            let (a, b) = ((low - direction.y * y) * inverse.x, (high - direction.y * y) * inverse.x)
            if a < b {
                (left, right) = (max(left, a), min(right, b))
            } else {
                (left, right) = (max(left, b), min(right, a))
            }
        } else if direction.y * y < low || direction.y * y > high {
            return nil
        }
        return left <= right ? (left, right) : nil
    }
}

extension CoverageMask {
    /// Adds an edge.
    ///
    /// - Parameters:
    ///   - thickness: Pixels.
    ///   - period: The length of a dash with its gap, pixels; 0 for a solid edge. The edge begins with half a dash.
    ///   - dash: A dash's length, pixels.
    func add(_ edge: StrokeEdge, thickness: Double, period: Double = 0, dash: Double = 0) {
        let half = thickness / 2
        let (blur, sharpness) = (edge.pixelWidth, 1 / edge.pixelWidth)
        let reach = half + blur / 2
        let most = min(thickness * sharpness, 1)
        let (dx, dy) = (edge.direction.x, edge.direction.y)
        let fixed = 255 * 65536 * sharpness
        let step = Int((dy * fixed).rounded())
        let reachFixed = Int((reach * fixed).rounded()) + 32768
        let mostFixed = Int((most * 255 * 65536).rounded()) + 32768
        // Along the edge, the stroke goes from low to high, and is plain, all but its sides, from calm to calm.
        let (low, high) = (-edge.startExtension, edge.length + edge.endExtension)
        let (calmLow, calmHigh) = (reach * 4, period > 0 ? -1 : edge.length - reach * 4)
        let (firstY, lastY) = (edge.start.y + low * dy, edge.start.y + high * dy)
        let margin = reach + 1
        let band = Band(along: edge.direction, reach: reach)
        for y in rows(from: min(firstY, lastY) - margin, to: max(firstY, lastY) + margin) {
            let ry = Double(y) - edge.start.y
            guard let span = band.span(row: ry, from: low - blur / 2, to: high + blur / 2) else { continue }
            let columns = columns(from: edge.start.x + span.left, to: edge.start.x + span.right)
            guard !columns.isEmpty else { continue }
            touch(row: y, columns: columns)
            let row = bytes + y * stride
            var calm = columns.lowerBound..<columns.lowerBound
            if calmLow < calmHigh, let span = band.span(row: ry, from: calmLow, to: calmHigh) {
                let inner = self.columns(from: edge.start.x + span.left, to: edge.start.x + span.right)
                if !inner.isEmpty { calm = inner.clamped(to: columns) }
            }
            if !calm.isEmpty {
                // Fixed point, since this is where nearly all pixels of an outline are: codes times 2¹⁶.
                let first = dx * ry + dy * (edge.start.x - Double(calm.lowerBound))
                var across = Int(first * fixed)
                for x in calm {
                    let coverage = max(min(reachFixed &- abs(across), mostFixed), 0) &>> 16
                    row[x] = max(row[x], UInt8(truncatingIfNeeded: coverage))
                    across &-= step
                }
            }
            for x in columns.lowerBound..<calm.lowerBound { shade(x) }
            for x in calm.upperBound..<columns.upperBound { shade(x) }

            func shade(_ x: Int) {
                let rx = Double(x) - edge.start.x
                let across = abs(dx * ry - dy * rx)
                let along = dx * rx + dy * ry
                var coverage = min((reach - across) * sharpness, most)
                coverage = min(coverage, min(along - low, high - along) * sharpness + 0.5)
                if let cut = edge.startCut, along < reach * 4 {
                    coverage = min(coverage, cut.coverage(x, y, half: half))
                }
                if let cut = edge.endCut, along > edge.length - reach * 4 {
                    coverage = min(coverage, cut.coverage(x, y, half: half))
                }
                if period > 0 {
                    let turns = along / period
                    let fromDash = abs(turns - Double(Int(max(turns, 0) + 0.5))) * period
                    coverage = min(coverage, (dash / 2 - fromDash) * sharpness + 0.5)
                }
                row[x] = max(row[x], RGB.code(coverage))
            }
        }
    }

    /// Adds a straight line with round caps.
    ///
    /// - Parameter strength: 0…1, what full coverage counts for.
    func addLine(from a: Point, to b: Point, thickness: Double, strength: Double = 1) {
        let vector = b - a
        let squared = vector.dot(vector)
        guard squared > 1e-12 else { return addDot(at: a, radius: thickness / 2, strength: strength) }
        let length = squared.squareRoot()
        let direction = vector * (1 / length)
        let blur = abs(direction.x) + abs(direction.y)
        let reach = (thickness + blur) / 2
        let most = min(thickness / blur, 1)
        let band = Band(along: direction, reach: reach)
        for y in rows(from: min(a.y, b.y) - reach, to: max(a.y, b.y) + reach) {
            let ry = Double(y) - a.y
            guard let span = band.span(row: ry, from: -reach, to: length + reach) else { continue }
            let columns = columns(from: a.x + span.left, to: a.x + span.right)
            guard !columns.isEmpty else { continue }
            touch(row: y, columns: columns)
            let row = bytes + y * stride
            for x in columns {
                let rx = Double(x) - a.x
                let along = direction.x * rx + direction.y * ry
                var distance = abs(direction.x * ry - direction.y * rx)
                let beyond = max(-along, along - length)
                if beyond > 0 { distance = (distance * distance + beyond * beyond).squareRoot() }
                row[x] = max(row[x], RGB.code(min((reach - distance) / blur, most) * strength))
            }
        }
    }
}
