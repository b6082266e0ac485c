/// Takes the pixels of a place away for good. What is left of it is a few mean values in every plane: three along its shorter
/// side at the most, and one where it is long, as a line of text is, so that no letter has a value of its own. Sharpening
/// can't bring back what isn't there. A filled place has nothing of its own at all: one colour, or the mean of what is around.
///
/// The result is the same on every machine: whole sums, and interpolation in correctly rounded operations only.
package enum CoverPainter {
    /// Mean values along the shorter side of a place. From five on, joined smoothly, they still read as eyes and a mouth
    /// to a face detector, with three as a head.
    private static let cells = 3
    /// The least side of a cell, luma pixels: what is small has fewer.
    private static let smallestCell = 8
    /// From which longer side on, in shorter ones, a place may be a line of text.
    private static let long = 2
    /// How wide the edge is whose mean fills a place, of its shorter side, and at the least, pixels.
    private static let edgeShare = 8, leastEdge = 4

    /// Takes a place's pixels away.
    /// - Parameter cover: Its place is cut at the picture's edges, and grown to whole pixels and chroma samples.
    package static func paint(_ cover: Cover, onto canvas: Canvas) {
        guard let box = cover.spot.bounds, box.isDrawable, canvas.width > 0, canvas.height > 0 else { return }
        let (maskX, maskY) = ((1 << canvas.chromaShift.x) - 1, (1 << canvas.chromaShift.y) - 1)
        let left = max(Int(box.x.rounded(.down)), 0) & ~maskX
        let top = max(Int(box.y.rounded(.down)), 0) & ~maskY
        let right = min((Int(box.right.rounded(.up)) + maskX) & ~maskX, canvas.width)
        let bottom = min((Int(box.bottom.rounded(.up)) + maskY) & ~maskY, canvas.height)
        guard left < right, top < bottom else { return }
        let (shorter, longer) = (min(right - left, bottom - top), max(right - left, bottom - top))
        let number = longer > long * shorter ? 1 : cells
        let cell = max((shorter + number - 1) / number, smallestCell)
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
        let codes = cover.color.map { canvas.colorSpace.codes(of: $0, bitDepth: canvas.bitDepth) }
        let edge = max(shorter / edgeShare, leastEdge)
        paint(
            area, grid, cover.style, canvas.luma, Part(cells: cells, shiftX: shiftX, shiftY: shiftY),
            Fill(code: codes?.y, edgeX: edge, edgeY: edge))
        guard let chroma = canvas.chroma else { return }
        for (plane, code) in [(chroma.cb, codes?.cb), (chroma.cr, codes?.cr)] {
            let right = min((right + maskX) >> shiftX, plane.width),
                bottom = min((bottom + maskY) >> shiftY, plane.height)
            guard left >> shiftX < right, top >> shiftY < bottom else { continue }
            let part = Area(x: left >> shiftX..<right, y: top >> shiftY..<bottom)
            paint(
                part, (min(grid.columns, part.x.count), min(grid.rows, part.y.count)), cover.style, plane,
                Part(cells: cells, shiftX: 0, shiftY: 0),
                Fill(code: code, edgeX: max(edge >> shiftX, 1), edgeY: max(edge >> shiftY, 1)))
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

    /// What a place is filled with.
    private struct Fill {
        /// nil for the mean of what is around.
        var code: UInt16?
        /// Samples.
        var edgeX: Int
        var edgeY: Int
    }

    private static func paint(
        _ area: Area, _ grid: (columns: Int, rows: Int), _ style: CoverStyle, _ plane: MutablePlane, _ part: Part,
        _ fill: Fill
    ) {
        switch (style, plane.bitDepth > 8) {
        case (.fill, true): self.fill(UInt16.self, area, fill, plane, part)
        case (.fill, false): self.fill(UInt8.self, area, fill, plane, part)
        case (_, true): paint(UInt16.self, area, grid, style, plane, part)
        case (_, false): paint(UInt8.self, area, grid, style, plane, part)
        }
    }

    private static func fill<Sample: FixedWidthInteger & UnsignedInteger>(
        _ sample: Sample.Type, _ area: Area, _ fill: Fill, _ plane: MutablePlane, _ part: Part
    ) {
        let size = MemoryLayout<Sample>.size
        func row(_ y: Int) -> UnsafeMutableRawPointer { UnsafeMutableRawPointer(plane.base + y * plane.stride) }
        var (sum, count) = (0, 0)
        func add(_ xs: Range<Int>, _ ys: Range<Int>) {
            let xs = xs.clamped(to: 0..<plane.width)
            for y in ys.clamped(to: 0..<plane.height) {
                sum += Self.sum(UnsafeRawPointer(row(y)), xs, of: sample)
                count += xs.count
            }
        }
        if fill.code == nil {
            let (left, right) = (area.x.lowerBound, area.x.upperBound),
                (top, bottom) = (area.y.lowerBound, area.y.upperBound)
            add(left - fill.edgeX..<right + fill.edgeX, top - fill.edgeY..<top)
            add(left - fill.edgeX..<right + fill.edgeX, bottom..<bottom + fill.edgeY)
            add(left - fill.edgeX..<left, area.y)
            add(right..<right + fill.edgeX, area.y)
        }
        // Nothing is around what fills the picture: the middle of the scale.
        let mean = count == 0 ? 1 << (plane.bitDepth - 1) : (sum + count / 2) / count
        let value = Sample(clamping: fill.code.map(Int.init) ?? mean)
        guard part.cells != nil else {
            let line = [Sample](repeating: value, count: area.x.count)
            line.withUnsafeBytes { bytes in
                for y in area.y {
                    let target = UnsafeMutableRawBufferPointer(
                        start: row(y) + area.x.lowerBound * size, count: bytes.count)
                    target.copyMemory(from: bytes)
                }
            }
            return
        }
        for y in area.y {
            let target = row(y)
            for x in area.x where part.contains(x, y) {
                target.storeBytes(of: value, toByteOffset: x * size, as: Sample.self)
            }
        }
    }

    /// The sum of some samples of a row.
    private static func sum<Sample: FixedWidthInteger & UnsignedInteger>(
        _ row: UnsafeRawPointer, _ xs: Range<Int>, of sample: Sample.Type
    ) -> Int {
        var sum = 0
        for x in xs {
            sum &+= Int(row.loadUnaligned(fromByteOffset: x &* MemoryLayout<Sample>.size, as: Sample.self))
        }
        return sum
    }

    private static func paint<Sample: FixedWidthInteger & UnsignedInteger>(
        _ sample: Sample.Type, _ area: Area, _ grid: (columns: Int, rows: Int), _ style: CoverStyle,
        _ plane: MutablePlane, _ part: Part
    ) {
        let size = MemoryLayout<Sample>.size
        func row(_ y: Int) -> UnsafeMutableRawPointer {
            UnsafeMutableRawPointer(plane.base + (area.y.lowerBound + y) * plane.stride + area.x.lowerBound * size)
        }
        let across = Axis(count: area.x.count, cells: grid.columns)
        let down = Axis(count: area.y.count, cells: grid.rows)
        let means = means(of: sample, across, down, row)
        let isWhole = part.cells == nil
        // Between two rows of cells a column has the same two values in every line.
        var (above, below) = ([Double](), [Double]())
        var known: (first: Int, second: Int)?
        func mixed(_ row: Int) -> [Double] {
            across.near.map { near in
                Double(means[row * grid.columns + near.first]) * (1 - near.weight)
                    + Double(means[row * grid.columns + near.second]) * near.weight
            }
        }
        var line = [Sample](repeating: 0, count: area.x.count)
        for y in 0..<area.y.count {
            switch style {
            case .pixelate:
                let first = down.cells[y] * grid.columns
                if y == 0 || down.cells[y] != down.cells[y - 1] {
                    for x in line.indices { line[x] = Sample(clamping: means[first + across.cells[x]]) }
                }
            case .blur, .fill:
                let near = down.near[y]
                if known.map({ $0 != (near.first, near.second) }) ?? true {
                    (above, below) = (mixed(near.first), mixed(near.second))
                    known = (near.first, near.second)
                }
                mix(above, below, near.weight, into: &line)
            }
            let target = row(y)
            if isWhole {
                line.withUnsafeBytes { bytes in
                    UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyMemory(from: bytes)
                }
            } else {
                for x in line.indices where part.contains(area.x.lowerBound + x, area.y.lowerBound + y) {
                    target.storeBytes(of: line[x], toByteOffset: x * size, as: Sample.self)
                }
            }
        }
    }

    /// A line between two others, by the lower one's weight, rounded.
    private static func mix<Sample: FixedWidthInteger & UnsignedInteger>(
        _ above: [Double], _ below: [Double], _ weight: Double, into line: inout [Sample]
    ) {
        let other = 1 - weight
        above.withUnsafeBufferPointer { above in
            below.withUnsafeBufferPointer { below in
                line.withUnsafeMutableBufferPointer { line in
                    for x in 0..<line.count {
                        let value = above[x] * other + below[x] * weight + nearlyNothing
                        line[x] = Sample(truncatingIfNeeded: (value + wholes).bitPattern)
                    }
                }
            }
        }
    }

    /// Added to a number, leaves its nearest whole one in the lowest bits: no conversion asks every sample whether it fits.
    private static let wholes = 0x1.8p52
    /// Rounds halves up.
    private static let nearlyNothing = 0x1p-30

    /// The means of an area's cells, by rows.
    private static func means<Sample: FixedWidthInteger & UnsignedInteger>(
        of sample: Sample.Type, _ across: Axis, _ down: Axis, _ row: (Int) -> UnsafeMutableRawPointer
    ) -> [Int] {
        let columns = across.parts.count
        var sums = [Int](repeating: 0, count: columns * down.parts.count)
        for (cell, lines) in down.parts.enumerated() {
            for y in lines {
                let source = row(y)
                for (column, part) in across.parts.enumerated() {
                    sums[cell * columns + column] += sum(source, part, of: sample)
                }
            }
        }
        return sums.indices.map { index in
            let count = across.parts[index % columns].count * down.parts[index / columns].count
            return (sums[index] + count / 2) / max(count, 1)
        }
    }

    /// For each sample along one side: its cell, and the two cells between whose middles it lies.
    private struct Axis {
        var cells: [Int]
        /// The samples of each cell.
        var parts: [Range<Int>]
        var near: [(first: Int, second: Int, weight: Double)]

        init(count: Int, cells number: Int) {
            cells = (0..<count).map { $0 * number / count }
            // The first sample of a cell is the first whose number is its.
            parts = (0..<number).map {
                (($0 * count + number - 1) / number)..<((($0 + 1) * count + number - 1) / number)
            }
            near = (0..<count).map { index in
                let place = (Double(index) + 0.5) * Double(number) / Double(count) - 0.5
                let inside = min(max(place, 0), Double(number - 1))
                let first = Int(inside)
                return (first, min(first + 1, number - 1), inside - Double(first))
            }
        }
    }
}
