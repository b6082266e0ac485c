extension CoverageMask {
    /// Adds a closed outline with mitred corners; where a corner is so sharp that its mitre would stick out by more
    /// than the thickness, the mitre is cut flat.
    ///
    /// - Parameters:
    ///   - polygon: The corners in order, the first not repeated. Coinciding neighbours count once.
    ///   - dash: nil for a solid outline. The rhythm is stretched so that every corner is drawn.
    func addOutline(of polygon: [Point], thickness: Double, dash: Dash? = nil) {
        guard let first = polygon.first else { return }
        let edges = StrokeEdge.around(polygon, thickness: thickness)
        guard edges.count > 2 else {
            if edges.isEmpty { return addDot(at: first, radius: thickness / 2) }
            for edge in edges {
                addLine(from: edge.start, to: edge.start + edge.direction * edge.length, thickness: thickness)
            }
            return
        }
        for edge in edges {
            add(edge, thickness: thickness, period: dash?.period(along: edge) ?? 0, dash: dash?.length ?? 0)
        }
    }

    /// Adds a filled circle.
    ///
    /// - Parameter strength: 0…1, what full coverage counts for.
    func addDot(at center: Point, radius: Double, strength: Double = 1) {
        let reach = radius + 0.5
        // Under a pixel across, what counts is the area.
        let most = radius < 0.5 ? 4 * radius * radius : 1
        for y in rows(from: center.y - reach, to: center.y + reach) {
            let ry = Double(y) - center.y
            let halfWidth = max(reach * reach - ry * ry, 0).squareRoot()
            let columns = columns(from: center.x - halfWidth, to: center.x + halfWidth)
            touch(row: y, columns: columns)
            let row = bytes + y * stride
            for x in columns {
                let rx = Double(x) - center.x
                let distance = (rx * rx + ry * ry).squareRoot()
                row[x] = max(row[x], RGB.code(min(reach - distance, most) * strength))
            }
        }
    }

    /// Adds a filled box with rounded corners.
    ///
    /// - Parameters:
    ///   - box: `Box(x: 3, y: 2, width: 1, height: 1)` is the pixel in column 3, row 2.
    ///   - radius: Pixels; cut to half the box's shorter side.
    func addRoundedBox(_ box: Box, radius: Double) {
        guard box.width > 0, box.height > 0 else { return }
        // In pixel-centre coordinates a box reaches from half a pixel before its first column.
        let center = Point(box.center.x - 0.5, box.center.y - 0.5)
        let (halfWidth, halfHeight) = (box.width / 2, box.height / 2)
        let radius = min(max(radius, 0), min(halfWidth, halfHeight))
        let columns = columns(from: center.x - halfWidth - 0.5, to: center.x + halfWidth + 0.5)
        // Between the corners and off the sides' soft edges, a row is all the same.
        let edge = max(radius, 1)
        let middle = self.columns(from: center.x - halfWidth + edge, to: center.x + halfWidth - edge)
        let most = min(box.width, 1) * min(box.height, 1)
        for y in rows(from: center.y - halfHeight - 0.5, to: center.y + halfHeight + 0.5) {
            let vertical = abs(Double(y) - center.y) - halfHeight
            touch(row: y, columns: columns)
            let row = bytes + y * stride
            let plain = RGB.code(min(0.5 - vertical, most))
            for x in middle { row[x] = max(row[x], plain) }
            for x in columns where !middle.contains(x) {
                let horizontal = abs(Double(x) - center.x) - halfWidth
                let (cornerX, cornerY) = (horizontal + radius, vertical + radius)
                var coverage: Double
                if radius > 0, cornerX > 0, cornerY > 0 {
                    coverage = 0.5 + radius - (cornerX * cornerX + cornerY * cornerY).squareRoot()
                } else {
                    coverage = min(0.5 - horizontal, 1) * min(0.5 - vertical, 1)
                }
                coverage = min(coverage, most)
                row[x] = max(row[x], RGB.code(coverage))
            }
        }
    }

    /// Adds rendered text.
    ///
    /// - Parameters:
    ///   - x: The pixel column of the pen's start.
    ///   - baseline: The pixel row just below the baseline.
    func add(_ text: TextBitmap, x: Int, baseline: Int) {
        let (left, top) = (x + text.left, baseline + text.top)
        let columns = max(left, 0)..<max(min(left + text.width, width), max(left, 0))
        guard !columns.isEmpty else { return }
        text.coverage.withUnsafeBufferPointer { coverage in
            for y in max(top, 0)..<max(min(top + text.height, height), max(top, 0)) {
                touch(row: y, columns: columns)
                let row = bytes + y * stride
                let source = (y - top) * text.width - left
                for x in columns {
                    row[x] = max(row[x], coverage[source + x])
                }
            }
        }
    }
}
