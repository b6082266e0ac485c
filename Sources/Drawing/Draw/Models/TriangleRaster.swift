/// Fills triangles with a depth buffer and eight samples a pixel, then blends the result with a canvas.
///
/// Works through the canvas in bands of rows, so that the memory it takes depends on the width alone. Corners are taken
/// to the nearest 256th of a pixel, which makes the edges' arithmetic exact: neighbours leave no gaps, and results are the
/// same on every machine.
final class TriangleRaster {
    struct Vertex {
        /// Place in the picture, pixels.
        var place: Point
        /// 1 ÷ depth, which is linear in the picture.
        var nearness: Double
        /// R′G′B′, 0…255.
        var color: SIMD3<Float>
    }

    private struct Triangle {
        /// Coefficients of the edges: a·x + b·y + c is 0 on an edge and positive inside.
        var a: SIMD3<Double>
        var b: SIMD3<Double>
        var c: SIMD3<Double>
        /// Half a pixel in units of the edges' values.
        var reach: SIMD3<Double>
        /// 1 ÷ the sum of the three values, which is the same everywhere.
        var scale: Double
        /// Nearness of the corners across from the edges.
        var nearness: SIMD3<Double>
        var colors: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
        var isFlat: Bool
        var columns: Range<Int>
        var rows: Range<Int>
    }

    /// Rows of a band; a multiple of the chroma subsampling.
    private static let bandRows = 32
    /// Distance from the origin beyond which places are not exact any more, pixels.
    private static let farthest = 1e5
    /// Places of the samples about a pixel's centre, in 16ths of a pixel: no two in one column or row.
    private static let samplesX = SIMD8<Double>(1, -1, 5, -3, -5, -7, 3, 7) / 16
    private static let samplesY = SIMD8<Double>(-3, 3, 1, -5, 5, -1, 7, -7) / 16

    private var canvas: Canvas?
    private var triangles: [Triangle] = []
    /// Nearness of eight samples for each pixel of a band; 0 where there is nothing.
    private var nearness: [Float] = []
    /// Red, green, blue and alpha of each sample, a byte each.
    private var colors: [UInt32] = []
    private var line: [PixelLanes] = []

    /// Begins a body.
    func begin(_ canvas: Canvas) {
        self.canvas = canvas
        triangles.removeAll(keepingCapacity: true)
    }

    func add(_ first: Vertex, _ second: Vertex, _ third: Vertex) {
        guard let canvas else { return }
        func snapped(_ value: Double) -> Double { (value * 256).rounded() / 256 }
        let places = [first, second, third].map { Point(snapped($0.place.x), snapped($0.place.y)) }
        guard places.allSatisfy({ abs($0.x) <= Self.farthest && abs($0.y) <= Self.farthest }) else { return }
        let area = (places[1] - places[0]).cross(places[2] - places[0])
        guard area != 0, let box = Box(around: places) else { return }
        let columns = Self.pixels(box.x, box.right, canvas.width)
        let rows = Self.pixels(box.y, box.bottom, canvas.height)
        guard !columns.isEmpty, !rows.isEmpty else { return }
        let sign = area > 0 ? 1.0 : -1.0
        var (a, b, c) = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
        for edge in 0..<3 {
            // The edge across from corner `edge`.
            let (from, to) = (places[(edge + 1) % 3], places[(edge + 2) % 3])
            a[edge] = sign * (from.y - to.y)
            b[edge] = sign * (to.x - from.x)
            c[edge] = -(a[edge] * from.x + b[edge] * from.y)
        }
        let absolute = SIMD3(abs(a.x) + abs(b.x), abs(a.y) + abs(b.y), abs(a.z) + abs(b.z))
        triangles.append(
            Triangle(
                a: a, b: b, c: c, reach: absolute / 2, scale: 1 / abs(area),
                nearness: [first.nearness, second.nearness, third.nearness],
                colors: (first.color, second.color, third.color),
                isFlat: first.color == second.color && second.color == third.color, columns: columns, rows: rows))
    }

    private static func pixels(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
        let (first, last) = (max(Int((low - 0.5).rounded(.up)), 0), min(Int((high + 0.5).rounded(.down)), limit - 1))
        return first <= last ? first..<last + 1 : 0..<0
    }

    /// Blends everything that was added with the canvas.
    func finish(opacity: Double) {
        defer { canvas = nil }
        guard let canvas, let left = triangles.map(\.columns.lowerBound).min(),
            let right = triangles.map(\.columns.upperBound).max()
        else { return }
        var bands = [[Int32]](repeating: [], count: (canvas.height + Self.bandRows - 1) / Self.bandRows)
        for (index, triangle) in triangles.enumerated() {
            for band in triangle.rows.lowerBound / Self.bandRows...(triangle.rows.upperBound - 1) / Self.bandRows {
                bands[band].append(Int32(index))
            }
        }
        let width = right - left
        if line.count < width { line = [PixelLanes](repeating: .zero, count: width) }
        var blender = ColorBlender(canvas)
        for (band, members) in bands.enumerated() where !members.isEmpty {
            let top = band * Self.bandRows
            let bottom = min(top + Self.bandRows, canvas.height)
            let count = width * (bottom - top) * 8
            if nearness.count < count {
                nearness = [Float](repeating: 0, count: count)
                colors = [UInt32](repeating: 0, count: count)
            }
            nearness.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
            colors.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
            for index in members { fill(triangles[Int(index)], rows: top..<bottom, left: left, width: width) }
            for y in top..<bottom {
                blend(y, row: y - top, left, width, opacity: UInt64(RGB.code(opacity)), &blender)
            }
        }
        blender.finish()
    }

    // MARK: Filling

