extension CoverageMask {
    /// Rows in which a row of pixels is sampled.
    private static let samples = 8

    /// Adds a filled polygon of any form (even–odd rule). Across, a pixel's coverage is exact; down, it is the mean of
    /// eight rows.
    ///
    /// - Parameter polygon: The corners in order, the first not repeated.
    func addPolygon(_ polygon: [Point]) {
        guard polygon.count > 2, let box = Box(around: polygon) else { return }
        // In units of pixels' left edges, so that a pixel is from its number to the next.
        let columns = columns(from: box.x - 1, to: box.right + 1)
        guard !columns.isEmpty else { return }
        var sums = [Double](repeating: 0, count: columns.count)
        // Where full pixels begin and end: what a sum gains from there on.
        var steps = [Int32](repeating: 0, count: columns.count + 1)
        var crossings: [Double] = []
        for y in rows(from: box.y - 1, to: box.bottom + 1) {
            var isEmpty = true
            for sample in 0..<Self.samples {
                let line = Double(y) - 0.5 + (Double(sample) + 0.5) / Double(Self.samples)
                crossings.removeAll(keepingCapacity: true)
                var a = polygon[polygon.count - 1]
                for b in polygon {
                    if (a.y <= line) != (b.y <= line) {
                        crossings.append(a.x + (b.x - a.x) * (line - a.y) / (b.y - a.y))
                    }
                    a = b
                }
                crossings.sort()
                for pair in Swift.stride(from: 0, to: crossings.count - 1, by: 2) {
                    let left = max(crossings[pair] + 0.5 - Double(columns.lowerBound), 0)
                    let right = min(crossings[pair + 1] + 0.5 - Double(columns.lowerBound), Double(columns.count))
                    guard left < right else { continue }
                    isEmpty = false
                    Self.add(left, right, to: &sums, &steps)
                }
            }
            guard !isEmpty else { continue }
            touch(row: y, columns: columns)
            let row = bytes + y * stride + columns.lowerBound
            var full: Int32 = 0
            for index in sums.indices {
                full &+= steps[index]
                let coverage =
                    full == Int32(Self.samples)
                    ? 255 : RGB.code((sums[index] + Double(full)) / Double(Self.samples))
                row[index] = max(row[index], coverage)
                sums[index] = 0
                steps[index] = 0
            }
            steps[columns.count] = 0
        }
    }

    /// Adds a span's share of each pixel.
    private static func add(
        _ left: Double, _ right: Double, to sums: inout [Double], _ steps: inout [Int32]
    ) {
        let (first, last) = (Int(left), min(Int(right), sums.count - 1))
        guard first < last else {
            sums[min(first, last)] += right - left
            return
        }
        sums[first] += Double(first + 1) - left
        steps[first + 1] += 1
        steps[last] -= 1
        sums[last] += right - Double(last)
    }
}
