/// Takes the pixels of a place away for good: what is left of it is a few mean values, three along its shorter side at
/// the most, in every plane. Sharpening can't bring back what isn't there.
///
/// The result is the same on every machine: whole sums, and interpolation in correctly rounded operations only.
enum CoverPainter {
    /// Mean values along the shorter side of a place. From five on, joined smoothly, they still read as eyes and a mouth
    /// to a face detector, with three as a head.
    private static let cells = 3
    /// The least side of a cell, luma pixels: what is small has fewer.
    private static let smallestCell = 8

    /// Takes away a place's pixels.
    /// - Parameter cover: Its place is cut at the picture's edges, and grown to whole pixels and chroma samples.
    static func paint(_ cover: Cover, onto canvas: Canvas) {
        guard let box = cover.spot.bounds, box.isDrawable, canvas.width > 0, canvas.height > 0 else { return }
        let (maskX, maskY) = ((1 << canvas.chromaShift.x) - 1, (1 << canvas.chromaShift.y) - 1)
        let left = max(Int(box.x.rounded(.down)), 0) & ~maskX
        let top = max(Int(box.y.rounded(.down)), 0) & ~maskY
        let right = min((Int(box.right.rounded(.up)) + maskX) & ~maskX, canvas.width)
        let bottom = min((Int(box.bottom.rounded(.up)) + maskY) & ~maskY, canvas.height)
        guard left < right, top < bottom else { return }
        let cell = max((min(right - left, bottom - top) + cells - 1) / cells, smallestCell)
        let grid = (columns: (right - left + cell - 1) / cell, rows: (bottom - top + cell - 1) / cell)
        let area = Area(x: left..<right, y: top..<bottom)
        let (shiftX, shiftY) = canvas.chromaShift
        // Whole chroma samples, so that the colours of what is covered are too.
        let side = (x: 1 << shiftX, y: 1 << shiftY)
        let columns = left >> shiftX..<(right + maskX) >> shiftX, rows = top >> shiftY..<(bottom + maskY) >> shiftY
        let cells: TouchedCells? =
            switch cover.spot {
            case .box: nil
            case .polygon(let corners): TouchedCells(of: corners, side: side, x: columns, y: rows)
            case .mask(let mask, let margin): TouchedCells(of: mask, margin: margin, side: side, x: columns, y: rows)
            }
        paint(area, grid, cover.style, canvas.luma, Part(cells: cells, shiftX: shiftX, shiftY: shiftY))
        guard let chroma = canvas.chroma else { return }
        for plane in [chroma.cb, chroma.cr] {
            let right = min((right + maskX) >> shiftX, plane.width),
                bottom = min((bottom + maskY) >> shiftY, plane.height)
            guard left >> shiftX < right, top >> shiftY < bottom else { continue }
            let part = Area(x: left >> shiftX..<right, y: top >> shiftY..<bottom)
            paint(
                part, (min(grid.columns, part.x.count), min(grid.rows, part.y.count)), cover.style, plane,
                Part(cells: cells, shiftX: 0, shiftY: 0))
        }
    }

    /// A box of samples of one plane.
    private struct Area {
        var x: Range<Int>
        var y: Range<Int>
    }

    /// The samples of an area that are covered.
    private struct Part {
        /// Covered cells; nil for all.
        var cells: TouchedCells?
        /// log2 of samples a cell, across.
        var shiftX: Int
        var shiftY: Int

        func contains(_ x: Int, _ y: Int) -> Bool { cells?.contains(x >> shiftX, y >> shiftY) ?? true }
    }

    private static func paint(
        _ area: Area, _ grid: (columns: Int, rows: Int), _ style: CoverStyle, _ plane: MutablePlane, _ part: Part
    ) {
        if plane.bitDepth > 8 {
            paint(UInt16.self, area, grid, style, plane, part)
        } else {
            paint(UInt8.self, area, grid, style, plane, part)
        }
    }

    private static func paint<Sample: FixedWidthInteger & UnsignedInteger>(
        _ sample: Sample.Type, _ area: Area, _ grid: (columns: Int, rows: Int), _ style: CoverStyle,
        _ plane: MutablePlane, _ part: Part
    ) {
        let size = MemoryLayout<Sample>.size
        func row(_ y: Int) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(plane.base + y * plane.stride + area.x.lowerBound * size)
        }
        let across = Axis(count: area.x.count, cells: grid.columns)
        let down = Axis(count: area.y.count, cells: grid.rows)
        var sums = [Int](repeating: 0, count: grid.columns * grid.rows)
        var counts = sums
        for y in 0..<area.y.count {
            let source = row(area.y.lowerBound + y)
            let first = down.cells[y] * grid.columns
            for x in 0..<area.x.count {
                sums[first + across.cells[x]] += Int(source.loadUnaligned(fromByteOffset: x * size, as: Sample.self))
                counts[first + across.cells[x]] += 1
            }
        }
        let means = zip(sums, counts).map { ($0 + $1 / 2) / max($1, 1) }
        let isWhole = part.cells == nil
        for y in 0..<area.y.count {
            let target = row(area.y.lowerBound + y)
            for x in 0..<area.x.count
            where isWhole || part.contains(area.x.lowerBound + x, area.y.lowerBound + y) {
                let value: Int
                switch style {
                case .pixelate: value = means[down.cells[y] * grid.columns + across.cells[x]]
                case .blur:
                    let (upper, lower) = (down.near[y].first * grid.columns, down.near[y].second * grid.columns)
                    let (a, b, weight) = (across.near[x].first, across.near[x].second, across.near[x].weight)
                    let above = Double(means[upper + a]) * (1 - weight) + Double(means[upper + b]) * weight
                    let below = Double(means[lower + a]) * (1 - weight) + Double(means[lower + b]) * weight
                    value = Int((above * (1 - down.near[y].weight) + below * down.near[y].weight).rounded())
                }
                target.storeBytes(of: Sample(clamping: value), toByteOffset: x * size, as: Sample.self)
            }
        }
    }

    /// For each sample along one side: its cell, and the two cells between whose middles it lies.
    private struct Axis {
        var cells: [Int]
        var near: [(first: Int, second: Int, weight: Double)]

        init(count: Int, cells number: Int) {
            cells = (0..<count).map { $0 * number / count }
            near = (0..<count).map { index in
                let place = (Double(index) + 0.5) * Double(number) / Double(count) - 0.5
                let inside = min(max(place, 0), Double(number - 1))
                let first = Int(inside)
                return (first, min(first + 1, number - 1), inside - Double(first))
            }
        }
    }
}