    private func fill(_ triangle: Triangle, rows band: Range<Int>, left: Int, width: Int) {
        let rows = triangle.rows.clamped(to: band)
        // What the samples' places add to each edge's value, and to the nearness.
        func offsets(_ edge: Int) -> SIMD8<Double> {
            triangle.a[edge] * Self.samplesX + triangle.b[edge] * Self.samplesY
        }
        let all = (offsets(0), offsets(1), offsets(2))
        let steps = all.0 * triangle.nearness.x + all.1 * triangle.nearness.y + all.2 * triangle.nearness.z
        let flat = Self.packed(triangle.colors.0)
        let (near0, near1, near2) = (triangle.nearness.x, triangle.nearness.y, triangle.nearness.z)
        let (reach0, reach1, reach2) = (triangle.reach.x, triangle.reach.y, triangle.reach.z)
        let (a0, a1, a2) = (triangle.a.x, triangle.a.y, triangle.a.z)
        let scale = triangle.scale
        let (isFlat, columns) = (triangle.isFlat, triangle.columns)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 8) { slopes in
            for sample in 0..<8 { slopes.initializeElement(at: sample, to: Float(steps[sample] * scale)) }
            nearness.withUnsafeMutableBufferPointer { nearness in
                colors.withUnsafeMutableBufferPointer { colors in
                    guard let nearest = nearness.baseAddress, let painted = colors.baseAddress,
                        let slope = slopes.baseAddress
                    else { return }
                    for y in rows {
                        let start = triangle.a * Double(columns.lowerBound) + triangle.b * Double(y) + triangle.c
                        var (e0, e1, e2) = (start.x, start.y, start.z)
                        let row = (y - band.lowerBound) * width + columns.lowerBound - left
                        // Where the row is near the triangle, with a pixel to spare for rounding.
                        var (from, to) = (0.0, Double(columns.count))
                        for (edge, slope, reach) in [(e0, a0, reach0), (e1, a1, reach1), (e2, a2, reach2)] {
                            let place = (-reach - edge) / slope
                            if slope > 0 { from = max(from, place - 1) } else if slope < 0 { to = min(to, place + 2) }
                        }
                        guard from < to else { continue }
                        let skipped = from.rounded(.down)
                        (e0, e1, e2) = (e0 + a0 * skipped, e1 + a1 * skipped, e2 + a2 * skipped)
                        for step in Int(skipped)..<Int(to.rounded(.up)) {
                            defer { (e0, e1, e2) = (e0 + a0, e1 + a1, e2 + a2) }
                            if e0 < -reach0 || e1 < -reach1 || e2 < -reach2 { continue }
                            let color = isFlat ? flat : Self.color(triangle, [e0, e1, e2])
                            let middle = Float((e0 * near0 + e1 * near1 + e2 * near2) * scale)
                            let (near, code) = (nearest + (row + step) * 8, painted + (row + step) * 8)
                            if e0 >= reach0, e1 >= reach1, e2 >= reach2 {
                                for sample in 0..<8 {
                                    let depth = middle + slope[sample]
                                    let isSeen = depth > near[sample]
                                    code[sample] = isSeen ? color : code[sample]
                                    near[sample] = isSeen ? depth : near[sample]
                                }
                            } else {
                                for sample in 0..<8 {
                                    let isInside =
                                        e0 + all.0[sample] >= 0 && e1 + all.1[sample] >= 0 && e2 + all.2[sample] >= 0
                                    let depth = middle + slope[sample]
                                    guard isInside, depth > near[sample] else { continue }
                                    (near[sample], code[sample]) = (depth, color)
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Colour at a pixel, between the corners' colours; a pixel whose middle is outside has that of the nearest place
    /// inside, more or less.
    private static func color(_ triangle: Triangle, _ edges: SIMD3<Double>) -> UInt32 {
        let inside = edges.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: .infinity))
        let shares = SIMD3<Float>(inside / max(inside.sum(), 1e-300))
        return packed(
            triangle.colors.0 * shares.x + triangle.colors.1 * shares.y + triangle.colors.2 * shares.z)
    }

    private static func packed(_ color: SIMD3<Float>) -> UInt32 {
        func code(_ value: Float) -> UInt32 { UInt32(truncatingIfNeeded: Int32(min(255, max(0, value)) + 0.5)) }
        return code(color.x) | code(color.y) << 8 | code(color.z) << 16 | 255 << 24
    }

    // MARK: Blending

    private func blend(
        _ y: Int, row: Int, _ left: Int, _ width: Int, opacity: UInt64, _ blender: inout ColorBlender
    ) {
        var (first, last) = (Int.max, -1)
        colors.withUnsafeBufferPointer { samples in
            line.withUnsafeMutableBufferPointer { line in
                for x in 0..<width {
                    let start = (row * width + x) * 8
                    var lanes = PixelLanes(bytes: samples[start])
                    var differing: UInt32 = 0
                    for sample in 1..<8 { differing |= samples[start] ^ samples[start + sample] }
                    if differing != 0 {
                        // Eight times 255 stay in their lanes.
                        var sum: UInt64 = 0x0004_0004_0004_0004
                        for sample in 0..<8 { sum &+= PixelLanes(bytes: samples[start + sample]).bits }
                        lanes = PixelLanes(bits: (sum &>> 3) & 0x00FF_00FF_00FF_00FF)
                    }
                    line[x] = opacity < 255 ? lanes.scaled(opacity) : lanes
                    if lanes.bits != 0 { (first, last) = (min(first, x), x) }
                }
            }
        }
        guard first <= last else { return }
        line.withUnsafeBufferPointer {
            blender.blend(UnsafeBufferPointer(rebasing: $0[first...last]), x: left + first, y: y)
        }
    }
}
